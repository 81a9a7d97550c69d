import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { WaitCurve } from './wait-curve.ts';
import type { LoopLog } from './loop-log.ts';
import type { RequestLog } from './request-log.ts';
import type { CallTree } from './call-tree.ts';
import type { TestTimeline } from './test-timeline.ts';
import type { TieredSamples } from './tiered-samples.ts';
import type { Ended } from '../../protocol/recording.ts';
import type { ThreadKind } from '../../protocol/recording-lines.ts';

/**
 * Everything that was sampled in one isolate, whatever file format it came from; its rotated parts are joined.
 * Sample `i` has its stack at `nodes[i]` and lasts from `times[i]` to `times[i + 1]`, the last one to `end`.
 */
export interface SampleStream {
  readonly isolate: Isolate;
  readonly tree: CallTree;
  /** Times of the samples in whole µs on the profile's clock, ascending. */
  readonly times: Float64Array;
  /**
   * Node of the call tree by sample, as the profiler saw it (meta nodes included), after grafting. `findOperations`
   * takes the array over: then it has the bridged samples.
   */
  readonly nodes: Int32Array;
  readonly truncated: TruncatedSamples;
  readonly end: Microseconds;
  /** Usual time between two samples, in µs: what the recording says, else the median. */
  readonly interval: Microseconds;
  readonly turns: MeasuredTurns | null;
  /** Tests by time; null where nothing is known of tests. */
  readonly tests: TestTimeline | null;
  /** Requests to servers; null where nothing is known of requests. */
  readonly requests: RequestLog | null;
  /** Samples of a V8 log; null where tiers are unknown. */
  readonly tiered: TieredSamples | null;
}

/** The samples of whose stacks V8 kept only the innermost frames. */
export interface TruncatedSamples {
  /** Number of such samples, and of those that got their outer frames back. */
  readonly samples: number;
  readonly grafted: number;
  /** Numbers of the others, whose stacks begin somewhere in the middle. */
  readonly unplaced: ReadonlySet<number>;
}

/** What was sampled, as the report says it of a file. Paths are as given; unknown is null. */
export interface Isolate {
  readonly path: string;
  readonly parts: number;
  readonly pid: number | null;
  readonly threadId: number | null;
  readonly threadKind: ThreadKind;
  readonly nodeVersion: string | null;
  /** The script that its process ran. */
  readonly command: string | null;
  /** True where it only starts the processes and threads that run tests, and is no part of the person's program. */
  readonly isTestParent: boolean;
  readonly ended: Ended;
}

/** The turns of 1 ms and more, as the recorder measured them, without its own turns. They ascend and do not overlap. */
export interface TurnReadings {
  /** Starts in µs, on the clock of the samples. */
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  /** How long the thread had a processor in each turn, in µs; −1 where that is unknown. */
  readonly run: Float64Array;
  /** How long the thread was ready, and others had the processors, in µs; −1 where that is unknown. */
  readonly wait: Float64Array;
  /** The recorder's own part of each turn, in µs. It is cut off the turn's end. */
  readonly own: Float64Array;
  /** True for a recording of version 1: its turns held the loop as long as they took by the clock. */
  readonly isByClock: boolean;
  /** Time up to which every turn is known; later ones are not (the process was killed). `Infinity` where all are. */
  readonly knownUntil: number;
  readonly loop: LoopLog;
}

/** The turns with their held times. */
export interface MeasuredTurns extends TurnReadings {
  /** How long each turn held the loop, in µs: by the clock, without what its thread waited for a processor. */
  readonly held: Float64Array;
  /** The part of `held` in which its thread slept, in µs; −1 where that is unknown. */
  readonly slept: Float64Array;
  /** What the thread had waited for a processor as time went on; null where nobody read it from outside. */
  readonly waits: WaitCurve | null;
  /** Has 1 where threads waited for a processor for over a tenth of the time, up to a second before and after. */
  readonly isBusy: Uint8Array;
}

/** Time of the first sample, or `end` where there is none. */
export function startOf(stream: SampleStream): Microseconds {
  return microseconds(stream.times[0] ?? stream.end);
}

/** Whether the program started the thread, so that it blocks no event loop that anyone waits for. */
export function isBackground(stream: SampleStream | undefined): boolean {
  return stream?.isolate.threadKind === 'background';
}
