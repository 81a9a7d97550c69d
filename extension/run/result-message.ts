import { duration, worstTime } from '../../words/formats/figures.ts';
import type { Summary } from '../../protocol/requests.ts';
import type { Localizer } from '../ui/localizer.ts';

/** What is said after a run in which no line of the person's own is over the threshold; null where one is: it is marked. */
export function resultMessage(
  { worst, blame, longest, thresholdUs, isForeign, isUnseen, warnings }: ResultFacts,
  l10n: Localizer,
): string | null {
  if (worst !== null) return null;
  if (isForeign)
    return l10n.t(
      'No file of this profile is in this workspace. Open the folder that it was recorded in, or look at its flamegraph.',
    );
  if (isUnseen) return [l10n.t('None of your code was seen in this run.'), ...warnings.slice(0, 1)].join(' ');
  if (blame?.isOwn === true) {
    return l10n.t(
      'No single function of yours blocks, but short calls of your code together do: up to {0} in one go ({1} ×).',
      duration(blame.worstUs),
      blame.count,
    );
  }
  if (blame !== null) {
    return l10n.t(
      'Nothing in your own code, but {0} blocks up to {1} ({2} ×).',
      blame.name,
      duration(blame.worstUs),
      blame.count,
    );
  }
  const nothing = l10n.t('Nothing in your code blocks for more than {0}.', duration(thresholdUs));
  if (longest === null) return nothing;
  return `${nothing} ${l10n.t('Longest: {0}, {1}, {2}', worstTime({ ...longest, worstUs: longest.us }), longest.label, longest.place)}`;
}

export type ResultFacts = Pick<
  Summary,
  'worst' | 'blame' | 'longest' | 'thresholdUs' | 'isForeign' | 'isUnseen' | 'warnings'
>;
