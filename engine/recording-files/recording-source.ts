import { requestsSuffix, testsSuffix, textsSuffix, turnsSuffix, waitsSuffix } from '../../protocol/recording.ts';
import type { ListedFile } from '../files/world.ts';
import type { IsolateSource } from './isolate-source.ts';
import type { LogOwner } from './owners-of-logs.ts';
import { fileNameOf, isLogName, isProfileName, profileNameOf } from './profile-names.ts';
import { type RecordingEvents, endOf, isolateOf, threadKindOf } from '../sidecars/recording-events.ts';

/** The isolates of a recording's folder, by their first files' names, or by what their V8 logs say. */
export function isolatesOfRecording(
  folder: string,
  files: readonly ListedFile[],
  events: RecordingEvents,
  logs: ReadonlyMap<string, LogOwner>,
  facts: Pick<IsolateSource, 'interval' | 'isByClock'>,
): readonly IsolateSource[] {
  const names = new Set(files.map((file) => file.name));
  return [...profilesByIsolate(files, events, logs)].map(([isolate, profiles]) => {
    const name = profileNameOf(profiles[0] ?? '');
    const start = events.starts.get(isolate);
    const owner = logs.get(profiles[0] ?? '') ?? (name.type === 'foreign' || name.type === 'log' ? null : name);
    const pid = owner?.pid ?? null;
    const threadId = owner?.threadId ?? null;
    const fileOf = (suffix: string): string | null =>
      names.has(`${isolate}${suffix}`) ? `${folder}/${isolate}${suffix}` : null;
    return {
      profiles: profiles.map((profile) => `${folder}/${profile}`),
      isNamed: false,
      isRecorded: true,
      turnsFile: fileOf(turnsSuffix),
      waitsFile: fileOf(waitsSuffix),
      testsFile: fileOf(testsSuffix),
      requestsFile: fileOf(requestsSuffix),
      textsFile: fileOf(textsSuffix),
      pid,
      threadId,
      threadKind: pid === null || threadId === null ? 'main' : threadKindOf(events, pid, threadId),
      nodeVersion: start?.nodeVersion ?? null,
      command: start?.command ?? null,
      isTestParent: start?.isTestParent ?? false,
      ended: endOf(events, isolate),
      isComplete: events.ends.has(isolate),
      ...facts,
    };
  });
}

/** File names in the order of their parts, by isolate. A file whose name has no isolate is an isolate of its own. */
function profilesByIsolate(
  files: readonly ListedFile[],
  events: RecordingEvents,
  logs: ReadonlyMap<string, LogOwner>,
): ReadonlyMap<string, readonly string[]> {
  const byIsolate = new Map<string, string[]>();
  const names = files.map((file) => file.name);
  const profiles = names.filter((name) => isProfileName(name) && (logs.has(name) || !isLogName(name)));
  for (const profile of profiles.toSorted(byPart)) {
    const name = profileNameOf(profile);
    const isolate = name.type === 'part' ? name.isolate : name.type === 'node' ? isolateOf(events, name) : undefined;
    const key = logs.get(profile)?.isolate ?? isolate ?? fileNameOf(profile);
    if (byIsolate.get(key)?.push(profile) === undefined) byIsolate.set(key, [profile]);
  }
  return byIsolate;
}

function byPart(a: string, b: string): number {
  const [left, right] = [profileNameOf(a), profileNameOf(b)];
  const parts = left.type === 'part' && right.type === 'part' && left.isolate === right.isolate;
  return parts ? left.part - right.part : a < b ? -1 : 1;
}
