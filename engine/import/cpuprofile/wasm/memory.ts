/** Where everything lies in the module's memory: addresses and sizes in bytes. Nothing moves, and nothing grows. */

/** The bytes to be read: JavaScript puts them here. */
export const windowStart: i32 = 1 << 16;
export const windowSize: i32 = 1 << 19;

/** Behind the window: 16 bytes are looked at at once, and zeros end what is to be read. */
const margin: i32 = 64;

// What was read: 4 bytes each. There is room for all that the window can hold, so nobody has to look whether there is.
// No node is shorter than 32 bytes, no tick than 16, no number with its comma than 2.
const mostNodes: i32 = windowSize / 32;
const mostTicks: i32 = windowSize / 16;
const mostNumbers: i32 = windowSize / 2;
export const ids: i32 = windowStart + windowSize + margin;
export const frames: i32 = ids + mostNodes * 4;
export const childrenEnds: i32 = frames + mostNodes * 4;
export const ticksEnds: i32 = childrenEnds + mostNodes * 4;
export const named: i32 = ticksEnds + mostNodes * 4;
export const namedParents: i32 = named + mostNodes * 4;
export const tickLines: i32 = namedParents + mostNodes * 4;
export const tickCounts: i32 = tickLines + mostTicks * 4;
export const numbers: i32 = tickCounts + mostTicks * 4;

/** How short integers are read: see short-integers.ts. */
export const integerShuffles: i32 = numbers + mostNumbers * 4 + margin;
export const integerSizes: i32 = integerShuffles + (1 << 16);

/** The call frames that are known: see known-frames.ts. There is room for some 30 000. */
export const slots: i32 = integerSizes + (1 << 12);
export const mostSlots: i32 = 1 << 16;
export const slotSize: i32 = 16;
export const texts: i32 = slots + mostSlots * slotSize;
/** The end of the memory, which is given to the compiler in pages of 64 KiB. */
export const textsEnd: i32 = (128 << 16) - margin;
