import { duration } from '../../protocol/figures.ts';
import { microseconds } from '../../protocol/units.ts';
import { type MeasuredTurns, type SampleStream, isBackground } from '../samples/sample-stream.ts';
import { delaysOf, heldShare, waitedIn, waitsIn } from './delays.ts';
import { type LoopPeriod, busyTime } from './loop-log.ts';

/** `Event loop busy 62 % of 12.3 s · delay p50 0 ms, p99 212 ms, at most 312 ms · GC 3 %`, of all loops that somebody waits on, without what their threads waited for a processor; null where none was measured. */
export function loopSummary(streams: readonly SampleStream[]): string | null {
  const waited = waitedFor(streams);
  const periods = waited.flatMap(({ turns }) =>
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
  const collecting = waited
    .flatMap(({ turns }) => (turns === null ? [] : [collectionTime(turns)]))
    .reduce((sum, time) => sum + time, 0);
  const delays = delaysOf(
    periods.flatMap(({ waits }) => waits),
    time,
  );
  const percent = (part: number): string => `${Math.min(100, Math.round((100 * part) / time))} %`;
  return [
    `Event loop busy ${percent(busy)} of ${duration(microseconds(time))}`,
    `delay p50 ${duration(delays.p50)}, p99 ${duration(delays.p99)}, at most ${duration(delays.most)}`,
    `GC ${percent(collecting)}`,
  ].join(' · ');
}

/** V8 measures collections by the clock. In µs, held. */
function collectionTime(turns: MeasuredTurns): number {
  return heldShare(turns) * turns.loop.collections.reduce((sum, { time }) => sum + time, 0);
}

/** The stretches of all loops that somebody waits on. */
export function waitedPeriods(streams: readonly SampleStream[]): readonly LoopPeriod[] {
  return waitedFor(streams).flatMap(({ turns }) => turns?.loop.periods ?? []);
}

function waitedFor(streams: readonly SampleStream[]): readonly SampleStream[] {
  return streams.filter((stream) => !isBackground(stream) && !stream.isolate.isTestParent);
}
