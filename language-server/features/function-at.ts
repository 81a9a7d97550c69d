import { uriOf, pathOfUri } from '../../engine/read/files/file-path.ts';
import { indexSource } from '../../engine/read/source-code/index-source.ts';
import type {
  AboutFunction,
  FunctionReference,
  HotPlace,
  LinePlace,
  MeasuredCode,
  OfRecording,
} from '../../protocol/requests.ts';
import { type Line0, line0, toLine0 } from '../../protocol/units.ts';
import { type CodeMap, type FunctionExtent, mapCode } from '../placement/code-map.ts';
import { heaviestMarks } from './marks.ts';
import { onePerFunction } from './one-per-function.ts';
import { placedResults } from './placed-file.ts';
import { openDocument, textNow } from './current-text.ts';
import type { Session } from '../recordings/session.ts';
import { changedSince, functionFigures } from '../../words/formats/figures.ts';
import { codeSpan, escapeMarkdown } from '../../words/formats/foreign-text.ts';
import type { FunctionDetails } from '../queries/function-details.ts';
import { functionFacts, tierLines, plainFrame, stackLine } from '../texts/hover-facts.ts';

export async function functionAt(session: Session, { uri, line }: LinePlace): Promise<OfRecording<HotPlace> | null> {
  const { metric } = session.display;
  const marks = await heaviestMarks(session, uri, metric);
  const marked = marks.find(({ mark }) => mark.line === line)?.mark.of ?? null;
  if (marked !== null) return { ...marked, line };
  const results = onePerFunction(await placedResults(session, uri), metric);
  const around = results.flatMap(({ file, result: { summary } }) =>
    file.functions
      .filter(({ place }) => place.line <= line && place.lastLine >= line)
      .map((fn) => ({ fn, recording: summary.recording })),
  );
  const [inner] = around.toSorted((a, b) => b.fn.place.line - a.fn.place.line);
  if (inner === undefined) return null;
  const { fn, recording } = inner;
  const { functionId } = fn.item;
  const hottest = marks.find(({ mark: { of } }) => of?.functionId === functionId && of.recording === recording);
  return { recording, functionId, line: hottest?.mark.line ?? fn.place.line };
}

export async function measuredCode(
  session: Session,
  { recording, functionId }: FunctionReference,
): Promise<MeasuredCode | null> {
  const location = await session.recordings.ask(recording, 'locate', { functionId });
  if ('why' in location || !location.inside) return null;
  const path = pathOfUri(location.uri) ?? '';
  const measured = await session.recordings.file(recording, path);
  const uri = openDocument(session, path)?.uri ?? uriOf(path);
  const placed = (await placedResults(session, uri)).find(({ result }) => result.summary.recording === recording);
  const fn = placed?.file.functions.find(({ item }) => item.functionId === functionId);
  const now = await textNow(session, uri);
  if (measured === null || fn === undefined || now === null || !fn.place.stale) return null;
  const map = mapCode(session.code.recorded(path, measured.text), session.code.now(path, now));
  const { extent } = fn.item;
  const isModule = extent.name === '' && extent.firstLine === 0 && extent.lastLine === map.before.lineCount - 1;
  const was = isModule ? extent : outermostOn(extent.firstLine, measured.text, path);
  const is = isModule ? { ...extent, lastLine: line0(map.now.lineCount - 1) } : outermostOn(fn.place.line, now, path);
  if (was === null || is === null || was.lastLine < extent.lastLine || !hasSameCode(map, was, is)) return null;
  return { uri, firstLine: is.firstLine, lastLine: is.lastLine, text: linesOf(measured.text, was) };
}

type Lines = Pick<FunctionExtent, 'firstLine' | 'lastLine'>;

/** The outermost function that begins on a line. Null where none does, or the text cannot be parsed. */
function outermostOn(firstLine: Line0, text: string, path: string): Lines | null {
  const here = indexSource(text, path)?.functions.find(
    ({ kind, start }) => kind === 'function' && toLine0(start.line) === firstLine,
  );
  return here === undefined ? null : { firstLine, lastLine: toLine0(here.end.line) };
}

/** Whether each kept line is in both or in neither: otherwise, code would be lost or doubled. */
function hasSameCode({ before, lineOf }: CodeMap, was: Lines, is: Lines): boolean {
  const isIn = (line: Line0, { firstLine, lastLine }: Lines): boolean => line >= firstLine && line <= lastLine;
  for (let line = line0(0); line < before.lineCount; line = line0(line + 1)) {
    const there = lineOf(line);
    if (there !== null && isIn(line, was) !== isIn(there, is)) return false;
  }
  return true;
}

function linesOf(text: string, { firstLine, lastLine }: Lines): string {
  return text
    .split(/\r\n?|\n/)
    .slice(firstLine, lastLine + 1)
    .join('\n');
}

export async function markdown({ recordings }: Session, { recording, functionId }: FunctionReference): Promise<string> {
  const details = await recordings.ask(recording, 'details', functionId);
  if (details === null) throw new Error('This function is not in the recording: choose it in the Hotspots view again.');
  return functionMarkdown(details);
}

export async function about(
  { recordings }: Session,
  { recording, functionId }: FunctionReference,
): Promise<AboutFunction> {
  const details = await recordings.ask(recording, 'details', functionId);
  const callees = await recordings.ask(recording, 'callees', functionId);
  const { label = '', hot = null, thresholdUs } = details ?? {};
  const figures = hot === null || thresholdUs === undefined ? [] : [functionFigures(hot, thresholdUs)];
  return { title: [label, ...figures].join(' · '), callees };
}

/** A function as Markdown: no links, and all names as plain text. */
export function functionMarkdown(details: FunctionDetails): string {
  const { label, place, isChanged, hot, thresholdUs, tiers, stacks } = details;
  return [
    `**${escapeMarkdown(label)}** (${codeSpan(place)}${isChanged ? `, ${changedSince}` : ''})`,
    ...(hot === null ? [] : [functionFigures(hot, thresholdUs)]),
    ...functionFacts(details),
    ...(tiers === null ? [] : tierLines(tiers, (place) => codeSpan(place))),
    stacks.map((stack) => `- ${stackLine(stack, plainFrame)}`).join('\n'),
  ].join('\n\n');
}
