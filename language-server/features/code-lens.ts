import type { CodeLens, CodeLensParams, Command } from 'vscode-languageserver/node';
import { internalCommands } from '../../protocol/ids.ts';
import type { Session } from '../recordings/session.ts';
import { builtFileShort, changedSince, functionFigures, plural, totalFigures } from '../../words/formats/figures.ts';
import { saysTheSame } from '../../words/formats/line-texts.ts';
import type { DiffReference, Metric, OfRecording } from '../../protocol/requests.ts';
import type { FunctionPlace } from '../../protocol/places.ts';
import type { Line0, Microseconds } from '../../protocol/units.ts';
import type { AnnotatedFunction } from '../queries/file-annotations.ts';
import { figuresOfLine } from './marks.ts';
import { onePerFunction } from './one-per-function.ts';
import { type Placed, type PlacedLine, type PlacedResult, placedResults, textNow } from './placed-file.ts';

/**
 * Lenses over each hot function: what a re-check has said first, because a narrow editor cuts the end off; then its
 * figures, which lead to its flamegraph, and `more…`.
 */
export async function codeLenses(session: Session, { textDocument }: CodeLensParams): Promise<CodeLens[]> {
  const { metric, codeLens } = session.display;
  const { columns } = session;
  if (!codeLens) return [];
  const results = onePerFunction(await placedResults(session, textDocument.uri), metric);
  const text = results.length === 0 || columns === null ? null : await textNow(session, textDocument.uri);
  const isLong = text === null || columns === null ? () => false : longLines(text, columns);
  return results.flatMap((one) => one.file.functions.flatMap((fn) => lensesOf(one, fn, metric, isLong)));
}

/** Tells which lines of a text are longer than so many columns. */
export function longLines(text: string, columns: number): (line: Line0) => boolean {
  const lines = text.split(/\r\n?|\n/);
  return (line) => (lines[line] ?? '').trimEnd().replaceAll('\t', usualTab).length > columns;
}

/** VS Code's own size of a tab. */
const usualTab = ' '.repeat(4);

function lensesOf(
  { result, file }: PlacedResult,
  fn: Placed<AnnotatedFunction>,
  metric: Metric,
  isLong: (line: Line0) => boolean,
): readonly CodeLens[] {
  const { summary, changes } = result;
  const position = { line: fn.place.line, character: 0 };
  const range = { start: position, end: position };
  const reference = { recording: summary.recording, functionId: fn.item.functionId };
  const open = { command: internalCommands.openFunction, arguments: [reference] };
  const seen = file.lines.filter(({ line }) => !isLong(line));
  const isSaid = metric === 'total' ? !isLong(fn.place.line) : isSaidBy(seen, fn, summary.thresholdUs);
  const title = lensTitle(fn, isSaid, metric, summary.thresholdUs);
  const change = changes.get(fn.item.functionId);
  const again = fn.place.stale && change === undefined ? 're-check your change' : 're-check';
  return [
    ...(change === undefined ? [] : [{ range, command: changeCommand(change, reference) }]),
    ...(title === '' ? [] : [{ range, command: { title, ...open } }]),
    { range, command: { title: 'flamegraph', ...open } },
    { range, command: { title: again, command: internalCommands.recheck, arguments: [reference] } },
    { range, command: { title: 'more…', command: internalCommands.moreActions, arguments: [reference] } },
  ];
}

/** Leads to the diff of the runs behind what a re-check says; where there is none, to the function's flamegraph. */
function changeCommand(
  { text, diff }: { readonly text: string; readonly diff: DiffReference | null },
  reference: OfRecording<FunctionPlace>,
): Command {
  return diff === null
    ? { title: text, command: internalCommands.openFunction, arguments: [reference] }
    : { title: text, command: internalCommands.openDiffFlamegraph, arguments: [diff] };
}

/**
 * The title of a lens: the figures of the function, unless a mark in sight has the same (`isSaid`), and what no mark
 * says: in how many tests it was long, and how V8 ran it. Empty where there is nothing to say.
 */
export function lensTitle(
  { item, place }: Placed<AnnotatedFunction>,
  isSaid: boolean,
  metric: Metric,
  thresholdUs: Microseconds,
): string {
  const figures = metric === 'total' ? totalFigures(item.totalUs, item) : functionFigures(item, thresholdUs);
  return [
    ...(isSaid ? [] : [figures]),
    ...(item.testCount === 0 ? [] : [`in ${plural(item.testCount, 'test')}`]),
    ...(item.optimized === null ? [] : [item.optimized]),
    ...(item.isBuilt ? [builtFileShort] : []),
    ...(place.stale && !isSaid ? [changedSince] : []),
  ].join(' · ');
}

/** Whether one of these marks has the figures of the function, and is on the screen together with its lens. */
export function isSaidBy(
  lines: readonly PlacedLine[],
  { item, place }: Placed<AnnotatedFunction>,
  thresholdUs: Microseconds,
): boolean {
  const own = lines.filter(({ owner }) => owner?.item === item);
  const near = own.filter(({ line }) => line >= place.line && line <= place.line + linesInSight);
  return near.some((marked) => saysTheSame(figuresOfLine(marked), item, thresholdUs));
}

const linesInSight = 30;
