import type { SeenAgain } from '../../../protocol/recording.ts';
import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import type { Analysis } from '../../analysis.ts';
import type { Finding } from '../../judge/findings/finding.ts';
import { findingKey, isUncertain } from '../../judge/findings/seen-again.ts';
import { type SampleStream, startOf } from '../../read/samples/sample-stream.ts';
import { type AnalyzedRun, findAgain, type FoundAgain } from './find-again.ts';

/** What must run again to make sure of the uncertain findings. */
export interface FurtherRuns {
  readonly findings: readonly Finding[];
  /** Absolute paths of the test files with the findings; null where the whole command must run. */
  readonly files: readonly string[] | null;
  /** Clock time of one run: of the recording, or an estimate for the test files. */
  readonly us: Microseconds;
}

/** For more test files than this the whole command runs. */
const MAX_FILES = 4;

/** The further runs that the uncertain findings of a recording need; null where none is uncertain. */
export function furtherRuns(analysis: Analysis): FurtherRuns | null {
  const findings = analysis.findings.all.filter(
    ({ closedBecause, removesUs }) => isUncertain(closedBecause) && removesUs > 0,
  );
  if (findings.length === 0 || analysis.several !== undefined) return null;
  const numbers = new Set(findings.flatMap(({ operations }) => operations));
  const files = new Set([...numbers].map((number) => analysis.operations[number]?.test?.file ?? ''));
  return files.has('') || files.size > MAX_FILES
    ? { findings, files: null, us: durationOf(analysis.streams) }
    : { findings, files: [...files].toSorted(), us: durationOfFiles(files, analysis.streams) };
}

function durationOf(streams: readonly SampleStream[]): Microseconds {
  const begin = streams.reduce((first, stream) => Math.min(first, startOf(stream)), Infinity);
  const end = streams.reduce((last, stream) => Math.max(last, stream.end), 0);
  return microseconds(Math.max(0, Math.round(end - begin)));
}

/** Each file takes the time of its tests, and the time of their process before its first test. */
function durationOfFiles(files: ReadonlySet<string>, streams: readonly SampleStream[]): Microseconds {
  let sum = 0;
  for (const stream of streams) {
    const { tests } = stream;
    const first = tests?.changes[0];
    if (tests === null || first === undefined) continue;
    const its = new Set<string>();
    for (const [at, test] of tests.running.entries()) {
      if (test === null || !files.has(test.file)) continue;
      sum += (tests.changes[at + 1] ?? stream.end) - (tests.changes[at] ?? 0);
      its.add(test.file);
    }
    sum += its.size * (first - startOf(stream));
  }
  return microseconds(Math.round(sum));
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
  const { functions } = recorded.analysis.functions;
  const isChanged = (id: number): boolean => {
    const url = functions[id]?.url ?? '';
    return changedFiles.some((file) => url.endsWith(`/${file}`));
  };
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
