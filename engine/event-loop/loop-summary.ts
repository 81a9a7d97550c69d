import { duration, plural } from '../../words/formats/figures.ts';
import { microseconds } from '../../protocol/units.ts';
import { programName } from '../recording-files/program-name.ts';
import {
  type MeasuredTurns,
  type SampleStream,
  isBackground,
  type LoopPeriod,
  busyTime,
} from '../samples/sample-stream.ts';
import { delaysOf, heldShare, waitedIn, waitsIn } from './delays.ts';
import { groupBy } from '../basics/lists.ts';

/**
 * Sentences about the loops that somebody waits for, without what their threads waited for a processor: `Event loop
 * busy 62 % of 12.3 s · delay p50 0 ms, p99 212 ms, at most 312 ms · GC 3 %`. Where there are several programs, each
 * has its own, `Event loop of server.js busy …`, and those that served requests come first: the seconds of a build are
 * no delay of the server that it starts.
 */
export function loopSummaries(streams: readonly SampleStream[]): readonly string[] {
  const measured = waitedFor(streams).filter(({ turns }) => (turns?.loop.periods.length ?? 0) > 0);
  const programs = [...groupBy(measured, ({ isolate }) => programName(isolate) ?? '')];
  const texts = programs
    .map(([name, own]) => ({ text: summaryOf(own), name: nameText(name, own), rank: rankOf(own) }))
    .toSorted((a, b) => b.rank - a.rank)
    .filter(({ text }) => text !== null);
  return texts.map(({ name, text }) => `Event loop${texts.length > 1 ? name : ''} busy ${text ?? ''}`);
}

/** The name in such a sentence: ` of server.js`, ` of vitest (28 processes)`. */
function nameText(name: string, streams: readonly SampleStream[]): string {
  const processes = new Set(streams.map(({ isolate }) => isolate.pid)).size;
  return ` of ${name === '' ? 'other processes' : name}${processes > 1 ? ` (${processes} processes)` : ''}`;
}

/** Order of the programs: servers come first, then the program that ran longest. In µs. */
function rankOf(streams: readonly SampleStream[]): number {
  const time = streams
    .flatMap(({ turns }) => turns?.loop.periods ?? [])
    .reduce((sum, one) => sum + one.end - one.start, 0);
  return time + (streams.some(({ requests }) => requests !== null) ? Number.MAX_SAFE_INTEGER / 2 : 0);
}

/** The sentence about one program; null where it ran for no time at all. */
function summaryOf(streams: readonly SampleStream[]): string | null {
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
  const percent = (part: number): string => `${Math.min(100, Math.round((100 * part) / time))} %`;
  return [
    `${percent(busy)} of ${duration(microseconds(time))}`,
    `delay p50 ${duration(delays.p50)}, p99 ${duration(delays.p99)}, at most ${duration(delays.most)}`,
    `GC ${percent(collecting)}`,
  ].join(' · ');
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

/**
 * A sentence where more than a tenth of an event loop's busy time went into scavenges. It is about the loop with the
 * largest share.
 */
export function scavengeSentences(streams: readonly SampleStream[]): readonly string[] {
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
  if (worst === undefined) return [];
  const where = worst.pid === null ? '' : ` of process ${worst.pid}`;
  return [
    `${Math.round(worst.share * 100)} % of the busy time${where} went into ${plural(worst.count, 'scavenge')} (collections of short-lived objects): make fewer such objects, or give them room with node --max-semi-space-size=64 (in MB).`,
  ];
}

/** V8 uses either name for collections of the young generation. */
const youngKinds = /^(Scavenge|MinorMarkSweep)$/;

/** Least time in µs that is worth a sentence. */
const leastTime = 100_000;
