import type { LineReason } from '../../engine/judge/lines/line-reason.ts';
import { commands, internalCommands } from '../../protocol/ids.ts';
import type { FunctionPlace } from '../../protocol/places.ts';
import type { OfRecording, StackFrame } from '../../protocol/requests.ts';
import type { Microseconds } from '../../protocol/units.ts';
import { escapeMarkdown } from '../../words/formats/escape-markdown.ts';
import {
  changedSince,
  duration,
  functionFigures,
  packageFigures,
  plural,
  type ShownFigures,
  worstTime,
} from '../../words/formats/figures.ts';
import { saysTheSame } from '../../words/formats/mark-texts.ts';
import { visible } from '../../words/formats/hidden-characters.ts';
import { lineReasonText } from '../../words/places.ts';
import type { AnnotatedImport, AnnotatedLine, NamedFunction } from '../queries/file-annotations.ts';
import type { FunctionDetails } from '../queries/function-details.ts';
import type { Remedy } from '../../words/remedies.ts';
import { functionFacts, stackLine, tierLines } from '../texts/hover-facts.ts';

export interface HoverParts {
  readonly recording: string;
  readonly thresholdUs: Microseconds;
  readonly hot: NamedFunction;
  readonly details: FunctionDetails;
  /** The marked line that the hover is on; null on any other line. */
  readonly line: MarkedLine | null;
  readonly stale: boolean;
  readonly remedies: readonly Remedy[];
  /** Where several results are on screen: which one this is of, and what others say of the same function. */
  readonly others: readonly string[];
}

interface MarkedLine extends Pick<AnnotatedLine, 'precision' | 'reason' | 'functions'> {
  /** The figures that stand on the line. */
  readonly shown: ShownFigures;
}

/**
 * Markdown of a hover: what it is and why, who waits, what can be done; then, below a rule, all else that is known. Names
 * come from the profile and are escaped. Links run commands of ours with the number of a function or a deopt, which open
 * only files inside the workspace without asking.
 */
export function hoverText(parts: HoverParts): string {
  const { stale, remedies } = parts;
  const [remedy, ...otherRemedies] = remedies;
  const isShort = remedy === undefined || (fixLines(remedy) <= mostFixLines && !isShared(parts));
  const next = parts.details.finding === null ? [] : [`*${escapeMarkdown(parts.details.finding.next)}*`];
  const firstRemedy = remedy === undefined ? next : [remedyText(isShort ? remedy : { ...remedy, fix: null })];
  return [
    ...titleOf(parts),
    ...(stale ? [`This function has ${changedSince}.`] : []),
    ...reasonsOf(parts),
    ...firstRemedy,
    actionsOf(parts),
    '---',
    '**Details**',
    ...(isShort ? [] : [fixText(remedy)]),
    ...otherRemedies.map(remedyText),
    ...detailsOf(parts),
  ].join('\n\n');
}

/** Longest replacement that stands before the details, in lines. */
const mostFixLines = 3;

/** Why it takes long, and who waits, as one paragraph. */
function reasonsOf({ details: { finding, tests } }: HoverParts): readonly string[] {
  const cause = finding === null ? [] : [sentence([finding.cause, ...named(finding.callers)].join(', '))];
  const lines = [...cause, ...testsLine(tests, mostTests), ...named(finding?.routes ?? null).map(sentence)];
  return lines.length === 0 ? [] : [lines.join('  \n')];
}

function named(text: string | null): readonly string[] {
  return text === null ? [] : [text];
}

function sentence(text: string): string {
  return `${escapeMarkdown(`${text.charAt(0).toUpperCase()}${text.slice(1)}`)}.`;
}

function actionsOf({ recording, hot: { functionId } }: HoverParts): string {
  const reference = { recording, functionId };
  return [
    commandLink('flamegraph', internalCommands.openFunction, reference),
    commandLink('re-check', commands.recheck, reference),
    commandLink('its worst operation alone', commands.openWorst, reference),
    commandLink('more…', internalCommands.moreActions, reference),
  ].join(' · ');
}

/** The facts below the rule. */
function detailsOf(parts: HoverParts): readonly string[] {
  const { recording, hot, details, line, others } = parts;
  const link = (frame: StackFrame): string =>
    commandLink(frame.label, internalCommands.openSource, { recording, functionId: frame.functionId });
  const deoptLink = (label: string, deopt: number): string =>
    commandLink(label, internalCommands.openSource, { recording, functionId: hot.functionId, deopt });
  const stacks = details.stacks.map((stack) => `- ${stackLine(stack, details.estimated, link)}`).join('\n');
  // Where a line is of several functions, it is said whose facts these are.
  const whose = isShared(parts) ? [`About **${escapeMarkdown(details.label)}**:`] : [];
  const allTests = details.tests.length > mostTests ? testsLine(details.tests, mostTestsInDetails) : [];
  return [
    ...(line !== null && isShared(parts) ? lineDoubt(line) : []),
    [...whose, ...functionFacts(details), ...allTests].join('  \n'),
    ...(stacks === '' ? [] : [stacks]),
    ...(others.length === 0 ? [] : [others.join('  \n')]),
    ...(details.tiers === null ? [] : tierLines(details.tiers, deoptLink)),
  ];
}

/** The function with its figures, or the functions that share the line; and why the line's own figures differ. */
function titleOf(parts: HoverParts): readonly string[] {
  const { hot, details, line, thresholdUs } = parts;
  const whole = `**${escapeMarkdown(details.label)}** · ${functionFigures(hot, thresholdUs)}`;
  if (line === null) return [whole];
  const { shown, functions } = line;
  if (saysTheSame(shown, hot, thresholdUs)) return [[whole, ...lineDoubt(line)].join('  \n')];
  const figures = functionFigures(shown, thresholdUs);
  if (!isShared(parts)) return [`${whole}  \n${worstTime(shown)} of it on this line: ${whyPart(line)}.`];
  const all = functions.map((fn) => `- **${escapeMarkdown(fn.label)}** · ${functionFigures(fn, thresholdUs)}`);
  const each = all.length > mostShared ? [...all.slice(0, mostShared), `- +${all.length - mostShared} more`] : all;
  return [`**This line** · ${figures} · ${plural(functions.length, 'function')}`, each.join('\n')];
}

/** Most functions of one line that are listed. */
const mostShared = 2;

/** Whether the line has figures of its own because several functions share it. */
function isShared({ line, hot, thresholdUs }: HoverParts): boolean {
  return line !== null && line.functions.length > 1 && !saysTheSame(line.shown, hot, thresholdUs);
}

/** Says why a line has only a part of its function's time. */
function whyPart({ precision, reason, functions }: MarkedLine): string {
  if (reason === null || isOfItself(reason, functions)) return 'the rest is on other lines';
  const text = escapeMarkdown(lineReasonText(reason));
  return precision === 'oneOf' ? `one of several lines: ${text}` : text;
}

/** Says why the figures of the line may belong to another line. */
function lineDoubt({ precision, reason, functions }: MarkedLine): readonly string[] {
  if (reason === null) return [];
  const text = escapeMarkdown(lineReasonText(reason));
  if (reason.type === 'wholeFunction') return [`${text.charAt(0).toUpperCase()}${text.slice(1)}.`];
  if (precision === 'oneOf') return [`One of several lines: ${text}.`];
  if (!isOfItself(reason, functions)) return [`≈ for this line: ${text}.`];
  return functions.length > 1 ? ['≈: samples do not tell exactly which of them had how much.'] : [];
}

/** Whether a line's time may be that of a function whose line it is anyway. */
function isOfItself(reason: LineReason, functions: MarkedLine['functions']): boolean {
  return reason.type === 'mayBeInlined' && functions.some(({ label }) => label === reason.callee);
}

/** The first few tests by their titles. */
function testsLine(tests: readonly string[], most: number): readonly string[] {
  const names = tests.slice(0, most).map((name) => escapeMarkdown(name));
  const rest = tests.length > most ? [`+${tests.length - most} more`] : [];
  return tests.length === 0 ? [] : [`In ${plural(tests.length, 'test')}: ${[...names, ...rest].join(', ')}.`];
}

const mostTests = 2;
const mostTestsInDetails = 20;

/** The remedy, a link to its page, which the extension opens, and what it would be on this line. */
function remedyText(remedy: Remedy): string {
  const { text, page, fix } = remedy;
  const link = commandLink('Ways out, and what they cost', internalCommands.openRemedy, { page });
  return [`*${text}* ${link}`, ...(fix === null ? [] : [fixText(remedy)])].join('\n\n');
}

function fixText({ fix }: Remedy): string {
  const lines = (fix ?? '').split('\n').map((line) => visible(line));
  return `\`\`\`js\n${lines.join('\n')}\n\`\`\``;
}

function fixLines({ fix }: Remedy): number {
  return fix === null ? 0 : fix.split('\n').length;
}

export function commandLink(
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
