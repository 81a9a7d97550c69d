import { recordingFile, recordingVersion } from '../../protocol/recording.ts';
import type { ProcessId, RecordingLoss, SourceWarning } from '../../engine/read/recording-files/source-warning.ts';
import { visible } from '../formats/hidden-characters.ts';
import { fileNameOf } from '../../engine/read/recording-files/profile-names.ts';
import { plural } from '../formats/figures.ts';
import { type Texts, firstNames } from './text-table.ts';

/** About the files and folders that were given, and about what a recording lacks. */
export const sourceTexts: Texts<SourceWarning | RecordingLoss> = {
  readBelow({ path, profiles, folders }) {
    return `${plural(profiles, 'profile')} of ${plural(folders, 'folder')} below ${path} ${profiles === 1 ? 'was' : 'were'} read.`;
  },
  notAllSearched({ path, folders }) {
    return `Only the first ${folders} folders below ${path} were looked through: give the one with the profiles.`;
  },
  unknownVersion({ path, version }) {
    const isNewer = version > recordingVersion;
    const byWhom = `${isNewer ? 'a newer' : 'an older'} Hotspan (its recording.json is of version ${version})`;
    return `${path} was recorded by ${byWhom}: ${isNewer ? 'update this one to open it, or ' : ''}record again.`;
  },
  filesLeftOut({ path, files }) {
    return `${plural(files.length, 'other file')} in ${path} left out: ${firstNames(files)}.`;
  },
  ranElsewhere() {
    return 'The recording names a folder of another machine, or one that no machine has, as where it was made: that folder is not looked into. Open the project that was recorded, or give it by --root.';
  },
  recorderNote({ text }) {
    return text;
  },
  manifestUnreadable() {
    return `${recordingFile} cannot be read: what was run, and where, is unknown.`;
  },
  textTooLong({ file }) {
    return `${file} is over 512 MB and was not read, so what it tells is missing: record a shorter run.`;
  },
  tooManyLines({ file }) {
    return `${file} has over 5 million lines: what comes behind them is left out; record a shorter run.`;
  },
  leftUser({ process, command, call }) {
    return `Process ${namedProcess(process, command)} went on as another user (process.${call}), who may not write to this recording, and was recorded until then only: to see the rest, record it as that user from the start.`;
  },
  otherUser({ process, command, uid }) {
    return `Process ${namedProcess(process, command)} started Node.js as another user (uid ${uid}), who may not write to this recording: what ran there is not in it. Record it as that user.`;
  },
  ranAsOtherUser({ by }) {
    return `No Node.js program ran, or ${by} ran it as another user, who may not write to this recording: record as that user (${by} … hotspan record -- …).`;
  },
  recordedInside({ path }) {
    return `The command records itself, into ${path}: analyze that ("hotspan analyze ${path}"), or record without the inner hotspan.`;
  },
  notSaved({ process, reason }) {
    return `Process ${process} could not save all that it recorded (${reason}): ${remedies[reason] ?? 'see that the folder of the recording can be written to'}, and record again.`;
  },
  recordingFull({ mostBytes, processes, first }) {
    return `The recording reached its limit of ${mostBytes / 1e6} MB, and what ${processes > 1 ? `${processes} processes` : `process ${first}`} did after that is not in it: record a shorter run, or raise --max-size.`;
  },
  noProfile({ pid, threadId, command, args, outlived }) {
    const who = threadId === 0 ? `Process ${pid}` : `Worker ${threadId} of process ${pid}`;
    const what = [fileNameOf(command), ...args].join(' ');
    return `${who} (${visible(what, longestCommand)}) left no profile: it ${outlived ? '' : 'was killed, could not write at its end, or '}ran on after the command. ${absenceText(command)}`;
  },
  notProfiled({ process, reason }) {
    return `Process ${process} was not profiled: ${reason}`;
  },
  workersCutOff({ pid, workers }) {
    return `${plural(workers, 'worker thread')} of process ${pid} ended with it before the whole profile was written: the first 2.5 s and the last 10 s of ${workers === 1 ? 'it' : 'each'} may be missing.`;
  },
  cutOff({ pid, fate }) {
    return `Process ${pid} ${fates[fate]}`;
  },
  flagsSet({ process, flags }) {
    return `Process ${process} has set V8's ${flags.join(', ')} while it ran: its tiers are those of a V8 set so.`;
  },
  otherRecording({ path, pids }) {
    return `${pids.length === 1 ? 'Process' : 'Processes'} ${pids.join(', ')} in ${path} ${pids.length === 1 ? 'is' : 'are'} of another recording: what they count is added up.`;
  },
  profileMissing({ pid, command }) {
    return `The profile of process ${pid} (${fileNameOf(command)}) is missing: copy the whole folder of the recording.`;
  },
};

/** Whether figures are missing where a process left none. */
function absenceText(command: string): string {
  const inPackage = /[\\/]node_modules[\\/](?:\.bin[\\/])?((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(command)?.[1];
  return inPackage === undefined
    ? 'What it ran is in no figure: a hotspot of yours may be missing.'
    : `It ran ${visible(inPackage, longestCommand)}, which is not your code: a hotspot of yours is missing only if it loaded your files.`;
}

/** In characters. */
const longestCommand = 60;

function namedProcess(process: ProcessId, command: string | null): string {
  return command === null ? String(process) : `${process} (${fileNameOf(command)})`;
}

/** What helps against an error of the system, by its code. */
const remedies: Readonly<Record<string, string>> = {
  ENOSPC: 'make room on the disk',
  EDQUOT: 'make room on the disk',
  EFBIG: 'let the system allow larger files (ulimit -f)',
  EROFS: 'its disk became read-only, so name another folder with --out',
  EACCES: 'its folder was closed to it, so name another one with --out',
  ENOENT: 'its folder was deleted or hidden, so name another one with --out',
  EMFILE: 'the program had too many files open, so allow it more (ulimit -n)',
  ENFILE: 'the system had too many files open, so close some',
};

const maybeLost =
  'its last 10 s may be missing, or the operation that it was in, and what comes after its last mark is estimated.';

const fates: Readonly<Record<Extract<RecordingLoss, { type: 'cutOff' }>['fate'], string>> = {
  outlived: 'went on after the command and was recorded no longer: its last 10 s before that may be missing.',
  open: `is still running, or was killed: ${maybeLost}`,
  killed: `was killed: ${maybeLost}`,
  threw: `ended at once, by an error in its own handler of uncaught errors, or was killed: ${maybeLost}`,
};
