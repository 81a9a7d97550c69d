import { changedSince } from '../../words/formats/figures.ts';
import { escapeMarkdown } from '../../words/formats/escape-markdown.ts';
import type { FunctionDetails } from '../answers/function-details.ts';
import { functionFacts } from './function-facts.ts';
import { histogram } from './histogram.ts';
import { plainFrame, stackLine } from './stack-line.ts';
import { tierLines } from './tier-lines.ts';

/** A function for an issue or a chat: without links, and with names that are plain text whatever they hold. */
export function functionMarkdown(details: FunctionDetails): string {
  const { label, place, isChanged, byClass, tiers, stacks } = details;
  return [
    `**${escapeMarkdown(label)}** (${escapeMarkdown(place)}${isChanged ? `, ${changedSince}` : ''})`,
    ...functionFacts(details),
    `\`\`\`\n${histogram(byClass)}\n\`\`\``,
    ...(tiers === null ? [] : tierLines(tiers, (place) => escapeMarkdown(place))),
    stacks.map((stack) => `- ${stackLine(stack, plainFrame)}`).join('\n'),
  ].join('\n\n');
}
