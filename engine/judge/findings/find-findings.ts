import { firstDifference, groupBy } from '../../basics/lists.ts';
import { functionFlags, type FunctionFlags } from '../../read/functions/function-table.ts';
import { isBackground } from '../../read/samples/sample-stream.ts';
import type { SourceIndexes } from '../../read/source-code/source-indexes.ts';
import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import { type Cause, findCauses } from './causes.ts';
import { causeOf } from './cause-of.ts';
import { type Finding, type Findings, type Found, type Certainty, findingKey, settled } from './finding.ts';
import { packagesOfTests } from '../lines/import-lines.ts';
import { measureParts, type PartMeasures } from './measure-parts.ts';
import { compareIds, functionsAbove, heaviestPlace } from './together.ts';
import type { ClosedBecause } from '../../../protocol/report-findings.ts';
import { packageTimes } from './time-shares.ts';
import { longestWarmUp } from '../function-figures/estimates.ts';
import type { Figures } from '../../../protocol/figures.ts';
import type { JudgedRun } from '../hotspots/judged-run.ts';

/** Number of findings for whose causes sources are read. */
const MOST_READ = 8;

/** Most open findings. */
const MOST_OPEN = 5;
/** The open findings end once they explain this share, or where the next one would explain less than the other. */
const ENOUGH = 0.9;
const TOO_LITTLE = 0.05;
/** Least that an open finding removes, in thresholds. */
const MIN_THRESHOLDS = 2;

/** Finds what would disappear if it were fixed. Source: docs/definition.md, rules 17 to 21. */
export async function findFindings(run: Found, indexes: SourceIndexes, certainty: Certainty): Promise<Findings> {
  const flags = functionFlags(run.functions.functions);
  const { excess, long } = longOperations(run);
  const parts = run.ownParts.numbersOf((part) => (excess[run.ownParts.operationOf(part)] ?? 0) > 0);
  const measures = measureParts(run, parts, flags);
  const all = findCauses(run, { flags, measures, atomicsWaiters: run.atomicsWaiters, long, parts });
  const causes = all.filter((cause) => cause.us.some((us) => us > 0)).toSorted((a, b) => compareCauses(run, a, b));
  const ofTests = await packagesOfTests(run, run.packages, mostlyIn(run, causes, measures), indexes);
  const closed = closedReasons(run, causes, { measures, ofTests }, certainty);
  const left = excess.slice();
  const byCertainty = groupBy(causes, (cause) => closed.get(cause) === null);
  const [certain = [], uncertain = []] = [true, false].map((is) => coverExcess(byCertainty.get(is) ?? [], left));
  const ofProgram = causes.filter((cause) => isOfProgram(run, cause, ofTests));
  const explainable = explainableOf(ofProgram, excess);
  const openCount = countOpen(certain, explainable, run.thresholdUs);
  const found: Finding[] = [];
  for (const [at, { cause, removes }] of [...certain, ...uncertain].entries()) {
    const callers = callersOf(run, cause, flags);
    found.push({
      subject: cause.subject,
      open: at < openCount,
      closedBecause: closed.get(cause) ?? null,
      removesUs: microseconds(Math.round(removes)),
      ...figuresOfCause(run, cause),
      ...(await causeOf(run, cause, { measures, indexes, callers, isRead: at < MOST_READ })),
      callers,
      operations: cause.operations,
      parts: cause.members,
    });
  }
  return {
    all: found,
    unmarked: unmarkedOf(run, closed),
    longOperations: long.length,
    excessUs: sumOf(excess),
    explainableUs: microseconds(Math.round(explainable)),
  };
}

/** Names of the packages in which causes that may be open have over half of their time. */
function mostlyIn(run: Found, causes: readonly Cause[], measures: PartMeasures): readonly string[] {
  const least = MIN_THRESHOLDS * run.thresholdUs;
  const large = causes.filter(({ us }) => us.reduce((sum, one) => sum + one, 0) >= least);
  const names = large.flatMap(({ parts }) => {
    const weight = parts.reduce((sum, part) => sum + run.ownParts.weightOf(part), 0);
    return [...packageTimes(run, parts, measures)].flatMap(([name, us]) => (us * 2 > weight ? [name] : []));
  });
  return [...new Set(names)];
}

/** Why each cause is collapsed, after what further runs showed. */
function closedReasons(
  run: Found,
  causes: readonly Cause[],
  evidence: Evidence,
  certainty: Certainty,
): ReadonlyMap<Cause, ClosedBecause | null> {
  const reasonOf = (cause: Cause): ClosedBecause | null => {
    const isSeenAgain = certainty.get(findingKey(cause.subject, run));
    return settled(closedBecause(run, cause, evidence), isSeenAgain);
  };
  return new Map(causes.map((cause) => [cause, reasonOf(cause)]));
}

/** The long operations of the program on counted loops: their numbers, and the excess in µs by number. */
function longOperations({ operations, streams, thresholdUs }: JudgedRun): {
  readonly excess: Float64Array;
  readonly long: readonly number[];
} {
  const isCounted = streams.map((stream) => !isBackground(stream) && !stream.isolate.isTestParent);
  const excess = new Float64Array(operations.length);
  const long: number[] = [];
  for (const [number, { stream, held }] of operations.entries()) {
    if (held <= thresholdUs || isCounted[stream] !== true) continue;
    excess[number] = held - thresholdUs;
    long.push(number);
  }
  return { excess, long };
}

function sumOf(times: Float64Array): Microseconds {
  return microseconds(times.reduce((sum, us) => sum + us, 0));
}

/** Culprits that are no hotspots: what the collector or a sleep took, which happened to be there. */
function unmarkedOf({ ownParts }: JudgedRun, closed: ReadonlyMap<Cause, ClosedBecause | null>): ReadonlySet<number> {
  const found = [...closed].flatMap(([{ subject, parts }, because]) =>
    subject.type === 'function' && (because === 'gc' || because === 'waiting') ? parts : [],
  );
  return new Set(found.map((part) => ownParts.functionOf(part)));
}

/** How many of the certain findings are rows of the verdict. */
function countOpen(certain: readonly Covered[], explainable: number, thresholdUs: Microseconds): number {
  const least = Math.max(TOO_LITTLE * explainable, MIN_THRESHOLDS * thresholdUs);
  let explained = 0;
  let count = 0;
  for (const { removes, explains } of certain) {
    if (count === MOST_OPEN || explained >= ENOUGH * explainable || removes < least) break;
    explained += explains;
    count++;
  }
  return count;
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
  return firstDifference(
    rank(a) - rank(b),
    compareIds(functions, id(a), id(b)),
    name(a) < name(b) ? -1 : Number(name(a) > name(b)),
  );
}

/** A cause in the order of the cover, with the excess that it removes, in µs. */
interface Covered {
  readonly cause: Cause;
  readonly removes: number;
  /** What all of its functions explain together: nothing of it is left for others. */
  readonly explains: number;
}

/**
 * Orders causes by the excess that they remove (greedy set cover). `excess` is in µs by operation, and is reduced.
 * Equal causes keep their order. Gains never grow, so only the best bound is computed again in each step.
 */
function coverExcess(causes: readonly Cause[], excess: Float64Array): readonly Covered[] {
  const left = excess;
  const bounds = Float64Array.from(causes, (cause) => gainOf(cause, left, cause.core));
  const isFresh = new Uint8Array(causes.length).fill(1);
  const order: Covered[] = [];
  while (order.length < causes.length) {
    const best = largest(bounds);
    const cause = causes[best];
    if (cause === undefined) break;
    if (isFresh[best] === 0) {
      bounds[best] = gainOf(cause, left, cause.core);
      isFresh[best] = 1;
      continue;
    }
    const removes = bounds[best] ?? 0;
    order.push({ cause, removes, explains: gainOf(cause, left, cause.us) });
    bounds[best] = taken;
    if (removes === 0) continue;
    for (const [at, operation] of cause.operations.entries())
      left[operation] = Math.max(0, (left[operation] ?? 0) - (cause.us[at] ?? 0));
    isFresh.fill(0);
  }
  return order;
}

/** The bound of a cause that is in the order already. */
const taken = -1;

function gainOf({ operations }: Cause, left: Float64Array, us: readonly number[]): number {
  let gain = 0;
  for (const [at, operation] of operations.entries()) gain += Math.min(us[at] ?? 0, left[operation] ?? 0);
  return gain;
}

/** Index of the largest bound, of equal ones the first. */
function largest(bounds: Float64Array): number {
  let best = 0;
  for (let at = 1; at < bounds.length; at++) if ((bounds[at] ?? 0) > (bounds[best] ?? 0)) best = at;
  return best;
}

/** Fewest samples of its own, collections aside, that an open finding rests on. */
const MIN_SAMPLES = 10;

/** What decides besides the run. */
interface Evidence {
  readonly measures: PartMeasures;
  /** Names of packages that only test code imports. */
  readonly ofTests: ReadonlySet<string>;
}

/** Why a cause cannot be open, however much it removes (docs/definition.md, rule 20); null if it can. */
function closedBecause(run: Found, cause: Cause, evidence: Evidence): ClosedBecause | null {
  const { subject } = cause;
  if (subject.type === 'garbage') return 'gc';
  if (subject.type === 'loading') return 'loading';
  if (subject.type === 'package' && evidence.ofTests.has(subject.name)) return 'test';
  if (subject.type === 'function') {
    if (run.functions.functions[subject.functionId]?.role === 'test') return 'test';
    if (testTime(run, cause, evidence) * 2 > weightOf(run, cause)) return 'test';
    const first = firstTimeOnly(run, cause, subject.functionId);
    if (first !== null) return first;
  }
  const weight = weightOf(run, cause);
  if (!cause.allocates && cause.gc * 2 > weight) return 'gc';
  if (cause.unexplained * 2 >= weight && cause.unexplained > 0) return 'waiting';
  if (samplesOf(run, cause, evidence.measures) < MIN_SAMPLES) return 'fewSamples';
  return isSeenOnce(run, cause) && figuresOfCause(run, cause).estimated && !isLongByMargin(run, cause) ? 'once' : null;
}

/** Time of its functions in packages that only test code imports, in µs. */
function testTime(run: Found, { parts }: Cause, { measures, ofTests }: Evidence): number {
  if (ofTests.size === 0) return 0;
  return [...packageTimes(run, parts, measures)].reduce((sum, [name, us]) => sum + (ofTests.has(name) ? us : 0), 0);
}

/** Whether it is over the threshold even at its minimum. */
function isLongByMargin({ ownParts, thresholdUs }: JudgedRun, { parts }: Cause): boolean {
  return parts.reduce((sum, part) => sum + ownParts.leastOf(part), 0) > thresholdUs;
}

/** Whether it is in one operation, whose turn was measured: where turns are inferred, each figure is an estimate. */
function isSeenOnce({ operations }: JudgedRun, { operations: numbers }: Cause): boolean {
  return numbers.length < 2 && operations[numbers[0] ?? -1]?.measured === true;
}

/**
 * Whether it only loads modules, or is long only in the first call of its thread. A module body has just one call, so
 * the limit of a first call decides.
 */
function firstTimeOnly(run: JudgedRun, { parts, load }: Cause, functionId: number): ClosedBecause | null {
  const { ownParts, figures, functions, thresholdUs } = run;
  const weight = parts.reduce((sum, part) => sum + ownParts.weightOf(part), 0);
  if (parts.length > 0 && load * 2 > weight) return 'loading';
  const { worst = 0, worstWarm: warm = 0 } = figures[functionId]?.presence ?? {};
  const isStart = functions.functions[functionId]?.moduleBody === true && worst <= longestWarmUp;
  return (warm > 0 || isStart) && warm <= thresholdUs ? 'firstCall' : null;
}

function weightOf({ ownParts }: JudgedRun, { parts, us }: Cause): number {
  if (parts.length === 0) return us.reduce((sum, one) => sum + one, 0);
  return parts.reduce((sum, part) => sum + ownParts.weightOf(part), 0);
}

/** Samples behind the cause. Where it has no own parts, their usual number in this time. */
function samplesOf({ operations, streams }: JudgedRun, cause: Cause, { samples }: PartMeasures): number {
  if (cause.parts.length > 0) return cause.parts.reduce((sum, part) => sum + (samples[part] ?? 0), 0);
  return cause.operations.reduce((sum, number, at) => {
    const interval = streams[operations[number]?.stream ?? -1]?.interval ?? 1;
    return sum + (cause.us[at] ?? 0) / Math.max(1, interval);
  }, 0);
}

type FindingFigures = Pick<Figures, 'worstUs' | 'longCount' | 'distinctStacks' | 'estimated'>;

/**
 * The figures of a finding: of a single function its own parts; of functions that take turns the sum of their parts in
 * each operation; of spread time the function's presence.
 */
function figuresOfCause(run: JudgedRun, cause: Cause): FindingFigures {
  const { subject, members, parts, isSpread } = cause;
  if (subject.type !== 'function') return figuresOfTimes(run, cause);
  const figures = run.figures[subject.functionId];
  const culprit = figures?.culprit ?? null;
  if (members.length === 0 && culprit !== null) {
    const { worst, longCount, distinctStacks, estimated } = culprit;
    return { worstUs: worst, longCount, distinctStacks, estimated };
  }
  const { distinctStacks = 0, estimated = true } = figures?.presence ?? {};
  if (isSpread) {
    const { worst = microseconds(0), longCount = 0 } = figures?.presence ?? {};
    return { worstUs: worst, longCount, distinctStacks, estimated };
  }
  const sums = [...groupBy(parts, (part) => run.ownParts.operationOf(part)).values()].map((its) =>
    its.reduce((sum, part) => sum + run.ownParts.weightOf(part), 0),
  );
  return { worstUs: microseconds(Math.max(...sums)), longCount: sums.length, distinctStacks, estimated };
}

function figuresOfTimes({ operations, thresholdUs }: JudgedRun, { operations: numbers, us }: Cause): FindingFigures {
  const worst = us.reduce((most, one) => Math.max(most, one), 0);
  const estimated = numbers.some((number) => operations[number]?.measured !== true);
  const longCount = us.filter((one) => one > thresholdUs).length;
  return { worstUs: microseconds(Math.round(worst)), longCount, distinctStacks: 0, estimated };
}

/** Ids of the nearest two own functions above the heaviest place of a cause, the nearest first. */
function callersOf(run: JudgedRun, { subject, parts, members }: Cause, flags: FunctionFlags): readonly number[] {
  const [first] = parts;
  if (first === undefined || subject.type !== 'function') return [];
  const heaviest = parts.reduce(
    (most, part) => (run.ownParts.weightOf(part) > run.ownParts.weightOf(most) ? part : most),
    first,
  );
  const path = functionsAbove(run, heaviestPlace(run, heaviest), flags);
  const inside = new Set([subject.functionId, ...members.map(({ functionId }) => functionId)]);
  const outermost = path.lastIndexOf(subject.functionId);
  return [...new Set(path.slice(outermost + 1))].filter((fn) => !inside.has(fn)).slice(0, 2);
}
