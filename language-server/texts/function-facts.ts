import { builtFile, byClockText, duration, plural, wholeTime } from '../../words/formats/figures.ts';
import type { Microseconds } from '../../protocol/units.ts';
import type { FunctionDetails } from '../queries/function-details.ts';

/** Facts about a function besides its figures: a sentence each, of our own words and numbers only. */
export function functionFacts(details: FunctionDetails): readonly string[] {
  const { presenceUs, longestRunUs, selfUs, totalUs, gcUs, loadUs } = details;
  return [
    ...(details.isBuilt ? [`It stands in ${builtFile}.`] : []),
    `With what it calls ${duration(presenceUs)} in one go (≈${duration(longestRunUs)} of it without a break), ${duration(wholeTime(totalUs, presenceUs))} in all.`,
    ...(details.byClockUs === null ? [] : [`Its worst operation took ${byClockText(details.byClockUs)}.`]),
    ...waitFacts(details),
    confidence(details),
    ...(share(gcUs, selfUs) >= 1 ? [`Garbage collection: ${share(gcUs, selfUs)} % of its own time.`] : []),
    ...(share(loadUs, totalUs) >= 1 ? [`Loading of modules: ${share(loadUs, totalUs)} % of its time.`] : []),
  ];
}

/** Sentences about the part of the worst that was not computing. */
function waitFacts({ waited }: FunctionDetails): readonly string[] {
  if (waited === null) return [];
  const what = waited.in === null ? 'for something that its stack does not show' : `in ${waited.in}`;
  return [`Of the worst it waited ${duration(waited.us)} ${what}: the loop was held, and nothing computed.`];
}

function confidence({ samples, estimated, inferred, doubt }: FunctionDetails): string {
  const behind = `${plural(samples, 'sample')} behind the worst`;
  if (inferred) return `≈, because this profile does not say where one operation ends and the next begins; ${behind}.`;
  if (doubt === 'noProcessor')
    return `≈, because the machine was busy or the program waited: nobody counted what other processes took; ${behind}.`;
  if (doubt === 'slept')
    return `≈, because the program waited for something while the machine was busy, which may have waited, too; ${behind}.`;
  if (doubt === 'recorder')
    return `≈, because so many callbacks ran at once that recording them took over a tenth of the time, which was taken off; ${behind}.`;
  if (!estimated) return `${behind}.`;
  return samples < 3
    ? `≈, because there are too few samples: ${behind}.`
    : `≈, because samples do not tell exactly who had how much of its operation; ${behind}.`;
}

/** A share in whole percent. */
function share(part: Microseconds, whole: Microseconds): number {
  return whole === 0 ? 0 : Math.round((100 * part) / whole);
}
