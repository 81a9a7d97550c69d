import type { Analysis } from '../engine/analysis.ts';
import { tiers } from '../engine/read/samples/tiered-samples.ts';
import type { CodePlace, FunctionDeopt, FunctionTiers } from '../engine/judge/tiers/tiers.ts';
import { ago, duration, percent, plural, v8TierNames } from './formats/figures.ts';
import { shortPath } from './places.ts';
import { microseconds } from '../protocol/units.ts';
import { firstDifference, groupBy } from '../engine/basics/lists.ts';
import { v8Tiers } from '../protocol/v8-tiers.ts';

/** `41 % optimized`; null with too few ticks in JavaScript, or if the share would explain nothing. */
export function optimizedText(found: FunctionTiers | undefined): string | null {
  const share = found === undefined || isNeverOptimized(found) ? null : optimizedShare(found);
  return share === null ? null : `${percent(share)} optimized`;
}

/**
 * Whether V8 never optimized the function. The time of native code that it calls (`JSON.parse`, a regular expression)
 * counts for the tier of the caller, so `0 % optimized` would blame V8 for it.
 */
export function isNeverOptimized({ times, code: { compilations }, madeIn }: FunctionTiers): boolean {
  const isCompiled = compilations.some(({ tier }) => tier === 'maglev' || tier === 'turbofan');
  return times.maglev + times.turbofan === 0 && !isCompiled && madeIn === null;
}

/** Share of the function's time in JavaScript that was optimized, 0 to 1; null with too few ticks there. */
function optimizedShare({ times, ticks }: Pick<FunctionTiers, 'times' | 'ticks'>): number | null {
  const optimized = times.maglev + times.turbofan;
  const all = optimized + times.ignition + times.sparkplug;
  return ticks < MIN_TICKS || all === 0 ? null : optimized / all;
}

/** With fewer ticks, a share may as well be twice as large. */
const MIN_TICKS = 10;

/** Time in Ignition and Sparkplug, in µs; 0 if unknown. */
export function notOptimizedTime(found: FunctionTiers | undefined): number {
  return (found?.times.ignition ?? 0) + (found?.times.sparkplug ?? 0);
}

/** `Ignition 12 %, TurboFan 88 % of 312 ms in JavaScript`, without tiers that round to nothing. */
function tierSplit({ times }: Pick<FunctionTiers, 'times'>): string {
  const all = wholeTime(times);
  const parts = v8Tiers
    .filter((tier) => times[tier] * 200 >= all)
    .map((tier) => `${v8TierNames[tier]} ${percent(times[tier] / all)}`);
  return `${parts.join(', ')} of ${duration(microseconds(all))} in JavaScript`;
}

function wholeTime(times: FunctionTiers['times']): number {
  return tiers.reduce((sum, tier) => sum + times[tier], 0);
}

/** `60 % of it inlined into handler`; null if less than a hundredth is inlined. */
export function inlinedText({ hosts, times }: FunctionTiers, { functions }: Analysis): string | null {
  const all = wholeTime(times);
  const inlined = hosts.reduce((sum, { time }) => sum + time, 0);
  if (all === 0 || inlined < all / 100) return null;
  const names = hosts.flatMap(({ functionId }) => functions.functions[functionId]?.label ?? []).slice(0, MAX_HOSTS);
  const rest = hosts.length > names.length ? ' and others' : '';
  return `${percent(inlined / all)} of it inlined into ${names.length === 0 ? 'other functions' : `${names.join(', ')}${rest}`}`;
}

const MAX_HOSTS = 2;

/** `Compiled by Maglev 3 ×, TurboFan 2 ×`; null if the function was never compiled. */
export function compiledText({ code: { compilations } }: FunctionTiers): string | null {
  const byTier = groupBy(compilations, ({ tier }) => tier);
  const parts = v8Tiers.flatMap((tier) => {
    const count = byTier.get(tier)?.length ?? 0;
    return count === 0 ? [] : [`${v8TierNames[tier]} ${count} ×`];
  });
  return parts.length === 0 ? null : `Compiled by ${parts.join(', ')}`;
}

/** `Tiers are from a second run, 2 minutes ago.`; null if they are not. `now` is in ms since the epoch. */
export function secondRunText({ tiers: found }: Pick<Analysis, 'tiers'>, now: number): string | null {
  const run = found?.secondRun ?? null;
  if (run === null) return null;
  const startedAt = Date.parse(run.startedAt ?? '');
  const when = Number.isNaN(startedAt) ? '' : `, ${ago(startedAt, now)}`;
  return `Tiers are from a second run${when}${run.otherNode === null ? '' : `, on Node.js ${run.otherNode}`}.`;
}

/** `No tiers of src/cart.ts and 2 other files: …`; null if no file has changed. */
export function changedFilesText({ tiers: found, roots }: Pick<Analysis, 'tiers' | 'roots'>): string | null {
  const [first, ...others] = found?.secondRun?.changedFiles ?? [];
  if (first === undefined) return null;
  const rest = others.length === 0 ? '' : ` and ${plural(others.length, 'other file')}`;
  return `No tiers of ${shortPath(first, roots)}${rest}: changed since the first of the two runs. Record both again.`;
}

/** Why a function has no tiers although the recording has some, without a full stop. */
export function noTiersText(
  functionId: number,
  { tiers: found, functions }: Pick<Analysis, 'tiers' | 'functions'>,
): string {
  const run = found?.secondRun ?? null;
  if (found === null || run === null) return 'V8 tiers: it was at the top of no tick in JavaScript';
  const path = functions.functions[functionId]?.path ?? null;
  if (path !== null && run.changedFiles.includes(path))
    return 'V8 tiers unknown: its file has changed since the first of the two runs; record both again';
  if (!found.seen.has(functionId)) return 'V8 tiers unknown: the second run never saw it';
  const isInlined = ({ hosts }: FunctionTiers): boolean => hosts.some((host) => host.functionId === functionId);
  const names = [...found.functions].flatMap(([id, one]) =>
    isInlined(one) ? [functions.functions[id]?.label ?? ''] : [],
  );
  const inlined = names.length === 0 ? '' : `; V8 had inlined ${names.slice(0, MAX_INLINED).join(', ')} into it`;
  return `V8 tiers: in the second run it was at the top of no tick in JavaScript${inlined}`;
}

const MAX_INLINED = 2;

/** The deopts of one reason at one place. */
export interface DeoptGroup extends Pick<FunctionDeopt, 'kind' | 'reason' | 'place'> {
  readonly count: number;
}

/** The most frequent first; last those without a reason, where V8 comes back to code that it had marked. */
export function deoptGroups({ code: { deopts } }: FunctionTiers): readonly DeoptGroup[] {
  const groups = groupBy(
    deopts,
    ({ kind, reason, place }) => `${place.url}:${place.line}:${place.column}\n${kind}\n${reason}`,
  );
  return [...groups.values()]
    .flatMap((same) => (same[0] === undefined ? [] : [{ ...same[0], count: same.length }]))
    .toSorted((a, b) => firstDifference(isUnexplained(a) - isUnexplained(b), b.count - a.count));
}

function isUnexplained({ reason }: DeoptGroup): 0 | 1 {
  return reason === '(unknown)' ? 1 : 0;
}

/** A function's tiers for a terminal, a line each: shares, unless there are too few ticks, deopts, and the diagnosis. */
export function tierLines(
  found: FunctionTiers,
  analysis: Analysis,
  placeText: (place: CodePlace) => string,
): readonly string[] {
  const optimized = optimizedText(found);
  const shares = optimized === null ? [] : [optimized, tierSplit(found), inlinedText(found, analysis)];
  const groups = deoptGroups(found);
  const deopts = groups.slice(0, MAX_DEOPTS).map(({ reason, place, count }) => {
    return `${reason}, ${placeText(place)}${count > 1 ? ` (${count} ×)` : ''}`;
  });
  const rest = groups.length > MAX_DEOPTS ? [`+${groups.length - MAX_DEOPTS} more`] : [];
  const diagnosis = diagnosisText(found);
  return [
    ...(shares.length === 0 ? [] : [shares.filter((text) => text !== null).join(' · ')]),
    ...(deopts.length === 0 ? [] : [`deoptimized: ${[...deopts, ...rest].join('; ')}`]),
    ...(diagnosis === null ? [] : [diagnosis]),
  ];
}

const MAX_DEOPTS = 3;

/** `Created again in each call of handler: hoist it`; null if it is not. */
export function diagnosisText({ madeIn }: FunctionTiers): string | null {
  return madeIn === null ? null : `Created again in each call of ${madeIn}: hoist it`;
}

/**
 * What V8's reason for a deopt means, in one sentence; null for an unknown reason. Source: the texts in
 * `deoptimize-reason.h` of V8 11 to 14.
 */
export function meaningOf(reason: string): string | null {
  const [, what] = /^Insufficient type feedback for (.+)$/.exec(reason) ?? [];
  if (what !== undefined)
    return `This ${what} had never run before V8 optimized the function: another way through it is taken now.`;
  return meanings.get(reason) ?? null;
}

const meanings: ReadonlyMap<string, string> = new Map([
  ...meaning(
    'An object had another shape (other properties, in another order, or of another class) than those that V8 had seen here: make them alike.',
    ...['wrong map', 'map changed during operation', 'deprecated map', 'instance migration failed'],
  ),
  ...meaning(
    'A value was of another type than those that V8 had seen here: keep the types of arguments and fields alike.',
    ...['wrong instance type', 'not a heap number', 'not a Number', 'not a Number or Oddball', 'not a Symbol'],
    ...['not a Number or Boolean', 'not a String', 'not a String or a string wrapper', 'not a BigInt'],
    ...['not a JavaScript object', 'not a JavaScript object, Null or Undefined'],
  ),
  ...meaning(
    'A number did not fit the kind that V8 had seen here (small whole numbers, or whole ones of 32 bits).',
    ...['not a Smi', 'lost precision', 'lost precision or NaN', 'not int32', 'not unsigned int32'],
    'not AdditiveSafeInteger',
  ),
  ...meaning(
    'Another function was called here than the one that V8 had seen, and had most likely inlined.',
    ...['wrong call target', 'wrong call target constructor', 'wrong feedback cell'],
  ),
  ...meaning(
    'Something that V8 took for settled was changed later (a class, a prototype, or the type of a field): set objects up before they are used, and leave them so.',
    ...['dependent map was deprecated', 'dependent prototype chain changed', 'dependent field type changed'],
    ...['dependent field representation changed', 'dependent initial map changed'],
  ),
  ...meaning(
    'A property of another name was asked for here than V8 had seen.',
    ...['wrong name', 'unexpected name in keyed access'],
  ),
  ...meaning('A value that was always the same is another one now.', 'wrong value', 'value mismatch'),
  ...meaning(
    'A field that was never written again after its object was made has been written.',
    ...['Storing to a constant field', 'dependent field type constness changed'],
  ),
  ['wrong enum indices', 'A for-in loop met an object with other properties than V8 had seen.'],
  ['const tracking let constness invalidated', 'A variable that had never changed has been assigned.'],
  ['Smi', 'A small whole number came where V8 had seen none.'],
  [
    'overflow',
    'A whole number grew beyond what V8 had seen here (31 or 32 bits): it goes on with floating-point numbers.',
  ],
  ['minus zero', 'A calculation gave −0, which is not a whole number to V8.'],
  ['NaN', 'A calculation gave NaN.'],
  ['division by zero', 'A whole number was divided by 0.'],
  ['not a BigInt64', 'A BigInt was longer than 64 bits.'],
  ['BigInt too big', 'A BigInt was longer than V8 can hold.'],
  ['not an array index', 'Something else than an index was asked of an array.'],
  ['out of bounds', 'An array or a string was read or written beyond its end: check the index before.'],
  ['hole', 'An array has a hole, or a variable was used before it was set: fill arrays from the start, without gaps.'],
  ['failed to grow elements store', 'An array grew faster than by appending: write its elements in order.'],
  ["copy-on-write array's elements changed", 'An array written as a literal has been changed.'],
  ['the array length changed', 'The length of an array changed while it was walked through.'],
  ['array buffer was detached', 'The buffer of a typed array was handed to another thread, or resized.'],
  ['First use of catch block', 'Something was thrown here for the first time.'],
  ['dependent property cell changed', 'A global variable or property that V8 took for settled was changed.'],
  ['dependent script context slot property changed', 'A top-level variable that V8 took for settled was changed.'],
  [
    'dependent allocation site tenuring changed',
    'V8 found that what is made here lives long, and compiles it again: nothing is wrong.',
  ],
  ['dependent allocation site transition changed', 'Arrays made here came to hold elements of another type.'],
  ['embedded weak objects cleared', 'Something that the code was made for has been collected: nothing is wrong.'],
  ['(unknown)', 'V8 came back from a call to code that it had marked meanwhile: another deopt says why.'],
  ['marked due to eager deopt', 'It was thrown away with other code, for the reason that this one has.'],
]);

function meaning(text: string, ...reasons: readonly string[]): readonly (readonly [string, string])[] {
  return reasons.map((reason) => [reason, text]);
}
