import { fileURLToPath } from 'node:url';
import { type Hover, type HoverParams, MarkupKind } from 'vscode-languageserver/node';
import { internalCommands } from '../../protocol/ids.ts';
import type { Summary } from '../../protocol/summary.ts';
import { type Line0, line0, type Microseconds } from '../../protocol/units.ts';
import { ago, changedSince, functionFigures, hasWaited } from '../../words/formats/figures.ts';
import { escapeMarkdown } from '../../words/formats/escape-markdown.ts';
import { resultLabel } from '../../words/formats/command-text.ts';
import type { AnnotatedFunction } from '../queries/file-annotations.ts';
import type { Session } from '../recordings/session.ts';
import type { Remedy } from '../../words/remedies.ts';
import { commandLink, type HoverParts, hoverText, importHover } from './hover-text.ts';
import { figuresOfLine, shownImports } from './marks.ts';
import { keyOfFunction, onePerFunction } from './one-per-function.ts';
import { type Placed, type PlacedFile, type PlacedResult, placedResults } from './placed-file.ts';

/**
 * The hover. On a hot line, and on the first line of a hot function, it says what is known about the function. On a
 * marked import, it says why the import is marked.
 */
export async function hover(session: Session, { textDocument, position }: HoverParams): Promise<Hover | null> {
  const all = await placedResults(session, textDocument.uri);
  const results = onePerFunction(all, session.display.metric);
  const source = session.documents.get(textDocument.uri)?.getText() ?? '';
  const path = fileURLToPath(textDocument.uri);
  const remediesAt = async (recording: string, line: Line0, waited: boolean): Promise<readonly Remedy[]> =>
    session.recordings.ask(recording, 'remedies', { source, path, line, waited });
  const isOfSeveral = session.recordings.shown.length > 1;
  const imported = worstOf(results, ({ file }) => {
    return shownImports(session, file).filter(({ line }) => line === position.line);
  });
  if (imported !== null) {
    const { item, result } = imported;
    const { recording, thresholdUs } = result.summary;
    const from = isOfSeveral ? [`${fromText(result.summary, Date.now())}.`] : [];
    const text = importHover(item, thresholdUs, await remediesAt(recording, item.line, false));
    return markdown([text, ...from].join('\n\n'));
  }
  const marked = worstOf(results, ({ file }) => marksOn(file, position.line));
  const found = marked ?? worstOf(results, ({ file }) => hotOn(file, position.line));
  if (found === null) return null;
  const { item, result } = found;
  const { recording, thresholdUs } = result.summary;
  const details = await session.recordings.ask(recording, 'details', item.hot.functionId);
  if (details === null) return null;
  const { line } = item;
  const remedies = line === null ? [] : await remediesAt(recording, line0(position.line), hasWaited(line.shown));
  const others = isOfSeveral ? [fromText(result.summary, Date.now()), ...othersOf(all, found)] : [];
  return markdown(hoverText({ recording, thresholdUs, ...item, details, remedies, others }));
}

/** What a line has in the results, the worst of it. */
function worstOf<Item extends { readonly worstUs: Microseconds }>(
  results: readonly PlacedResult[],
  itemsOf: (result: PlacedResult) => readonly Item[],
): { readonly item: Item; readonly result: PlacedResult['result'] } | null {
  const found = results.flatMap((one) => itemsOf(one).map((item) => ({ item, result: one.result })));
  return found.toSorted((a, b) => b.item.worstUs - a.item.worstUs)[0] ?? null;
}

/** What a hover is about. `key`: the function as other results know it; null where it is in another file. */
interface Subject extends Pick<HoverParts, 'hot' | 'stale' | 'line'> {
  readonly worstUs: Microseconds;
  readonly key: string | null;
}

/** The functions of the marks on a line: functions of this file, or the body of a bundle. */
function marksOn({ lines, functions }: PlacedFile, line: number): readonly Subject[] {
  return lines
    .filter((marked) => marked.line === line)
    .flatMap((marked): readonly Subject[] => {
      const { elsewhere, worstUs } = marked.item;
      const shown = { ...marked.item, shown: figuresOfLine(marked) };
      if (elsewhere !== null) return [{ hot: elsewhere, stale: elsewhere.changed, line: shown, worstUs, key: null }];
      const fn = marked.owner ?? functions.find(({ place }) => place.line === line);
      return fn === undefined ? [] : [{ ...subjectOf(fn), line: shown, worstUs }];
    });
}

/** The hot functions that begin on a line. */
function hotOn({ functions }: PlacedFile, line: number): readonly Subject[] {
  return functions.filter(({ place }) => place.line === line).map(subjectOf);
}

function subjectOf(fn: Placed<AnnotatedFunction>): Subject {
  const { item, place } = fn;
  return { hot: item, stale: place.stale, line: null, worstUs: item.worstUs, key: keyOfFunction(fn) };
}

/** What the other results say of the same function, each with the way to its flamegraph. */
function othersOf(
  all: readonly PlacedResult[],
  { item, result }: { readonly item: Subject; readonly result: PlacedResult['result'] },
): readonly string[] {
  const others = all.filter((one) => one.result !== result);
  return others.flatMap(({ file, result: { summary } }) => {
    const same = file.functions.find((fn) => keyOfFunction(fn) === item.key);
    if (same === undefined) return [];
    const stale = same.place.stale ? `, ${changedSince}` : '';
    const { recording, thresholdUs } = summary;
    const place = { recording, functionId: same.item.functionId };
    const label = commandLink(resultLabel(summary), internalCommands.openFunction, place);
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
