import type { FunctionPlace, OfRecording } from '../../protocol/requests.ts';
import type { Session } from '../recordings/session.ts';
import { changedSince } from '../../words/formats/figures.ts';
import { escapeMarkdown } from '../../words/formats/escape-markdown.ts';
import type { FunctionDetails } from '../queries/function-details.ts';
import { functionFacts, tierLines, plainFrame, stackLine, histogram } from '../texts/hover-facts.ts';

/** The figures of a function and the call paths to it, as Markdown for an issue or a chat. */
export async function markdown(
  { recordings }: Session,
  { recording, functionId }: OfRecording<FunctionPlace>,
): Promise<string> {
  const details = await recordings.ask(recording, 'details', functionId);
  if (details === null) throw new Error('This function is not in the recording.');
  return functionMarkdown(details);
}

/** A function as Markdown for an issue or a chat: without links, and with names as plain text whatever they contain. */
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
