import type { ClosedBecause } from '../../../protocol/report-findings.ts';
import type { JudgedRun } from '../hotspots/judged-run.ts';
import type { Cause } from './causes.ts';
import type { Found } from './finding.ts';
import type { PartMeasures } from './measure-parts.ts';
import { packageTimes } from './time-shares.ts';
import { longestWarmUp } from '../function-figures/estimates.ts';
import { figuresOfCause } from './finding-figures.ts';

/** Fewest samples of its own, collections aside, that an open finding rests on. */
const MIN_SAMPLES = 10;

/** What is known of the causes besides the run. */
export interface Evidence {
  readonly measures: PartMeasures;
  /** Names of packages that only test code imports. */
  readonly ofTests: ReadonlySet<string>;
}

/** Why a cause is no open row however much it removes (docs/definition.md, rule 20); null where nothing speaks against it. */
export function closedBecause(run: Found, cause: Cause, evidence: Evidence): ClosedBecause | null {
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

/** Whether it is over the threshold by itself although it is an estimate. */
function isLongByMargin({ ownParts, thresholdUs }: JudgedRun, { parts }: Cause): boolean {
  return parts.reduce((sum, part) => sum + ownParts.leastOf(part), 0) > thresholdUs;
}

/** Whether it is in one operation, whose turn was measured: where turns are inferred, each figure is an estimate. */
function isSeenOnce({ operations }: JudgedRun, { operations: numbers }: Cause): boolean {
  return numbers.length < 2 && operations[numbers[0] ?? -1]?.measured === true;
}

/**
 * Whether it only loads modules, or is short in every call but the first of its thread. A module body has no other call,
 * so the limit of a first call decides.
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
