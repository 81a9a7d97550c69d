import type { Warning } from '../../../words/warnings/warning-text.ts';
import { once } from '../../basics/once.ts';
import { isRunnerPackage } from '../../../protocol/test-files.ts';
import { programPackage } from '../../../protocol/machine-path.ts';
import { isWaitedFor } from '../../read/samples/sample-stream.ts';
import type { Operation } from '../../cut/operations/operation.ts';
import type { JudgedRun } from './judged-run.ts';
import type { OperationTree, PreparedStream } from '../function-figures/operation-tree.ts';
import { SampleClock } from '../function-figures/presence-facts.ts';
import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import { maxOf } from '../../../protocol/figures.ts';
import type { ChangedSince } from '../../read/texts/kept-texts.ts';
import { pathBelow } from '../../../protocol/path-spelling.ts';

type Run = Pick<JudgedRun, 'functions' | 'operations' | 'streams' | 'thresholdUs' | 'roots'> & {
  readonly changed: Pick<ChangedSince, 'outdated'>;
  readonly warnings: readonly Warning[];
};

/** Times over the threshold in which own code may have run unseen, in operations that something waits for. */
export function unseenTimes({ operations, streams, verdicts }: Unseen): readonly Microseconds[] {
  return verdicts.flatMap(({ unseen }, number) => {
    const stream = streams[operations[number]?.stream ?? -1];
    return unseen === 0 || !isWaitedFor(stream) ? [] : [unseen];
  });
}

type Unseen = Pick<JudgedRun, 'operations' | 'streams' | 'verdicts'>;

/** Finds how long own code may have run unseen in a long operation (`Verdict.unseen`). */
export function createUnseenFinder(
  prepared: Omit<PreparedStream, 'cutPathOf'>,
  thresholdUs: Microseconds,
): (operation: Operation, tree: Pick<OperationTree, 'self' | 'size' | 'native' | 'collecting'>) => Microseconds {
  const { stream, bridged, facts } = prepared;
  const clock = once(() => new SampleClock(stream, bridged, facts));
  return (operation, { self, size, native, collecting }) => {
    const { firstSample, lastSample, held, measured } = operation;
    if (firstSample === lastSample) return held;
    // Nearly all have none, and may have a million samples.
    if (!measured || (native + collecting <= thresholdUs && maxOf(self.longest.subarray(0, size)) <= thresholdUs))
      return nothing;
    let longest = 0;
    for (let sample = firstSample; sample < lastSample; sample++) {
      const gap = clock().gap(operation, sample);
      const isLonger = gap > Math.max(thresholdUs, longest);
      if (isLonger && mayHide(prepared, sample, sample + 1 < lastSample)) longest = gap;
    }
    return microseconds(Math.round(longest));
  };
}

const nothing = microseconds(0);

/**
 * Whether own code may have run behind a sample: not where a loader ran, the next sample is in the same function, or own
 * code has the time anyway.
 */
function mayHide(
  { stream, bridged, facts, functions }: Omit<PreparedStream, 'cutPathOf'>,
  sample: number,
  hasNext: boolean,
): boolean {
  const { parent, functionId } = stream.tree;
  const [node, next] = [bridged.nodes[sample] ?? 0, bridged.nodes[sample + 1] ?? 0];
  if (facts.innermostLoads[node] === 1 || facts.loadingModule[node] !== -1) return false;
  if (hasNext && functionId[node] === functionId[next]) return false;
  for (let at = node; at > 0; at = parent[at] ?? 0) {
    const fn = functions[functionId[at] ?? -1];
    if (fn?.own === true && fn.role !== 'test') return false;
  }
  return true;
}

/** The warnings by which a figure of the user's own code of today that is over a limit may be missing, or too low. */
export function lossesOfOwnCode(run: Run, limitUs: number = run.thresholdUs): readonly Warning[] {
  return [...outdatedBuild(run.changed.outdated, run.roots), ...unrecorded(run, limitUs)];
}

/** One warning of all these sources. */
export function outdatedBuild(outdated: ChangedSince['outdated'], roots: readonly string[]): readonly Warning[] {
  const [first, ...others] = outdated;
  if (first === undefined) return [];
  const [file, script] = [nameBelow(first.source, roots), nameBelow(first.script, roots)];
  return [{ type: 'outdatedBuild', file, script, others: others.length }];
}

/** The path of a file below the innermost of the folders around it. */
export function nameBelow(path: string, roots: readonly string[]): string {
  const [root = ''] = roots.toSorted((a, b) => b.length - a.length);
  return pathBelow(path, root) ?? path;
}

function unrecorded(run: Run, limitUs: number): readonly Warning[] {
  const processes = once(() => processesOfOwnCode(run)); // It looks at all call trees.
  return run.warnings.filter((warning) => {
    if (warning.type === 'unsampledOperations') return warning.worst > limitUs;
    if (warning.type === 'profileDamaged') return warning.damage !== 'noSamples';
    if (isLossOfProgram(warning)) return true;
    if (warning.type === 'cutOff' || warning.type === 'workersCutOff') return processes().has(warning.pid);
    if (warning.type === 'notSaved' || warning.type === 'leftUser')
      return typeof warning.process === 'string' || processes().has(warning.process);
    return losses.has(warning.type);
  });
}

/** Whether a figure of the user's own code over the threshold may be missing, or too low. */
export function isIncomplete(run: Run): boolean {
  return unrecorded(run, run.thresholdUs).length > 0;
}

/** Ids of the processes in which own code was seen. */
function processesOfOwnCode({ functions: { functions }, streams }: Run): ReadonlySet<number | null> {
  const own = new Set(functions.flatMap((fn) => (fn.own ? [fn.id] : [])));
  return new Set(
    streams.flatMap(({ tree, isolate }) => (tree.functionId.some((id) => own.has(id)) ? [isolate.pid] : [])),
  );
}

const losses: ReadonlySet<Warning['type']> = new Set([
  'mixedIsolates',
  'recordingFull',
  'linesCutOff',
  'textTooLong',
  'tooManyLines',
  'fileUnreadable',
  'otherUser',
  'notProfiled',
  'partMissing',
  'stoppedTests',
  'ranOutside',
]);

/** Whether a process left no profile that may have run own code. */
export function isLossOfProgram(warning: Warning): boolean {
  const isLost = warning.type === 'noProfile' || warning.type === 'profileMissing';
  return isLost && mayRunOwnCode(warning.command);
}

/** False for a program of a package, which rarely loads files of the user, unless it runs tests. */
function mayRunOwnCode(command: string): boolean {
  const name = programPackage(command);
  return name === null || isRunnerPackage(name);
}
