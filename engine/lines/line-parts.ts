import type { FunctionInfo, FunctionTable } from '../functions/function-table.ts';
import type { OwnPlace } from '../hotspots/own-part.ts';
import type { LinePrecision } from '../../protocol/report.ts';
import type { Line1 } from '../../protocol/units.ts';
import { callLines } from './call-lines.ts';
import { type LineOrigins, type LineShare, type Ticks, sharesOf } from './line-shares.ts';
import type { SourceFunction, SourceIndex } from './source-index.ts';

/** What of a culprit's own part one line has. */
export interface LinePart {
  readonly url: string;
  readonly line: Line1;
  /** In µs, not rounded. */
  readonly weight: number;
  readonly precision: LinePrecision;
  readonly reason: string | null;
  /** The callee whose time it is; −1 for self time. */
  readonly callee: number;
}

/** A culprit, and what is known about its text. */
export interface CulpritSource {
  readonly fn: FunctionInfo;
  /** Its function in the source, and the index of that; null where the source cannot be read. */
  readonly written: { readonly body: SourceFunction; readonly index: SourceIndex } | null;
  /** All samples of its lines, in whatever stack. */
  readonly ticks: readonly Ticks[];
}

/** Splits one place of an own part over lines. Time whose line nothing tells is in no part. */
export function partsOfPlace(
  place: OwnPlace,
  ticks: readonly Ticks[],
  culprit: CulpritSource,
  table: FunctionTable,
  origins: LineOrigins,
): readonly LinePart[] {
  const self = place.self === 0 ? [] : partsOfSelf(place.self, ticks, culprit, table, origins);
  const isVague = self.some(({ reason }) => reason === reasons.builtInOneLine) && place.self > place.weight / 20;
  const callees = place.callees.flatMap(({ functionId, weight }) => {
    const callee = table.functions[functionId];
    return callee === undefined ? [] : partsOfCallee(weight, callee, culprit);
  });
  return [...self, ...callees.map((part) => (isVague && part.precision === 'exact' ? vague(part) : part))];
}

/** A line that has this time may have some of the function's self time too. */
function vague(part: LinePart): LinePart {
  return { ...part, precision: 'estimated', reason: reasons.builtInOneLine };
}

function partsOfSelf(
  self: number,
  ticks: readonly Ticks[],
  { fn, written, ticks: allTicks }: CulpritSource,
  table: FunctionTable,
  origins: LineOrigins,
): readonly LinePart[] {
  const lastLine = written === null ? null : written.body.lastLine;
  const here = sharesOf(ticks, fn, lastLine, table, origins);
  const shares = here.length > 0 ? here : sharesOf(allTicks, fn, lastLine, table, origins);
  return shares.map(({ url, line, share, isAmbiguous }) => {
    const reason = isAmbiguous ? reasons.builtInOneLine : here.length === 0 ? reasons.elsewhere : reasonFor(shares);
    return { url, line, weight: self * share, precision: reason === null ? 'exact' : 'estimated', reason, callee: -1 };
  });
}

const reasons = {
  builtInOneLine: 'the built file has several lines of the source in one',
  elsewhere: 'its line was not sampled here: split as in its other calls',
};

function reasonFor(shares: readonly LineShare[]): string | null {
  return shares.length > 1 ? `split over ${shares.length} lines by samples` : null;
}

function partsOfCallee(weight: number, callee: FunctionInfo, { fn, written }: CulpritSource): readonly LinePart[] {
  if (written === null) return [];
  const lines = callLines(written.body, callee, callee.url === fn.url, written.index);
  const isSure = lines.length === 1;
  return lines.map((line) => ({
    url: fn.url,
    line,
    weight,
    precision: isSure ? 'exact' : 'oneOf',
    reason: isSure ? null : `${callee.label} is called on ${lines.length} lines`,
    callee: callee.id,
  }));
}
