import { type Hover, type HoverParams, MarkupKind } from 'vscode-languageserver/node';
import { pathOfUri } from '../../engine/read/files/file-path.ts';
import { internalCommands, commands } from '../../protocol/ids.ts';
import type { Summary } from '../../protocol/summary.ts';
import { line0, type Microseconds } from '../../protocol/units.ts';
import {
  ago,
  changedSince,
  functionFigures,
  hasWaited,
  duration,
  packageFigures,
  plural,
  type ShownFigures,
  worstTime,
} from '../../words/formats/figures.ts';
import { resultLabel } from '../../words/formats/command-text.ts';
import type { AnnotatedFunction, AnnotatedImport, AnnotatedLine, NamedFunction } from '../queries/file-annotations.ts';
import type { Session } from '../recordings/session.ts';
import { textNow } from './current-text.ts';
import { figuresOfLine, shownImports } from './marks.ts';
import { keyOfFunction, onePerFunction } from './one-per-function.ts';
import { type Placed, type PlacedFile, type PlacedResult, placedResults } from './placed-file.ts';
import type { FunctionReference, StackFrame } from '../../protocol/requests.ts';
import type { LineReason } from '../../engine/judge/lines/line-shares.ts';
import { codeSpan, escapeMarkdown, visible } from '../../words/formats/foreign-text.ts';
import { lensActions } from '../../words/editor/lens-texts.ts';
import { recheckText, saysTheSame } from '../../words/formats/mark-texts.ts';
import { lineReasonText } from '../../words/places.ts';
import type { FunctionDetails } from '../queries/function-details.ts';
import type { Asked, FunctionNow } from '../recordings/questions.ts';
import type { Remedy } from '../../words/remedies.ts';
import { functionFacts, plainFrame, stackLine, tierLines } from '../texts/hover-facts.ts';

/** The hover on a hot line, on the first line of a hot function, and on a marked import. */
export async function hover(session: Session, { textDocument, position }: HoverParams): Promise<Hover | null> {
  const all = await placedResults(session, textDocument.uri);
  const results = onePerFunction(all, session.display.metric);
  const source = (await textNow(session, textDocument.uri)) ?? '';
  const path = pathOfUri(textDocument.uri) ?? '';
  const remediesAt = async (recording: string, asked: AskedHere): Promise<readonly Remedy[]> =>
    session.recordings.ask(recording, 'remedies', { source, path, ...asked });
  const isOfSeveral = session.recordings.shown.length > 1;
  const imported = worstOf(results, ({ file }) => {
    return shownImports(session, file).filter(({ line }) => line === position.line);
  });
  if (imported !== null) {
    const { item, result } = imported;
    const { recording, thresholdUs } = result.summary;
    const from = isOfSeveral ? [`${fromText(result.summary, Date.now())}.`] : [];
    const remedies = await remediesAt(recording, { line: item.line, owner: null, waited: false, inCalls: true });
    const text = importHover(item, thresholdUs, remedies, session.hasCommands);
    return markdown([text, ...from].join('\n\n'));
  }
  const marked = worstOf(results, ({ file }) => marksOn(file, position.line));
  const found =
    marked ??
    worstOf(results, ({ file }) => file.functions.filter(({ place }) => place.line === position.line).map(subjectOf));
  if (found === null) return null;
  const { item, result, changes } = found;
  const { recording, thresholdUs } = result.summary;
  const recheck = changes.get(item.hot.functionId);
  const change = recheck?.type === 'done' ? recheckText(recheck) : null;
  const details = await session.recordings.ask(recording, 'details', item.hot.functionId);
  if (details === null) return null;
  const { line, owner } = item;
  const asked = line === null ? null : { owner, waited: hasWaited(line.shown), inCalls: line.inCalls };
  const remedies = asked === null ? [] : await remediesAt(recording, { line: line0(position.line), ...asked });
  const others = isOfSeveral
    ? [fromText(result.summary, Date.now()), ...othersOf(all, found, session.hasCommands)]
    : [];
  const { hasCommands } = session;
  return markdown(hoverText({ recording, thresholdUs, ...item, details, remedies, change, others, hasCommands }));
}

/** The worst item that the results have for a line. */
function worstOf<Item extends { readonly worstUs: Microseconds }>(
  results: readonly PlacedResult[],
  itemsOf: (result: PlacedResult) => readonly Item[],
): ({ readonly item: Item } & Pick<PlacedResult, 'result' | 'changes'>) | null {
  const found = results.flatMap((one) =>
    itemsOf(one).map((item) => ({ item, result: one.result, changes: one.changes })),
  );
  return found.toSorted((a, b) => b.item.worstUs - a.item.worstUs)[0] ?? null;
}

type AskedHere = Omit<Asked<'remedies'>, 'source' | 'path'>;

/** `key`: the function in other results. It and `owner` are null where the function is in another file, `owner` also where it changed. */
interface Subject extends Pick<HoverParts, 'hot' | 'stale' | 'line'> {
  readonly worstUs: Microseconds;
  readonly key: string | null;
  readonly owner: FunctionNow | null;
}

function marksOn({ lines, functions }: PlacedFile, line: number): readonly Subject[] {
  return lines
    .filter((marked) => marked.line === line)
    .flatMap((marked): readonly Subject[] => {
      const { elsewhere, worstUs } = marked.item;
      const shown = { ...marked.item, shown: figuresOfLine(marked) };
      if (elsewhere !== null)
        return [{ hot: elsewhere, stale: elsewhere.changed, line: shown, worstUs, key: null, owner: null }];
      const fn = marked.owner ?? functions.find(({ place }) => place.line === line);
      return fn === undefined ? [] : [{ ...subjectOf(fn), line: shown, worstUs }];
    });
}

function subjectOf(fn: Placed<AnnotatedFunction>): Subject {
  const { item, place } = fn;
  const owner = place.stale ? null : { functionId: item.functionId, line: place.line };
  return { hot: item, stale: place.stale, line: null, worstUs: item.worstUs, key: keyOfFunction(fn), owner };
}

/** What other results say of the function, with links to their flamegraphs where these open. */
function othersOf(
  all: readonly PlacedResult[],
  { item, result }: { readonly item: Subject; readonly result: PlacedResult['result'] },
  hasCommands: boolean,
): readonly string[] {
  const others = all.filter((one) => one.result !== result);
  return others.flatMap(({ file, result: { summary } }) => {
    const same = file.functions.find((fn) => keyOfFunction(fn) === item.key);
    if (same === undefined) return [];
    const stale = same.place.stale ? `, ${changedSince}` : '';
    const { recording, thresholdUs } = summary;
    const place = { recording, functionId: same.item.functionId };
    const name = resultLabel(summary);
    const label = hasCommands ? commandLink(name, internalCommands.openFunction, place) : escapeMarkdown(name);
    return [`In ${label}: ${functionFigures(same.item, thresholdUs)}${stale}`];
  });
}

/** Which result a figure is from: `From npm test in packages/core, 2 minutes ago`. */
function fromText(summary: Summary, now: number): string {
  const { startedAt } = summary;
  const when = startedAt === null ? '' : `, ${ago(Date.parse(startedAt), now)}`;
  return `From ${escapeMarkdown(resultLabel(summary))}${when}`;
}

function markdown(value: string): Hover {
  return { contents: { kind: MarkupKind.Markdown, value } };
}

export interface HoverParts {
  readonly recording: string;
  readonly thresholdUs: Microseconds;
  readonly hot: NamedFunction;
  readonly details: FunctionDetails;
  /** The marked line under the hover; null on any other line. */
  readonly line: MarkedLine | null;
  readonly stale: boolean;
  readonly remedies: readonly Remedy[];
  /** The result of a re-check of its current code (`312 → 41 ms`); null where there is none. */
  readonly change: string | null;
  /** With several results: which one this is, and what the others say of the function. */
  readonly others: readonly string[];
  /** Whether links may run the commands of the extension. */
  readonly hasCommands: boolean;
}

interface MarkedLine extends Pick<AnnotatedLine, 'precision' | 'reason' | 'inCalls' | 'functions'> {
  /** The figures on the line. */
  readonly shown: ShownFigures;
}

/**
 * Markdown of a hover: what, why, who waits, what to do; below a rule, the details. Names come from the profile and are
 * escaped. Links run our commands with the number of a function or a deopt; without commands frames have their places.
 */
export function hoverText(parts: HoverParts): string {
  const { stale, remedies, hasCommands } = parts;
  const [remedy, ...otherRemedies] = remedies;
  const isShort = remedy === undefined || (fixLines(remedy) <= MAX_FIX_LINES && !isShared(parts));
  const next = parts.details.finding === null ? [] : [`*${escapeMarkdown(parts.details.finding.next)}*`];
  const firstRemedy =
    remedy === undefined ? next : [remedyText(isShort ? remedy : { ...remedy, fix: null }, hasCommands)];
  return [
    ...(parts.change === null ? titleOf(parts) : [changedTitle(parts.change, parts)]),
    ...(stale && parts.change === null ? [`This function has ${changedSince}.`] : []),
    ...reasonsOf(parts),
    ...firstRemedy,
    ...(hasCommands ? [actionsOf(parts)] : []),
    '---',
    '**Details**',
    ...(isShort ? [] : [fixText(remedy)]),
    ...otherRemedies.map((other) => remedyText(other, hasCommands)),
    ...detailsOf(parts),
  ].join('\n\n');
}

/** Limit of lines of a replacement before the details. */
const MAX_FIX_LINES = 3;

function reasonsOf({ details: { finding, tests } }: HoverParts): readonly string[] {
  const cause = finding === null ? [] : [sentence([finding.cause, ...named(finding.callers)].join(', '))];
  const lines = [...cause, ...testsLine(tests, MAX_TESTS), ...named(finding?.routes ?? null).map(sentence)];
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
    commandLink(lensActions.graph, internalCommands.openFunction, reference),
    commandLink(lensActions.recheck, commands.recheck, reference),
    commandLink('its worst operation alone', commands.openWorst, reference),
    commandLink(lensActions.more, internalCommands.moreActions, reference),
  ].join(' · ');
}

function detailsOf(parts: HoverParts): readonly string[] {
  const { recording, hot, details, line, others, hasCommands } = parts;
  const link = (frame: StackFrame): string =>
    commandLink(frame.label, internalCommands.openSource, { recording, functionId: frame.functionId });
  const deoptLink = (label: string, deopt: number): string =>
    commandLink(label, internalCommands.openSource, { recording, functionId: hot.functionId, deopt });
  const stacks = details.stacks.map((stack) => `- ${stackLine(stack, hasCommands ? link : plainFrame)}`).join('\n');
  // Where a line is of several functions, it is said whose facts these are.
  const whose = isShared(parts) ? [`About **${escapeMarkdown(details.label)}**:`] : [];
  const allTests = details.tests.length > MAX_TESTS ? testsLine(details.tests, MAX_TESTS_IN_DETAILS) : [];
  return [
    ...(line !== null && isShared(parts) ? lineDoubt(line) : []),
    [...whose, ...functionFacts(details), ...allTests].join('  \n'),
    ...(stacks === '' ? [] : [stacks]),
    ...(others.length === 0 ? [] : [others.join('  \n')]),
    ...(details.tiers === null ? [] : tierLines(details.tiers, hasCommands ? deoptLink : (label) => codeSpan(label))),
  ];
}

/** The function with its figures, or the functions that share the line; and why the line's figures differ. */
/** The figures of a re-checked function. Those of the recording are of other code. */
function changedTitle(change: string, { details }: HoverParts): string {
  return `**${escapeMarkdown(details.label)}** · ${escapeMarkdown(change)}  \nRe-checked. What follows was recorded before the change.`;
}

function titleOf(parts: HoverParts): readonly string[] {
  const { hot, details, line, thresholdUs } = parts;
  const whole = `**${escapeMarkdown(details.label)}** · ${functionFigures(hot, thresholdUs)}`;
  if (line === null) return [whole];
  const { shown, functions } = line;
  if (saysTheSame(shown, hot, thresholdUs)) return [[whole, ...lineDoubt(line)].join('  \n')];
  const figures = functionFigures(shown, thresholdUs);
  if (!isShared(parts)) return [`${whole}  \n${worstTime(shown)} of it on this line: ${whyPart(line)}.`];
  const all = functions.map((fn) => `- **${escapeMarkdown(fn.label)}** · ${functionFigures(fn, thresholdUs)}`);
  const each = all.length > MAX_SHARED ? [...all.slice(0, MAX_SHARED), `- +${all.length - MAX_SHARED} more`] : all;
  return [`**This line** · ${figures} · ${plural(functions.length, 'function')}`, each.join('\n')];
}

/** Most functions of one line that are listed. */
const MAX_SHARED = 2;

/** Whether the line has figures of its own because several functions share it. */
function isShared({ line, hot, thresholdUs }: HoverParts): boolean {
  return line !== null && line.functions.length > 1 && !saysTheSame(line.shown, hot, thresholdUs);
}

function whyPart({ precision, reason, functions }: MarkedLine): string {
  if (reason === null || isOfItself(reason, functions)) return 'the rest is on other lines';
  const text = escapeMarkdown(lineReasonText(reason));
  return precision === 'oneOf' ? `one of several lines: ${text}` : text;
}

function lineDoubt({ precision, reason, functions }: MarkedLine): readonly string[] {
  if (reason === null) return [];
  const text = escapeMarkdown(lineReasonText(reason));
  if (reason.type === 'wholeFunction') return [`${text.charAt(0).toUpperCase()}${text.slice(1)}.`];
  if (precision === 'oneOf') return [`One of several lines: ${text}.`];
  if (!isOfItself(reason, functions)) return [`≈ for this line: ${text}.`];
  return functions.length > 1 ? ['≈: samples do not tell exactly which of them had how much.'] : [];
}

/** Whether the line's time may be that of a function which is on the line anyway. */
function isOfItself(reason: LineReason, functions: MarkedLine['functions']): boolean {
  return reason.type === 'mayBeInlined' && functions.some(({ label }) => label === reason.callee);
}

function testsLine(tests: readonly string[], most: number): readonly string[] {
  const names = tests.slice(0, most).map((name) => escapeMarkdown(name));
  const rest = tests.length > most ? [`+${tests.length - most} more`] : [];
  return tests.length === 0 ? [] : [`In ${plural(tests.length, 'test')}: ${[...names, ...rest].join(', ')}.`];
}

const MAX_TESTS = 2;
const MAX_TESTS_IN_DETAILS = 20;

/** The remedy, a link to its page, which the extension contains, and its code for this line. */
function remedyText(remedy: Remedy, hasCommands: boolean): string {
  const { text, page, fix } = remedy;
  const link = commandLink('Ways out, and what they cost', internalCommands.openRemedy, { page });
  return [`*${text}*${hasCommands ? ` ${link}` : ''}`, ...(fix === null ? [] : [fixText(remedy)])].join('\n\n');
}

function fixText({ fix }: Remedy): string {
  const lines = (fix ?? '').split('\n').map((line) => visible(line));
  return `\`\`\`js\n${lines.join('\n')}\n\`\`\``;
}

function fixLines({ fix }: Remedy): number {
  return fix === null ? 0 : fix.split('\n').length;
}

function commandLink(label: string, command: string, argument: FunctionReference | Pick<Remedy, 'page'>): string {
  const args = encodeURIComponent(JSON.stringify([argument])).replaceAll(/[()]/g, (bracket) =>
    bracket === '(' ? '%28' : '%29',
  );
  return `[${escapeMarkdown(label)}](command:${command}?${args})`;
}

/** The hover on a marked import: why it has figures, and what they mean. */
export function importHover(
  { package: blamed, worstUs, isOneOf }: AnnotatedImport,
  thresholdUs: Microseconds,
  remedies: readonly Remedy[],
  hasCommands: boolean,
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
  return [title, ...remedies.map((remedy) => remedyText(remedy, hasCommands)), [why, ...others].join(' ')].join('\n\n');
}
