import type { CpuProfile, ProfileFrame, ProfileTiers } from '../profile/cpu-profile.ts';
import { PairTable } from '../samples/pair-table.ts';
import { type NodeTiers, tiers } from '../samples/tiered-samples.ts';
import { functionOf, isInlined, isOsr, tierOf } from './code.ts';
import type { LineOf } from './script-lines.ts';
import { unescaped } from './unescaped.ts';
import type { V8Log } from './v8-log.ts';

/**
 * Makes of a log what is made of a CPU profile, and the tiers beside. `lines` are those of its scripts, by number; `clock` is
 * what is added to the log's times, in µs.
 */
export function assembleLog(log: V8Log, lines: ReadonlyMap<number, LineOf>, clock: number): CpuProfile {
  const { nodes, places, placeOf } = withLines(log, lines);
  const times = log.ticks.times.toFloat64().map((time) => Math.round(time + clock));
  const sampled = log.ticks.nodes.toInt32().map((node) => placeOf[node] ?? 0);
  const kindOf = (node: number): number => places.firstOf(nodes.secondOf(node));
  const { numbers, frames } = usedFrames(log.functions.frames, nodes.size, (node) => functionOf(kindOf(node)));
  const bytes = (of: (kind: number) => boolean): Uint8Array =>
    Uint8Array.from({ length: nodes.size }, (_, node) => (of(kindOf(node)) ? 1 : 0));
  const nodeTiers: NodeTiers = {
    tier: Uint8Array.from({ length: nodes.size }, (_, node) => tierOf(kindOf(node))),
    inlined: bytes(isInlined),
    osr: bytes(isOsr),
    line: Int32Array.from({ length: nodes.size }, (_, node) => places.secondOf(nodes.secondOf(node))),
  };
  const parent = nodes.firsts;
  const frame = Int32Array.from({ length: nodes.size }, (_, node) => numbers[functionOf(kindOf(node))] ?? 0);
  return {
    parent,
    frame,
    frames,
    ticks: ticksOf(sampled, parent, nodeTiers.line, (node) => isNative(frames[frame[node] ?? 0])),
    nodes: sampled,
    times,
    end: times.at(-1) ?? 0,
    defects: { unknownNodes: 0, unpaired: 0, implausible: 0, endsEarly: false, isFollowed: false },
    tiered: { ...nodeTiers, states: Uint8Array.from(log.ticks.states.toInt32()), ...codeEvents(log, numbers, clock) },
  };
}

/** The same tree by lines instead of offsets: `placeOf` is the new node of each. */
function withLines(log: V8Log, lines: ReadonlyMap<number, LineOf>) {
  const { functions } = log;
  const places = new PairTable(log.places.size);
  const newPlaces = Int32Array.from({ length: log.places.size }, (_, place) => {
    const kind = log.places.firstOf(place);
    const offset = log.places.secondOf(place);
    return places.numberOf(kind, lines.get(functions.scripts[functionOf(kind)] ?? -1)?.(offset) ?? 0);
  });
  const nodes = new PairTable(log.nodes.size);
  const placeOf = new Int32Array(log.nodes.size);
  for (let node = 0; node < placeOf.length; node++) {
    const above = log.nodes.firstOf(node);
    placeOf[node] = nodes.numberOf(above === -1 ? -1 : (placeOf[above] ?? 0), newPlaces[log.nodes.secondOf(node)] ?? 0);
  }
  return { nodes, places, placeOf };
}

/** Frames of the functions that some node is of, and their numbers by function; −1 of the others. */
function usedFrames(all: readonly ProfileFrame[], nodes: number, functionAt: (node: number) => number) {
  const numbers = new Int32Array(all.length).fill(-1);
  const frames: ProfileFrame[] = [];
  for (let node = 0; node < nodes; node++) {
    const fn = functionAt(node);
    const frame = all[fn];
    if (numbers[fn] === -1 && frame !== undefined) numbers[fn] = frames.push(frame) - 1;
  }
  return { numbers, frames };
}

/** Each node is at one line. A native function counts at the line of its caller. */
function ticksOf(
  sampled: Int32Array,
  parent: Int32Array,
  line: Int32Array,
  isNativeAt: (node: number) => boolean,
): CpuProfile['ticks'] {
  const counts = new Int32Array(parent.length);
  for (const node of sampled) counts[node] = (counts[node] ?? 0) + 1;
  const ticks = { start: new Int32Array(parent.length + 1), line: [] as number[], count: [] as number[] };
  for (let node = 0; node < parent.length; node++) {
    const at = line[isNativeAt(node) ? (parent[node] ?? -1) : node] ?? 0;
    const count = counts[node] ?? 0;
    if (count > 0 && at > 0) {
      ticks.line.push(at);
      ticks.count.push(count);
    }
    ticks.start[node + 1] = ticks.line.length;
  }
  return { start: ticks.start, line: Int32Array.from(ticks.line), count: Int32Array.from(ticks.count) };
}

function isNative(frame: ProfileFrame | undefined): boolean {
  return frame === undefined || frame.line === -1;
}

/** Of the functions that were seen in a tick. */
function codeEvents(log: V8Log, numbers: Int32Array, clock: number): Pick<ProfileTiers, 'code'> {
  const eventOf = ({ kind, time }: { readonly kind: number; readonly time: number }) => ({
    frame: numbers[functionOf(kind)] ?? -1,
    time: Math.round(time + clock),
    tier: tiers[tierOf(kind)] ?? 'unknown',
    osr: isOsr(kind),
  });
  const isSeen = ({ kind }: { readonly kind: number }): boolean => (numbers[functionOf(kind)] ?? -1) !== -1;
  const copies = [...log.functions.copies.entries()].filter(([fn, count]) => count > 1 && numbers[fn] !== -1);
  return {
    code: {
      compiled: log.compiled.filter(isSeen).map((code) => ({ ...eventOf(code), forOneClosure: code.forOneClosure })),
      deopts: log.deopts.filter(isSeen).map((deopt) => ({
        ...eventOf(deopt),
        kind: deopt.deopt,
        reason: deopt.reason,
        places: placesOf(deopt.text),
      })),
      copies: new Map(copies.map(([fn, count]) => [numbers[fn] ?? -1, count])),
    },
  };
}

/** `<url:line:column> inlined at <url:line:column>` */
function placesOf(text: string): ProfileTiers['code']['deopts'][number]['places'] {
  return [...text.matchAll(/<([^<>]*):(\d+):(\d+)>/g)].map(([, url = '', line, column]) => ({
    url: unescaped(url),
    line: Number(line),
    column: Number(column),
  }));
}
