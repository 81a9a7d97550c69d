import { escapeMarkdown } from '../../words/formats/escape-markdown.ts';
import { changedSince, firstTimeFigures, keptFigures, lensFigures, plural } from '../../words/formats/figures.ts';
import { internalCommands } from '../../protocol/ids.ts';
import type { FunctionPlace, OfRecording, StackFrame } from '../../protocol/requests.ts';
import type { Microseconds } from '../../protocol/units.ts';
import type { AnnotatedLine, LineFunction } from '../answers/file-annotations.ts';
import type { FunctionDetails } from '../answers/function-details.ts';
import { functionFacts } from './function-facts.ts';
import { histogram } from './histogram.ts';
import { stackLine } from './stack-line.ts';
import { tierLines } from './tier-lines.ts';

export interface HoverParts {
  readonly recording: string;
  readonly thresholdUs: Microseconds;
  readonly hot: Omit<LineFunction, 'changed'>;
  readonly details: FunctionDetails;
  /** The marked line that the hover is on; null on another one. */
  readonly line: Pick<AnnotatedLine, 'precision' | 'reason'> | null;
  readonly stale: boolean;
  /** Markdown of our own. */
  readonly remedies: readonly string[];
}

/**
 * Markdown of a hover. Names come from the profile and are escaped; its links run one command of ours with numbers of a
 * function and a deopt, which goes nowhere but into the workspace without asking.
 */
export function hoverText({ recording, thresholdUs, hot, details, line, stale, remedies }: HoverParts): string {
  const figures = figuresOf(hot, thresholdUs);
  const link = (frame: StackFrame): string =>
    commandLink(frame.label, internalCommands.openSource, { recording, functionId: frame.functionId });
  const deoptLink = (label: string, deopt: number): string =>
    commandLink(label, internalCommands.openSource, { recording, functionId: hot.functionId, deopt });
  const stacks = details.stacks.map((stack) => `- ${stackLine(stack, link)}`).join('\n');
  return [
    `**${escapeMarkdown(details.label)}** · ${figures}`,
    ...(stale ? [`This function has ${changedSince}.`] : []),
    ...remedies.map((remedy) => `*${remedy}*`), // What to do stands where no hover is cut off.
    [...lineDoubt(line), ...functionFacts(details), ...testsLine(details.tests)].join('  \n'),
    `\`\`\`text\n${histogram(details.byClass)}\n\`\`\``,
    ...(details.tiers === null ? [] : tierLines(details.tiers, deoptLink)),
    ...(stacks === '' ? [] : [stacks]),
    [
      commandLink('flamegraph', internalCommands.openFunction, { recording, functionId: hot.functionId }),
      commandLink('its worst operation alone', internalCommands.openWorst, { recording, functionId: hot.functionId }),
    ].join(' · '),
  ].join('\n\n');
}

/** Why the line's figures may be another line's. */
function lineDoubt(line: HoverParts['line']): readonly string[] {
  const reason = line?.reason ?? null;
  if (line === null || reason === null) return [];
  const kind = line.precision === 'oneOf' ? 'One of several lines' : '≈ for this line';
  return [`${kind}: ${escapeMarkdown(reason)}.`];
}

function figuresOf(hot: HoverParts['hot'], thresholdUs: Microseconds): string {
  if (hot.kept) return keptFigures(hot, thresholdUs);
  return hot.firstTime === null ? lensFigures(hot, thresholdUs) : firstTimeFigures(hot, hot.firstTime);
}

/** The first few by their titles. */
function testsLine(tests: readonly string[]): readonly string[] {
  const names = tests.slice(0, mostTests).map((name) => escapeMarkdown(name));
  const rest = tests.length > mostTests ? [`+${tests.length - mostTests} more`] : [];
  return tests.length === 0 ? [] : [`In ${plural(tests.length, 'test')}: ${[...names, ...rest].join(', ')}.`];
}

const mostTests = 3;

function commandLink(label: string, command: string, argument: OfRecording<FunctionPlace>): string {
  const args = encodeURIComponent(JSON.stringify([argument])).replaceAll(/[()]/g, (bracket) =>
    bracket === '(' ? '%28' : '%29',
  );
  return `[${escapeMarkdown(label)}](command:${command}?${args})`;
}
