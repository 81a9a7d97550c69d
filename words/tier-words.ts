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

/**
 * The meaning of V8's reason for throwing optimized code away, in one sentence; null for an unknown reason, for which
 * V8's words are shown. Source: `deoptimize-reason.h` of V8 11 to 14, whose names are behind the words.
 */
export function meaningOf(reason: string): string | null {
  const [, what] = /^Insufficient type feedback for (.+)$/.exec(reason) ?? [];
  if (what !== undefined)
    return `This ${what} had never run before V8 optimized the function: another way through it is taken now.`;
  return meanings.get(reason) ?? null;
}

const otherShape =
  'An object had another shape (other properties, in another order, or of another class) than those that V8 had seen here: make them alike.';
const otherNumber =
  'A number did not fit the kind that V8 had seen here (small whole numbers, or whole ones of 32 bits).';
const otherType =
  'A value was of another type than those that V8 had seen here: keep the types of arguments and fields alike.';
const otherCallee = 'Another function was called here than the one that V8 had seen, and had most likely inlined.';
const changedObjects =
  'Something that V8 took for settled was changed later (a class, a prototype, or the type of a field): set objects up before they are used, and leave them so.';

const meanings: ReadonlyMap<string, string> = new Map([
  ['wrong map', otherShape], // WrongMap
  ['map changed during operation', otherShape], // WrongMapDynamic
  ['wrong instance type', otherType], // WrongInstanceType
  ['deprecated map', otherShape], // DeprecatedMap
  ['instance migration failed', otherShape], // InstanceMigrationFailed
  ['wrong name', 'A property of another name was asked for here than V8 had seen.'], // WrongName
  ['unexpected name in keyed access', 'A property of another name was asked for here than V8 had seen.'], // KeyedAccessChanged
  ['wrong enum indices', 'A for-in loop met an object with other properties than V8 had seen.'], // WrongEnumIndices
  ['wrong call target', otherCallee], // WrongCallTarget
  ['wrong call target constructor', otherCallee], // WrongConstructor
  ['wrong feedback cell', otherCallee], // WrongFeedbackCell
  ['wrong value', 'A value that was always the same is another one now.'], // WrongValue
  ['value mismatch', 'A value that was always the same is another one now.'], // ValueMismatch
  ['Storing to a constant field', 'A field that was never written again after its object was made has been written.'], // StoreToConstant
  ['const tracking let constness invalidated', 'A variable that had never changed has been assigned.'], // ConstTrackingLet
  ['not a Smi', otherNumber], // NotASmi
  ['Smi', 'A small whole number came where V8 had seen none.'], // Smi
  [
    'overflow',
    'A whole number grew beyond what V8 had seen here (31 or 32 bits): it goes on with floating-point numbers.',
  ], // Overflow
  ['lost precision', otherNumber], // LostPrecision
  ['lost precision or NaN', otherNumber], // LostPrecisionOrNaN
  ['not int32', otherNumber], // NotInt32
  ['not unsigned int32', otherNumber], // NotUint32
  ['not AdditiveSafeInteger', otherNumber], // NotAdditiveSafeInteger
  ['minus zero', 'A calculation gave −0, which is no whole number to V8.'], // MinusZero
  ['NaN', 'A calculation gave NaN.'], // NaN
  ['division by zero', 'A whole number was divided by 0.'], // DivisionByZero
  ['not a heap number', otherType], // NotAHeapNumber
  ['not a Number', otherType], // NotANumber
  ['not a Number or Oddball', otherType], // NotANumberOrOddball
  ['not a Number or Boolean', otherType], // NotANumberOrBoolean
  ['not a String', otherType], // NotAString
  ['not a String or a string wrapper', otherType], // NotAStringOrStringWrapper
  ['not a Symbol', otherType], // NotASymbol
  ['not a BigInt', otherType], // NotABigInt
  ['not a BigInt64', 'A BigInt was longer than 64 bits.'], // NotABigInt64
  ['BigInt too big', 'A BigInt was longer than V8 can hold.'], // BigIntTooBig
  ['not a JavaScript object', otherType], // NotAJavaScriptObject
  ['not a JavaScript object, Null or Undefined', otherType], // NotAJavaScriptObjectOrNullOrUndefined
  ['not an array index', 'Something else than an index was asked of an array.'], // NotAnArrayIndex
  ['out of bounds', 'An array or a string was read or written beyond its end: check the index before.'], // OutOfBounds
  ['hole', 'An array has a hole, or a variable was used before it was set: fill arrays from the start, without gaps.'], // Hole
  ['failed to grow elements store', 'An array grew faster than by appending: write its elements in order.'], // CouldNotGrowElements
  ["copy-on-write array's elements changed", 'An array written as a literal has been changed.'], // CowArrayElementsChanged
  ['the array length changed', 'The length of an array changed while it was walked through.'], // ArrayLengthChanged
  ['array buffer was detached', 'The buffer of a typed array was handed to another thread, or resized.'], // ArrayBufferWasDetached
  ['First use of catch block', 'Something was thrown here for the first time.'], // UnoptimizedCatch
  ['dependent map was deprecated', changedObjects], // MapDeprecated
  ['dependent prototype chain changed', changedObjects], // PrototypeChange
  ['dependent property cell changed', 'A global variable or property that V8 took for settled was changed.'], // PropertyCellChange
  ['dependent script context slot property changed', 'A top-level variable that V8 took for settled was changed.'], // ScriptContextSlotPropertyChange
  [
    'dependent field type constness changed',
    'A field that was never written again after its object was made has been written.',
  ], // FieldTypeConstChange
  ['dependent field type changed', changedObjects], // FieldTypeChange
  ['dependent field representation changed', changedObjects], // FieldRepresentationChange
  ['dependent initial map changed', changedObjects], // InitialMapChange
  [
    'dependent allocation site tenuring changed',
    'V8 found that what is made here lives long, and compiles it anew: nothing is wrong.',
  ], // AllocationSiteTenuringChange
  ['dependent allocation site transition changed', 'Arrays made here came to hold elements of another type.'], // AllocationSiteTransitionChange
  ['embedded weak objects cleared', 'Something that the code was made for has been collected: nothing is wrong.'], // WeakObjects
  ['(unknown)', 'V8 came back from a call to code that it had marked meanwhile: another deopt says why.'], // Unknown
  ['marked due to eager deopt', 'It was thrown away with other code, for the reason that this one has.'], // EagerDeopt
]);
