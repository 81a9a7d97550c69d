import type { Analysis } from '../engine/analysis.ts';
import type { FunctionInfo } from '../engine/functions/function-table.ts';
import type { OwnPart } from '../engine/hotspots/own-part.ts';
import { isBackground } from '../engine/samples/sample-stream.ts';
import { duration } from '../protocol/figures.ts';
import { type Microseconds, toLine1 } from '../protocol/units.ts';
import { shownPath } from './shown-path.ts';

export interface LimitVerdict {
  /** The build fails. */
  readonly isOver: boolean;
  readonly sentence: string;
}

/**
 * Names the worst culprit over the limit; null where there is none. Only what is certain fails a build: application code, on
 * an event loop that somebody waits on, warm, in a measured operation, not estimated. That goes for each operation: an
 * estimated one, though longer, does not hide the certain ones of the same function.
 */
export function checkLimit(analysis: Analysis, limitUs: Microseconds, currentFolder: string): LimitVerdict | null {
  const over = analysis.ownParts
    .filter((part) => part.weight > limitUs && isWaitedFor(part, analysis))
    .toSorted((a, b) => b.weight - a.weight);
  const certain = over.filter(({ cold, estimated }) => !cold && !estimated);
  const [worst = over[0]] = certain;
  const fn = worst === undefined ? undefined : analysis.functions.functions[worst.functionId];
  if (worst === undefined || fn === undefined) return null;
  const what = `${duration(worst.weight)} in ${fn.label}, ${placeOf(fn, currentFolder)}`;
  const others = new Set(certain.map(({ functionId }) => functionId)).size - 1;
  if (others >= 0) {
    const more = others === 0 ? '' : `, and ${others} more`;
    return { isOver: true, sentence: `Over the limit of ${duration(limitUs)}: ${what}${more}.` };
  }
  const doubt = worst.estimated ? 'is an estimate' : 'was the first time only';
  return { isOver: false, sentence: `Nothing certain is over the limit of ${duration(limitUs)}: ${what} ${doubt}.` };
}

function isWaitedFor({ functionId, operation }: OwnPart, { functions, operations, streams }: Analysis): boolean {
  const stream = streams[operations[operation]?.stream ?? -1];
  return functions.functions[functionId]?.role === 'app' && !isBackground(stream);
}

function placeOf({ path, url, line }: FunctionInfo, currentFolder: string): string {
  return `${shownPath(path ?? url, currentFolder)}:${toLine1(line)}`;
}
