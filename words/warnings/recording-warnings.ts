import { isRunnerPackage } from '../../protocol/test-files.ts';
import { fileNameOf, programPackage } from '../../protocol/machine-path.ts';
import { recordingFile, recordingVersion } from '../../protocol/recording.ts';
import type { PathRule } from '../../protocol/path-spelling.ts';
import { plural } from '../formats/figures.ts';
import { visible } from '../formats/foreign-text.ts';
import { firstNames, type Texts } from './warning-of.ts';
import { shellText } from '../formats/command-text.ts';

/** About the given files and folders, and about what a recording lacks. */
export const recordingWarnings = {
  /** The folder has no profiles itself, so those in the folders below it are read. */
  readBelow: ({ path, profiles, folders }: { path: string; profiles: number; folders: number }) =>
    `${plural(profiles, 'profile')} of ${plural(folders, 'folder')} below ${path} ${profiles === 1 ? 'was' : 'were'} read.`,
  /** Only the first `folders` folders below the folder were searched. */
  notAllSearched: ({ path, folders }: { path: string; folders: number }) =>
    `Only the first ${folders} folders below ${path} were searched: give the one with the profiles.`,
  /** Another version of Hotspan made the recording. `version` is that of its `recording.json`. */
  unknownVersion({ path, version }: { path: string; version: number }) {
    const isNewer = version > recordingVersion;
    const byWhom = `${isNewer ? 'a newer' : 'an older'} Hotspan (its recording.json is of version ${version})`;
    return `${path} was recorded by ${byWhom}: ${isNewer ? 'update this one to open it, or ' : ''}record again.`;
  },
  /** Files in a folder of profiles that are not profiles. */
  filesLeftOut: ({ path, files }: { path: string; files: readonly string[] }) =>
    `${plural(files.length, 'other file')} in ${path} left out: ${firstNames(files)}.`,
  /** A profile is a copy of another one. */
  givenTwice: ({ file, of }: { file: string; of: string }) => `${file} is the same profile as ${of}, and counts once.`,
  /** The folder in which the program ran is not on this machine. */
  ranElsewhere: () =>
    'The recording names a folder of another machine, or one that no machine has, as where it was made: that folder is not looked into. Open the project that was recorded, or give it by --root.',
  /** Of several recordings, some ran outside of the project `root`. `rules` would map their folders into it. */
  ranOutside: ({ root, rules }: { root: string; rules: readonly PathRule[] }) =>
    `Recordings ran in ${firstNames(rules.map(({ from }) => from))}, outside of ${root}, so code there does not count as yours: if that is the same project in another place, add ${shellText(rules.flatMap(({ from, to }) => ['--map', `${from}=${to}`]))}.`,
  /** A sentence that the recorder wrote into `recording.json`. */
  recorderNote: ({ text }: { text: string }) => text,
  /** `recording.json` is missing or damaged. */
  manifestUnreadable: () =>
    `${recordingFile} cannot be read, so what was run, and where, is unknown: copy the whole recording again, or give the project by --root.`,
  /** The file is longer than the longest string. */
  textTooLong: ({ file }: { file: string }) =>
    `${file} is over 512 MB and was not read, so its content is missing: record a shorter run.`,
  /** Only the first lines were read (`mostLines` of protocol/json-value.ts). */
  tooManyLines: ({ file }: { file: string }) =>
    `${file} has over 5 million lines: what comes behind them is left out; record a shorter run.`,
  /** It does not end with a line break, although the program came to its end. */
  linesCutOff: ({ file }: { file: string }) =>
    `${file} is cut off in the middle, so what ran after its last line may be missing: copy the recording again.`,
  /** The process changed its user by this function of `process`, and was recorded until then. */
  leftUser: ({ process, command, call }: { process: number | string; command: string | null; call: string }) =>
    `Process ${namedProcess(process, command)} went on as another user (process.${call}), who may not write to this recording, and was recorded until then only: to see the rest, record it as that user from the start.`,
  /** The process started Node.js as the user `uid`. */
  otherUser: ({ process, command, uid }: { process: number | string; command: string | null; uid: number }) =>
    `Process ${namedProcess(process, command)} started Node.js as another user (uid ${uid}), who may not write to this recording: what ran there is not in it. Record it as that user.`,
  /** Nothing was recorded, and the command has `by` (such as `sudo`), which runs programs as another user. */
  ranAsOtherUser: ({ by }: { by: string }) =>
    `No Node.js program ran, or ${by} ran it as another user, who may not write to this recording: record as that user (${by} … hotspan record -- …).`,
  /** The command itself made a recording, in the folder `path`. */
  recordedInside: ({ path }: { path: string }) =>
    `The command records itself, into ${path}: analyze that ("hotspan analyze ${shellText([path])}"), or record without the inner hotspan.`,
  /** `reason` is the code of the system's error, such as `ENOSPC`. */
  notSaved: ({ process, reason }: { process: number | string; reason: string }) =>
    `Process ${process} could not save all that it recorded (${reason}): ${remedies.get(reason) ?? 'see that the folder of the recording can be written to'}, and record again.`,
  /** `processes` is the number of processes that stopped recording at the limit, `first` is one of them. */
  recordingFull: ({ mostBytes, processes, first }: { mostBytes: number; processes: number; first: number | string }) =>
    `The recording reached its limit of ${mostBytes / 1e6} MB, and what ${processes > 1 ? `${processes} processes` : `process ${first}`} did after that is not in it: record a shorter run, or raise --max-size.`,
  /** `outlived`: the process went on after the command; otherwise it may also have been killed. */
  noProfile({
    pid,
    threadId,
    command,
    args,
    outlived,
  }: {
    pid: number;
    threadId: number;
    command: string;
    args: readonly string[];
    outlived: boolean;
  }) {
    const who = threadId === 0 ? `Process ${pid}` : `Worker ${threadId} of process ${pid}`;
    const what = [fileNameOf(command), ...args].join(' ');
    return `${who} (${visible(what, MAX_COMMAND_LENGTH)}) left no profile: it ${outlived ? '' : 'was killed or crashed, could not write at its end, or '}ran on after the command. ${absenceText(command, outlived)}`;
  },
  /** `reason` is a sentence that the recorder wrote. */
  notProfiled: ({ process, reason }: { process: number | string; reason: string }) =>
    `Process ${process} was not profiled: ${reason}`,
  /** Node did not write the whole profile of these worker threads; only parts are there. */
  workersCutOff: ({ pid, workers }: { pid: number | null; workers: number }) =>
    `${plural(workers, 'worker thread')} of process ${pid} ended with it before the whole profile was written: the first 2.5 s and the last 10 s of ${workers === 1 ? 'it' : 'each'} may be missing.`,
  /** The process did not record its end. */
  cutOff: ({ pid, fate }: { pid: number | null; fate: keyof typeof fates }) => `Process ${pid} ${fates[fate]}`,
  /** The process set options of V8 while it ran. */
  flagsSet: ({ process, flags }: { process: number | string; flags: readonly string[] }) =>
    `Process ${process} has set V8's ${flags.join(', ')} while it ran: its tiers are those of V8 with these flags.`,
  /** The files of two recordings are in one folder. */
  otherRecording: ({ path, pids }: { path: string; pids: readonly number[] }) =>
    `${pids.length === 1 ? 'Process' : 'Processes'} ${pids.join(', ')} in ${path} ${pids.length === 1 ? 'is' : 'are'} of another recording: what they count is added up.`,
  /** The process ended well and has turns here, but its profile was not copied along. */
  profileMissing: ({ pid, command }: { pid: number; command: string }) =>
    `The profile of process ${pid} (${fileNameOf(command)}) is missing: copy the whole folder of the recording.`,
  /** The profile of a process is in several files, one of which was not copied. */
  partMissing: ({ pid, command }: { pid: number; command: string | null }) =>
    `A part of the profile of process ${namedProcess(pid, command)} is missing, so what ran then is unknown: copy the whole folder of the recording.`,
} satisfies Texts;

/** Whether figures are missing where a process left none. */
function absenceText(command: string, outlived: boolean): string {
  const inPackage = programPackage(command);
  const next = outlived ? ' Record a command that stays until it ends, as pm2-runtime does in place of pm2.' : '';
  return inPackage === null || isRunnerPackage(inPackage)
    ? `Its time is missing, and perhaps a hotspot of yours.${next}`
    : `It ran ${visible(inPackage, MAX_COMMAND_LENGTH)}, which is not your code: a hotspot of yours is missing only if it loaded your files.`;
}

/** In characters. */
const MAX_COMMAND_LENGTH = 60;

function namedProcess(process: number | string, command: string | null): string {
  return command === null ? String(process) : `${process} (${fileNameOf(command)})`;
}

/** Remedies by the code of the system's error. */
const remedies: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ENOSPC: 'make room on the disk',
    EDQUOT: 'make room on the disk',
    EFBIG: 'let the system allow larger files (ulimit -f)',
    EROFS: 'its disk became read-only, so name another folder with --out',
    EACCES: 'its folder was closed to it, so name another one with --out',
    ENOENT: 'its folder was deleted or hidden, so name another one with --out',
    EMFILE: 'the program had too many files open, so allow it more (ulimit -n)',
    ENFILE: 'the system had too many files open, so close some',
  }),
);

const maybeLost =
  'its last 10 s may be missing, or the operation that it was in, and what comes after its last mark is estimated.';

/** `open`: the recording's end is not noted. `threw`: an error reached a handler of the program, and it may throw. */
const fates = {
  outlived: 'went on after the command and was recorded no longer: its last 10 s before that may be missing.',
  open: `is still running, or was killed or crashed: ${maybeLost}`,
  killed: `was killed, or crashed: ${maybeLost}`,
  threw: `ended at once, by an error in its own handler of uncaught errors, or was killed or crashed: ${maybeLost}`,
};
