import type { CodeLens, CodeLensParams, Command } from 'vscode-languageserver/node';
import { commands, internalCommands } from '../../protocol/ids.ts';
import type { FunctionReference, LineMark, Metric } from '../../protocol/requests.ts';
import type { Recheck } from '../../protocol/rechecks.ts';
import { type Line0, line0 } from '../../protocol/units.ts';
import { fileNameOf } from '../../protocol/machine-path.ts';
import { changedFileLens, lensActions, lostFunctionLens } from '../../words/editor/lens-texts.ts';
import { lensFigure, namedModule, recheckText } from '../../words/formats/mark-texts.ts';
import type { AnnotatedFunction } from '../queries/file-annotations.ts';
import type { Session } from '../recordings/session.ts';
import { heaviestMarks, roomInEditors } from './marks.ts';
import { onePerFunction } from './one-per-function.ts';
import { type Placed, type PlacedResult, placedResults } from './placed-file.ts';

/** The lens over each hot function: its figure and actions. A marked line without room behind it has one, too. */
export async function codeLenses(session: Session, { textDocument }: CodeLensParams): Promise<CodeLens[]> {
  const { metric, codeLens } = session.display;
  const { uri } = textDocument;
  if (!codeLens) return [];
  const results = onePerFunction(await placedResults(session, uri), metric);
  const functions = results.flatMap((one) =>
    one.file.functions.map((fn) => {
      const figure = lensFigure(fn.item, fn.place.stale, metric);
      return { line: fn.place.line, figure, commands: functionLens(one, fn, figure) };
    }),
  );
  const hasRoom = await roomInEditors(session, uri);
  const marks = (await heaviestMarks(session, uri, metric)).map(({ mark }) => mark);
  const above = marks.filter((mark) => !hasRoom(mark) && !functions.some((lens) => saysFigureOf(mark, lens)));
  const ofFile = new Map(results.flatMap((one) => fileLens(one, metric)).map((one) => [one.title, one]));
  return [
    { line: line0(0), commands: [...ofFile.values()] },
    ...above.map((mark) => ({ line: mark.line, commands: lineLens(mark) })),
    ...functions,
  ].flatMap(({ line, commands: ofLine }) => ofLine.map((one) => ({ range: rangeAt(line), command: one })));
}

function saysFigureOf({ line, text }: LineMark, lens: { readonly line: Line0; readonly figure: string }): boolean {
  const isNear = line >= lens.line && line <= lens.line + linesBesideLens;
  return isNear && text.split(' · ')[0] === lens.figure;
}

/** A line this far below a lens is nearly always on screen with it. */
const linesBesideLens = 8;

function rangeAt(line: Line0): CodeLens['range'] {
  const start = { line, character: 0 };
  return { start, end: start };
}

/** Over a file with figures whose text is not what ran: what of it was found again, and the worst that was not. */
export function fileLens(
  { result: { summary }, file }: Pick<PlacedResult, 'result' | 'file'>,
  metric: Metric,
): readonly Command[] {
  const { changed, lost, functions, lines } = file;
  const isAny = lost.length + functions.length + lines.length > 0;
  const title = changed === null ? '' : changedFileLens({ ...changed, file: fileNameOf(changed.path) });
  const text = title === '' || !isAny ? [] : [{ title, command: '' }];
  const named = lost.slice(0, MAX_LOST).map(({ functionId, label, ...figures }) => {
    const said = lostFunctionLens(lensFigure(figures, false, metric), label);
    return command(said, internalCommands.openFunction, { recording: summary.recording, functionId });
  });
  return [...text, ...named];
}

/** A line of an editor has no room for more. The tree lists all of them. */
const MAX_LOST = 3;

/** VS Code writes ` | ` between the commands. */
function functionLens(
  { result: { summary }, changes }: Pick<PlacedResult, 'result' | 'changes'>,
  { item, place }: Placed<AnnotatedFunction>,
  figure: string,
): readonly Command[] {
  const reference = { recording: summary.recording, functionId: item.functionId };
  const more = command(lensActions.more, internalCommands.moreActions, reference);
  const change = changes.get(item.functionId);
  const named = ([first, ...others]: readonly Command[]): readonly Command[] =>
    first === undefined ? [] : [{ ...first, title: namedModule(item.label, first.title) }, ...others];
  if (change !== undefined) return [...named(changeLens(change, reference)), more];
  const action = place.stale
    ? command(lensActions.recheck, commands.recheck, reference)
    : command(lensActions.graph, internalCommands.openFunction, reference);
  return named([command(figure, internalCommands.openFunction, reference), action, more]);
}

function changeLens(change: Recheck, reference: FunctionReference): readonly Command[] {
  const recheck = command(lensActions.recheck, commands.recheck, reference);
  switch (change.type) {
    case 'running':
      return [
        command(change.text, internalCommands.stopRecheck, reference),
        command(lensActions.stop, internalCommands.stopRecheck, reference),
      ];
    case 'done': {
      const { diff, isFaster, isKept } = change;
      const text = recheckText(change);
      const said =
        diff === null
          ? command(text, internalCommands.openFunction, reference)
          : { title: text, command: internalCommands.openDiffFlamegraph, arguments: [diff] };
      if (isKept) return [said, command(lensActions.kept, internalCommands.openFunction, reference), recheck];
      const next = isFaster
        ? command(lensActions.keep, commands.keepAsBaseline, reference)
        : command(lensActions.undo, commands.undoChange, reference);
      return [said, next, recheck];
    }
  }
}

/** The lens over a line without room behind it: its figures, which lead to the flamegraph. */
function lineLens({ text, of }: LineMark): readonly Command[] {
  if (of === null) return [{ title: text, command: '' }];
  return [
    command(text, internalCommands.openFunction, of),
    command(lensActions.graph, internalCommands.openFunction, of),
    command(lensActions.more, internalCommands.moreActions, of),
  ];
}

function command(title: string, id: string, reference: FunctionReference): Command {
  return { title, command: id, arguments: [reference] };
}
