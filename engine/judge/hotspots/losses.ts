import type { Warning } from '../../../words/warnings/warning-text.ts';
import { once } from '../../basics/once.ts';
import { isRunnerPackage } from '../../../protocol/test-files.ts';
import { programPackage } from '../../../protocol/machine-path.ts';
import { isBackground } from '../../read/samples/sample-stream.ts';
import type { Operation } from '../../cut/operations/operation.ts';
import type { JudgedRun } from './judged-run.ts';

type Run = Pick<JudgedRun, 'functions' | 'operations' | 'streams' | 'thresholdUs'> & {
  readonly warnings: readonly Warning[];
};

/** Long operations that something waits for, and of which no sample was taken: nothing is known but how long they were. */
export function unsampledOperations({
  operations,
  streams,
  thresholdUs,
}: Pick<Run, 'operations' | 'streams' | 'thresholdUs'>): readonly Operation[] {
  return operations.filter(({ stream, held, firstSample, lastSample }) => {
    const isWaited = !isBackground(streams[stream]) && streams[stream]?.isolate.isTestParent !== true;
    return isWaited && firstSample === lastSample && held > thresholdUs;
  });
}

/** The warnings by which a figure of the user's own code that is over a limit may be missing, or too low. */
export function lossesOfOwnCode(run: Run, limitUs: number = run.thresholdUs): readonly Warning[] {
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
  return lossesOfOwnCode(run).length > 0;
}

/** Ids of the processes in which own code was seen. */
function processesOfOwnCode({ functions: { functions }, streams }: Run): ReadonlySet<number | null> {
  const own = new Set(functions.flatMap((fn) => (fn.own ? [fn.id] : [])));
  return new Set(
    streams.flatMap(({ tree, isolate }) => (tree.functionId.some((id) => own.has(id)) ? [isolate.pid] : [])),
  );
}

const losses: ReadonlySet<Warning['type']> = new Set([
  'recordingFull',
  'textTooLong',
  'fileUnreadable',
  'otherUser',
  'notProfiled',
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
