import type { FunctionInfo, FunctionTable } from '../functions/function-table.ts';
import type { LinePrecision } from '../../protocol/report-code.ts';
import type { OwnPlace } from '../function-figures/function-figures.ts';
import type { Line1 } from '../../protocol/units.ts';
import type { CallLines } from './call-lines.ts';
import { isUnnamed } from './callee.ts';
import type { CulpritSource } from './culprit-source.ts';
import type { CallReason, LineReason } from './line-reason.ts';
import type { LineShare } from './line-shares.ts';
import { type SelfSamples, type SeenTicks, ownText } from './line-samples.ts';

/** The part of a culprit's own part that one line has. */
export interface LinePart {
  readonly url: string;
  readonly line: Line1;
  /** Weight in µs, not rounded. */
  readonly weight: number;
  readonly precision: LinePrecision;
  readonly reason: LineReason | null;
  /** Function id of the callee whose time it is; −1 for self time. */
  readonly callee: number;
}

/**
 * The lines at which V8's log shows the ticks of this operation, by the function called from a place. Null for a
 * profile.
 */
export type SeenAtPlace = ReadonlyMap<number, SeenTicks> | null;

/**
 * Splits one place of an own part over lines. Time without a known line is in no part. `towards` are the functions that
 * the place calls directly and below which the same operation has other own parts.
 */
export function partsOfPlace(
  place: OwnPlace,
  samples: SelfSamples,
  culprit: CulpritSource,
  towards: readonly FunctionInfo[],
  seen: SeenAtPlace,
  table: FunctionTable,
): readonly LinePart[] {
  const own = partsSeen(place.self, -1, seen?.get(ownText), culprit);
  const alone = place.self === 0 || own.length > 0 ? own : partsOfSelf(place.self, samples, culprit);
  const self = alone.map((part) =>
    part.precision === 'exact' && seen === null ? withDoubt(part, culprit, towards) : part,
  );
  const isVague = self.some(({ reason }) => reason?.type === 'severalLines') && place.self > place.weight / 20;
  const callees = place.callees.flatMap(({ functionId, weight }) => {
    const callee = table.functions[functionId];
    if (callee === undefined) return [];
    const ticks = seen?.get(functionId);
    const parts = partsSeen(weight, functionId, ticks, culprit);
    return parts.length > 0 ? parts : partsOfCallee(weight, callee, culprit, (ticks?.unknown ?? 0) > 0);
  });
  const all = [...self, ...callees.map((part) => (isVague && part.precision === 'exact' ? vague(part) : part))];
  return culprit.fn.gone ? all.map(doubtedAsGone) : all;
}

/**
 * V8 counts some samples of a function that it inlined at the line that calls it, so a line that leads to another own
 * part may have samples of that other part.
 */
function withDoubt(part: LinePart, culprit: CulpritSource, towards: readonly FunctionInfo[]): LinePart {
  if (culprit.isNotThere) return { ...part, precision: 'shared', reason: { type: 'functionNotThere' } };
  const inlined = towards.find((callee) => mayCall(part.line, callee, culprit));
  if (inlined === undefined) return part;
  return { ...part, precision: 'shared', reason: { type: 'mayBeInlined', callee: inlined.label } };
}

/**
 * Whether a line may call the callee. A callee that the source never names may be called wherever anything is called.
 */
function mayCall(line: Line1, callee: FunctionInfo, { body, linesCalling }: CulpritSource): boolean {
  if (body === null) return true;
  const { lines, by } = linesCalling(callee);
  if (by !== 'guess') return lines.includes(line);
  return body.calls.some((call) => call.line === line && call.callee !== '');
}

function doubtedAsGone(part: LinePart): LinePart {
  return part.precision === 'exact' ? { ...part, precision: 'shared', reason: { type: 'fileGone' } } : part;
}

/** Marks a part as uncertain: its line may also have some of the function's self time. */
function vague(part: LinePart): LinePart {
  return { ...part, precision: 'shared', reason: { type: 'severalLines' } };
}

function partsOfSelf(self: number, { ticks, regExpShare }: SelfSamples, culprit: CulpritSource): readonly LinePart[] {
  const regExps = partsOfRegExps(self, regExpShare, culprit);
  const left = regExps.length > 0 ? self * (1 - regExpShare) : self;
  if (left === 0) return regExps;
  const here = culprit.sharesOf(ticks);
  const shares = givenToMainLine(here.length > 0 ? here : culprit.sharesOf(culprit.ticks));
  const isShared = regExps.length > 0 && left < self * nearlyAll;
  const parts = shares.map(({ url, line, share, doubt }): LinePart => {
    const split = isShared ? splitFromRegExp : reasonFor(share, shares.length);
    const reason = doubt === null ? (here.length === 0 ? splitAsElsewhere : split) : { type: doubt };
    return { url, line, weight: left * share, precision: reason === null ? 'exact' : 'shared', reason, callee: -1 };
  });
  return withoutNeedlessSplit([...regExps, ...parts]);
}

/** Does not split where the regular expression and the rest are on one line. */
function withoutNeedlessSplit(parts: readonly LinePart[]): readonly LinePart[] {
  const [first] = parts;
  const isOne = parts.every(({ url, line, reason }) => {
    return url === first?.url && line === first.line && reason?.type === 'splitFromRegExp';
  });
  return isOne ? parts.map((part) => ({ ...part, precision: 'exact', reason: null })) : parts;
}

/** Parts for time in compiled regular expressions: it belongs to the line that uses one, or to one of several. */
function partsOfRegExps(self: number, share: number, { regExps, writtenAt }: CulpritSource): readonly LinePart[] {
  const lines = share === 0 ? [] : regExps.lines.flatMap(writtenAt);
  const isSure = regExps.isSure && lines.length === 1;
  const isSplit = isSure && share < nearlyAll;
  return lines.map(({ url, line }) => ({
    url,
    line,
    weight: self * share,
    precision: isSplit ? 'shared' : isSure ? 'exact' : 'oneOf',
    reason: isSplit ? splitFromRegExp : isSure ? null : { type: 'regExpOnLines', lines: lines.length },
    callee: -1,
  }));
}

const splitFromRegExp: LineReason = { type: 'splitFromRegExp' };
const splitAsElsewhere: LineReason = { type: 'splitAsElsewhere' };

/** A line with this share of the samples has all of them; the rest are errors of single samples. */
const nearlyAll = 0.95;

/** Gives a line with nearly all samples all of the time, so that it shows the same figure as its function. */
function givenToMainLine(shares: readonly LineShare[]): readonly LineShare[] {
  const main = shares.find(({ share }) => share >= nearlyAll);
  return main === undefined ? shares : [{ ...main, share: 1 }];
}

function reasonFor(share: number, lines: number): LineReason | null {
  return share >= nearlyAll ? null : { type: 'splitBySamples', lines };
}

/** Parts by the lines that V8's log shows for each tick; none where too few of the lines are known. */
function partsSeen(
  weight: number,
  callee: number,
  seen: SeenTicks | undefined,
  { sharesOf }: CulpritSource,
): readonly LinePart[] {
  if (weight === 0 || seen === undefined) return [];
  const { ticks, unknown } = seen;
  const known = ticks.reduce((sum, { count }) => sum + count, 0);
  if (unknown > known) return [];
  const shares = givenToMainLine(sharesOf(ticks));
  const isWhole = known >= (known + unknown) * nearlyAll;
  return shares.map(({ url, line, share, doubt }) => {
    const split = isWhole ? null : reasonFor(share, shares.length);
    const reason = doubt === null ? split : { type: doubt };
    return { url, line, weight: weight * share, precision: reason === null ? 'exact' : 'shared', reason, callee };
  });
}

function partsOfCallee(
  weight: number,
  callee: FunctionInfo,
  { linesCalling, writtenAt }: CulpritSource,
  isSparkplug: boolean,
): readonly LinePart[] {
  const { lines, by } = linesCalling(callee);
  const places = lines.flatMap(writtenAt);
  if (places.length > mostPlaces) return [];
  const isOne = places.length === 1;
  const type = reasonOfCall(callee, by);
  const reason: CallReason | null =
    isOne && by !== 'guess'
      ? null
      : { type, callee: callee.label, lines: places.length, withoutPositions: isSparkplug && !isOne };
  return places.map(({ url, line }) => ({
    url,
    line,
    weight,
    precision: isOne ? (reason === null ? 'exact' : 'shared') : 'oneOf',
    reason,
    callee: callee.id,
  }));
}

/** Most source lines that one line may stand for. A line of a minified bundle stands for thousands. */
const mostPlaces = 9;

function reasonOfCall(callee: FunctionInfo, by: CallLines['by']): CallReason['type'] {
  if (by === 'named') return 'callOnLines';
  return isUnnamed(callee) ? 'unnamedCallOnLines' : 'calledByAnotherName';
}
