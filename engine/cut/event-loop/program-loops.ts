import { microseconds, type Microseconds } from '../../../protocol/units.ts';
import {
  type MeasuredTurns,
  type SampleStream,
  isBackground,
  type LoopPeriod,
  busyTime,
  type Isolate,
} from '../../read/samples/sample-stream.ts';
import { delaysOf, heldShare, waitedIn, waitsIn, type Delays } from './delays.ts';
import { groupBy } from '../../basics/lists.ts';
import type { Warning } from '../../../words/warnings/warning-text.ts';

/** The event loops of one program that somebody waits for, without what their threads waited for a processor. */
export interface ProgramLoops {
  /** Name of the program, such as `server.js`; null for all processes without a known name. */
  readonly program: string | null;
  readonly processes: number;
  /** How long all of its loops ran together. */
  readonly time: Microseconds;
  readonly busy: Microseconds;
  /** Held time of garbage collections, in µs. */
  readonly collecting: number;
  readonly delays: Delays;
}

/**
 * The figures of each program. Those that served requests come first, because a server's delays matter more than those of
 * the build that started it.
 */
export function programLoops(streams: readonly SampleStream[]): readonly ProgramLoops[] {
  const measured = waitedFor(streams).filter(({ turns }) => (turns?.loop.periods.length ?? 0) > 0);
  return [...groupBy(measured, ({ isolate }) => programName(isolate) ?? '')]
    .map(([name, own]) => ({ loops: loopsOf(name, own), rank: rankOf(own) }))
    .toSorted((a, b) => b.rank - a.rank)
    .flatMap(({ loops }) => loops ?? []);
}

/** The figures of all these loops together; null where no turns were measured. */
export function allLoops(streams: readonly SampleStream[]): ProgramLoops | null {
  return loopsOf(
    '',
    streams.filter(({ turns }) => (turns?.loop.periods.length ?? 0) > 0),
  );
}

/** The rank of a program, as a time in µs: servers come first, then the program that ran longest. */
function rankOf(streams: readonly SampleStream[]): number {
  const time = streams
    .flatMap(({ turns }) => turns?.loop.periods ?? [])
    .reduce((sum, one) => sum + one.end - one.start, 0);
  return time + (streams.some(({ requests }) => requests !== null) ? Number.MAX_SAFE_INTEGER / 2 : 0);
}

/** Figures of one program; null where it ran for no time at all. */
function loopsOf(name: string, streams: readonly SampleStream[]): ProgramLoops | null {
  const periods = streams.flatMap(({ turns }) =>
    turns === null
      ? []
      : turns.loop.periods.map((period) => ({
          period,
          waits: waitsIn(period, turns),
          time: period.end - period.start - waitedIn(period, turns),
        })),
  );
  const time = periods.reduce((sum, period) => sum + period.time, 0);
  if (time === 0) return null;
  const busy = periods.reduce((sum, { period }) => sum + busyTime(period), 0);
  const collecting = streams
    .flatMap(({ turns }) => (turns === null ? [] : [collectionTime(turns)]))
    .reduce((sum, one) => sum + one, 0);
  const delays = delaysOf(
    periods.flatMap(({ waits }) => waits),
    time,
  );
  return {
    program: name === '' ? null : name,
    processes: new Set(streams.map(({ isolate }) => isolate.pid)).size,
    time: microseconds(time),
    busy: microseconds(busy),
    collecting,
    delays,
  };
}

/** Held time of collections in µs. V8 measures them by the clock. */
function collectionTime(turns: MeasuredTurns): number {
  return heldShare(turns) * turns.loop.collections.reduce((sum, { time }) => sum + time, 0);
}

/** The stretches of all loops that somebody waits for. */
export function waitedPeriods(streams: readonly SampleStream[]): readonly LoopPeriod[] {
  return waitedFor(streams).flatMap(({ turns }) => turns?.loop.periods ?? []);
}

function waitedFor(streams: readonly SampleStream[]): readonly SampleStream[] {
  return streams.filter((stream) => !isBackground(stream) && !stream.isolate.isTestParent);
}

/** The loop with the largest share of scavenges, where that is more than a tenth of its busy time. */
export function manyScavenges(streams: readonly SampleStream[]): readonly Warning[] {
  const shares = streams.flatMap(({ turns, isolate }) => {
    const busy = (turns?.loop.periods ?? []).reduce((sum, period) => sum + busyTime(period), 0);
    const scavenges = (turns?.loop.collections ?? []).filter(({ kind }) => youngKinds.test(kind));
    // V8 measures collections by the clock.
    const clock = scavenges.reduce((sum, collections) => sum + collections.time, 0);
    const time = clock * (turns === null ? 1 : heldShare(turns));
    const count = scavenges.reduce((sum, collections) => sum + collections.count, 0);
    return time > leastTime && time * 10 > busy ? [{ share: Math.min(1, time / busy), count, pid: isolate.pid }] : [];
  });
  const [worst] = shares.toSorted((a, b) => b.share - a.share);
  return worst === undefined ? [] : [{ type: 'manyScavenges', ...worst }];
}

/** V8 uses either name for collections of the young generation. */
const youngKinds = /^(Scavenge|MinorMarkSweep)$/;

/** Least time in µs that is worth a warning. */
const leastTime = 100_000;

/**
 * What a process runs, for people: the name of a package (`vitest`), else of a script (`server.js`); null where that is
 * not known.
 */
export function programName({ command }: Pick<Isolate, 'command'>): string | null {
  if (command === null || command === '') return null;
  const path = command.replaceAll('\\', '/');
  const [, tool, name] = /.*\/node_modules\/(?:\.bin\/([^/]+)|((?:@[^/]+\/)?[^/]+))/.exec(path) ?? [];
  return tool ?? name ?? path.slice(path.lastIndexOf('/') + 1);
}
