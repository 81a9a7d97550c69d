import type { SeenAgain } from '../../../protocol/recording.ts';
import type { Microseconds } from '../../../protocol/units.ts';
import type { Analysis } from '../../analysis.ts';
import { type Finding, findingKey, isUncertain } from '../../judge/findings/finding.ts';
import { fileBelow } from '../side.ts';
import { MAX_TEST_FILES, type RunTimes, runTimes, timeOf } from '../tests-to-run.ts';
import { type AnalyzedRun, findAgain, type FoundAgain } from './find-again.ts';

/** What must run again to make sure of the uncertain findings. */
export interface FurtherRuns {
  readonly findings: readonly Finding[];
  /** Paths below the root of the test files with the findings; null where the whole command must run. */
  readonly files: readonly string[] | null;
  /** Why the whole command must run although the recording has tests; else null. */
  readonly whyWhole: 'outsideTests' | 'manyFiles' | 'sharedThread' | null;
  /** Clock time of one run: of the recording, or an estimate for the test files. */
  readonly us: Microseconds;
}

/** The further runs that the uncertain findings of a recording need; null where none is uncertain, or nothing can run. */
export function furtherRuns(analysis: Analysis): FurtherRuns | null {
  const findings = analysis.findings.all.filter(
    ({ closedBecause, removesUs }) => isUncertain(closedBecause) && removesUs > 0,
  );
  const canRun = analysis.several === undefined && analysis.recording.isAttached !== true;
  if (findings.length === 0 || !canRun) return null;
  const numbers = new Set(findings.flatMap(({ operations }) => operations));
  const files = [...new Set([...numbers].map((number) => analysis.operations[number]?.test?.file ?? ''))].toSorted();
  const times = runTimes(analysis);
  const below = files.map((file) => fileBelow(file, analysis.roots));
  const whyWhole = whyNotAlone(below, times);
  if (whyWhole === null) return { findings, files: below, whyWhole, us: timeOf(below, times) ?? times.whole };
  return { findings, files: null, whyWhole: times.files.size === 0 ? null : whyWhole, us: times.whole };
}

function whyNotAlone(files: readonly string[], { alone }: RunTimes): FurtherRuns['whyWhole'] {
  if (files.includes('')) return 'outsideTests';
  if (files.length > MAX_TEST_FILES) return 'manyFiles';
  // By themselves, what was warm there is a first call.
  return files.every((file) => alone.has(file)) ? null : 'sharedThread';
}

export interface Surety {
  readonly seenAgain: SeenAgain;
  /** Paths below the root of files that changed since the recording. */
  readonly changedFiles: readonly string[];
}

/**
 * Counts in how many further runs each uncertain finding of a recording was long again, except findings in changed files.
 */
export async function seenAgainIn(
  recorded: AnalyzedRun,
  findings: readonly Finding[],
  runs: readonly AnalyzedRun[],
): Promise<Surety> {
  const { keys, differing } = await findAgain([recorded, ...runs]);
  const changedFiles = differing.map(({ file }) => file);
  const { functions, roots } = recorded.analysis;
  const isChanged = (id: number): boolean =>
    changedFiles.includes(fileBelow(functions.functions[id]?.url ?? '', roots));
  const known = findings.filter((finding) => !idsOf(finding).some(isChanged));
  const seenBy = runs.map((run, at) => seenIn(run.analysis, keys, at + 1));
  return {
    seenAgain: {
      runs: runs.length,
      findings: known.map((finding) => ({
        key: findingKey(finding.subject, recorded.analysis),
        seenIn: seenBy.filter((isSeen) => isSeen(finding)).length,
      })),
    },
    changedFiles,
  };
}

/** Whether a finding of the first run was long again in this run: a function by its own part. */
function seenIn(analysis: Analysis, keys: FoundAgain['keys'], run: number): (finding: Finding) => boolean {
  const named = analysis.findings.all.flatMap(({ subject, removesUs }) =>
    subject.type === 'function' && removesUs > 0 ? subject.functionId : [],
  );
  const culprits = analysis.functions.functions.flatMap(({ id }) => (analysis.figures[id]?.culprit ? id : []));
  const seen = new Set([...named, ...culprits].map((id) => keys[run]?.[id]));
  const packages = new Set(analysis.packages.flatMap(({ name, longCount }) => (longCount > 0 ? name : [])));
  return (finding) =>
    finding.subject.type === 'package'
      ? packages.has(finding.subject.name)
      : idsOf(finding).some((id) => seen.has(keys[0]?.[id] ?? ''));
}

/** Ids of the function that names a finding, and of those that take turns with it. */
function idsOf({ subject, parts }: Finding): readonly number[] {
  return subject.type === 'function' ? [subject.functionId, ...parts.map(({ functionId }) => functionId)] : [];
}
