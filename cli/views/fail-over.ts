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

/** The result of checking a limit. `sentence` is null where it is certain that nothing is over the limit. */
export interface LimitVerdict {
  /** Exit code. 1: something certain is over the limit. 3: only estimates are, or nothing was seen. 0: nothing is. */
  readonly code: 0 | 1 | 3;
  readonly sentence: string | null;
}

/**
 * Checks a limit, and names the worst culprit over it. Only application code counts, on an event loop that somebody
 * waits for, and not its first time alone. Each operation is checked, so that a longer estimated one does not hide the
 * certain ones of the same function.
 */
export function checkLimit(analysis: Analysis, limitUs: Microseconds, currentFolder: string): LimitVerdict {
  const limit = `the limit of ${duration(limitUs)}`;
  if (isUnseen(analysis))
    return { code: 3, sentence: `Nothing is known about ${limit}: none of your code was seen in this run.` };
  const { ownParts } = analysis;
  const own = [...ownParts.numbersOf((part) => isWaitedFor(part, analysis))];
  const over = worstFirst(own.map((part) => ({ part, us: certainTime(part, analysis) }))).filter(
    ({ part, us }) => us > limitUs && !ownParts.isCold(part),
  );
  const [worst] = over;
  if (worst !== undefined) {
    const others = new Set(over.map(({ part }) => ownParts.functionOf(part))).size - 1;
    const more = others === 0 ? '' : `, and ${others} more`;
    return { code: 1, sentence: `Over ${limit}: ${placed(worst, analysis, currentFolder)}${more}.` };
  }
  const possible = worstFirst(own.map((part) => ({ part, us: wholeTime(part, analysis) }))).filter(
    ({ us }) => us > limitUs,
  );
  const estimated = possible.find(({ part }) => !ownParts.isCold(part));
  const found = estimated ?? possible[0];
  if (found === undefined) return { code: 0, sentence: null };
  const doubt = estimated === undefined ? 'was the first time only' : 'is an estimate';
  const sentence = `Nothing certain is over ${limit}: ${placed(found, analysis, currentFolder)} ${doubt}.`;
  return { code: estimated === undefined ? 0 : 3, sentence };
}

/**
 * Checks a limit over several runs, as budgets are checked: it fails only if one function is over it in all of them, so a
 * slow moment of the machine fails nobody. `merged` has the functions of all runs.
 */
export function checkLimitOfRuns(
  merged: Analysis,
  runs: readonly RunOfSeveral[],
  limitUs: Microseconds,
  currentFolder: string,
): LimitVerdict {
  const limit = `the limit of ${duration(limitUs)}`;
  const unseen = runs.find(({ analysis }) => isUnseen(analysis));
  if (unseen !== undefined)
    return { code: 3, sentence: `Nothing is known about ${limit}: none of your code was seen in ${unseen.path}.` };
  const nothing = `Nothing certain is over ${limit}`;
  const certain = overLimit(runs, limitUs, certainTime);
  const possible = overLimit(runs, limitUs, wholeTime);
  const inAll = (times: OverInRuns[number]): boolean => times.us.length === runs.length;
  const text = ({ functionId, us }: OverInRuns[number]): string =>
    placedFunction(functionId, durationRange(us), merged, currentFolder);
  const all = certain.filter(inAll);
  const more = all.length < 2 ? '' : `, and ${all.length - 1} more`;
  if (all[0] !== undefined)
    return { code: 1, sentence: `Over ${limit} in all ${runs.length} runs: ${text(all[0])}${more}.` };
  const estimated = possible.find(inAll);
  if (estimated !== undefined) return { code: 3, sentence: `${nothing}: ${text(estimated)} is an estimate.` };
  const [some] = possible;
  if (some === undefined) {
    const [cold] = overLimit(runs, limitUs, wholeTime, true);
    return { code: 0, sentence: cold === undefined ? null : `${nothing}: ${text(cold)} was the first time only.` };
  }
  const count = `${some.us.length} of ${plural(runs.length, 'run')}`;
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

interface Found {
  /** Number of the own part. */
  readonly part: number;
  readonly us: Microseconds;
}

function worstFirst(all: readonly Found[]): readonly Found[] {
  return all.toSorted((a, b) => b.us - a.us);
}

function wholeTime(part: number, { ownParts }: Analysis): Microseconds {
  return ownParts.weightOf(part);
}

/**
 * The part of a time that is certain: all of it, where it is no estimate. Where nobody counts what threads wait for a
 * processor, a function that had an operation nearly to itself computed for at least the CPU time.
 */
function certainTime(part: number, { operations, ownParts }: Analysis): Microseconds {
  const weight = ownParts.weightOf(part);
  if (!ownParts.isEstimated(part)) return weight;
  const operation = operations[ownParts.operationOf(part)];
  const run = operation?.doubt === 'noProcessor' ? operation.thread.run : null;
  return run !== null && operation !== undefined && weight >= operation.held * nearlyAll
    ? microseconds(Math.min(weight, Math.round(run * nearlyAll)))
    : microseconds(0);
}

const nearlyAll = 0.95;

function isWaitedFor(part: number, { functions, operations, ownParts, streams }: Analysis): boolean {
  const stream = streams[operations[ownParts.operationOf(part)]?.stream ?? -1];
  const role = functions.functions[ownParts.functionOf(part)]?.role;
  return (role === 'app' || role === 'built') && !isBackground(stream);
}

/** A time with its place, such as `312 ms in snapshot, src/cart.ts:12`. */
function placed({ part, us }: Found, analysis: Analysis, currentFolder: string): string {
  return placedFunction(analysis.ownParts.functionOf(part), duration(us), analysis, currentFolder);
}

function placedFunction(functionId: number, time: string, analysis: Analysis, currentFolder: string): string {
  const fn = analysis.functions.functions[functionId];
  if (fn === undefined) return time;
  // The place is where the function is declared. The body of a bundle is made of several files: then it is the hottest line.
  const { url, line } = isBundleBody(fn) ? hottestPlace(fn, analysis) : { url: fn.url, line: toLine1(fn.line) };
  return `${time} in ${fn.label}, ${withLine(shownPath(filePathOf(url) ?? url, currentFolder), line)}`;
}
