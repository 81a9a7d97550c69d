import { type Hover, type HoverParams, MarkupKind } from 'vscode-languageserver/node';
import { type PlacedFile, type PlacedLine, placedFile } from './placed-file.ts';
import type { Session } from '../recordings/session.ts';
import { type Remedy, remediesFor } from '../texts/remedies.ts';
import { shownImports } from './marks.ts';
import { escapeMarkdown } from '../../words/formats/escape-markdown.ts';
import {
  changedSince,
  firstTimeFigures,
  keptFigures,
  lensFigures,
  plural,
  duration,
  packageFigures,
} from '../../words/formats/figures.ts';
import { internalCommands } from '../../protocol/ids.ts';
import type { FunctionPlace, OfRecording, StackFrame } from '../../protocol/requests.ts';
import type { Microseconds } from '../../protocol/units.ts';
import type { AnnotatedLine, LineFunction, AnnotatedImport } from '../queries/file-annotations.ts';
import type { FunctionDetails } from '../queries/function-details.ts';
import { functionFacts, tierLines, stackLine, histogram } from '../texts/hover-facts.ts';
import { lineReasonText } from '../../words/line-reasons.ts';

/**
 * The hover. On a hot line, and on the first line of a hot function, it says what is known about the function. On a
 * marked import, it says why the import is marked.
 */
export async function hover(session: Session, { textDocument, position }: HoverParams): Promise<Hover | null> {
  const summary = session.recordings.annotated?.summary;
  const file = await placedFile(session, textDocument.uri);
  if (summary === undefined || file === null) return null;
  const source = session.documents.get(textDocument.uri)?.getText() ?? '';
  const { recording, thresholdUs } = summary;
  const imported = shownImports(session, file).find(({ line }) => line === position.line);
  if (imported !== undefined) return markdown(importHover(imported, thresholdUs, remediesFor(source, imported.line)));
  const marked = file.lines.find(({ line }) => line === position.line);
  const fn = functionAt(file, position.line, marked);
  if (fn === null) return null;
  const details = await session.recordings.ask(recording, 'details', fn.hot.functionId);
  if (details === null) return null;
  const remedies = marked === undefined ? [] : remediesFor(source, marked.line);
  const shown = marked?.item ?? null;
  return markdown(hoverText({ recording, thresholdUs, ...fn, details, line: shown, remedies }));
}

function markdown(value: string): Hover {
  return { contents: { kind: MarkupKind.Markdown, value } };
}

/**
 * The function of the marked line, which is a function of this file or the body of a bundle; else the function that
 * begins here.
 */
function functionAt(
  { functions }: PlacedFile,
  line: number,
  marked: PlacedLine | undefined,
): Pick<HoverParts, 'hot' | 'stale'> | null {
  const elsewhere = marked?.item.elsewhere ?? null;
  if (elsewhere !== null) return { hot: elsewhere, stale: elsewhere.changed };
  const fn = marked?.owner ?? functions.find(({ place }) => place.line === line);
  return fn === undefined ? null : { hot: fn.item, stale: fn.place.stale };
}

export interface HoverParts {
  readonly recording: string;
  readonly thresholdUs: Microseconds;
  readonly hot: Omit<LineFunction, 'changed'>;
  readonly details: FunctionDetails;
  /** The marked line that the hover is on; null on any other line. */
  readonly line: Pick<AnnotatedLine, 'precision' | 'reason'> | null;
  readonly stale: boolean;
  readonly remedies: readonly Remedy[];
}

/**
 * Markdown of a hover. Names come from the profile and are escaped. Links run commands of ours with the number of a
 * function or a deopt, which open only files inside the workspace without asking.
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
    ...remedies.map(remedyText), // The remedies come early, because a long hover is cut off at its end.
    [...lineDoubt(line), ...functionFacts(details), ...testsLine(details.tests)].join('  \n'),
    `\`\`\`text\n${histogram(details.byClass)}\n\`\`\``,
    ...(details.tiers === null ? [] : tierLines(details.tiers, deoptLink)),
    ...(stacks === '' ? [] : [stacks]),
    [
      commandLink('flamegraph', internalCommands.openFunction, { recording, functionId: hot.functionId }),
      commandLink('re-check', internalCommands.recheck, { recording, functionId: hot.functionId }),
      commandLink('its worst operation alone', internalCommands.openWorst, { recording, functionId: hot.functionId }),
    ].join(' · '),
  ].join('\n\n');
}

/** Says why the figures of the line may belong to another line. */
function lineDoubt(line: HoverParts['line']): readonly string[] {
  const reason = line?.reason ?? null;
  if (line === null || reason === null) return [];
  const kind = line.precision === 'oneOf' ? 'One of several lines' : '≈ for this line';
  return [`${kind}: ${escapeMarkdown(lineReasonText(reason))}.`];
}

function figuresOf(hot: HoverParts['hot'], thresholdUs: Microseconds): string {
  if (hot.kept) return keptFigures(hot, thresholdUs);
  return hot.firstTime === null ? lensFigures(hot, thresholdUs) : firstTimeFigures(hot, hot.firstTime);
}

/** The first few tests by their titles. */
function testsLine(tests: readonly string[]): readonly string[] {
  const names = tests.slice(0, mostTests).map((name) => escapeMarkdown(name));
  const rest = tests.length > mostTests ? [`+${tests.length - mostTests} more`] : [];
  return tests.length === 0 ? [] : [`In ${plural(tests.length, 'test')}: ${[...names, ...rest].join(', ')}.`];
}

const mostTests = 3;

/** The remedy and a link to its page, which the extension opens. */
function remedyText({ text, page }: Remedy): string {
  return `*${text}* ${commandLink('Ways out, and what they cost', internalCommands.openRemedy, { page })}`;
}

function commandLink(
  label: string,
  command: string,
  argument: OfRecording<FunctionPlace> | Pick<Remedy, 'page'>,
): string {
  const args = encodeURIComponent(JSON.stringify([argument])).replaceAll(/[()]/g, (bracket) =>
    bracket === '(' ? '%28' : '%29',
  );
  return `[${escapeMarkdown(label)}](command:${command}?${args})`;
}

/** Markdown of the hover on a marked import: why it has figures, and what they are about. */
export function importHover(
  { package: blamed, worstUs, isOneOf }: AnnotatedImport,
  thresholdUs: Microseconds,
  remedies: readonly Remedy[],
): string {
  const title =
    blamed === null
      ? `loaded in **${duration(worstUs)}**`
      : `**${escapeMarkdown(blamed.name)}** · ${packageFigures({ ...blamed, worstUs }, thresholdUs)}`;
  const why =
    blamed === null
      ? 'The time to find, read, compile and evaluate this module and what it loads, when this line asked for it.'
      : 'While it held the event loop no line of yours was on the stack: Node.js had called it back. What calls it is behind an import of it; look for its calls in this file.';
  const others = isOneOf ? ['Other lines import it too: these figures are those of all of them together.'] : [];
  return [title, ...remedies.map(remedyText), [why, ...others].join(' ')].join('\n\n');
}
