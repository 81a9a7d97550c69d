import { duration, worstTime } from '../../words/formats/figures.ts';
import { visible } from '../../words/formats/hidden-characters.ts';
import type { Summary } from '../../protocol/requests.ts';

/** What the status bar says of a result: the worst culprit, what blocks without one, that nothing does, or that nothing is known. */
export function statusText({ worst, blame, thresholdUs, isUnseen }: StatusFacts): string {
  if (worst !== null) return `$(flame) worst ${worstTime({ ...worst, worstUs: worst.us })}`;
  if (isUnseen) return '$(flame) none of your code seen';
  if (blame === null) return `$(flame) nothing over ${duration(thresholdUs)}`;
  return `$(flame) ${blame.isOwn ? 'short calls' : visible(blame.name, longestName)} ${duration(blame.worstUs)}`;
}

export type StatusFacts = Pick<Summary, 'worst' | 'blame' | 'thresholdUs' | 'isUnseen'>;

/** Of a package, so that the status bar has room for others. */
const longestName = 30;
