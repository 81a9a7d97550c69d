import type { TestOutcome } from '../../../protocol/recording-lines.ts';
import type { ReportFile } from '../../../protocol/report.ts';
import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import type { WaitCurve } from './wait-curve.ts';
import type { CallTree } from './call-tree.ts';
import type { SampledNodes } from './cpu-profile.ts';
import type { Durations, SampleTimes, Shift } from './sample-times.ts';
import type { TieredSamples } from './tiered-samples.ts';

/**
 * Everything that was sampled in one isolate, from any file format, parts joined. Sample `i` has its stack at
 * `nodes[i]` and lasts from `times.at(i)` to `times.at(i + 1)`, the last one to `end`.
 */
export interface SampleStream {
  readonly isolate: Isolate;
  readonly tree: CallTree;
  /** On the profile's clock. */
  readonly times: SampleTimes;
  /**
   * Node of the call tree by sample, meta nodes included, after grafting. Bridging works on a copy (`BridgedSamples`).
   */
  readonly nodes: SampledNodes;
  readonly truncated: TruncatedSamples;
  /** Number of samples, by node, that V8 gave without this last frame: its line is not known. */
  readonly lost: ReadonlyMap<number, number>;
  readonly end: Microseconds;
  /** Usual time between two samples, in µs: what the recording says, else the median. */
  readonly interval: Microseconds;
  readonly turns: MeasuredTurns | null;
  /** How long its samples last by the clock; null where turns were measured, which give them held times. */
  readonly durations: Durations | null;
  /** Time in which the sampler did not run, in µs. It is taken out of the clock; 0 where turns were measured. */
  readonly unsampled: Microseconds;
  /** Null where nothing is known of tests. */
  readonly tests: TestTimeline | null;
  /** Null where nothing is known of requests. */
  readonly requests: RequestLog | null;
  /** Samples of a V8 log; null where tiers are unknown. */
  readonly tiered: TieredSamples | null;
}

/** The samples for which V8 kept only the innermost frames of the stack. */
export interface TruncatedSamples {
  /** Number of such samples, and of those that got their outer frames back. */
  readonly samples: number;
  readonly grafted: number;
  /** Numbers of the other ones. Their stacks begin somewhere in the middle. */
  readonly unplaced: ReadonlySet<number>;
}

/** The isolate that was sampled. Paths are as given; what is not known is null. */
export interface Isolate extends Pick<
  ReportFile,
  'path' | 'parts' | 'pid' | 'threadId' | 'threadKind' | 'nodeVersion' | 'ended'
> {
  /** The script that its process ran. */
  readonly command: string | null;
  /** True where it only starts processes and threads that run tests: not a part of the user's program. */
  readonly isTestParent: boolean;
}

/** The turns of 1 ms and more, as the recorder measured them, without its own turns. They ascend and do not overlap. */
export interface TurnReadings {
  /** Starts in µs, on the clock of the samples. */
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  /** How long the thread had a processor in each turn, in µs; −1 where that is unknown. */
  readonly run: Float64Array;
  /** CPU time is known in steps of so many µs; 0 where it is exact. */
  readonly step: number;
  /** How long the thread was ready to run while others had the processors, in µs; −1 where that is unknown. */
  readonly wait: Float64Array;
  /** The recorder's own part of each turn, in µs, without the works in `shifts`. Both are cut off the turn's end. */
  readonly own: Float64Array;
  /** Moves what comes behind the recorder's works in a turn. They ascend. */
  readonly shifts: readonly Shift[];
  /** Time up to which every turn is known; later ones are not (the process was killed). `Infinity` where all are. */
  readonly knownUntil: number;
  readonly loop: LoopLog;
}

export interface MeasuredTurns extends TurnReadings {
  /** How long each turn held the loop, in µs: by the clock, without what its thread waited for a processor. */
  readonly held: Float64Array;
  /** The part of `held` in which its thread slept, in µs; −1 where that is unknown. */
  readonly slept: Float64Array;
  /** How long the thread had waited for a processor at some moments; null where nothing read that from outside. */
  readonly waits: WaitCurve | null;
  /** Has 1 where threads waited for a processor for over a tenth of the time, up to a second before and after. */
  readonly isBusy: Uint8Array;
}

export interface Test {
  /** Titles of its suites and its own, outermost first: `cart > totals > "adds up"`. */
  readonly name: string;
  /** Absolute path of its file; `''` where it is not known. */
  readonly file: string;
}

/** The same for each try of a test that is retried. */
export function testKey({ file, name }: Test): string {
  return `${file}\n${name}`;
}

/** Which test ran when in one isolate, as its runner said. */
export interface TestTimeline {
  /** Times at which a test began or ended, in µs on the clock of the samples, ascending. */
  readonly changes: Float64Array;
  /** For each change, the test that runs alone from there to the next one; null where none does, or several at once. */
  readonly running: readonly (Test | null)[];
  /** Files in which tests ran at the same time. */
  readonly untold: ReadonlySet<string>;
  /** Each time that a test ran, in the order of their begins. */
  readonly runs: readonly TestRun[];
  /** Whether `runs` has all: no line is missing, and no runner left tests out. */
  readonly isComplete: boolean;
}

export interface TestRun {
  readonly test: Test;
  /** `begun`: it is not known to have ended. `ended`: the recording is too old to know how. */
  readonly outcome: TestOutcome | 'begun' | 'ended';
}

/** The requests to the HTTP servers of one isolate that were answered. Times in µs on the clock of the samples. */
export interface RequestLog {
  /** Routes by number, which is untrusted. */
  readonly routes: ReadonlyMap<number, Route>;
  /** Requests by start. */
  readonly requests: readonly LoggedRequest[];
}

export interface Route {
  readonly method: string;
  /** A pattern: `/users/:id`, or with `*` for what was cut out of a path. */
  readonly path: string;
  /** Where `path` comes from: the framework's own pattern, or the paths of the requests. */
  readonly by: 'pattern' | 'path';
}

export interface LoggedRequest {
  /** Number of one of `routes`; −1 where there were too many routes. */
  readonly route: number;
  /** When its connection had its last answer; −1 for its first request. */
  readonly since: number;
  /** When Node read the request, which is after whatever held the loop when it came. */
  readonly start: number;
  /** When the answer was handed to the system. */
  readonly end: number;
}

/** What the recorder noted of an event loop besides its turns, in periods of at most 10 s, in order. */
export interface LoopLog {
  readonly periods: readonly LoopPeriod[];
  readonly collections: readonly Collections[];
}

/** The turns that ended between two moments on the profile's clock. */
export interface LoopPeriod {
  readonly start: Microseconds;
  readonly end: Microseconds;
  /** The classes of `turnClassBounds`, from short to long. */
  readonly classes: readonly TurnClass[];
}

/** Number of turns below a length (null: any), and the sum of their times. */
export interface TurnClass {
  readonly below: Microseconds | null;
  readonly count: number;
  readonly time: Microseconds;
}

/** The garbage collections of one kind between two moments. */
export interface Collections {
  readonly start: Microseconds;
  readonly end: Microseconds;
  /** V8's name for the kind: `Scavenge`, `MarkSweepCompact` … */
  readonly kind: string;
  readonly count: number;
  readonly time: Microseconds;
  readonly longest: Microseconds;
  /** Bytes of heap in use: the most before one of them, and after the last. */
  readonly usedBefore: number;
  readonly usedAfter: number;
}

/** Sum of the turns that ended in the period, in µs. */
export function busyTime({ classes }: LoopPeriod): number {
  return classes.reduce((sum, { time }) => sum + time, 0);
}

/** Time of the first sample, or `end` without any. */
export function startOf(stream: SampleStream): Microseconds {
  return microseconds(stream.times.at(0) ?? stream.end);
}

/** Whether the program started the thread, so that it blocks no event loop. */
export function isBackground(stream: SampleStream | undefined): boolean {
  return stream?.isolate.threadKind === 'background';
}

/** Whether something waits for the thread's event loop: it is none of the program's workers, and no runner's own process. */
export function isWaitedFor(stream: SampleStream | undefined): boolean {
  return !isBackground(stream) && stream?.isolate.isTestParent !== true;
}

/** How long the turns of all loops ran, waited for a CPU, and lasted, in µs, except on background threads and without counts. */
export function readyTime(streams: readonly SampleStream[]): { ran: number; waited: number; wall: number } {
  const sum = { ran: 0, waited: 0, wall: 0 };
  for (const { turns } of streams.filter((stream) => !isBackground(stream))) {
    for (const [turn, wait] of turns?.wait.entries() ?? []) {
      if (wait < 0) continue;
      sum.waited += wait;
      sum.ran += Math.max(0, turns?.run[turn] ?? 0);
      sum.wall += (turns?.ends[turn] ?? 0) - (turns?.starts[turn] ?? 0);
    }
  }
  return sum;
}
