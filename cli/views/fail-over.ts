import type { Analysis } from '../../engine/analysis.ts';
import { isBundleBody } from '../../engine/functions/function-table.ts';
import { hottestPlace } from '../../words/places.ts';
import { isUnseen } from '../../words/summary.ts';
import { isBackground } from '../../engine/samples/sample-stream.ts';
import { filePathOf } from '../../engine/files/file-path.ts';
import { duration, withLine } from '../../words/formats/figures.ts';
import { type Microseconds, microseconds, toLine1 } from '../../protocol/units.ts';
import { shownPath } from './shown-code.ts';
import type { OwnPart } from '../../engine/function-figures/function-figures.ts';

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
  const own = analysis.ownParts.filter((part) => isWaitedFor(part, analysis));
  const over = worstFirst(own.map((part) => ({ part, us: certainTime(part, analysis) }))).filter(
    ({ part, us }) => us > limitUs && !part.cold,
  );
  const [worst] = over;
  if (worst !== undefined) {
    const others = new Set(over.map(({ part }) => part.functionId)).size - 1;
    const more = others === 0 ? '' : `, and ${others} more`;
    return { code: 1, sentence: `Over ${limit}: ${placed(worst, analysis, currentFolder)}${more}.` };
  }
  const possible = worstFirst(own.map((part) => ({ part, us: part.weight }))).filter(({ us }) => us > limitUs);
  const estimated = possible.find(({ part }) => !part.cold);
  const found = estimated ?? possible[0];
  if (found === undefined) return { code: 0, sentence: null };
  const doubt = estimated === undefined ? 'was the first time only' : 'is an estimate';
  const sentence = `Nothing certain is over ${limit}: ${placed(found, analysis, currentFolder)} ${doubt}.`;
  return { code: estimated === undefined ? 0 : 3, sentence };
}

interface Found {
  readonly part: OwnPart;
  readonly us: Microseconds;
}

function worstFirst(all: readonly Found[]): readonly Found[] {
  return all.toSorted((a, b) => b.us - a.us);
}

/**
 * The part of a time that is certain: all of it, where it is no estimate. Where nobody counts what threads wait for a
 * processor, a function that had an operation nearly to itself computed for at least the CPU time.
 */
function certainTime({ weight, estimated, operation: number }: OwnPart, { operations }: Analysis): Microseconds {
  if (!estimated) return weight;
  const operation = operations[number];
  const run = operation?.doubt === 'noProcessor' ? operation.thread.run : null;
  return run !== null && operation !== undefined && weight >= operation.held * nearlyAll
    ? microseconds(Math.min(weight, Math.round(run * nearlyAll)))
    : microseconds(0);
}

const nearlyAll = 0.95;

function isWaitedFor({ functionId, operation }: OwnPart, { functions, operations, streams }: Analysis): boolean {
  const stream = streams[operations[operation]?.stream ?? -1];
  const role = functions.functions[functionId]?.role;
  return (role === 'app' || role === 'built') && !isBackground(stream);
}

/** A time with its place, such as `312 ms in snapshot, src/cart.ts:12`. */
function placed({ part, us }: Found, analysis: Analysis, currentFolder: string): string {
  const fn = analysis.functions.functions[part.functionId];
  if (fn === undefined) return duration(us);
  // The place is where the function is declared. The body of a bundle is made of several files: then it is the hottest line.
  const { url, line } = isBundleBody(fn) ? hottestPlace(fn, analysis) : { url: fn.url, line: toLine1(fn.line) };
  return `${duration(us)} in ${fn.label}, ${withLine(shownPath(filePathOf(url) ?? url, currentFolder), line)}`;
}
