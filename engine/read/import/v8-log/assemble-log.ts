import { positionOf } from '../../../../protocol/json-value.ts';
import { type CpuProfile, noDefects, type ProfileFrame, type ProfileTiers } from '../../samples/cpu-profile.ts';
import { type DeoptPlace, type NodeTiers, tiers } from '../../samples/tiered-samples.ts';
import { SampleTimes } from '../../samples/sample-times.ts';
import { type V8Log, functionOf, isInlined, isOsr, tierOf } from './v8-log.ts';
import { unescaped, type BuiltFunctions } from './log-functions.ts';
import { type TextLines, LineStarts } from './log-scripts.ts';
import { lastUpTo } from '../../../basics/lists.ts';
import { filePathOf } from '../../files/file-path.ts';
import { type World, MAX_NAMED_BYTES } from '../../files/world.ts';

/**
 * Makes a profile with tiers from a log. `lines` are those of its scripts, by number; `clock` is added to its times, in
 * µs. The log's arrays become the profile's (copies would be a third of the memory): do not read the log afterwards.
 */
export function assembleLog(log: V8Log, lines: ReadonlyMap<number, LineOf>, clock: number): CpuProfile {
  const { places, nodes, ticks } = log;
  const times = ticks.times.toFloat64();
  for (let tick = 0; tick < times.length; tick++) times[tick] = Math.round((times[tick] ?? 0) + clock);
  const sampled = ticks.nodes.toInt32();
  const { parent } = nodes;
  const { numbers, frames } = usedFrames(log.functions.frames, places.firsts);
  const frameOfPlace = places.firsts.map((kind) => numbers[functionOf(kind)] ?? 0);
  const compiled = howCompiled(log, linesOfPlaces(log, lines));
  const frame = nodes.place;
  for (let node = 0; node < frame.length; node++) frame[node] = frameOfPlace[frame[node] ?? 0] ?? 0;
  return {
    parent,
    frame,
    frames,
    ticks: ticksOf(sampled, parent, compiled.line, (node) => (frames[frame[node] ?? 0]?.line ?? -1) === -1),
    nodes: sampled,
    times: new SampleTimes(times),
    end: times.at(-1) ?? 0,
    defects: noDefects,
    tiered: {
      ...compiled,
      states: Uint8Array.from(ticks.states.toInt32()),
      ...codeEvents(log, numbers, clock),
    },
  };
}

function linesOfPlaces({ places, functions }: V8Log, lines: ReadonlyMap<number, LineOf>): Int32Array {
  const offsets = places.seconds;
  return places.firsts.map((kind, place) => {
    return lines.get(functions.scripts[functionOf(kind)] ?? -1)?.(offsets[place] ?? -1) ?? 0;
  });
}

function howCompiled({ places, nodes: { place, spare } }: V8Log, lineOfPlace: Int32Array): NodeTiers {
  const kinds = places.firsts;
  const size = place.length;
  const memory = spare.byteLength >= size * 7 ? spare : new ArrayBuffer(size * 7);
  const found = {
    line: new Int32Array(memory, 0, size),
    tier: new Uint8Array(memory, size * 4, size),
    inlined: new Uint8Array(memory, size * 5, size),
    osr: new Uint8Array(memory, size * 6, size),
  };
  for (let node = 0; node < size; node++) {
    const kind = kinds[place[node] ?? 0] ?? 0;
    found.line[node] = lineOfPlace[place[node] ?? 0] ?? 0;
    found.tier[node] = tierOf(kind);
    found.inlined[node] = isInlined(kind) ? 1 : 0;
    found.osr[node] = isOsr(kind) ? 1 : 0;
  }
  return found;
}

/** Frames of the functions that were seen, and their numbers by function; −1 for other functions. */
function usedFrames(all: readonly ProfileFrame[], kinds: Int32Array) {
  const numbers = new Int32Array(all.length).fill(-1);
  const frames: ProfileFrame[] = [];
  for (const kind of kinds) {
    const fn = functionOf(kind);
    const frame = all[fn];
    if (numbers[fn] === -1 && frame !== undefined) numbers[fn] = frames.push(frame) - 1;
  }
  return { numbers, frames };
}

/** Ticks by line. Each node is at one line. A native function counts at the line of its caller. */
function ticksOf(
  sampled: Int32Array,
  parent: Int32Array,
  line: Int32Array,
  isNativeAt: (node: number) => boolean,
): CpuProfile['ticks'] {
  /** At `node + 1`: first the number of ticks of the node, later the position where its lines end. */
  const start = new Int32Array(parent.length + 1);
  for (const node of sampled) start[node + 1] = (start[node + 1] ?? 0) + 1;
  const ticks = { line: [] as number[], count: [] as number[] };
  for (let node = 0; node < parent.length; node++) {
    const count = start[node + 1] ?? 0;
    const at = count === 0 ? 0 : (line[isNativeAt(node) ? (parent[node] ?? -1) : node] ?? 0);
    if (at > 0) {
      ticks.line.push(at);
      ticks.count.push(count);
    }
    start[node + 1] = ticks.line.length;
  }
  return { start, line: Int32Array.from(ticks.line), count: Int32Array.from(ticks.count) };
}

function codeEvents(log: V8Log, numbers: Int32Array, clock: number): Pick<ProfileTiers, 'code'> {
  const eventOf = ({ kind, time }: { readonly kind: number; readonly time: number }) => ({
    frame: numbers[functionOf(kind)] ?? -1,
    time: Math.round(time + clock),
    tier: tiers[tierOf(kind)] ?? 'unknown',
    osr: isOsr(kind),
  });
  const isSeen = ({ kind }: { readonly kind: number }): boolean => (numbers[functionOf(kind)] ?? -1) !== -1;
  return {
    code: {
      compiled: log.compiled.filter(isSeen).map((code) => ({ ...eventOf(code), forOneClosure: code.forOneClosure })),
      deopts: log.deopts.filter(isSeen).map((deopt) => ({
        ...eventOf(deopt),
        kind: deopt.deopt,
        reason: unescaped(deopt.reason),
        place: placeOf(deopt.text),
      })),
    },
  };
}

/** Reads `<url:line:column> inlined at <url:line:column>`, innermost first. */
function placeOf(text: string): DeoptPlace | null {
  const [, url, line, column] = /<(.*?):(\d+):(\d+)>/.exec(text) ?? [];
  return url === undefined || positionOf(Number(line)) < 1
    ? null
    : { url: ofUtf8(unescaped(url)), line: Number(line), column: Number(column) };
}

/** V8 escapes the bytes of a deopt's place, in UTF-8; elsewhere UTF-16 units. */
function ofUtf8(text: string): string {
  const units = Array.from(text, (letter) => letter.charCodeAt(0));
  if (units.some((unit) => unit > 0xff)) return text;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(units));
  } catch {
    return text; // They are not UTF-8: another V8 wrote the log.
  }
}

/** The line of an offset in a script, from 1; 0 where it is not known. */
type LineOf = (offset: number) => number;

/** Lines of the scripts that have ticks, by number: by the text in the log, else by the file of the script. */
export async function linesOfLog(log: V8Log, world: World): Promise<ReadonlyMap<number, LineOf>> {
  const { scripts, urls } = log.functions;
  const lines = new Map<number, LineOf>();
  const anchors = anchorsOf(log.functions);
  const used = new Set(log.places.firsts.map((kind) => scripts[functionOf(kind)] ?? -1));
  for (const script of used) {
    if (script < 0) continue;
    const own = anchors.get(script) ?? [];
    const { text = null, length = 0 } = log.scripts[script] ?? {};
    const texts = text === null ? await textsOnDisk(urls.get(script) ?? '', length, world) : [text];
    const found = texts.map((one) => linesOfText(one, own)).find((one) => one !== null);
    lines.set(script, found ?? linesBetween(own));
  }
  return lines;
}

/** A function's first offset, and the place that the log gives for it, from 0. */
interface Anchor {
  readonly start: number;
  readonly line: number;
  readonly column: number;
}

/** The functions whose begin is in the log, by script. */
function anchorsOf({ frames, scripts, starts }: BuiltFunctions): ReadonlyMap<number, readonly Anchor[]> {
  const anchors = new Map<number, Anchor[]>();
  for (const [fn, { line, column }] of frames.entries()) {
    const script = scripts[fn] ?? -1;
    const start = starts[fn] ?? -1;
    if (script < 0 || start < 0 || line < 0) continue;
    const list = anchors.get(script) ?? [];
    list.push({ start, line, column });
    anchors.set(script, list);
  }
  return anchors;
}

/** The lines of a text; null where its functions are not at the places in the log, so that another text ran. */
function linesOfText({ starts }: TextLines, anchors: readonly Anchor[]): LineOf | null {
  const lineIn = (offset: number): number => lastUpTo(starts, offset);
  // `vm.Script` may count from another line than the first.
  const [first] = anchors;
  const shift = first === undefined ? 0 : first.line - lineIn(first.start);
  const isOther = anchors.some(({ start, line, column }) => {
    const found = lineIn(start);
    return found + shift !== line || (found > 0 && start - (starts[found] ?? 0) !== column);
  });
  return isOther ? null : (offset) => (offset < 0 ? 0 : lineIn(offset) + shift + 1);
}

/** The lines of a script without its text. What is between the begins of two functions on one line is on that line. */
function linesBetween(anchors: readonly Anchor[]): LineOf {
  const sorted = anchors.toSorted((a, b) => a.start - b.start);
  const starts = Int32Array.from(sorted, ({ start }) => start);
  return (offset) => {
    const before = lastUpTo(starts, offset);
    const line = sorted[before]?.line;
    const isCertain = starts[before] === offset || sorted[before + 1]?.line === line;
    return line === undefined || !isCertain ? 0 : line + 1;
  };
}

/**
 * A file as V8 may have got it; not where its length is not that of the text that ran (`length` in UTF-16 units; 0 for
 * unknown). Node.js gives V8 a byte order mark in CommonJS, not in ES modules.
 */
async function textsOnDisk(url: string, length: number, world: World): Promise<readonly TextLines[]> {
  const path = url.startsWith('node:') ? null : filePathOf(url);
  const bytes = path === null ? undefined : await world.readFile(path, MAX_NAMED_BYTES.text);
  if (bytes === undefined) return [];
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const texts = text.startsWith('\uFEFF') ? [text.slice(1), text] : [text];
  // Node.js adds a comment to TypeScript when it strips the types.
  const added = `\n\n//# sourceURL=${url}`.length;
  return texts.filter((one) => [0, one.length, one.length + added].includes(length)).map(linesIn);
}

function linesIn(text: string): TextLines {
  const lines = new LineStarts();
  for (let at = 0; at < text.length; at++) lines.add(text.charCodeAt(at));
  return lines.build();
}
