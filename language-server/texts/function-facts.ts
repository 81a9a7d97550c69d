import { duration, plural, wholeTime } from '../../protocol/figures.ts';
import type { Microseconds } from '../../protocol/units.ts';
import type { FunctionDetails } from '../answers/function-details.ts';

/** What is known of a function beside its figures: one sentence each, of our own words and numbers alone. */
export function functionFacts(details: FunctionDetails): readonly string[] {
  const { presenceUs, longestRunUs, selfUs, totalUs, gcUs, loadUs } = details;
  return [
    `With what it calls ${duration(presenceUs)} in one go (≈${duration(longestRunUs)} of it without a break), ${duration(wholeTime(totalUs, presenceUs))} in all.`,
    confidence(details),
    ...(share(gcUs, selfUs) >= 1 ? [`Garbage collection: ${share(gcUs, selfUs)} % of its own time.`] : []),
    ...(share(loadUs, totalUs) >= 1 ? [`Loading of modules: ${share(loadUs, totalUs)} % of its time.`] : []),
  ];
}

function confidence({ samples, estimated, inferred, doubt }: FunctionDetails): string {
  const behind = `${plural(samples, 'sample')} behind the worst`;
  if (inferred) return `≈, because this profile does not say where one operation ends and the next begins; ${behind}.`;
  if (doubt?.why === 'waited')
    return `≈, because the machine was busy: ${duration(doubt.cpuUs)} of CPU in ${duration(doubt.operationUs)}; ${behind}.`;
  if (doubt?.why === 'recorder')
    return `≈, because so many callbacks ran at once that recording them took over a tenth of the time, which was taken off; ${behind}.`;
  return estimated ? `≈, because there are too few samples, or a gap in them: ${behind}.` : `${behind}.`;
}

/** In whole percent. */
function share(part: Microseconds, whole: Microseconds): number {
  return whole === 0 ? 0 : Math.round((100 * part) / whole);
}
