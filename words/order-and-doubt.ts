import type { Analysis } from '../engine/analysis.ts';
import { type HotFunction, hotFunctions, isRare, rankOf } from '../engine/hot-functions.ts';
import { shownDoubt } from '../engine/judge/function-figures/estimates.ts';
import { isBackground } from '../engine/read/samples/sample-stream.ts';
import { groupBy } from '../engine/basics/lists.ts';
import type { WorstFigure } from '../protocol/figures.ts';
import { hasWaited } from './formats/figures.ts';

/** A figure of a list; −1 for that of a package. */
export type ShownFigure = WorstFigure & Pick<HotFunction, 'functionId' | 'tone'>;

/**
 * `≈ on 7 of 8 figures: it waited while the machine was busy (5 ×), fewer than 3 samples (2 ×).` Null unless at least half
 * of several figures are estimates.
 */
export function estimatesText(analysis: Analysis, all: readonly ShownFigure[] = hotFunctions(analysis)): string | null {
  // Of several runs the parts of only one are known.
  if (analysis.several !== undefined) return null;
  const estimated = all.filter((hot) => hot.estimated);
  if (estimated.length < 2 || estimated.length * 2 < all.length) return null;
  const worst = worstParts(estimated, analysis);
  const byReason = groupBy(estimated, ({ functionId }) =>
    functionId < 0 ? reasons.inferred : reasonOf(worst.get(functionId), analysis),
  );
  const sorted = [...byReason].toSorted(([, a], [, b]) => b.length - a.length);
  const texts = sorted.map(([reason, { length }]) => (sorted.length === 1 ? reason : `${reason} (${length} ×)`));
  const which =
    estimated.length === all.length ? `all ${all.length} figures` : `${estimated.length} of ${all.length} figures`;
  return `≈ on ${which}: ${texts.join(', ')}.`;
}

/** The index of the largest part of each of these functions; on event loops that something waits for, if it has one there. */
function worstParts(
  wanted: readonly ShownFigure[],
  { ownParts, operations, streams }: Analysis,
): ReadonlyMap<number, number> {
  const isGrey = new Map(wanted.map(({ functionId, tone }) => [functionId, tone === 'background']));
  const worst = new Map<number, number>();
  for (let part = 0; part < ownParts.size; part++) {
    const id = ownParts.functionOf(part);
    const grey = isGrey.get(id);
    const most = worst.get(id);
    if (grey === undefined || (most !== undefined && ownParts.weightOf(part) <= ownParts.weightOf(most))) continue;
    if (isBackground(streams[operations[ownParts.operationOf(part)]?.stream ?? -1]) === grey) worst.set(id, part);
  }
  return worst;
}

/** Why a part is an estimate. The rules are those of `isEstimated` in engine/judge/function-figures/estimates.ts. */
function reasonOf(part: number | undefined, { operations, ownParts, findings }: Analysis): string {
  const operation = operations[part === undefined ? -1 : ownParts.operationOf(part)];
  if (operation?.measured === false) return reasons.inferred;
  const doubt = operation === undefined ? null : shownDoubt(operation);
  const isFew = part !== undefined && ownParts.samplesOf(part) < 3;
  if (doubt !== null && !(isFew && doubt === 'turnSlept')) return reasons[doubt];
  if (isFew) return reasons.few;
  return part !== undefined && findings.cut.has(ownParts.functionOf(part)) ? reasons.paused : reasons.shared;
}

const reasons = {
  inferred: 'the profile does not say where one operation ends and the next begins',
  noProcessor: 'the machine was busy or the program waited: which of the two is unknown',
  slept: 'it waited for something while the machine was busy',
  turnSlept: 'the turn that it is a part of waited while the machine was busy',
  recorder: 'recording took over a tenth of the time, which was taken off',
  few: 'fewer than 3 samples',
  paused: 'the process stood still meanwhile, which was taken off',
  shared: 'samples do not tell exactly who had how much',
} as const;

/**
 * If some of these figures waited for at least half of their time; else null. Measured with Node 20 beside 6 spinning
 * processes: a function that only computes and allocates slept for up to 25 of 33 ms until V8's threads had collected.
 */
export function waitsText(shown: readonly ShownFigure[]): string | null {
  const all = shown.filter(({ tone }) => tone !== 'background');
  const waiting = all.filter(hasWaited).length;
  if (waiting === 0) return null;
  const which = waiting === all.length ? 'All' : String(waiting);
  const of = all.length === 1 ? 'The one figure' : `${which} of ${all.length} figures`;
  return `${of} waited, for another process, a disk or a thread, which may be one that collects garbage for V8: such a time and its place in this list vary with the load of the machine.`;
}

/** `Worst first: your application, then tests.`, and what is rare in several runs; null if it is simply the worst first. */
export function orderText(analysis: Analysis): string | null {
  const all = hotFunctions(analysis);
  const isPlain = all.every(({ worstUs }, index) => worstUs <= (all[index - 1]?.worstUs ?? Infinity));
  if (isPlain) return null;
  const ranks = [...new Set(all.map((hot) => rankOf(hot, analysis)))];
  const kind = ranks.length === 1 ? '' : `: ${ranks.map((rank) => kinds[rank] ?? '').join(', then ')}`;
  const rare = all.some(isRare) ? `; ${ranks.length === 1 ? '' : 'within each, '}${rareLast}` : '';
  return `Worst first${kind}${rare}.`;
}

const rareLast = 'what was over the threshold in fewer than half of the runs comes last';

/** By their rank. */
const kinds = [
  'your application',
  'tests',
  'built files',
  'workers',
  'what was long only the first time',
  'what was only loaded',
] as const;
