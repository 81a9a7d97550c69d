import type { Analysis } from '../../analysis.ts';
import { compareTexts, firstDifference } from '../../basics/lists.ts';
import { fileBelow } from '../side.ts';
import type { FunctionFigures } from '../../judge/function-figures/function-figures.ts';
import type { HotLine } from '../../judge/lines/hot-lines.ts';
import type { OtherText } from './find-again.ts';
import { inTheMiddle, lineOfRuns, type NewId } from './run-figures.ts';

/** What is known of the runs before their lines are merged. */
interface Merging {
  /** Figures over all runs, by merged id. */
  readonly figures: readonly FunctionFigures[];
  readonly middle: number;
  readonly newId: NewId;
  readonly differing: readonly OtherText[];
}

/**
 * The lines of several runs, each with its figures in all of them. A line has a mark if it has one in at least half of
 * the runs in which its function is over the threshold: where a profile has few samples, one run may put time on the line
 * beside it. A function whose lines all have fewer keeps the most frequent. In a file whose text differs a line of one run
 * is another one in the next: of it there are the lines of the run in the middle.
 */
export function linesOfRuns(all: readonly Analysis[], merging: Merging): readonly HotLine[] {
  const { middle, newId, differing } = merging;
  const others = new Set(differing.map(({ file }) => file));
  const byPlace = new Map<string, (HotLine | null)[]>();
  for (const [run, { lines, roots }] of all.entries()) {
    for (const line of lines) {
      const file = fileBelow(line.url, roots);
      if (others.has(file) && run !== middle) continue;
      const key = `${line.background}\n${file}\n${line.line}`;
      const inRuns = byPlace.get(key) ?? all.map(() => null);
      inRuns[run] = { ...line, functionIds: line.functionIds.map((id) => newId(run, id)) };
      byPlace.set(key, inRuns);
    }
  }
  const merged = [...byPlace.values()].flatMap(placeOfRuns);
  const most = mostMarked(merged);
  return merged
    .map(({ line, marked }) => {
      const least = Math.min(runsOver(line, merging) / 2, most.get(line.functionIds[0] ?? -1) ?? 0);
      return { ...line, decorated: marked > 0 && marked >= least };
    })
    .toSorted((a, b) => firstDifference(b.worst - a.worst, compareTexts(a.url, b.url), a.line - b.line));
}

interface MergedLine {
  readonly line: HotLine;
  /** Number of runs in which it has a mark. */
  readonly marked: number;
}

/** One line over all runs. Where it has a mark in some, only these tell its figures. */
function placeOfRuns(inRuns: readonly (HotLine | null)[]): readonly MergedLine[] {
  const marks = inRuns.map((line) => (line?.decorated === true ? line : null));
  const marked = marks.filter((line) => line !== null).length;
  const shown = marked > 0 ? marks : inRuns;
  const typical = inTheMiddle(
    shown.flatMap((line) => line ?? []),
    ({ worst }) => worst,
  );
  return typical === undefined ? [] : [{ line: lineOfRuns(typical, shown), marked }];
}

/** In how many runs the most frequent line of each function has a mark, by the function's id. */
function mostMarked(lines: readonly MergedLine[]): ReadonlyMap<number, number> {
  const most = new Map<number, number>();
  for (const { line, marked } of lines) {
    const id = line.functionIds[0] ?? -1;
    most.set(id, Math.max(most.get(id) ?? 0, marked));
  }
  return most;
}

function runsOver({ functionIds, background }: HotLine, { figures }: Merging): number {
  const found = figures[functionIds[0] ?? -1];
  const culprit = background ? found?.backgroundCulprit : found?.culprit;
  return culprit?.runs?.worstUs.filter((us) => us !== null).length ?? 0;
}
