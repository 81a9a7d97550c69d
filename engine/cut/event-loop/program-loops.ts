import { scriptName } from '../../../protocol/machine-path.ts';
import { microseconds, type Microseconds } from '../../../protocol/units.ts';
import type { MeasuredTurns, SampleStream, LoopPeriod, Isolate } from '../../read/samples/sample-stream.ts';
import { isWaitedFor, busyTime } from '../../read/samples/sample-stream.ts';
import { groupBy, firstFrom, sumOf } from '../../basics/lists.ts';
import { MIN_TURN } from '../operations/operation.ts';
import type { Warning } from '../../../words/warnings/warning-text.ts';

/** The event loops of one program, those of its worker threads apart, without background threads and without the time its threads waited for a CPU. */
export interface ProgramLoops {
  /** Such as `server.js` and `server.js (worker threads)`; null for all processes without a known name. */
  readonly program: string | null;
  readonly processes: number;
  /** How long all of its loops ran together. */
  readonly time: Microseconds;
  readonly busy: Microseconds;
  /** Held time of garbage collections, in µs. */
  readonly collecting: number;
  readonly delays: Delays;
}

/** The figures of each program, servers first: their delays matter more than those of the build that started them. */
export function programLoops(streams: readonly SampleStream[]): readonly ProgramLoops[] {
  return [...groupBy(waitedFor(streams).filter(hasPeriods), ({ isolate }) => loopName(isolate) ?? '')]
    .map(([name, own]) => ({ loops: loopsOf(name, own), rank: rankOf(own) }))
    .toSorted((a, b) => b.rank - a.rank)
    .flatMap(({ loops }) => loops ?? []);
}

/** The figures of all these loops together; null where no turns were measured. */
export function allLoops(streams: readonly SampleStream[]): ProgramLoops | null {
  return loopsOf('', streams.filter(hasPeriods));
}

function hasPeriods({ turns }: SampleStream): boolean {
  return (turns?.loop.periods.length ?? 0) > 0;
}

/** The rank of a program, as a time in µs: servers come first, then the program that ran longest. */
function rankOf(streams: readonly SampleStream[]): number {
  const time = sumOf(streams.flatMap(periodsOf), ({ start, end }) => end - start);
  return time + (streams.some(({ requests }) => requests !== null) ? Number.MAX_SAFE_INTEGER / 2 : 0);
}

/** Figures of one program; null where it ran for no time at all. */
function loopsOf(name: string, streams: readonly SampleStream[]): ProgramLoops | null {
  const measured = streams.flatMap(({ turns }) => turns ?? []);
  const periods = measured.flatMap((turns) => turns.loop.periods.map((period) => ({ period, turns })));
  const time = sumOf(periods, ({ period, turns }) => period.end - period.start - waitedIn(period, turns));
  if (time === 0) return null;
  return {
    program: name === '' ? null : name,
    processes: new Set(streams.map(({ isolate }) => isolate.pid)).size,
    time: microseconds(time),
    busy: microseconds(sumOf(periods, ({ period }) => busyTime(period))),
    collecting: sumOf(measured, (turns) => collectionTime(turns, turns.loop.collections)),
    delays: delaysOf(
      periods.flatMap(({ period, turns }) => waitsIn(period, turns)),
      time,
    ),
  };
}

/** Held time of collections in µs. V8 measures them by the clock. */
function collectionTime(turns: MeasuredTurns, collections: MeasuredTurns['loop']['collections']): number {
  return heldShare(turns) * sumOf(collections, ({ time }) => time);
}

function periodsOf({ turns }: SampleStream): readonly LoopPeriod[] {
  return turns?.loop.periods ?? [];
}

/** The periods of all loops but those of background threads and test parents. */
export function waitedPeriods(streams: readonly SampleStream[]): readonly LoopPeriod[] {
  return waitedFor(streams).flatMap(periodsOf);
}

function waitedFor(streams: readonly SampleStream[]): readonly SampleStream[] {
  return streams.filter(isWaitedFor);
}

/** The loop with the largest share of scavenges, where that is more than a tenth of its busy time. */
export function manyScavenges(streams: readonly SampleStream[]): readonly Warning[] {
  const shares = streams.flatMap(({ turns, isolate }) => {
    if (turns === null) return [];
    const busy = sumOf(turns.loop.periods, busyTime);
    const scavenges = turns.loop.collections.filter(({ kind }) => youngKinds.test(kind));
    const time = collectionTime(turns, scavenges);
    const count = sumOf(scavenges, (collections) => collections.count);
    const isMuch = time > MIN_SCAVENGES && time * 10 > busy;
    return isMuch ? [{ share: time / busy, count, pid: isolate.pid }] : [];
  });
  const [worst] = shares.toSorted((a, b) => b.share - a.share);
  if (worst === undefined) return [];
  // V8 measures them by the clock: where they outlast the busy time, their part of it is not known.
  return [{ type: 'manyScavenges', ...worst, share: worst.share < 1 ? worst.share : null }];
}

/** V8 uses either name for collections of the young generation. */
const youngKinds = /^(Scavenge|MinorMarkSweep)$/;

/** Minimum time in µs for a warning. */
const MIN_SCAVENGES = 100_000;

/** Display name of a process's program: a package (`vitest`) or a script (`server.js`); null where it is not known. */
export function programName({ command }: Pick<Isolate, 'command'>): string | null {
  if (command === null || command === '') return null;
  return scriptName(command);
}

/** Name of the event loops that a thread's own is counted with; null where its program is not known. */
export function loopName(isolate: Pick<Isolate, 'command' | 'threadId'>): string | null {
  const name = programName(isolate);
  return name === null || (isolate.threadId ?? 0) === 0 ? name : `${name} (worker threads)`;
}

/** How long an arrival (a request, a due timer) waits for the end of the current turn. */
export interface Delays {
  readonly p50: Microseconds;
  readonly p90: Microseconds;
  readonly p99: Microseconds;
  readonly most: Microseconds;
}

/** Arrivals with waits spread evenly between `least` and `most` µs: `count` × (`most` − `least`) µs of arrivals. */
export interface Waits {
  readonly least: number;
  readonly most: number;
  readonly count: number;
}

/**
 * An arrival waits for the rest of its turn; the queue before it is not counted. Turns ≥ 1 ms count one by one by their
 * held time, shorter ones by the mean of their class.
 */
export function waitsIn(
  { start, end, classes }: LoopPeriod,
  { starts, ends, held }: Pick<MeasuredTurns, 'starts' | 'ends' | 'held'>,
): readonly Waits[] {
  const waits: Waits[] = [];
  for (let turn = firstFrom(ends, start); turn < starts.length; turn++) {
    const [begin, until, length] = [starts[turn] ?? end, ends[turn] ?? end, held[turn] ?? 0];
    if (begin >= end) break;
    if (length < MIN_TURN) continue;
    const share = length / (until - begin);
    waits.push({
      least: Math.max(0, until - end) * share,
      most: (until - Math.max(begin, start)) * share,
      count: 1,
    });
  }
  for (const { below, count, time } of classes) {
    if (below !== null && below <= MIN_TURN && count > 0) waits.push({ least: 0, most: time / count, count });
  }
  return waits;
}

/** How long threads waited for a CPU in the turns of a period, in µs. It is not busy time. */
export function waitedIn(
  { start, end }: LoopPeriod,
  turns: Pick<MeasuredTurns, 'starts' | 'ends' | 'held' | 'wait'>,
): number {
  const { starts, ends, held, wait } = turns;
  let waited = 0;
  for (let turn = firstFrom(ends, start); (starts[turn] ?? end) < end; turn++) {
    const [begin, until] = [starts[turn] ?? end, ends[turn] ?? end];
    const inside = Math.min(until, end) - Math.max(begin, start);
    // A turn without counted waits is left out: the recorder's sums of it are by the clock, too.
    if (until > begin && (wait[turn] ?? -1) >= 0)
      waited += (until - begin - (held[turn] ?? 0)) * (inside / (until - begin));
  }
  return waited;
}

/** The share of the turns' time by the clock that was held time, from 0 to 1. */
function heldShare({ starts, ends, held, wait }: MeasuredTurns): number {
  let [all, kept] = [0, 0];
  for (const [turn, start] of starts.entries()) {
    const wall = (ends[turn] ?? start) - start;
    all += wall;
    kept += (wait[turn] ?? -1) < 0 ? wall : (held[turn] ?? wall);
  }
  return all === 0 ? 1 : kept / all;
}

/** Delays over `time` µs, which contain all these waits. What arrives while the loop is idle does not wait. */
export function delaysOf(waits: readonly Waits[], time: number): Delays {
  const most = waits.reduce((longest, wait) => Math.max(longest, wait.most), 0);
  const quantile = (share: number): Microseconds =>
    microseconds(Math.round(waitOf(waits, Math.round(time * (1 - share)), most)));
  return { p50: quantile(0.5), p90: quantile(0.9), p99: quantile(0.99), most: microseconds(Math.round(most)) };
}

/** The wait that arrivals in only `rest` µs exceed, to half a µs. */
function waitOf(waits: readonly Waits[], rest: number, longest: number): number {
  let [low, high] = [0, longest];
  if (timeAbove(waits, 0) <= rest) return 0;
  while (high - low > 0.5) {
    const middle = (low + high) / 2;
    if (timeAbove(waits, middle) > rest) low = middle;
    else high = middle;
  }
  return high;
}

/** For how many µs arrivals wait longer than `wait` µs. */
function timeAbove(waits: readonly Waits[], wait: number): number {
  return sumOf(waits, ({ least, most, count }) => count * Math.max(0, most - Math.max(wait, least)));
}
