import { maxOf } from '../../../protocol/figures.ts';
import { compareTexts, firstDifference, groupBy, sumOf } from '../../basics/lists.ts';
import { isWaitedFor } from '../../read/samples/sample-stream.ts';
import { microseconds, milliseconds } from '../../../protocol/units.ts';
import { type Cause, findCauses } from './causes.ts';
import { causeOf, packageTimes } from './cause-of.ts';
import { lineOfCall } from './source-facts.ts';
import { type Finding, type Findings, type Found, findingKey, isUncertain, type RunWithPauses } from './finding.ts';
import { type ImportSources, packagesOfTests } from '../lines/import-lines.ts';
import { measureParts, type PartMeasures } from './measure-parts.ts';
import { compareIds, frameAround, functionsAbove, heaviestPlace, weightOf } from './together.ts';
import type { SeenAgain } from '../../../protocol/recording.ts';
import type { ClosedBecause } from '../../../protocol/report-findings.ts';
import { longestWarmUp } from '../function-figures/estimates.ts';
import { takeSleepOutOfCollections } from './pauses.ts';
import type { SourceIndexes } from '../../read/source-code/source-indexes.ts';
import type { JudgedRun } from '../hotspots/judged-run.ts';
import { readNesting } from './written-inside.ts';

/** Number of findings for whose causes sources are read. */
const MAX_READ = 8;

const MAX_OPEN = 5;
/** The open findings end once they explain this share, or where the next one would explain less than the other. */
const ENOUGH = 0.9;
const TOO_LITTLE = 0.05;
/** Minimum removal of an open finding, in thresholds, and of all together where each removes less. */
const MIN_THRESHOLDS = 2;
const MIN_TOGETHER = 10;
/** A larger threshold counts as this one there: time above it is worth as much. */
const MAX_COUNTED = milliseconds(10);
/** Minimum samples of an open finding, without collections. */
const MIN_SAMPLES = 10;
/** Minimum length of a part of an inferred operation whose samples count, in intervals. */
const MIN_INTERVALS = 3;

/** The causes of long operations, and why some of them cannot be open. */
interface JudgedCauses {
  readonly causes: readonly Cause[];
  /** Null for those that may be open. */
  readonly closed: ReadonlyMap<Cause, ClosedBecause | null>;
  readonly measures: PartMeasures;
  /** Names of packages that only test code imports. */
  readonly ofTests: ReadonlySet<string>;
  readonly excess: Float64Array;
  /** Numbers of the long operations. */
  readonly long: readonly number[];
}

/** Finds the causes of long operations (docs/definition.md, rules 17 to 20). `seenAgain`: from further runs. */
export async function judgeCauses(
  run: RunWithPauses,
  sources: ImportSources,
  seenAgain?: SeenAgain,
): Promise<JudgedCauses> {
  const { excess, long } = longOperations(run);
  const measured = run.ownParts.numbersOf((part) => (excess[run.ownParts.operationOf(part)] ?? 0) > 0);
  const measures = measureParts(run, measured);
  takeSleepOutOfCollections(run, measured, measures);
  // Collections are cut out of these.
  for (const part of run.pauses.rests.keys()) measures.gc[part] = 0;
  const parts = measured.filter((part) => !run.pauses.dropped.has(part));
  const ids = new Set(parts.map((part) => run.ownParts.functionOf(part)));
  const isInside = await readNesting(run.functions.functions, ids, sources.indexes);
  const all = findCauses(run, { measures, long, parts, isInside });
  const causes = all.filter((cause) => cause.us.some((us) => us > 0)).toSorted((a, b) => compareCauses(run, a, b));
  const ofTests = await packagesOfTests(run, run.packages, mostlyIn(run, causes, measures), sources);
  return {
    causes,
    closed: closedReasons(run, causes, { measures, ofTests }, seenAgain),
    measures,
    ofTests,
    excess,
    long,
  };
}

/** Finds what would disappear if it were fixed (docs/definition.md, rules 17 to 21). */
export async function findFindings(run: Found, judged: JudgedCauses, indexes: SourceIndexes): Promise<Findings> {
  const { causes, closed, measures, ofTests, excess, long } = judged;
  const functionsOf = (parts: readonly number[]): ReadonlySet<number> =>
    new Set(parts.map((part) => run.ownParts.functionOf(part)));
  const byCertainty = groupBy(causes, (cause) => closed.get(cause) === null);
  const certain = coverExcess(byCertainty.get(true) ?? [], excess);
  const uncertain = coverExcess(byCertainty.get(false) ?? [], certain.left);
  const ofProgram = causes.filter((cause) => isOfProgram(run, cause, ofTests));
  const explainable = explainableOf(ofProgram, excess);
  const openCount = countOpen(certain.order, explainable, countedThreshold(run));
  const found: Finding[] = [];
  for (const [at, { cause, removes, explains }] of [...certain.order, ...uncertain.order].entries()) {
    const { callers, direct } = callersOf(run, cause);
    const why = await causeOf(run, cause, { measures, indexes, callers, isRead: at < MAX_READ });
    // One change reaches all functions into which V8 inlined the same one.
    const inlined = why.cause.kind === 'own' && why.cause.name !== null ? explains * why.cause.share : 0;
    found.push({
      subject: cause.subject,
      open: at < openCount,
      closedBecause: closed.get(cause) ?? null,
      removesUs: microseconds(Math.round(Math.max(removes, inlined))),
      ...figuresOfCause(run, cause),
      ...why,
      callers,
      calledAt: at < MAX_READ ? await lineOfCall(run, direct, cause, indexes) : null,
      operations: cause.operations,
      parts: cause.members,
    });
  }
  return {
    all: found,
    unmarked: functionsOf(hiddenParts(judged)),
    cut: functionsOf([...run.pauses.rests.keys(), ...run.pauses.dropped]),
    longOperations: long.length,
    excessUs: microseconds(sumOf(excess, (us) => us)),
    explainableUs: microseconds(Math.round(explainable)),
  };
}

/** Names of the packages in which causes that may be open have over half of their time. */
function mostlyIn(run: JudgedRun, causes: readonly Cause[], measures: PartMeasures): readonly string[] {
  const large = causes.filter(({ us }) => sumOf(us, (us) => us) >= MIN_THRESHOLDS * countedThreshold(run));
  const names = large.flatMap(({ parts }) =>
    [...packageTimes(run, parts, measures)].flatMap(([name, us]) => (us * 2 > weightOf(run, parts) ? [name] : [])),
  );
  return [...new Set(names)];
}

/** Why each cause is closed, after what further runs showed: null if they were long again in half of them. */
function closedReasons(
  run: RunWithPauses,
  causes: readonly Cause[],
  evidence: Evidence,
  again: SeenAgain | undefined,
): ReadonlyMap<Cause, ClosedBecause | null> {
  const seenIn = new Map(again?.findings.map((finding) => [finding.key, finding.seenIn]));
  const reasonOf = (cause: Cause): ClosedBecause | null => {
    const reason = closedBecause(run, cause, evidence);
    const seen = seenIn.get(findingKey(cause.subject, run));
    if (seen === undefined || !isUncertain(reason)) return reason;
    return seen * 2 >= (again?.runs ?? 0) ? null : 'notAgain';
  };
  return new Map(causes.map((cause) => [cause, reasonOf(cause)]));
}

/** The long operations of the program on counted loops: their numbers, and the excess in µs by number. */
function longOperations({ operations, streams, thresholdUs }: JudgedRun) {
  const isCounted = streams.map(isWaitedFor);
  const excess = new Float64Array(operations.length);
  const long: number[] = [];
  for (const [number, { stream, held }] of operations.entries()) {
    if (held <= thresholdUs || isCounted[stream] !== true) continue;
    excess[number] = held - thresholdUs;
    long.push(number);
  }
  return { excess, long };
}

/** Numbers of the parts of functions that are not hotspots: a collection or a sleep happened to be there. */
export function hiddenParts({ closed }: Pick<JudgedCauses, 'closed'>): readonly number[] {
  return [...closed].flatMap(([{ subject, parts }, because]) =>
    subject.type === 'function' && (because === 'gc' || because === 'waiting') ? parts : [],
  );
}

/** How many of the certain findings are rows of the verdict. */
function countOpen(certain: readonly Covered[], explainable: number, thresholdUs: number): number {
  const least = leastRemoval(certain, explainable, thresholdUs);
  let explained = 0;
  let count = 0;
  for (const { removes, explains } of certain) {
    if (count === MAX_OPEN || explained >= ENOUGH * explainable || removes < least) break;
    explained += explains;
    count++;
  }
  return count;
}

/** What an open finding removes at least. Where each removes less, though all are most of it, the first stand for them. */
function leastRemoval(certain: readonly Covered[], explainable: number, thresholdUs: number): number {
  const least = Math.max(TOO_LITTLE * explainable, MIN_THRESHOLDS * thresholdUs);
  const together = sumOf(certain, ({ removes }) => removes);
  const first = certain[0]?.removes ?? 0;
  const isSpread = first < least && together >= Math.max(explainable / 2, MIN_TOGETHER * thresholdUs);
  return isSpread ? first / 2 : least;
}

function countedThreshold({ thresholdUs }: JudgedRun): number {
  return Math.min(thresholdUs, MAX_COUNTED);
}

/** Whether it is code of the program, or of a package that it uses. */
function isOfProgram({ functions: { functions } }: Found, { subject }: Cause, ofTests: ReadonlySet<string>): boolean {
  if (subject.type === 'function') return functions[subject.functionId]?.role !== 'test';
  return subject.type === 'package' && !ofTests.has(subject.name);
}

/** The excess that these causes could take away together, in µs. */
function explainableOf(causes: readonly Cause[], excess: Float64Array): number {
  const taken = new Float64Array(excess.length);
  for (const { operations, us } of causes)
    for (const [at, operation] of operations.entries()) taken[operation] = (taken[operation] ?? 0) + (us[at] ?? 0);
  return taken.reduce((sum, us, operation) => sum + Math.min(us, excess[operation] ?? 0), 0);
}

/** The order of causes that remove equally much. */
function compareCauses({ functions: { functions } }: JudgedRun, a: Cause, b: Cause): number {
  const rank = ({ subject }: Cause): number => ['function', 'package', 'garbage', 'loading'].indexOf(subject.type);
  const id = ({ subject }: Cause): number => (subject.type === 'function' ? subject.functionId : -1);
  const name = ({ subject }: Cause): string => (subject.type === 'package' ? subject.name : '');
  return firstDifference(rank(a) - rank(b), compareIds(functions, id(a), id(b)), compareTexts(name(a), name(b)));
}

/** A cause in the order of the cover, with the excess that it removes, in µs. */
interface Covered {
  readonly cause: Cause;
  readonly removes: number;
  /** What all of its functions explain together: nothing of it is left for others. */
  readonly explains: number;
}

/**
 * Orders causes by the excess that they remove (greedy set cover), and gives what is `left` of it. `excess` is in µs by
 * operation. Equal causes keep their order. Gains never grow, so only the best bound is computed again in each step.
 */
function coverExcess(causes: readonly Cause[], excess: Float64Array) {
  const left = excess.slice();
  const bounds = causes.map((cause) => ({ cause, removes: gainOf(cause, left, cause.core), isFresh: true }));
  const order: Covered[] = [];
  while (bounds.length > 0) {
    const best = bounds.reduce((most, one) => (one.removes > most.removes ? one : most));
    const { cause } = best;
    if (!best.isFresh) {
      best.removes = gainOf(cause, left, cause.core);
      best.isFresh = true;
      continue;
    }
    const { removes } = best;
    order.push({ cause, removes, explains: gainOf(cause, left, cause.us) });
    bounds.splice(bounds.indexOf(best), 1);
    if (removes === 0) continue;
    for (const [at, operation] of cause.operations.entries())
      left[operation] = Math.max(0, (left[operation] ?? 0) - (cause.us[at] ?? 0));
    for (const other of bounds) other.isFresh = false;
  }
  return { order, left };
}

function gainOf({ operations }: Cause, left: Float64Array, us: readonly number[]): number {
  return operations.reduce((gain, operation, at) => gain + Math.min(us[at] ?? 0, left[operation] ?? 0), 0);
}

interface Evidence {
  readonly measures: PartMeasures;
  /** Names of packages that only test code imports. */
  readonly ofTests: ReadonlySet<string>;
}

/** Why a cause cannot be open, however much it removes (docs/definition.md, rule 20); null if it can. */
function closedBecause(run: RunWithPauses, cause: Cause, { measures, ofTests }: Evidence): ClosedBecause | null {
  const { subject, parts, operations: numbers } = cause;
  const { ownParts, operations, thresholdUs } = run;
  if (subject.type === 'garbage') return 'gc';
  if (subject.type === 'loading') return 'loading';
  if (subject.type === 'package' && ofTests.has(subject.name)) return 'test';
  const weight = parts.length === 0 ? sumOf(cause.us, (us) => us) : weightOf(run, parts);
  if (subject.type === 'function') {
    if (run.functions.functions[subject.functionId]?.role === 'test') return 'test';
    const inTests = [...packageTimes(run, parts, measures)].filter(([name]) => ofTests.has(name));
    if (sumOf(inTests, ([, us]) => us) * 2 > weight) return 'test';
    const first = firstTimeOnly(run, cause, subject.functionId);
    if (first !== null) return first;
  }
  if (!cause.allocates && cause.gc * 2 > weight) return 'gc';
  if (cause.unexplained * 2 >= weight && cause.unexplained > 0) return 'waiting';
  if (samplesOf(run, cause, measures) < MIN_SAMPLES) return 'fewSamples';
  // Where turns are inferred, each figure is an estimate.
  const isOnce = numbers.length < 2 && operations[numbers[0] ?? -1]?.measured === true;
  const least = sumOf(parts, (part) => ownParts.leastOf(part));
  return isOnce && figuresOfCause(run, cause).estimated && least <= thresholdUs ? 'once' : null;
}

/**
 * Whether it only loads modules, or only its thread's first call is long (a module body has one call of at most 100
 * ms).
 */
function firstTimeOnly(run: JudgedRun, { parts, load }: Cause, functionId: number): ClosedBecause | null {
  if (parts.length > 0 && load * 2 > weightOf(run, parts)) return 'loading';
  const { worst = 0, worstWarm: warm = 0 } = run.figures[functionId]?.presence ?? {};
  const isStart = run.functions.functions[functionId]?.moduleBody === true && worst <= longestWarmUp;
  return (warm > 0 || isStart) && warm <= run.thresholdUs ? 'firstCall' : null;
}

/**
 * Samples behind the cause. Where it has no own parts, their usual number in this time. Without measured turns a call of
 * any length may have one sample, and two such calls look like one: so short parts do not count.
 */
function samplesOf(run: JudgedRun, cause: Cause, { samples }: PartMeasures): number {
  const { operations, streams, ownParts } = run;
  const streamOf = (number: number) => streams[operations[number]?.stream ?? -1];
  const counts = (number: number, us: number): boolean =>
    us >= MIN_INTERVALS * (streamOf(number)?.durations?.onTime ?? 0);
  if (cause.parts.length > 0) {
    const counted = cause.parts.filter((part) => counts(ownParts.operationOf(part), ownParts.weightOf(part)));
    return sumOf(counted, (part) => samples[part] ?? 0);
  }
  return cause.operations.reduce((sum, number, at) => {
    const us = cause.us[at] ?? 0;
    return counts(number, us) ? sum + us / Math.max(1, streamOf(number)?.interval ?? 1) : sum;
  }, 0);
}

/**
 * Figures of a single function's own parts, of parts that take turns summed by operation, or of a presence (spread
 * time).
 */
function figuresOfCause(
  run: JudgedRun,
  { subject, members, parts, isSpread, operations, us }: Cause,
): Pick<Finding, 'worstUs' | 'longCount' | 'distinctStacks' | 'estimated'> {
  if (subject.type !== 'function') {
    const worst = us.reduce((most, one) => Math.max(most, one), 0);
    const estimated = operations.some((number) => run.operations[number]?.measured !== true);
    const longCount = us.filter((one) => one > run.thresholdUs).length;
    return { worstUs: microseconds(Math.round(worst)), longCount, distinctStacks: 0, estimated };
  }
  const { culprit = null, presence } = run.figures[subject.functionId] ?? {};
  const isAlone = members.length === 0 && culprit !== null;
  const shown = isAlone ? culprit : presence;
  const { worst = microseconds(0), longCount = 0, distinctStacks = 0, estimated = true } = shown ?? {};
  if (isAlone || isSpread) return { worstUs: worst, longCount, distinctStacks, estimated };
  const byOperation = groupBy(parts, (part) => run.ownParts.operationOf(part));
  const sums = [...byOperation.values()].map((its) => weightOf(run, its));
  return { worstUs: microseconds(maxOf(sums)), longCount: sums.length, distinctStacks, estimated };
}

interface Callers {
  /** Ids of the nearest two own functions above the heaviest place of a cause, the nearest first. */
  readonly callers: readonly number[];
  /** The first of them where no other frame is in between; else null. */
  readonly direct: number | null;
}

function callersOf(run: JudgedRun, { subject, parts, members }: Cause): Callers {
  if (parts.length === 0 || subject.type !== 'function') return { callers: [], direct: null };
  const { ownParts } = run;
  const heaviest = parts.reduce((most, part) => (ownParts.weightOf(part) > ownParts.weightOf(most) ? part : most));
  const place = heaviestPlace(run, heaviest);
  const path = functionsAbove(run, heaviest, place);
  const inside = new Set([subject.functionId, ...members.map(({ functionId }) => functionId)]);
  const outermost = path.lastIndexOf(subject.functionId);
  const callers = [...new Set(path.slice(outermost + 1))].filter((fn) => !inside.has(fn)).slice(0, 2);
  const around = frameAround(run, heaviest, place, subject.functionId);
  return { callers, direct: around === callers[0] ? around : null };
}
