import { type PlainGrafts, graftPlainly } from './graft-plainly.ts';
import type { PlainFunction, PlainFunctions } from './plain-function.ts';
import type { PlainReading } from './plain-held.ts';
import { type PlainOperation, type PlainTurns, plainOperations } from './plain-operations.ts';
import type { PlainCallFrame, PlainProfile } from './plain-profile.ts';
import { type PlainSample, plainSamples } from './plain-samples.ts';
import { isWaiter } from './plain-turns.ts';

/** One isolate, as it was recorded. */
export interface PlainIsolate {
  /** Its rotated parts, in order. */
  readonly parts: readonly PlainProfile[];
  readonly turns: PlainTurns | null;
  /** A time in a turn, without the recorder's works in it before that. */
  readonly moved: (time: number) => number;
  /** What its thread had waited; none where nobody asked. */
  readonly readings: readonly PlainReading[];
  /** When a test began or ended, in µs, ascending. */
  readonly testChanges: readonly number[];
  /** Rule 15: a worker that the program started. */
  readonly background: boolean;
  /** Rule 14: the first process of a runner in which no test runs. */
  readonly testParent: boolean;
  /** In µs. */
  readonly intervalUs: number;
}

/** One isolate, cut into operations. */
export interface PlainThread {
  readonly isolate: PlainIsolate;
  /** Grafted; those in turns and operations with the stacks and weights that they have there. */
  readonly samples: readonly PlainSample[];
  readonly operations: readonly PlainOperation[];
  readonly grafts: Omit<PlainGrafts, 'samples'>;
  /** Rule 10: position of the first sample whose stack holds a function. */
  readonly firstSeen: ReadonlyMap<PlainFunction, number>;
}

/** The frame that V8 lost below those of a sample; null where it lost none. */
export type LostFrames = (thread: number, sample: number, depth: number) => PlainCallFrame | null;

export function plainThread(
  isolate: PlainIsolate,
  functions: PlainFunctions,
  lost: (sample: number, depth: number) => PlainCallFrame | null,
): PlainThread {
  const asGiven = plainSamples(isolate.parts, functions).map((sample): PlainSample => {
    const [time, until] = [isolate.moved(sample.time), isolate.moved(sample.time + sample.weight)];
    return { ...sample, time, weight: until - time };
  });
  const { samples: whole, ...grafts } = graftPlainly(isolate.turns === null ? withoutUnsampled(asGiven) : asGiven);
  const grafted = whole.map(withoutRecorder).map((sample, number) => {
    const frame = lost(number, sample.stack.length);
    return frame === null ? sample : { ...sample, stack: [...sample.stack, functions.of(frame)] };
  });
  const { operations, samples } = plainOperations(grafted, isolate);
  const firstSeen = new Map<PlainFunction, number>();
  for (const [index, { stack }] of samples.entries())
    for (const fn of stack) if (!firstSeen.has(fn)) firstSeen.set(fn, index);
  return { isolate, samples, operations, grafts, firstSeen };
}

/** In µs, and in usual intervals: where a sample comes later than both after another one, the sampler did not run. */
const unsampled = { us: 1_000_000, intervals: 100 };

/** Rule 1, where turns were not measured: gaps without samples are taken out of the clock. */
function withoutUnsampled(samples: readonly PlainSample[]): readonly PlainSample[] {
  const lasting = samples.slice(0, -1).map(({ weight }) => weight);
  const usual = lasting.toSorted((a, b) => a - b)[Math.floor(lasting.length / 2)] ?? 0;
  let gone = 0;
  return samples.map((sample) => {
    const { time, weight, meta, stack } = sample;
    const isGap = weight > Math.max(unsampled.us, unsampled.intervals * usual);
    const isUnknown = isGap && meta !== '(idle)' && !stack.some(isWaiter);
    const shifted = { ...sample, time: time - gone, weight: isUnknown ? usual : weight };
    gone += weight - shifted.weight;
    return shifted;
  });
}

/** What the recorder does with nothing but Node on the stack is idle time of the program. */
function withoutRecorder(sample: PlainSample): PlainSample {
  const files = sample.stack.filter(({ kind }) => kind !== 'node' && kind !== 'native');
  const isOurs =
    files.length > 0 && files.every(({ url }) => /\/(hotspan\/recorder-[0-9a-f]{12}|dist\/recorder)\.cjs$/.test(url));
  return isOurs ? { ...sample, meta: '(idle)', stack: [] } : sample;
}
