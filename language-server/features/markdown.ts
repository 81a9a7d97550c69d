import type { AboutFunction, OfRecording } from '../../protocol/requests.ts';
import type { FunctionPlace } from '../../protocol/places.ts';
import type { Session } from '../recordings/session.ts';
import { changedSince, functionFigures } from '../../words/formats/figures.ts';
import { codeSpan, escapeMarkdown } from '../../words/formats/escape-markdown.ts';
import type { FunctionDetails } from '../queries/function-details.ts';
import { functionFacts, tierLines, plainFrame, stackLine } from '../texts/hover-facts.ts';

/** The figures of a function and the call paths to it, as Markdown for an issue or a chat. */
export async function markdown(
  { recordings }: Session,
  { recording, functionId }: OfRecording<FunctionPlace>,
): Promise<string> {
  const details = await recordings.ask(recording, 'details', functionId);
  if (details === null) throw new Error('This function is not in the recording: choose it in the Hotspots view again.');
  return functionMarkdown(details);
}

/** What the list of actions on a function says of it. */
export async function about(
  { recordings }: Session,
  { recording, functionId }: OfRecording<FunctionPlace>,
): Promise<AboutFunction> {
  const details = await recordings.ask(recording, 'details', functionId);
  const callees = await recordings.ask(recording, 'callees', functionId);
  const { label = '', hot = null, thresholdUs } = details ?? {};
  const figures = hot === null || thresholdUs === undefined ? [] : [functionFigures(hot, thresholdUs)];
  return { title: [label, ...figures].join(' · '), callees };
}

/** A function as Markdown for an issue or a chat: without links, and with names as plain text whatever they contain. */
export function functionMarkdown(details: FunctionDetails): string {
  const { label, place, isChanged, hot, thresholdUs, estimated, tiers, stacks } = details;
  return [
    `**${escapeMarkdown(label)}** (${codeSpan(place)}${isChanged ? `, ${changedSince}` : ''})`,
    ...(hot === null ? [] : [functionFigures(hot, thresholdUs)]),
    ...functionFacts(details),
    ...(tiers === null ? [] : tierLines(tiers, (place) => codeSpan(place))),
    stacks.map((stack) => `- ${stackLine(stack, estimated, plainFrame)}`).join('\n'),
  ].join('\n\n');
}
