import { commands } from '../../protocol/ids.ts';
import type { Summary } from '../../protocol/requests.ts';
import { escapeMarkdown } from '../formats/escape-markdown.ts';
import { duration, worstTime } from '../formats/figures.ts';
import { visible } from '../formats/hidden-characters.ts';

/**
 * The text of the status bar about a result: the worst culprit, else what blocks, else that nothing does, or that
 * nothing is known.
 */
export function statusText({ worst, blame, thresholdUs, isUnseen }: StatusFacts): string {
  if (worst !== null) return `$(flame) worst ${worstTime({ ...worst, worstUs: worst.us })}`;
  if (isUnseen) return '$(flame) none of your code seen';
  if (blame === null) return `$(flame) nothing over ${duration(thresholdUs)}`;
  return `$(flame) ${blame.isOwn ? 'short calls' : visible(blame.name, longestName)} ${duration(blame.worstUs)}`;
}

export type StatusFacts = Pick<Summary, 'worst' | 'blame' | 'thresholdUs' | 'isUnseen'>;

/** Longest name of a package in characters: other items of the status bar need room, too. */
const longestName = 30;

/**
 * The tooltip, as Markdown with icons. It links one command, *Profile Tests*, which asks what to run. `target` is what
 * runs next time.
 */
export function statusTooltip({ verdict, warnings, thresholdUs }: TooltipFacts, target: string): string {
  return [
    escapeMarkdown(verdict),
    ...warnings.slice(0, mostNotes).map((note) => `$(info) ${escapeMarkdown(note)}`),
    `Threshold: ${duration(thresholdUs)}`,
    `Last target: ${escapeMarkdown(target)} · [Change…](command:${commands.profileTests}?%5Btrue%5D)`,
  ].join('\n\n');
}

export type TooltipFacts = Pick<Summary, 'verdict' | 'warnings' | 'thresholdUs'>;

/** Most notes in the tooltip. The view has all of them. */
const mostNotes = 2;
