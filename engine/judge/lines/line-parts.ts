import type { FunctionInfo, FunctionTable } from '../../read/functions/function-table.ts';
import type { LinePrecision } from '../../../protocol/report-code.ts';
import type { OwnPlaces } from '../function-figures/function-figures.ts';
import type { Line1 } from '../../../protocol/units.ts';

import { isUnnamed } from './call-targets.ts';
import type { CulpritSource } from './culprit-source.ts';
import type { CallReason, LineReason, LineShare, SelfSamples, SeenTicks } from './line-shares.ts';
import { ownText } from './line-shares.ts';
import { onceEach } from '../../basics/once.ts';

/** A line with a part of a culprit's time in all operations: `time * of * share`, in µs, not rounded. */
export interface LinePart {
  readonly url: string;
  readonly line: Line1;
  /** How much of the time is split over lines in the same way, and the line's share of that; each from 0 to 1. */
  readonly of: number;
  readonly share: number;
  readonly precision: LinePrecision;
  readonly reason: LineReason | null;
  /** Function id of the callee whose time it is; −1 for self time. */
  readonly callee: number;
}

/** Lines of V8's ticks in this operation, by the function called from a place. Null for a profile. */
export type SeenAtPlace = ReadonlyMap<number, SeenTicks> | null;

/**
 * Splits a place of a culprit's own parts over lines, and adds each part with its weight. Time without a known line is
 * left out. `towards`: functions called there that lead to other own parts of the operation.
 */
export type SplitPlace = (
  { place, samples, towards, isFirst }: PlaceToSplit,
  seen: SeenAtPlace,
  add: (part: LinePart, weight: number) => void,
) => void;

interface PlaceToSplit {
  readonly place: number;
  readonly samples: SelfSamples;
  readonly towards: ReadonlySet<number>;
  /** True where all of it ran before the first `await` of the culprit. */
  readonly isFirst: boolean;
}

/** A function may be a culprit in thousands of operations, so its parts are made once for all of them. */
export function createSplitPlace(culprit: CulpritSource, { functions }: FunctionTable, places: OwnPlaces): SplitPlace {
  const finish = (part: LinePart): LinePart => (culprit.fn.gone ? doubted(part, { type: 'fileGone' }) : part);
  const partsAlone = onceEach((samples: SelfSamples) => partsOfSelf(samples, culprit));
  const partsTowards = onceEach((samples: SelfSamples) =>
    onceEach((towards: string) => {
      const callees = towards.split(' ').flatMap((id) => (id === '' ? [] : (functions[Number(id)] ?? [])));
      return partsAlone(samples).map((part) => finish(withDoubt(part, culprit, callees)));
    }),
  );
  const calleeParts = partsOfCalls(culprit);
  /** At a place whose self time is on uncertain lines, the line may have some of that, too. */
  const vague = onceEach((part: LinePart) => doubted(part, { type: 'severalLines' }));
  const selfParts = (samples: SelfSamples, towards: ReadonlySet<number>, seen: SeenAtPlace): readonly LinePart[] => {
    if (seen === null) return partsTowards(samples)(towards.size === 0 ? '' : [...towards].join(' '));
    const own = partsSeen(-1, seen.get(ownText), culprit);
    return (own.length > 0 ? own : partsAlone(samples)).map(finish);
  };
  return ({ place, samples, towards, isFirst }, seen, add) => {
    const own = places.selfOf(place);
    const self = own === 0 ? [] : selfParts(samples, towards, seen);
    for (const part of self) add(part, own * part.of * part.share);
    const isVague = own > places.weightOf(place) / 20 && self.some(({ reason }) => reason?.type === 'severalLines');
    const end = places.firstCalleeOf(place + 1);
    for (let called = places.firstCalleeOf(place); called < end; called++) {
      const callee = functions[places.functionOf(called)];
      const weight = places.calleeWeightOf(called);
      if (callee === undefined) continue;
      for (const part of calleeParts(callee, weight, seen, isFirst))
        add(finish(isVague ? vague(part) : part), weight * part.of * part.share);
    }
  };
}

/** Gives the parts of a callee's weight; `isFirst`: of what was called before the first `await`. */
type CalleeParts = (callee: FunctionInfo, weight: number, seen: SeenAtPlace, isFirst: boolean) => readonly LinePart[];

function partsOfCalls(culprit: CulpritSource): CalleeParts {
  const before = { ...culprit, linesCalling: culprit.linesCallingFirst };
  const all = onceEach((callee: FunctionInfo) => partsOfCallee(callee, culprit, false));
  const first = onceEach((callee: FunctionInfo) => partsOfCallee(callee, before, false));
  return (callee, weight, seen, isFirst) => {
    const ticks = seen?.get(callee.id);
    if (ticks === undefined) return isFirst ? first(callee) : all(callee);
    const parts = weight === 0 ? [] : partsSeen(callee.id, ticks, culprit);
    return parts.length > 0 ? parts : partsOfCallee(callee, culprit, ticks.unknown > 0);
  };
}

/** A line that leads to another own part may have its samples: V8 counts some of inlined code at the calling line. */
function withDoubt(part: LinePart, culprit: CulpritSource, towards: readonly FunctionInfo[]): LinePart {
  if (part.precision !== 'exact') return part;
  if (culprit.isNotThere) return doubted(part, { type: 'functionNotThere' });
  const inlined = towards.find((callee) => mayCall(part.line, callee, culprit));
  return inlined === undefined ? part : doubted(part, { type: 'mayBeInlined', callee: inlined.label });
}

/** A line that would be exact, if not for this reason. */
function doubted(part: LinePart, reason: LineReason): LinePart {
  return part.precision === 'exact' ? { ...part, precision: 'shared', reason } : part;
}

/** Whether a line may call the callee. A callee that is never named may be called wherever anything is called. */
function mayCall(line: Line1, callee: FunctionInfo, { body, linesCalling }: CulpritSource): boolean {
  if (body === null) return true;
  const { lines, by } = linesCalling(callee);
  if (by !== 'guess') return lines.includes(line);
  return body.calls.some((call) => call.line === line && call.callee !== '');
}

function partsOfSelf({ ticks, regExpShare, lostShare }: SelfSamples, culprit: CulpritSource): readonly LinePart[] {
  const regExps = partsOfRegExps(regExpShare, culprit);
  const left = regExps.length > 0 ? 1 - regExpShare : 1;
  if (left === 0) return regExps;
  const here = culprit.sharesOf(ticks);
  const shares = givenToMainLine(here.length > 0 ? here : culprit.sharesOf(culprit.ticks));
  const isShared = regExps.length > 0 && left < nearlyAll;
  const parts = shares.map(({ url, line, share, doubt, inlined }): LinePart => {
    if (inlined !== null) return inlinedPart({ url, line, of: left, share, callee: -1 }, inlined);
    const split = isShared ? splitFromRegExp : reasonFor(share, shares.length);
    const reason = doubt === null ? (here.length === 0 ? splitAsElsewhere : split) : { type: doubt };
    return { url, line, of: left, share, precision: reason === null ? 'exact' : 'shared', reason, callee: -1 };
  });
  const all = withoutNeedlessSplit([...regExps, ...parts]);
  const { body } = culprit;
  const isLost = lostShare > MUCH_LOST && (body === null || body.start.line !== body.end.line);
  return isLost ? all.map((part) => doubted(part, { type: 'linesLost' })) : all;
}

/** From this share on, figures are estimates. */
const MUCH_LOST = 0.15;

/** A line of a function that V8 has inlined: or one of two, where the caller has code at that line, too. */
function inlinedPart(
  part: Omit<LinePart, 'precision' | 'reason'>,
  { callee, isOneOf }: NonNullable<LineShare['inlined']>,
): LinePart {
  return isOneOf
    ? { ...part, precision: 'oneOf', reason: { type: 'mayBeInlined', callee } }
    : { ...part, precision: 'shared', reason: { type: 'inlined', callee } };
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
function partsOfRegExps(share: number, { regExps, writtenAt }: CulpritSource): readonly LinePart[] {
  const lines = share === 0 ? [] : regExps.lines.flatMap(writtenAt);
  const isSure = regExps.isSure && lines.length === 1;
  const isSplit = isSure && share < nearlyAll;
  return lines.map(({ url, line }) => ({
    url,
    line,
    of: share,
    share: 1,
    precision: isSplit ? 'shared' : isSure ? 'exact' : 'oneOf',
    reason: isSplit ? splitFromRegExp : isSure ? null : { type: 'regExpOnLines', lines: lines.length },
    callee: -1,
  }));
}

const splitFromRegExp: LineReason = { type: 'splitFromRegExp' };
const splitAsElsewhere: LineReason = { type: 'splitAsElsewhere' };

/** A line with this share of the samples has all of them; the rest are errors of single samples. */
const nearlyAll = 0.95;

/**
 * Gives a line with nearly all samples all of the time, so that it shows the same figure as its function; or two lines,
 * where either may have them.
 */
function givenToMainLine(shares: readonly LineShare[]): readonly LineShare[] {
  const main = shares.filter(({ share }) => share >= nearlyAll);
  return main.length === 0 ? shares : main.map((line) => ({ ...line, share: 1 }));
}

function reasonFor(share: number, lines: number): LineReason | null {
  return share >= nearlyAll ? null : { type: 'splitBySamples', lines };
}

/** Parts by the lines that V8's log shows for each tick; none where too few of the lines are known. */
function partsSeen(callee: number, seen: SeenTicks | undefined, { sharesOfLog }: CulpritSource): readonly LinePart[] {
  if (seen === undefined) return [];
  const { ticks, unknown } = seen;
  const known = ticks.reduce((sum, { count }) => sum + count, 0);
  if (unknown > known) return [];
  const shares = givenToMainLine(sharesOfLog(ticks));
  const isWhole = known >= (known + unknown) * nearlyAll;
  return shares.map(({ url, line, share, doubt }) => {
    const split = isWhole ? null : reasonFor(share, shares.length);
    const reason = doubt === null ? split : { type: doubt };
    return { url, line, of: 1, share, precision: reason === null ? 'exact' : 'shared', reason, callee };
  });
}

function partsOfCallee(
  callee: FunctionInfo,
  { linesCalling, writtenAt }: CulpritSource,
  isSparkplug: boolean,
): readonly LinePart[] {
  const { lines, by } = linesCalling(callee);
  const places = lines.flatMap(writtenAt);
  if (places.length > MAX_PLACES) return [];
  const isOne = places.length === 1;
  const unknown = isUnnamed(callee) ? 'unnamedCallOnLines' : 'calledByAnotherName';
  const type = by === 'named' ? 'callOnLines' : unknown;
  const reason: CallReason | null =
    isOne && by !== 'guess'
      ? null
      : { type, callee: callee.label, lines: places.length, withoutPositions: isSparkplug && !isOne };
  return places.map(({ url, line }) => ({
    url,
    line,
    of: 1,
    share: 1,
    precision: isOne ? (reason === null ? 'exact' : 'shared') : 'oneOf',
    reason,
    callee: callee.id,
  }));
}

/** Maximum source lines for one line: in a minified bundle there are thousands. */
const MAX_PLACES = 9;
