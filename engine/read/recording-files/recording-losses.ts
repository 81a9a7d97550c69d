import { turnsSuffix } from '../../../protocol/recording.ts';
import type { ListedFile } from '../files/world.ts';
import { type RecordingEvents, isolateOf } from '../sidecars/recording-events.ts';
import type { IsolateSource } from './isolate-source.ts';
import { groupBy } from '../../basics/lists.ts';
import { profileNameOf } from './profile-names.ts';
import { fileNameOf } from '../../../protocol/machine-path.ts';
import type { Warning } from '../../../words/warnings/warning-text.ts';

/** What is known of a recording when its losses are looked for. */
interface Recorded {
  readonly folder: string;
  readonly files: readonly ListedFile[];
  readonly events: RecordingEvents;
  readonly isolates: readonly IsolateSource[];
  readonly command: readonly string[];
  /** True where nobody has noted yet that the recording is over. */
  readonly isOpen: boolean;
}

/** Finds everything that ran and was not recorded, or not to its end. */
export function lossesOf(recorded: Recorded): readonly Warning[] {
  const { events } = recorded;
  return [
    ...(events.inside === null ? [] : [{ type: 'recordedInside', path: events.inside } as const]),
    ...ofOtherUsers(recorded),
    ...[...events.lost].map(([isolate, reason]): Warning => ({
      type: 'notSaved',
      process: processOf(isolate, events),
      reason,
    })),
    ...ofFullRecording(events),
    ...withoutProfile(recorded),
    ...refused(events),
    ...cutOff(recorded),
    ...workersCutOff(recorded),
    ...[...events.flags].map(([isolate, flags]): Warning => ({
      type: 'flagsSet',
      process: processOf(isolate, events),
      flags: [...new Set(flags)],
    })),
    ...ofOtherRecordings(recorded),
    ...missingProfiles(recorded),
  ];
}

function processOf(isolate: string, { starts }: RecordingEvents): number | string {
  return starts.get(isolate)?.pid ?? isolate;
}

/**
 * Finds what ran as another user than the one who records: that user may not write to the recording. Where nothing was
 * recorded at all, the words of the command tell whether it changes the user.
 */
function ofOtherUsers({ events, command }: Recorded): readonly Warning[] {
  const { starts, leaving, otherUsers, ends } = events;
  const left = [...leaving].filter(([isolate]) => !ends.has(isolate));
  const switching = command.flatMap((word) => word.split(/[\s;&|()]+/)).map(fileNameOf);
  const by = starts.size === 0 ? switching.find((word) => changesUser.test(word)) : undefined;
  const whoOf = (isolate: string): { readonly process: number | string; readonly command: string | null } => {
    return { process: processOf(isolate, events), command: starts.get(isolate)?.command ?? null };
  };
  return [
    ...left.map(([isolate, call]): Warning => ({ type: 'leftUser', ...whoOf(isolate), call })),
    ...[...otherUsers].map(([isolate, uid]): Warning => ({ type: 'otherUser', ...whoOf(isolate), uid })),
    ...(by === undefined ? [] : [{ type: 'ranAsOtherUser', by } as const]),
  ];
}

/** Commands that run another one as another user. */
const changesUser = /^(su|sudo|doas|runuser|setpriv|gosu|su-exec|setuidgid|s6-setuidgid|chpst|start-stop-daemon)$/;

/** Returns one loss for all processes, because they stop recording within ten seconds of each other. */
function ofFullRecording(events: RecordingEvents): readonly Warning[] {
  const [[first = '', mostBytes] = []] = events.full;
  if (mostBytes === undefined) return [];
  const pids = new Set([...events.full.keys()].map((isolate) => events.starts.get(isolate)?.pid));
  return [{ type: 'recordingFull', mostBytes, processes: pids.size, first: processOf(first, events) }];
}

/** Finds processes and workers that began, did not write that they ended, and left no profile. */
function withoutProfile({ events, isolates }: Recorded): readonly Warning[] {
  const profiled = new Set(isolates.map(({ pid, threadId }) => `${pid}-${threadId}`));
  const hasEnded = (pid: number): boolean => events.ends.has(isolateOf(events, { pid, threadId: 0 }) ?? '');
  return [...events.starts]
    .filter(
      ([isolate, { pid, threadId }]) =>
        (threadId === 0 || hasEnded(pid)) &&
        !profiled.has(`${pid}-${threadId}`) &&
        !events.ends.has(isolate) &&
        !events.lost.has(isolate) &&
        !events.leaving.has(isolate) &&
        !events.unprofiled.has(isolate),
    )
    .map(([isolate, { pid, threadId, command, args }]) => {
      return { type: 'noProfile', pid, threadId, command, args, outlived: events.outliving.has(isolate) };
    });
}

function refused(events: RecordingEvents): readonly Warning[] {
  return [...events.unprofiled]
    .filter(([isolate]) => events.starts.get(isolate)?.isTestParent !== true)
    .map(([isolate, reason]) => ({ type: 'notProfiled', process: processOf(isolate, events), reason }));
}

/** Finds processes that were recorded and did not write that they ended. */
function cutOff({ events, isolates, isOpen }: Recorded): readonly Warning[] {
  const lostPids = new Set([...events.lost.keys()].map((isolate) => events.starts.get(isolate)?.pid));
  return isolates
    .filter(({ threadId }) => threadId === 0 || threadId === null)
    .filter(({ ended, pid }) => (ended === 'killed' || ended === 'outlived') && !lostPids.has(pid ?? undefined))
    .map(({ pid, ended }) => {
      const isolate = isolateOf(events, { pid: pid ?? -1, threadId: 0 }) ?? '';
      const fate = isOpen ? 'open' : events.uncaught.has(isolate) ? 'threw' : 'killed';
      return { type: 'cutOff', pid, fate: ended === 'outlived' ? 'outlived' : fate };
    });
}

/** Finds worker threads of which only the parts are here that are written in case that the process is killed. */
function workersCutOff({ isolates, isOpen }: Recorded): readonly Warning[] {
  const cut = isolates.filter(
    ({ threadId, isComplete, profiles }) => threadId !== null && threadId > 0 && !isComplete && profiles.every(isPart),
  );
  return [...groupBy(isOpen ? [] : cut, ({ pid }) => pid)].map(([pid, threads]) => {
    return { type: 'workersCutOff', pid, workers: threads.length };
  });
}

function isPart(profile: string): boolean {
  return profileNameOf(fileNameOf(profile)).type === 'part';
}

/** Finds processes of another recording, whose files somebody put into the same folder. */
function ofOtherRecordings({ folder, events: { starts }, isolates }: Recorded): readonly Warning[] {
  const known = new Set([...starts.values()].map(({ pid }) => pid));
  const pids = new Set(isolates.flatMap(({ pid }) => (pid === null || known.has(pid) ? [] : [pid])));
  return known.size === 0 || pids.size === 0 ? [] : [{ type: 'otherRecording', path: folder, pids: [...pids] }];
}

/** Finds processes that ended as they should and have turns here, but no profile. */
function missingProfiles({ files, events, isolates }: Recorded): readonly Warning[] {
  const { starts, ends, lost, unprofiled } = events;
  const names = new Set(files.map(({ name }) => name));
  const profiled = new Set(isolates.map(({ pid, threadId }) => `${pid}-${threadId}`));
  return [...starts].flatMap(([isolate, { pid, threadId, command }]): readonly Warning[] => {
    const isWhole = ends.has(isolate) && !lost.has(isolate) && !unprofiled.has(isolate);
    const isThere = profiled.has(`${pid}-${threadId}`) || !names.has(`${isolate}${turnsSuffix}`);
    return threadId !== 0 || !isWhole || isThere ? [] : [{ type: 'profileMissing', pid, command }];
  });
}
