import { unrecordable } from './unrecordable.ts';

/** Why nothing could be analyzed. */
export type AnalyzeFailure =
  | { readonly type: 'cancelled' }
  | { readonly type: 'notFound'; readonly path: string }
  /** The recording has no profile. `reason` is a sentence about what was lost. */
  | { readonly type: 'nothingRecorded'; readonly path: string; readonly reason: string | null }
  /** The folder is no recording, and has no profile. `instead` says what a file in it is, without a full stop. */
  | { readonly type: 'noProfiles'; readonly path: string; readonly instead: string | null }
  /** A newer Hotspan made the recording. */
  | { readonly type: 'newerRecording'; readonly path: string; readonly version: number }
  /** No file could be read. `reasons` are whole sentences, one for each file. */
  | { readonly type: 'allDamaged'; readonly reasons: readonly string[] };

/** What is wrong and what to do, in a sentence. */
export function describeFailure(failure: AnalyzeFailure): string {
  if (failure.type === 'cancelled') return 'The analysis was cancelled.';
  if (failure.type === 'allDamaged') return damagedSentence(failure.reasons);
  if (failure.type === 'notFound')
    return `${failure.path} is not there, may not be read, or is no plain file: ${whatToGive}`;
  if (failure.type === 'newerRecording')
    return `${failure.path} was recorded by a newer Hotspan (its recording.json is of version ${failure.version}): update this one to open it, or record again.`;
  if (failure.type === 'noProfiles')
    return `${failure.path} holds no CPU profile: ${failure.instead === null ? whatToGive : `${failure.instead}.`}`;
  if (failure.reason !== null) return `${failure.path} holds no CPU profile. ${failure.reason}`;
  return `${failure.path} holds no CPU profile: no Node.js program ran, or it ran ${unrecordable}: record a command that starts one elsewhere.`;
}

const whatToGive = 'give a recording folder, or .cpuprofile files, or a folder of such files.';

function damagedSentence([first = 'Nothing can be read.', ...others]: readonly string[]): string {
  if (others.length === 0) return first;
  return `${first} The other ${others.length === 1 ? 'file' : `${others.length} files`} cannot be read either.`;
}
