import type { Analysis } from '../../engine/analysis.ts';
import { isBundleBody } from '../../engine/read/functions/function-table.ts';
import { hottestPlace } from '../../words/places.ts';
import { firstDifference } from '../../engine/basics/lists.ts';
import { median } from '../../protocol/median.ts';
import type { RunOfSeveral } from '../../engine/compare/runs/analyze-several.ts';
import { isUnseen } from '../../words/summary.ts';
import { isBackground } from '../../engine/read/samples/sample-stream.ts';
import { filePathOf } from '../../engine/read/files/file-path.ts';
import { duration, durationRange, plural, withLine } from '../../words/formats/figures.ts';
import { type Microseconds, microseconds, toLine1 } from '../../protocol/units.ts';
import { shownPath } from './shown-code.ts';

export interface LimitVerdict {
  /** Exit code. 1: something certain is over the limit; 3: only estimates are, or no own code was seen. */
  readonly code: 0 | 1 | 3;
  /** Null if certainly nothing is over the limit. */
  readonly sentence: string | null;
}

/**
 * Checks a limit, and names the worst function over it. Counts application code on an event loop that something waits for,
 * each operation by itself, so that a longer estimated one hides no certain one. Of several runs a function fails only if
 * it is over the limit in all of them, so that a slow moment of the machine is no failure. `merged` has the functions of
 * all runs.
 */
export function checkLimit(
  merged: Analysis,
  runs: readonly RunOfSeveral[],
  limitUs: Microseconds,
  currentFolder: string,
): LimitVerdict {
  const one = { path: 'this run', analysis: merged, ids: merged.functions.functions.map(({ id }) => id) };
  const all = runs.length > 1 ? runs : [one];
  const limit = `the limit of ${duration(limitUs)}`;
  const unseen = all.find(({ analysis }) => isUnseen(analysis));
  if (unseen !== undefined)
    return { code: 3, sentence: `Nothing is known about ${limit}: none of your code was seen in ${unseen.path}.` };
  const nothing = `Nothing certain is over ${limit}`;
  const isInAll = (times: OverInRuns[number]): boolean => times.us.length === all.length;
  const text = ({ functionId, us }: OverInRuns[number]): string =>
    placedFunction(functionId, durationRange(us), merged, currentFolder);
  const [certain, ...others] = overLimit(all, limitUs, certainTime).filter(isInAll);
  if (certain !== undefined) {
    const inRuns = all.length === 1 ? '' : ` in all ${all.length} runs`;
    const more = others.length === 0 ? '' : `, and ${others.length} more`;
    return { code: 1, sentence: `Over ${limit}${inRuns}: ${text(certain)}${more}.` };
  }
  const possible = overLimit(all, limitUs, wholeTime);
  const estimated = possible.find(isInAll);
  if (estimated !== undefined) return { code: 3, sentence: `${nothing}: ${text(estimated)} is an estimate.` };
  const [some] = possible;
  if (some === undefined) {
    const [cold] = overLimit(all, limitUs, wholeTime, true);
    return { code: 0, sentence: cold === undefined ? null : `${nothing}: ${text(cold)} was the first time only.` };
  }
  const count = `${some.us.length} of ${plural(all.length, 'run')}`;
  return { code: 0, sentence: `Over ${limit} in ${count} only, and so no failure: ${text(some)}.` };
}

/** Functions over a limit, each with its longest time in each run in which it is over it; those in most runs first. */
type OverInRuns = readonly { readonly functionId: number; readonly us: readonly Microseconds[] }[];

function overLimit(
  runs: readonly RunOfSeveral[],
  limitUs: Microseconds,
  timeOf: (part: number, analysis: Analysis) => Microseconds,
  cold = false,
): OverInRuns {
  const found = new Map<number, Microseconds[]>();
  for (const { analysis, ids } of runs) {
    const inRun = new Map<number, Microseconds>();
    const { ownParts } = analysis;
    for (const part of ownParts.numbersOf((one) => ownParts.isCold(one) === cold && isWaitedFor(one, analysis))) {
      const [id, us] = [ids[ownParts.functionOf(part)] ?? -1, timeOf(part, analysis)];
      if (us > limitUs && us > (inRun.get(id) ?? 0)) inRun.set(id, us);
    }
    for (const [id, us] of inRun) found.set(id, [...(found.get(id) ?? []), us]);
  }
  return [...found]
    .map(([functionId, us]) => ({ functionId, us }))
    .toSorted((a, b) => firstDifference(b.us.length - a.us.length, median(b.us) - median(a.us)));
}

function wholeTime(part: number, { ownParts }: Analysis): Microseconds {
  return ownParts.weightOf(part);
}

/**
 * The certain time of a part: all of it, unless it is an estimate. If waits for a CPU were not counted, a function that
 * nearly fills an operation computed for at least the CPU time.
 */
function certainTime(part: number, { operations, ownParts }: Analysis): Microseconds {
  const weight = ownParts.weightOf(part);
  if (!ownParts.isEstimated(part)) return weight;
  const operation = operations[ownParts.operationOf(part)];
  const run = operation?.doubt === 'noProcessor' ? operation.thread.run : null;
  return run !== null && operation !== undefined && weight >= operation.held * NEARLY_ALL
    ? microseconds(Math.min(weight, Math.round(run * NEARLY_ALL)))
    : microseconds(0);
}

const NEARLY_ALL = 0.95;

function isWaitedFor(part: number, { functions, operations, ownParts, streams }: Analysis): boolean {
  const stream = streams[operations[ownParts.operationOf(part)]?.stream ?? -1];
  const role = functions.functions[ownParts.functionOf(part)]?.role;
  return (role === 'app' || role === 'built') && !isBackground(stream);
}

/** `312 ms in snapshot, src/cart.ts:12`. */
function placedFunction(functionId: number, time: string, analysis: Analysis, currentFolder: string): string {
  const fn = analysis.functions.functions[functionId];
  if (fn === undefined) return time;
  // Where the function is declared; in the body of a bundle, which consists of several files, the hottest line.
  const { url, line } = isBundleBody(fn) ? hottestPlace(fn, analysis) : { url: fn.url, line: toLine1(fn.line) };
  return `${time} in ${fn.label}, ${withLine(shownPath(filePathOf(url) ?? url, currentFolder), line)}`;
}
