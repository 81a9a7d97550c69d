import type { ReportCollections, ReportLoopPeriod } from '../../protocol/report.ts';
import { microseconds } from '../../protocol/units.ts';
import { delaysOf, waitedIn, waitsIn } from '../../engine/cut/event-loop/delays.ts';
import { type SampleStream, busyTime } from '../../engine/read/samples/sample-stream.ts';

/** Each stretch of at most 10 s of one event loop, in order; empty where turns were not measured. */
export function loopPeriodsOf({ turns, isolate: { pid, threadId } }: SampleStream): readonly ReportLoopPeriod[] {
  if (turns === null) return [];
  return turns.loop.periods.map((period) => {
    const waited = Math.round(waitedIn(period, turns));
    const { p50, p90, p99, most } = delaysOf(waitsIn(period, turns), period.end - period.start - waited);
    return {
      pid,
      threadId,
      startUs: period.start,
      durationUs: microseconds(period.end - period.start),
      waitUs: turns.wait.some((us) => us >= 0) ? microseconds(waited) : null,
      busyUs: microseconds(busyTime(period)),
      turns: period.classes.map(({ below, count, time }) => ({ belowUs: below, count, us: time })),
      delay: { p50Us: p50, p90Us: p90, p99Us: p99, mostUs: most },
    };
  });
}

/** The collections of one thread by stretch and kind. */
export function collectionsOf({ turns, isolate: { pid, threadId } }: SampleStream): readonly ReportCollections[] {
  return (turns?.loop.collections ?? []).map((one) => ({
    pid,
    threadId,
    startUs: one.start,
    durationUs: microseconds(one.end - one.start),
    kind: one.kind,
    count: one.count,
    us: one.time,
    longestUs: one.longest,
    usedBeforeBytes: one.usedBefore,
    usedAfterBytes: one.usedAfter,
  }));
}
