import type { FileMarks, FileMarksParams, LineMark, Metric } from '../../protocol/requests.ts';
import { type PlacedFile, type PlacedLine, placedFile } from './placed-file.ts';
import type { Session } from '../recordings/session.ts';
import {
  changedSince,
  duration,
  firstTimeFigures,
  keptFigures,
  lineFigures,
  oneOfSeveral,
  packageFigures,
  totalFigures,
} from '../../words/formats/figures.ts';
import type { Line0, Microseconds } from '../../protocol/units.ts';
import type { AnnotatedImport } from '../queries/file-annotations.ts';
import { durationClassOf } from '../../protocol/figures.ts';

/** The decorations of a file, at the lines that it has in the editor now. */
export async function fileMarks(session: Session, { uri }: FileMarksParams): Promise<FileMarks> {
  const thresholdUs = session.recordings.annotated?.summary.thresholdUs;
  const file = await placedFile(session, uri);
  if (file === null || thresholdUs === undefined) return { marks: [], more: 0 };
  return lineMarks({ ...file, imports: shownImports(session, file) }, session.display.metric, thresholdUs);
}

/** The marks of imports. Loading is shown only on request. */
export function shownImports({ display }: Session, { imports }: PlacedFile): PlacedFile['imports'] {
  return imports.filter((item) => display.loading || item.package !== null);
}

/** Most marks in one file, because more of them help nobody. */
const mostMarks = 20;

interface Candidate {
  readonly mark: LineMark;
  readonly weight: Microseconds;
}

/** The figures at line ends: the heaviest 20, at most one on each line. */
export function lineMarks(file: PlacedFile, metric: Metric, thresholdUs: Microseconds): FileMarks {
  const figures = metric === 'total' ? totalMarks(file) : worstMarks(file, thresholdUs);
  const candidates = [...figures, ...file.imports.map((item) => importMark(item, thresholdUs))];
  const byLine = new Map<Line0, Candidate>();
  for (const candidate of candidates.toSorted((a, b) => b.weight - a.weight)) {
    if (!byLine.has(candidate.mark.line)) byLine.set(candidate.mark.line, candidate);
  }
  const kept = [...byLine.values()];
  const marks = kept.slice(0, mostMarks).map(({ mark }) => mark);
  return { marks: marks.toSorted((a, b) => a.line - b.line), more: kept.length - marks.length };
}

function worstMarks(file: PlacedFile, thresholdUs: Microseconds): readonly Candidate[] {
  return file.lines.map((line) => lineMark(line, thresholdUs));
}

function lineMark({ item, line, owner }: PlacedLine, thresholdUs: Microseconds): Candidate {
  const { worstUs, precision } = item;
  const { firstTime = null, kept = false, tone = 'plain' } = owner?.item ?? item.elsewhere ?? {};
  const isStale = owner?.place.stale ?? item.elsewhere?.changed ?? false;
  const figures = kept
    ? keptFigures(item, thresholdUs)
    : firstTime === null
      ? lineFigures(item, thresholdUs)
      : firstTimeFigures(item, firstTime);
  const oneOf = precision === 'oneOf' ? [oneOfSeveral] : [];
  return {
    weight: worstUs,
    mark: {
      line,
      text: [figures, ...oneOf, ...(isStale ? [changedSince] : [])].join(' · '),
      class: durationClassOf(worstUs),
      tone: (isStale || kept) && tone === 'plain' ? 'dim' : tone,
    },
  };
}

/** The mark of an import. It is about what is imported, and not about the importing file. */
function importMark(item: AnnotatedImport, thresholdUs: Microseconds): Candidate {
  const { line, worstUs, package: blamed, isOneOf } = item;
  const text =
    blamed === null
      ? `loaded in ${duration(worstUs)}`
      : `${blamed.name}: ${packageFigures({ ...blamed, worstUs }, thresholdUs)}`;
  return {
    weight: worstUs,
    mark: {
      line,
      text: [text, ...(isOneOf ? [oneOfSeveral] : [])].join(' · '),
      class: durationClassOf(worstUs),
      tone: blamed === null ? 'dim' : 'plain',
    },
  };
}

/** Marks by total time: every function that took some has its mark on its first line, whether it blocks or not. */
function totalMarks({ functions, quiet }: PlacedFile): readonly Candidate[] {
  return [...functions, ...quiet].map(({ item: { totalUs, worstUs, tone }, place }) => ({
    weight: totalUs,
    mark: {
      line: place.line,
      text: [totalFigures(totalUs, worstUs), ...(place.stale ? [changedSince] : [])].join(' · '),
      class: durationClassOf(worstUs),
      tone: place.stale && tone === 'plain' ? 'dim' : tone,
    },
  }));
}
