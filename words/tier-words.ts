import type { Analysis } from '../engine/analysis.ts';
import { tiers } from '../engine/read/samples/tiered-samples.ts';
import type { CodePlace, FunctionDeopt, FunctionTiers } from '../engine/judge/tiers/tiers.ts';
import { ago } from './formats/ago.ts';
import { duration, plural } from './formats/figures.ts';
import { shortPath } from './places.ts';
import { microseconds } from '../protocol/units.ts';
import { firstDifference, groupBy } from '../engine/basics/lists.ts';
import { v8Tiers } from '../protocol/v8-tiers.ts';
import { v8TierNames } from './formats/v8-tier-names.ts';

/** How tiers read, on every surface. */

/**
 * A text such as `41 % optimized`; null where the function was seen too little in JavaScript to say, or where the share
 * would explain nothing.
 */
export function optimizedText(found: FunctionTiers | undefined): string | null {
  const share = found === undefined || isNeverOptimized(found) ? null : optimizedShare(found);
  return share === null ? null : `${percent(share)} optimized`;
}

/**
 * Whether V8 never compiled the function with an optimizing compiler although it took time. V8 optimizes what runs much
 * JavaScript of its own; the time of native code that it calls (`JSON.parse`, a regular expression) counts for the tier
 * of the caller, so `0 % optimized` would blame V8 for it.
 */
export function isNeverOptimized({ times, code: { compilations }, madeIn }: FunctionTiers): boolean {
  const isCompiled = compilations.some(({ tier }) => tier === 'maglev' || tier === 'turbofan');
  return times.maglev + times.turbofan === 0 && !isCompiled && madeIn === null;
}

/** Share of the function's time in JavaScript that was optimized, 0 to 1; null where it was seen too little there. */
function optimizedShare({ times, ticks }: Pick<FunctionTiers, 'times' | 'ticks'>): number | null {
  const optimized = times.maglev + times.turbofan;
  const all = optimized + times.ignition + times.sparkplug;
  return ticks < leastTicks || all === 0 ? null : optimized / all;
}

/** Least number of ticks for a share: with fewer, it may as well be twice as large. */
const leastTicks = 10;

/** Time in Ignition and Sparkplug, in µs; 0 where it is not known. */
export function notOptimizedTime(found: FunctionTiers | undefined): number {
  return (found?.times.ignition ?? 0) + (found?.times.sparkplug ?? 0);
}

/**
 * How the time splits: `Ignition 12 %, TurboFan 88 % of 312 ms in JavaScript`. Tiers that round to nothing are left
 * out.
 */
function tierSplit({ times }: Pick<FunctionTiers, 'times'>): string {
  const all = tiers.reduce((sum, tier) => sum + times[tier], 0);
  const parts = v8Tiers
    .filter((tier) => times[tier] * 200 >= all)
    .map((tier) => `${v8TierNames[tier]} ${percent(times[tier] / all)}`);
  return `${parts.join(', ')} of ${duration(microseconds(all))} in JavaScript`;
}

/** A text such as `60 % of it inlined into handler`; null where less than a hundredth is inlined. */
export function inlinedText({ hosts, times }: FunctionTiers, { functions }: Analysis): string | null {
  const all = tiers.reduce((sum, tier) => sum + times[tier], 0);
  const inlined = hosts.reduce((sum, { time }) => sum + time, 0);
  if (all === 0 || inlined < all / 100) return null;
  const names = hosts.flatMap(({ functionId }) => functions.functions[functionId]?.label ?? []).slice(0, mostHosts);
  const rest = hosts.length > names.length ? ' and others' : '';
  return `${percent(inlined / all)} of it inlined into ${names.length === 0 ? 'other functions' : `${names.join(', ')}${rest}`}`;
}

const mostHosts = 2;

/** A text such as `optimized 3 ×, compiled again 2 ×`; null where the function was never compiled. */
export function compiledText({ code: { compilations } }: FunctionTiers): string | null {
  const byTier = groupBy(compilations, ({ tier }) => tier);
  const parts = v8Tiers.flatMap((tier) => {
    const count = byTier.get(tier)?.length ?? 0;
    return count === 0 ? [] : [`${v8TierNames[tier]} ${count} ×`];
  });
  return parts.length === 0 ? null : `Compiled by ${parts.join(', ')}`;
}

/**
 * A sentence such as `Tiers are from a second run, 2 minutes ago.`; null where they are of this run, or not known.
 * `now` is in ms since the epoch.
 */
export function secondRunText({ tiers: found }: Pick<Analysis, 'tiers'>, now: number): string | null {
  const run = found?.secondRun ?? null;
  if (run === null) return null;
  const startedAt = Date.parse(run.startedAt ?? '');
  const when = Number.isNaN(startedAt) ? '' : `, ${ago(startedAt, now)}`;
  return `Tiers are from a second run${when}${run.otherNode === null ? '' : `, on Node.js ${run.otherNode}`}.`;
}

/** A text such as `No tiers of src/cart.ts and 2 other files: …`; null where no file has changed. */
export function changedFilesText({ tiers: found, roots }: Pick<Analysis, 'tiers' | 'roots'>): string | null {
  const [first, ...others] = found?.secondRun?.changedFiles ?? [];
  if (first === undefined) return null;
  const rest = others.length === 0 ? '' : ` and ${plural(others.length, 'other file')}`;
  return `No tiers of ${shortPath(first, roots)}${rest}: changed since the first of the two runs. Record both again.`;
}

/**
 * Why a function has no tiers, where the recording has some: a sentence without a full stop. `path` is that of its
 * file.
 */
export function noTiersText(path: string | null, { tiers: found }: Pick<Analysis, 'tiers'>): string {
  const run = found?.secondRun ?? null;
  if (run === null) return 'V8 tiers: it was at the top of no tick in JavaScript';
  return path !== null && run.changedFiles.includes(path)
    ? 'V8 tiers unknown: its file has changed since the first of the two runs; record both again'
    : 'V8 tiers unknown: the second run never saw it';
}

/** The deopts that have one reason at one place. */
export interface DeoptGroup extends Pick<FunctionDeopt, 'kind' | 'reason' | 'place'> {
  readonly count: number;
}

/**
 * Deopts with a reason, the most frequent first; then those that only follow from others, where V8 comes back to code
 * that it had marked.
 */
export function deoptGroups({ code: { deopts } }: FunctionTiers): readonly DeoptGroup[] {
  const groups = groupBy(
    deopts,
    ({ kind, reason, place }) => `${place.url}:${place.line}:${place.column}\n${kind}\n${reason}`,
  );
  return [...groups.values()]
    .flatMap((same) => (same[0] === undefined ? [] : [{ ...same[0], count: same.length }]))
    .toSorted((a, b) => firstDifference(Number(isUnexplained(a)) - Number(isUnexplained(b)), b.count - a.count));
}

/**
 * The function's tiers for a terminal, a line each: shares, unless there are too few ticks, deopts with their places,
 * and the diagnosis. `placeText` writes a place in a file.
 */
export function tierLines(
  found: FunctionTiers,
  analysis: Analysis,
  placeText: (place: CodePlace) => string,
): readonly string[] {
  const optimized = optimizedText(found);
  const shares = optimized === null ? [] : [optimized, tierSplit(found), inlinedText(found, analysis)];
  const groups = deoptGroups(found);
  const deopts = groups.slice(0, mostDeopts).map(({ reason, place, count }) => {
    return `${reason}, ${placeText(place)}${count > 1 ? ` (${count} ×)` : ''}`;
  });
  const rest = groups.length > mostDeopts ? [`+${groups.length - mostDeopts} more`] : [];
  const diagnosis = diagnosisText(found);
  return [
    ...(shares.length === 0 ? [] : [shares.filter((text) => text !== null).join(' · ')]),
    ...(deopts.length === 0 ? [] : [`deoptimized: ${[...deopts, ...rest].join('; ')}`]),
    ...(diagnosis === null ? [] : [diagnosis]),
  ];
}

const mostDeopts = 3;

function isUnexplained({ reason }: DeoptGroup): boolean {
  return reason === '(unknown)';
}

/** A text such as `Created anew in every call of handler: hoist it`; null where nothing says so. */
export function diagnosisText({ madeIn }: FunctionTiers): string | null {
  return madeIn === null ? null : `Created anew in every call of ${madeIn}: hoist it`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
