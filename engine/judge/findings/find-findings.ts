import { firstDifference, groupBy } from '../../basics/lists.ts';
import { functionFlags } from '../../read/functions/function-table.ts';
import type { JudgedRun } from '../hotspots/judged-run.ts';
import { isBackground } from '../../read/samples/sample-stream.ts';
import type { ClosedBecause } from '../../../protocol/report-findings.ts';
import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import { type Cause, findCauses } from './causes.ts';
import { closedBecause, type Evidence } from './certain.ts';
import { causeOf } from './cause-of.ts';
import { coverExcess, type Covered } from './cover.ts';
import { callersOf, figuresOfCause } from './finding-figures.ts';
import type { Finding, Findings, Found } from './finding.ts';
import { type Certainty, findingKey, settled } from './seen-again.ts';
import { type ImportSources, packagesOfTests } from '../lines/import-lines.ts';
import { measureParts, type PartMeasures } from './measure-parts.ts';
import { packageTimes } from './time-shares.ts';
import { compareIds } from './together.ts';

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
export async function findFindings(run: Found, sources: ImportSources, certainty: Certainty): Promise<Findings> {
  const { indexes } = sources;
  const flags = functionFlags(run.functions.functions);
  const { excess, long } = longOperations(run);
  const parts = run.ownParts.numbersOf((part) => (excess[run.ownParts.operationOf(part)] ?? 0) > 0);
  const measures = measureParts(run, parts, flags);
  const all = findCauses(run, { flags, measures, atomicsWaiters: run.atomicsWaiters, long, parts });
  const causes = all.filter((cause) => cause.us.some((us) => us > 0)).toSorted((a, b) => compareCauses(run, a, b));
  const ofTests = await packagesOfTests(run, run.packages, mostlyIn(run, causes, measures), sources);
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

/** Why each cause is collapsed, as far as further runs have not told otherwise. */
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
function countOpen(certain: readonly Covered<Cause>[], explainable: number, thresholdUs: Microseconds): number {
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
