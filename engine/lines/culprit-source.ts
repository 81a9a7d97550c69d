import type { FunctionInfo, FunctionTable } from '../functions/function-table.ts';
import { onceEach } from '../once-each.ts';
import { type CallLines, callLines, regExpLines } from './call-lines.ts';
import { type LineOrigins, type LineShare, sharesOf } from './line-shares.ts';
import type { Ticks } from './self-samples.ts';
import { type SourceFunction, type SourceIndex, functionAt } from './source-index.ts';
import type { Line1 } from '../../protocol/units.ts';

/**
 * A culprit, and what is known about its text. It may be one in thousands of operations, and its text tells the same in
 * all of them: each question is answered once.
 */
export interface CulpritSource {
  readonly fn: FunctionInfo;
  /** Its function in the source; null where that cannot be read, or has no such function. */
  readonly body: SourceFunction | null;
  /** The source can be read and has no such function. */
  readonly isNotThere: boolean;
  /** All samples of its lines, in whatever stack. */
  readonly ticks: readonly Ticks[];
  /** The lines that may call a function; of an unknown text none. */
  readonly linesCalling: (callee: FunctionInfo) => CallLines;
  /** The lines that may run a regular expression. */
  readonly regExpLines: readonly Line1[];
  /** Which share of these samples each of its lines has. The same list gives the same answer. */
  readonly sharesOf: (ticks: readonly Ticks[]) => readonly LineShare[];
}

/** `index`: of the source, null where that cannot be read. */
export function createCulpritSource(
  fn: FunctionInfo,
  ticks: readonly Ticks[],
  index: SourceIndex | null,
  table: FunctionTable,
  origins: LineOrigins,
): CulpritSource {
  const at = index === null ? -1 : fn.moduleBody ? 0 : functionAt(index, fn.line, fn.column, fn.name);
  const body = index?.functions[at] ?? null;
  return {
    fn,
    body,
    isNotThere: index !== null && body === null,
    ticks,
    linesCalling: onceEach((callee: FunctionInfo) =>
      index === null || body === null ? noCall : callLines(body, callee, callee.url === fn.url, index),
    ),
    regExpLines: body === null ? [] : regExpLines(body),
    sharesOf: onceEach((wanted: readonly Ticks[]) => sharesOf(wanted, fn, body, table, origins)),
  };
}

const noCall: CallLines = { lines: [], isNamed: false };
