import {
  type CodeAction,
  type CodeActionParams,
  type CodeLens,
  type CodeLensParams,
  type Command,
  type InlayHint,
  type InlayHintParams,
  SymbolKind,
  type SymbolInformation,
  type WorkspaceSymbolParams,
} from 'vscode-languageserver/node';
import { pathOfUri } from '../../engine/read/files/file-path.ts';
import { commands } from '../../protocol/ids.ts';
import type { HotspotGroup, HotspotItem } from '../../protocol/list-rows.ts';
import { worstFirst } from '../../protocol/next-hotspot.ts';
import { markActions } from '../../words/editor/lens-texts.ts';
import { lensFigure } from '../../words/formats/mark-texts.ts';
import { visible } from '../../words/formats/foreign-text.ts';
import { fileLens } from '../features/code-lens.ts';
import { textNow } from '../features/current-text.ts';
import { heaviestMarks, type MarkOfResult, ownerOf } from '../features/marks.ts';
import { onePerFunction } from '../features/one-per-function.ts';
import { placedResults } from '../features/placed-file.ts';
import { hotspots } from '../features/results-now.ts';
import type { Session } from '../recordings/session.ts';

/** What an editor without our extension draws at lines. Commands are those of `commands.ts`, which this server runs. */

/** Over each hot function its figure, which explains it, and a way to the next one. */
export async function plainLenses(session: Session, { textDocument: { uri } }: CodeLensParams): Promise<CodeLens[]> {
  const { metric, codeLens } = session.display;
  if (!codeLens) return [];
  const results = onePerFunction(await placedResults(session, uri), metric);
  const ofFile = new Set(results.flatMap((one) => fileLens(one, metric)).map(({ title }) => title));
  const functions = results.flatMap(({ file, result: { summary } }) =>
    file.functions.flatMap(({ item, place: { line, stale } }): readonly CodeLens[] => {
      const reference = { recording: summary.recording, functionId: item.functionId };
      const figure = lensFigure(item, stale, metric);
      return [
        lensAt(line, { title: figure, command: commands.explain, arguments: [reference] }),
        lensAt(line, { title: 'next hotspot', command: commands.nextHotspot, arguments: [{ uri, line }] }),
      ];
    }),
  );
  return [...[...ofFile].map((title) => lensAt(0, { title, command: commands.openRecording })), ...functions];
}

function lensAt(line: number, command: Command): CodeLens {
  const start = { line, character: 0 };
  return { range: { start, end: start }, command };
}

/** The marks of lines, behind them. */
export async function inlayHints(
  session: Session,
  { textDocument: { uri }, range }: InlayHintParams,
): Promise<InlayHint[]> {
  const lines = await linesNow(session, uri);
  const marks = await heaviestMarks(session, uri, session.display.metric);
  return marks
    .filter(({ mark: { line } }) => line >= range.start.line && line <= range.end.line)
    .map(({ mark: { line, text } }) => ({
      position: { line, character: (lines[line] ?? '').length },
      label: visible(text),
      paddingLeft: true,
    }));
}

async function linesNow(session: Session, uri: string): Promise<readonly string[]> {
  return ((await textNow(session, uri)) ?? '').split(/\r\n?|\n/);
}

/** Explains a marked line, leads to the next hotspot, and replaces the line where the code for that is certain. */
export async function codeActions(
  session: Session,
  { textDocument: { uri }, range, context: { only } }: CodeActionParams,
): Promise<CodeAction[]> {
  const marks = (await heaviestMarks(session, uri, session.display.metric)).filter(
    ({ mark: { line } }) => line >= range.start.line && line <= range.end.line,
  );
  const lines = await linesNow(session, uri);
  const all = await Promise.all(
    marks.map(async (marked): Promise<readonly CodeAction[]> => {
      const { line, text, of } = marked.mark;
      const explain = `${markActions.explain}: ${visible(text)}`;
      const actions: readonly CodeAction[] = [
        { ...actionOf(explain, commands.explain, of ?? { uri, line }) },
        { ...actionOf(markActions.next, commands.nextHotspot, { uri, line }) },
      ];
      return [...(await replacementOf(session, uri, marked, lines)), ...actions];
    }),
  );
  const isWanted = ({ kind = '' }: CodeAction): boolean =>
    only === undefined || only.some((one) => one === '' || kind === one || kind.startsWith(`${one}.`));
  return all.flat().filter(isWanted);
}

/** The kind of actions that change no code. */
export const actionKind = 'hotspan';

function actionOf(title: string, command: string, argument: object): CodeAction {
  return { title, kind: actionKind, command: { title, command, arguments: [argument] } };
}

async function replacementOf(
  session: Session,
  uri: string,
  marked: MarkOfResult,
  lines: readonly string[],
): Promise<readonly CodeAction[]> {
  const { mark, waited, inCalls, recording } = marked;
  const { line, tone } = mark;
  if (tone !== 'plain') return [];
  const source = lines.join('\n');
  const asked = { source, path: pathOfUri(uri) ?? '', line, owner: ownerOf(marked), waited, inCalls };
  const [remedy] = await session.recordings.ask(recording, 'remedies', asked);
  const { replacement = null } = remedy ?? {};
  if (replacement === null) return [];
  const now = lines[line] ?? '';
  const indentation = /^\s*/.exec(now)?.[0] ?? '';
  const code = replacement.split('\n');
  const range = { start: { line, character: 0 }, end: { line, character: now.length } };
  const newText = code.map((text) => `${indentation}${text}`).join('\n');
  const title = `${markActions.replace}: ${visible(code.at(-1) ?? '', 80)}`;
  return [{ title, kind: 'quickfix', edit: { changes: { [uri]: [{ range, newText }] } } }];
}

/** The hotspots whose function or place has the query, worst first, each with its figure. */
export async function hotspotSymbols(session: Session, { query }: WorkspaceSymbolParams): Promise<SymbolInformation[]> {
  const wanted = query.toLowerCase();
  return inFiles(await hotspotsOf(session, ['functions', 'package', 'loading']))
    .map(({ label, figure, description, location: { uri, line, character } }) => {
      const start = { line, character };
      const name = visible(`${figure} ${label}`.trim(), 200);
      const location = { uri, range: { start, end: start } };
      return { name, containerName: visible(description, 200), kind: SymbolKind.Function, location };
    })
    .filter(({ name, containerName }) => `${name} ${containerName}`.toLowerCase().includes(wanted));
}

type HotspotOfResult = ReturnType<typeof worstFirst>[number];

interface HotspotInFile extends HotspotOfResult {
  readonly location: NonNullable<HotspotItem['location']>;
}

/** The hotspots of these kinds, worst first. */
export async function hotspotsOf(
  session: Session,
  kinds: readonly HotspotGroup['kind'][],
): Promise<readonly HotspotOfResult[]> {
  return worstFirst(await hotspots(session, { groupBy: 'function', sortBy: 'worst' }), kinds);
}

/** Those in files of the open folders. */
export function inFiles(all: readonly HotspotOfResult[]): readonly HotspotInFile[] {
  return all.flatMap((item): readonly HotspotInFile[] => {
    const { location } = item;
    return location?.inside === true ? [{ ...item, location }] : [];
  });
}
