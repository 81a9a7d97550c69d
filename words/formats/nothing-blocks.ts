import type { Microseconds } from '../../protocol/units.ts';
import { duration } from './figures.ts';

/**
 * The verdict where nothing of the person's code is over the threshold. Of a command that failed, what did not run is not
 * known: `failedWith` is its exit code.
 */
export function nothingBlocks(thresholdUs: Microseconds, failedWith: number | undefined): string {
  const time = duration(thresholdUs);
  return failedWith === undefined
    ? `Nothing in your code blocks for more than ${time}.`
    : `Nothing that ran of your code blocks for more than ${time}, but the command failed (exit code ${failedWith}).`;
}
