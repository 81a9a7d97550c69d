import { fileNameOf } from './profile-names.ts';
import type { RecordingEvents } from '../sidecars/recording-events.ts';

/**
 * Sentences about what ran as another user than the one who records, who may not write to the recording. Where nothing
 * was recorded at all, the command tells whether it changed the user.
 */
export function otherUserSentences(events: RecordingEvents, command: readonly string[]): readonly string[] {
  const { starts, leaving, otherUsers, ends } = events;
  const nameOf = (isolate: string): string => {
    const start = starts.get(isolate);
    return start === undefined ? isolate : `${start.pid} (${fileNameOf(start.command)})`;
  };
  const left = [...leaving].filter(([isolate]) => !ends.has(isolate));
  const switching = command.flatMap((word) => word.split(/[\s;&|()]+/)).map(fileNameOf);
  const by = starts.size === 0 ? switching.find((word) => changesUser.test(word)) : undefined;
  return [
    ...left.map(
      ([isolate, call]) =>
        `Process ${nameOf(isolate)} went on as another user (process.${call}), who may not write to this recording, and was recorded until then only: to see the rest, record it as that user from the start.`,
    ),
    ...[...otherUsers].map(
      ([isolate, uid]) =>
        `Process ${nameOf(isolate)} started Node.js as another user (uid ${uid}), who may not write to this recording: what ran there is not in it. Record it as that user.`,
    ),
    ...(by === undefined
      ? []
      : [
          `No Node.js program ran, or ${by} ran it as another user, who may not write to this recording: record as that user (${by} … hotspan record -- …).`,
        ]),
  ];
}

/** Commands that run another one as another user. */
const changesUser = /^(su|sudo|doas|runuser|setpriv|gosu|su-exec|setuidgid|s6-setuidgid|chpst|start-stop-daemon)$/;
