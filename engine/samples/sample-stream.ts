import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { WaitCurve } from './wait-curve.ts';
import type { LoopLog } from './loop-log.ts';
import type { RequestLog } from './request-log.ts';
import type { CallTree } from './call-tree.ts';
import type { TestTimeline } from './test-timeline.ts';
import type { TieredSamples } from './tiered-samples.ts';
import type { Ended, ThreadKind } from '../../protocol/recording.ts';

/**
 * Everything that was sampled in one isolate, whatever file format it came from; its rotated parts are joined.
 * Sample `i` has its stack at `nodes[i]` and lasts from `times[i]` to `times[i + 1]`, the last one to `end`.
 */
export interface SampleStream {
  readonly isolate: Isolate;
  readonly tree: CallTree;
  /** In µs on the profile's clock, whole numbers, ascending. */
  readonly times: Float64Array;
  /**
   * Node of the call tree per sample, as the profiler saw it (meta nodes included); truncated stacks are grafted.
   * `findOperations` takes the array over: then it is that of the bridged samples.
   */
  readonly nodes: Int32Array;
  readonly truncated: TruncatedSamples;
  readonly end: Microseconds;
  /** Usual time between two samples, in µs: what the recording says, else the median. */
  readonly interval: Microseconds;
  readonly turns: MeasuredTurns | null;
  /** Null where nothing is known of tests. */
  readonly tests: TestTimeline | null;
  /** Null where nothing is known of requests. */
  readonly requests: RequestLog | null;
  /** Of a V8 log; null where tiers are unknown. */
  readonly tiered: TieredSamples | null;
}

/** The samples of whose stacks V8 kept only the innermost frames. */
export interface TruncatedSamples {
  /** How many there are, and how many of them got their outer frames back. */
  readonly samples: number;
  readonly grafted: number;
  /** Numbers of the others: their stacks begin somewhere in the middle. */
  readonly unplaced: ReadonlySet<number>;
}

/** Who was sampled: what the report says of a file. Paths as they were given; unknown is null. */
export interface Isolate {
  readonly path: string;
  readonly parts: number;
  readonly pid: number | null;
  readonly threadId: number | null;
  readonly threadKind: ThreadKind;
  readonly nodeVersion: string | null;
  /** The script that its process ran. */
  readonly command: string | null;
  /** It only starts the processes and threads that run tests, and is none of the person's program. */
  readonly isTestParent: boolean;
  readonly ended: Ended;
}

/** The turns of 1 ms and more, as the recorder measured them, without its own; ascending, not overlapping. */
export interface TurnReadings {
  /** In µs, on the clock of the samples. */
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  /** How long its thread had a processor in each turn, in µs; −1 where nobody knows. */
  readonly run: Float64Array;
  /** How long it was ready, and others had the processors, in µs; −1 where nobody knows. */
  readonly wait: Float64Array;
  /** What the recorder itself took of each turn, in µs: cut off its end. */
  readonly own: Float64Array;
  /** The recording is of the first version: its turns hold as long as by the clock. */
  readonly isByClock: boolean;
  /** Every turn up to here is known; later ones are not (the process was killed). `Infinity` where all are. */
  readonly knownUntil: number;
  readonly loop: LoopLog;
}

/** The same, with what they come to. */
export interface MeasuredTurns extends TurnReadings {
  /** How long each turn held the loop, in µs: by the clock, without what its thread waited for a processor. */
  readonly held: Float64Array;
  /** Of that, how long its thread slept, in µs; −1 where nobody knows. */
  readonly slept: Float64Array;
  /** What the thread waited for a processor as it went along; null where nobody outside has looked. */
  readonly waits: WaitCurve | null;
  /** 1 where threads waited for a processor for over a tenth of the time, up to a second before and after. */
  readonly isBusy: Uint8Array;
}

/** First sample's time, or `end` where there is none. */
export function startOf(stream: SampleStream): Microseconds {
  return microseconds(stream.times[0] ?? stream.end);
}

/** Started by the program: blocks no event loop that anyone waits on. */
export function isBackground(stream: SampleStream | undefined): boolean {
  return stream?.isolate.threadKind === 'background';
}
