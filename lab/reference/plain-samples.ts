import type { PlainFunction, PlainFunctions } from './plain-function.ts';
import type { PlainNode, PlainProfile } from './plain-profile.ts';

export interface PlainSample {
  /** In µs. */
  readonly time: number;
  /** In µs: until the next sample. */
  readonly weight: number;
  /** Null for JS samples. */
  readonly meta: MetaName | null;
  /** From the outermost frame to the innermost; empty for meta frames. */
  readonly stack: readonly PlainFunction[];
  /** An unplaced truncated stack: it says nothing of where operations end. */
  readonly unplaced: boolean;
}

export type MetaName = '(root)' | '(program)' | '(idle)' | '(garbage collector)';

/** In µs: a longer gap between two rotated parts is idle time. */
const longestGap = 1_000_000;

/** Rule 1, of the rotated parts of one isolate: one stream. */
export function plainSamples(parts: readonly PlainProfile[], functions: PlainFunctions): readonly PlainSample[] {
  const taken: Omit<PlainSample, 'weight'>[] = [];
  let end = -Infinity;
  for (const part of parts) {
    const last = taken.at(-1)?.time ?? -Infinity;
    const timed = timesOf(part);
    const fresh = timed.samples.filter(({ time }) => time >= last);
    const first = fresh[0]?.time ?? end;
    if (taken.length > 0 && first - end > longestGap)
      taken.push({ time: end, meta: '(idle)', stack: [], unplaced: false });
    const nodes = nodesOf(part, functions);
    for (const { time, id } of fresh)
      taken.push({ time, unplaced: false, ...(nodes.get(id) ?? { meta: '(program)', stack: [] }) });
    end = Math.max(end, timed.end);
  }
  return taken.map((sample, index) => ({ ...sample, weight: (taken[index + 1]?.time ?? end) - sample.time }));
}

/** Rule 1: sorted by time, those of one time as they stand; the end is not before the last sample. */
function timesOf({ samples, timeDeltas, startTime, endTime }: PlainProfile): {
  readonly samples: readonly { readonly time: number; readonly id: number }[];
  readonly end: number;
} {
  let now = startTime;
  const timed = samples.slice(0, timeDeltas.length).map((id, index) => {
    now += timeDeltas[index] ?? 0;
    return { time: now, id };
  });
  const sorted = timed.toSorted((a, b) => a.time - b.time);
  return { samples: sorted, end: Math.max(endTime, sorted.at(-1)?.time ?? endTime) };
}

type Place = Pick<PlainSample, 'meta' | 'stack'>;

/** The stack of each node that was sampled, by its id: the path from the root, meta frames left out. */
function nodesOf({ nodes, samples }: PlainProfile, functions: PlainFunctions): ReadonlyMap<number, Place> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const above = new Map<number, number>();
  for (const { id, parent } of nodes) if (parent !== undefined) above.set(id, parent);
  for (const { id, children = [] } of nodes) for (const child of children) above.set(child, id);
  const places = new Map<number, Place>();
  for (const id of new Set(samples)) {
    const sampled = byId.get(id);
    if (sampled === undefined) continue;
    const stack: PlainFunction[] = [];
    for (let at: PlainNode | undefined = sampled; at !== undefined; at = byId.get(above.get(at.id) ?? Number.NaN))
      if (metaOf(at) === null) stack.push(functions.of(at.callFrame));
    places.set(id, { meta: metaOf(sampled), stack: stack.toReversed() });
  }
  return places;
}

function metaOf({ callFrame: { url, functionName } }: PlainNode): MetaName | null {
  if (url !== '') return null;
  const names: readonly MetaName[] = ['(root)', '(program)', '(idle)', '(garbage collector)'];
  return names.find((name) => name === functionName) ?? null;
}
