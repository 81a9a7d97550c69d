import type { JudgedRun, Blame } from './judged-run.ts';
import type { Microseconds } from '../../protocol/units.ts';

/** A long operation without a culprit. */
export interface BlamedOperation {
  readonly blame: Blame;
  readonly durationUs: Microseconds;
}

type Found = Pick<JudgedRun, 'operations' | 'verdicts' | 'streams' | 'thresholdUs'>;

/**
 * Long operations in which one thing alone is over the threshold. Others are a mix, whose largest part says nothing
 * beside hotspots.
 */
export function longBlames(found: Found): readonly BlamedOperation[] {
  return blamedOperations(found).filter(({ blame }) => blame.us > found.thresholdUs);
}

/** Long operations without a culprit, on event loops that somebody waits for. */
export function blamedOperations({ operations, verdicts, streams }: Found): readonly BlamedOperation[] {
  return operations.flatMap(({ stream, held }, index) => {
    const blame = verdicts[index]?.blame ?? null;
    const isWaited = streams[stream]?.isolate.threadKind !== 'background';
    return blame === null || !isWaited ? [] : [{ blame, durationUs: held }];
  });
}
