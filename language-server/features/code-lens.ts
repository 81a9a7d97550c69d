import type { CodeLens, CodeLensParams, Command } from 'vscode-languageserver/node';
import { internalCommands } from '../../protocol/ids.ts';
import type { Session } from '../recordings/session.ts';
import { builtFileShort, changedSince, functionFigures, plural } from '../../words/formats/figures.ts';
import { saysTheSame } from '../../words/formats/line-texts.ts';
import type { DiffReference, Metric, OfRecording } from '../../protocol/requests.ts';
import type { FunctionPlace } from '../../protocol/places.ts';
import type { Microseconds } from '../../protocol/units.ts';
import type { AnnotatedFunction } from '../queries/file-annotations.ts';
import { figuresOfLine } from './marks.ts';
import { onePerFunction } from './one-per-function.ts';
import { type Placed, type PlacedLine, type PlacedResult, placedResults } from './placed-file.ts';

/**
 * Lenses over each hot function: what a re-check has said first, because a narrow editor cuts the end off; then its
 * figures, which lead to its flamegraph, and `more…`.
 */
export async function codeLenses(session: Session, { textDocument }: CodeLensParams): Promise<CodeLens[]> {
  const { metric, codeLens } = session.display;
  if (!codeLens) return [];
  const results = onePerFunction(await placedResults(session, textDocument.uri), metric);
  return results.flatMap((one) => one.file.functions.flatMap((fn) => lensesOf(one, fn, metric)));
}

function lensesOf({ result, file }: PlacedResult, fn: Placed<AnnotatedFunction>, metric: Metric): readonly CodeLens[] {
  const { summary, changes } = result;
  const position = { line: fn.place.line, character: 0 };
  const range = { start: position, end: position };
  const reference = { recording: summary.recording, functionId: fn.item.functionId };
  const open = { command: internalCommands.openFunction, arguments: [reference] };
  const title = lensTitle(fn, file.lines, metric, summary.thresholdUs);
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
 * The title of a lens: the figures of the function, unless a mark in sight has the same, and what no mark says: in how
 * many tests it was long, and how V8 ran it. Empty where there is nothing to say.
 */
export function lensTitle(
  fn: Placed<AnnotatedFunction>,
  lines: readonly PlacedLine[],
  metric: Metric,
  thresholdUs: Microseconds,
): string {
  const { item, place } = fn;
  const isSaid = metric === 'total' || lines.some((line) => isInSight(line, fn, thresholdUs));
  return [
    ...(isSaid ? [] : [functionFigures(item, thresholdUs)]),
    ...(item.testCount === 0 ? [] : [`in ${plural(item.testCount, 'test')}`]),
    ...(item.optimized === null ? [] : [item.optimized]),
    ...(item.isBuilt ? [builtFileShort] : []),
    ...(place.stale && !isSaid ? [changedSince] : []),
  ].join(' · ');
}

/** Whether a mark has the figures of the function, and is on the screen together with its lens. */
function isInSight(marked: PlacedLine, { item, place }: Placed<AnnotatedFunction>, thresholdUs: Microseconds): boolean {
  const isNear = marked.line >= place.line && marked.line <= place.line + linesInSight;
  return isNear && marked.owner?.item === item && saysTheSame(figuresOfLine(marked), item, thresholdUs);
}

const linesInSight = 30;
