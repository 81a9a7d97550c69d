/** The layout of the module's memory: addresses and sizes in bytes. They never change. */

/** The window, into which JavaScript puts the bytes to read. */
export const windowStart: i32 = 1 << 16;
export const windowSize: i32 = 1 << 19;

/** Bytes behind the window. Readers look at up to 64 bytes at once, and zeros there end what is to be read. */
const margin: i32 = 64;

// Lists of what was read, with 4 bytes for each entry. Each list has room for all that the window can contain, so no
// reader has to check for room. A node has at least 32 bytes, a tick 16, and a number with its comma 2.
const MAX_NODES: i32 = windowSize / 32;
const MAX_TICKS: i32 = windowSize / 16;
const MAX_NUMBERS: i32 = windowSize / 2;
export const ids: i32 = windowStart + windowSize + margin;
export const frames: i32 = ids + MAX_NODES * 4;
export const childrenEnds: i32 = frames + MAX_NODES * 4;
export const ticksEnds: i32 = childrenEnds + MAX_NODES * 4;
export const named: i32 = ticksEnds + MAX_NODES * 4;
export const namedParents: i32 = named + MAX_NODES * 4;
export const tickLines: i32 = namedParents + MAX_NODES * 4;
export const tickCounts: i32 = tickLines + MAX_TICKS * 4;
export const numbers: i32 = tickCounts + MAX_TICKS * 4;

/** Tables of short-integers.ts. */
export const integerShuffles: i32 = numbers + MAX_NUMBERS * 4 + margin;
export const integerSizes: i32 = integerShuffles + (1 << 16);

/** The known call frames of known-frames.ts. There is room for some 30 000 of them. */
export const slots: i32 = integerSizes + (1 << 12);
export const SLOT_COUNT: i32 = 1 << 16;
export const slotSize: i32 = 16;
export const texts: i32 = slots + SLOT_COUNT * slotSize;
/** End of the memory. `scripts/build-wasm.mjs` gives the compiler the same size, in pages of 64 KiB. */
export const textsEnd: i32 = (128 << 16) - margin;
