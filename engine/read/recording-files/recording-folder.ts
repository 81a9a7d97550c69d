import {
  eventsFile,
  mapsSuffix,
  recordingFile,
  recordingVersion,
  requestsSuffix,
  seenAgainFile,
  testsSuffix,
  textsSuffix,
  turnsSuffix,
  waitsSuffix,
  clockMarker,
} from '../../../protocol/recording.ts';
import { type ListedFile, type World, readText } from '../files/world.ts';
import type { RecordingFacts, Sources, IsolateSource } from './isolate-source.ts';
import { type ParsedEvents, parseEvents } from '../../../protocol/formats/parse-events.ts';
import { parseSeenAgain, type Manifest, parseManifest } from '../../../protocol/formats/parse-manifest.ts';
import type { RecordingEvents } from '../sidecars/recording-events.ts';
import { readEvents, endOf, isolateOf, threadKindOf, isolateAt } from '../sidecars/recording-events.ts';
import { isLogName, isProfileName, profileNameOf } from './profile-names.ts';
import { openFile } from '../files/opened-file.ts';
import { groupBy } from '../../basics/lists.ts';
import { fileNameOf } from '../../../protocol/machine-path.ts';
import type { Warning } from '../../../words/warnings/warning-text.ts';
import { indexOfText } from '../../basics/bytes.ts';

const MAX_MARKER_BYTES = 128;

const markerPattern = new RegExp(`${clockMarker}(\\d+):(\\d+):(\\d+):`);

export function isRecording(files: readonly ListedFile[]): boolean {
  return files.some(({ name }) => name === recordingFile || name === eventsFile);
}

export async function recordingIn(folder: string, files: readonly ListedFile[], world: World): Promise<Sources> {
  const manifest = await readManifest(folder, files, world);
  const parsed = parseEvents((await readText(`${folder}/${eventsFile}`, world)) ?? '');
  const events = readEvents(parsed.events);
  const logs = await ownersOfLogs(folder, files, events, world);
  const isolates = isolatesOfRecording(folder, files, events, logs, manifest?.interval ?? null);
  return {
    isolates,
    mapFiles: files.filter(({ name }) => name.endsWith(mapsSuffix)).map(({ name }) => `${folder}/${name}`),
    recording: { ...factsOf(manifest), ...(await readSeenAgain(folder, files, world)) },
    cwds: [manifest?.cwd ?? []].flat(),
    evaluated: manifest?.evaluated ?? false,
    warnings: [
      ...(manifest?.notes ?? []).map((text): Warning => ({ type: 'recorderNote', text })),
      ...(manifest === null ? [{ type: 'manifestUnreadable' } as const] : []),
      ...unread(files, parsed),
    ],
    losses: lossesOf({
      ...{ folder, files, events, isolates },
      command: manifest?.command ?? [],
      isOpen: manifest?.isOpen ?? false,
    }),
  };
}

function factsOf(manifest: Manifest | null): RecordingFacts {
  const {
    command = null,
    cwd = null,
    startedAt = null,
    exitCode = null,
    signal = null,
    load = null,
    isAttached = false,
  } = manifest ?? {};
  return {
    ...{ command, cwd, startedAt },
    ...(exitCode === null ? {} : { exitCode }),
    ...(signal === null ? {} : { signal }),
    ...(load === null ? {} : { load }),
    ...(isAttached ? { isAttached } : {}),
  };
}

async function readSeenAgain(
  folder: string,
  files: readonly ListedFile[],
  world: World,
): Promise<Pick<RecordingFacts, 'seenAgain'>> {
  if (!files.some(({ name }) => name === seenAgainFile)) return {};
  const seenAgain = parseSeenAgain((await readText(`${folder}/${seenAgainFile}`, world, MAX_MANIFEST_BYTES)) ?? '');
  return seenAgain === null ? {} : { seenAgain };
}

/** Null where it cannot be read, or is longer than any that the recorder writes. */
async function readManifest(folder: string, files: readonly ListedFile[], world: World): Promise<Manifest | null> {
  const size = files.find(({ name }) => name === recordingFile)?.size ?? 0;
  return size > MAX_MANIFEST_BYTES ? null : parseManifest((await readText(`${folder}/${recordingFile}`, world)) ?? '');
}

const MAX_MANIFEST_BYTES = 1 << 24;

/** Warnings about files that are longer than the longest string of Node.js, and about too many events. */
function unread(files: readonly ListedFile[], { isCut }: ParsedEvents): readonly Warning[] {
  const tooLong = files
    .filter(({ name, size }) => name.endsWith('.jsonl') && size > MAX_TEXT_BYTES)
    .map(({ name }): Warning => ({ type: 'textTooLong', file: name }));
  return isCut ? [...tooLong, { type: 'tooManyLines', file: eventsFile }] : tooLong;
}

/** The longest string of Node.js, in ASCII characters. */
const MAX_TEXT_BYTES = 2 ** 29 - 24;

/** The version of a recording that this Hotspan cannot read; null for others. */
export async function otherVersionIn(
  folder: string,
  files: readonly ListedFile[],
  world: World,
): Promise<number | null> {
  if (!files.some(({ name }) => name === recordingFile)) return null;
  const { version = recordingVersion } = (await readManifest(folder, files, world)) ?? {};
  return version === recordingVersion ? null : version;
}

/** The isolates of a recording, by the names of their first files, or by the markers in V8 logs. */
function isolatesOfRecording(
  folder: string,
  files: readonly ListedFile[],
  events: RecordingEvents,
  logs: ReadonlyMap<string, LogOwner>,
  interval: IsolateSource['interval'],
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
      interval,
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
  return new Map([...byIsolate].map(([isolate, own]) => [isolate, withoutInsurance(own)]));
}

/** Node's own profile of a worker thread is whole: the parts beside it are in case that the process is killed. */
function withoutInsurance(profiles: readonly string[]): readonly string[] {
  const whole = profiles.filter((profile) => profileNameOf(profile).type === 'node');
  return whole.length > 0 ? whole : profiles;
}

function byPart(a: string, b: string): number {
  const [left, right] = [profileNameOf(a), profileNameOf(b)];
  const parts = left.type === 'part' && right.type === 'part' && left.isolate === right.isolate;
  return parts ? left.part - right.part : a < b ? -1 : 1;
}

interface LogOwner {
  readonly isolate: string;
  readonly pid: number;
  readonly threadId: number;
}

/**
 * The owners of V8 logs, by file name, from the recorder's first marker in each. Logs without a marker are of processes
 * and threads that are not counted (package managers, Node's thread of loader hooks).
 */
async function ownersOfLogs(
  folder: string,
  files: readonly ListedFile[],
  events: RecordingEvents,
  world: World,
): Promise<ReadonlyMap<string, LogOwner>> {
  const owners = new Map<string, LogOwner>();
  for (const { name } of files) {
    const marker = isLogName(name) ? await firstMarker(`${folder}/${name}`, world) : null;
    if (marker !== null) {
      const { pid, threadId } = marker;
      owners.set(name, { pid, threadId, isolate: isolateAt(events, marker) ?? name });
    }
  }
  return owners;
}

/** `clock` is in µs. */
async function firstMarker(path: string, world: World) {
  const file = await openFile(path, world);
  const decoder = new TextDecoder('latin1');
  let before = '';
  for await (const chunk of file?.chunks ?? []) {
    const at = Math.max(0, indexOfText(chunk, clockMarker));
    // The marker may begin in one chunk and end in the next.
    const near = before + decoder.decode(chunk.subarray(at, at + MAX_MARKER_BYTES));
    const [, pid, threadId, clock] = markerPattern.exec(near) ?? [];
    if (pid !== undefined) {
      await file?.close();
      return { pid: Number(pid), threadId: Number(threadId), clock: Number(clock) / 1000 };
    }
    before = decoder.decode(chunk.subarray(-MAX_MARKER_BYTES));
  }
  return null;
}

interface Recorded {
  readonly folder: string;
  readonly files: readonly ListedFile[];
  readonly events: RecordingEvents;
  readonly isolates: readonly IsolateSource[];
  readonly command: readonly string[];
  /** True where the end of the recording is not noted yet. */
  readonly isOpen: boolean;
}

/** Finds everything that ran and was not recorded, or not to its end. */
function lossesOf(recorded: Recorded): readonly Warning[] {
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
    ...missingParts(recorded),
  ];
}

function processOf(isolate: string, { starts }: RecordingEvents): number | string {
  return starts.get(isolate)?.pid ?? isolate;
}

/** Finds what ran as another user, who may not write here. Without any recording, the words of the command show it. */
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
    ({ threadId, isComplete, profiles }) =>
      threadId !== null &&
      threadId > 0 &&
      !isComplete &&
      profiles.every((path) => profileNameOf(fileNameOf(path)).type === 'part'),
  );
  return [...groupBy(isOpen ? [] : cut, ({ pid }) => pid)].map(([pid, threads]) => {
    return { type: 'workersCutOff', pid, workers: threads.length };
  });
}

/** Finds processes of another recording, whose files were put into the same folder. */
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

/** Finds profiles of which a part is missing, but for the last one: the recorder counts them from 0. */
function missingParts({ events, isolates }: Recorded): readonly Warning[] {
  return isolates.flatMap(({ profiles, pid, command }): readonly Warning[] => {
    const parts = profiles.map((profile) => profileNameOf(fileNameOf(profile)));
    const hasAll = parts.every(
      (name, index) => name.type !== 'part' || name.part === index || events.lost.has(name.isolate),
    );
    return hasAll || pid === null ? [] : [{ type: 'partMissing', pid, command }];
  });
}
