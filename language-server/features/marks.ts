import type { FileMarks, FileMarksParams, LineMark, Metric } from '../../protocol/requests.ts';
import { textNow } from './current-text.ts';
import { type PlacedFile, type PlacedLine, placedResults } from './placed-file.ts';
import { onePerFunction } from './one-per-function.ts';
import type { Changes } from './rechecks.ts';
import type { FunctionNow } from '../recordings/questions.ts';
import type { Session } from '../recordings/session.ts';
import { duration, hasWaited, type ShownFigures, totalFigures } from '../../words/formats/figures.ts';
import { hasAllOf, markText, namedModule, packageMarkText, recheckText } from '../../words/formats/mark-texts.ts';
import type { Line0, Microseconds } from '../../protocol/units.ts';
import type { PlacedFunction } from '../placement/code-map.ts';
import type { AnnotatedImport } from '../queries/file-annotations.ts';
import { durationClassOf } from '../../protocol/figures.ts';

export async function fileMarks(session: Session, { uri }: FileMarksParams): Promise<FileMarks> {
  const { metric, codeLens } = session.display;
  const { marks, more } = shownOf(await marksByWeight(session, uri, metric));
  const hasRoom = await roomInEditors(session, uri);
  return { marks: marks.map((mark) => ({ ...mark, isBehind: !codeLens || hasRoom(mark) })), more };
}

/** The same marks with their details, heaviest first. */
export async function heaviestMarks(session: Session, uri: string, metric: Metric): Promise<readonly MarkOfResult[]> {
  return (await marksByWeight(session, uri, metric)).slice(0, MAX_MARKS);
}

async function marksByWeight(session: Session, uri: string, metric: Metric): Promise<readonly MarkOfResult[]> {
  const results = onePerFunction(await placedResults(session, uri), metric);
  const all = results.flatMap(({ file, changes, result: { summary } }) => {
    const { recording } = summary;
    const marks = candidatesOf({ ...file, imports: shownImports(session, file) }, metric);
    return withRechecks(marks, file, changes).map((candidate) => {
      const { mark, functionId } = candidate;
      return { ...candidate, recording, mark: { ...mark, of: functionId === null ? null : { recording, functionId } } };
    });
  });
  return onePerLine(all);
}

/** A re-checked function has one mark, with the result: its lines were measured in other code. */
function withRechecks(marks: readonly Candidate[], file: PlacedFile, changes: Changes): readonly Candidate[] {
  const isOther = ({ functionId }: Candidate): boolean => changes.get(functionId ?? -1)?.type !== 'done';
  const rechecked = file.functions.flatMap(({ item, place }): readonly Candidate[] => {
    const change = changes.get(item.functionId);
    if (change?.type !== 'done') return [];
    const [line] = marks
      .filter(({ functionId }) => functionId === item.functionId)
      .toSorted((a, b) => b.weight - a.weight)
      .map(({ mark }) => mark.line);
    const within = { firstLine: place.line, lastLine: place.lastLine };
    const text = line === undefined ? namedModule(item.label, recheckText(change)) : recheckText(change);
    const mark = { ...withoutPlace, line: line ?? place.line, text, tone: 'dim', within } as const;
    const facts = { weight: item.worstUs, waited: false, inCalls: true, functionId: item.functionId, name: item.label };
    return [{ ...facts, mark: { ...mark, class: durationClassOf(item.worstUs) } }];
  });
  return rechecked.length === 0 ? marks : [...marks.filter(isOther), ...rechecked];
}

/** Imports with marks. Loading is shown only on request. */
export function shownImports({ display }: Session, { imports }: PlacedFile): PlacedFile['imports'] {
  return imports.filter((item) => display.loading || item.package !== null);
}

/** Limit of marks in one file. */
const MAX_MARKS = 20;

interface Candidate {
  readonly mark: LineMark;
  readonly weight: Microseconds;
  /** True where the thread slept while it held the loop. */
  readonly waited: boolean;
  /** True where functions that are called there have most of the time, or may have. */
  readonly inCalls: boolean;
  /** The function with the largest part; null for an import. */
  readonly functionId: number | null;
  /** Name of the function or the package; null where it has none. */
  readonly name: string | null;
}

export interface MarkOfResult extends Candidate {
  readonly recording: string;
}

/** The function of a mark, as a question names it; null where there is none, or its code has changed. */
export function ownerOf({ mark: { within }, functionId }: MarkOfResult): FunctionNow | null {
  return within === null || functionId === null ? null : { functionId, line: within.firstLine };
}

export function lineMarks(file: PlacedFile, metric: Metric): FileMarks {
  return shownOf(onePerLine(candidatesOf(file, metric)));
}

function candidatesOf(file: PlacedFile, metric: Metric): readonly Candidate[] {
  const figures = metric === 'total' ? totalMarks(file) : file.lines.map(lineMark);
  return [...figures, ...file.imports.map(importMark)];
}

function onePerLine<Found extends Candidate>(candidates: readonly Found[]): readonly Found[] {
  const byLine = new Map<Line0, Found>();
  for (const candidate of candidates.toSorted((a, b) => b.weight - a.weight)) {
    if (!byLine.has(candidate.mark.line)) byLine.set(candidate.mark.line, candidate);
  }
  return [...byLine.values()];
}

function shownOf(all: readonly Candidate[]): FileMarks {
  const marks = all.slice(0, MAX_MARKS).map(({ mark }) => mark);
  return { marks: marks.toSorted((a, b) => a.line - b.line), more: all.length - marks.length };
}

function lineMark(placed: PlacedLine): Candidate {
  const { item, line, owner } = placed;
  const shown = figuresOfLine(placed);
  const isChanged = owner?.place.stale ?? item.elsewhere?.changed ?? false;
  return {
    weight: item.worstUs,
    waited: hasWaited(shown),
    inCalls: item.inCalls,
    functionId: owner?.item.functionId ?? item.elsewhere?.functionId ?? null,
    name: owner?.item.label ?? item.elsewhere?.label ?? null,
    mark: {
      ...withoutPlace,
      line,
      text: markText(shown, { isChanged, isOneOfSeveral: item.precision === 'oneOf' }),
      class: durationClassOf(shown.worstUs),
      tone: (isChanged || shown.kept === true) && shown.tone === 'plain' ? 'dim' : shown.tone,
      within: owner === null ? null : linesOf(owner.place),
    },
  };
}

/** Fields that depend on the result and the editor. */
const withoutPlace = { of: null, isBehind: true } as const;

/** The figures on a line: its function's, if the line has all of its time, or no line of it is known. */
export function figuresOfLine({ item, owner }: PlacedLine): ShownFigures {
  const fn = owner?.item ?? item.elsewhere;
  if (fn === null) return { ...item, firstTime: null, tone: 'plain' };
  const { firstTime, tone, kept } = fn;
  if (item.functions.length > 1 || !hasAllOf(fn, item)) return { ...item, firstTime, tone, kept };
  return { ...fn, estimated: fn.estimated || (item.estimated && item.reason?.type !== 'wholeFunction') };
}

function linesOf({ line, lastLine, stale }: PlacedFunction): LineMark['within'] {
  return stale ? null : { firstLine: line, lastLine };
}

/** The mark of an import. It is about the imported module, not the importing file. */
function importMark({ line, worstUs, package: blamed, isOneOf }: AnnotatedImport): Candidate {
  return {
    weight: worstUs,
    waited: false,
    inCalls: true,
    functionId: null,
    name: null,
    mark: {
      ...withoutPlace,
      line,
      text:
        blamed === null
          ? `loaded in ${duration(worstUs)}`
          : packageMarkText(blamed.name, { ...blamed, worstUs }, isOneOf),
      class: durationClassOf(worstUs),
      tone: blamed === null ? 'dim' : 'plain',
      within: null,
    },
  };
}

/** Marks by total time: each function with time has one on its first line. */
function totalMarks({ functions, quiet }: PlacedFile): readonly Candidate[] {
  return [...functions, ...quiet].map(({ item: { functionId, totalUs, tone, ...worst }, place }) => ({
    weight: totalUs,
    waited: false,
    inCalls: true,
    functionId,
    name: null,
    mark: {
      ...withoutPlace,
      line: place.line,
      text: `${place.stale ? 'was ' : ''}${totalFigures(totalUs, worst)}`,
      class: durationClassOf(worst.worstUs),
      tone: place.stale && tone === 'plain' ? 'dim' : tone,
      within: linesOf(place),
    },
  }));
}

/** Whether the text of a mark is visible behind its line; else a lens has it, where lenses are on. */
type HasRoom = (mark: Pick<LineMark, 'line' | 'text'>) => boolean;

/** The rule for the narrowest open editor. */
export async function roomInEditors(session: Session, uri: string): Promise<HasRoom> {
  const { columns } = session;
  const text = columns === null ? null : await textNow(session, uri);
  return text === null || columns === null ? () => true : roomBehind(text, columns);
}

/** The rule for a text with this many visible columns. */
export function roomBehind(text: string, columns: number): HasRoom {
  const lines = text.split(/\r\n?|\n/);
  return (mark) => columnsOf((lines[mark.line] ?? '').trimEnd()) + gapColumns + columnsOf(mark.text) <= columns;
}

/** The space between a line and its mark: 3 em, and a character is at least 0.55 em wide. */
const gapColumns = 6;

/** CJK characters and emoji are two columns wide. */
function columnsOf(text: string): number {
  const wide = text.match(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]/gu,
  );
  return text.replaceAll('\t', usualTab).length + (wide?.length ?? 0);
}

/** VS Code's own size of a tab. */
const usualTab = ' '.repeat(4);
