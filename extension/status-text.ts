import { duration } from '../protocol/figures.ts';
import type { Summary } from '../protocol/requests.ts';

/** What the status bar says of a result: the worst culprit, or that there is none. */
export function statusText({ worst, thresholdUs }: Pick<Summary, 'worst' | 'thresholdUs'>): string {
  return worst === null ? `$(flame) nothing over ${duration(thresholdUs)}` : `$(flame) worst ${duration(worst.us)}`;
}
