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
import { lossesOf } from './recording-losses.ts';
import type { SourceWarning } from './source-warning.ts';
import {
  readEvents,
  type RecordingEvents,
  endOf,
  isolateOf,
  threadKindOf,
  isolateAt,
} from '../sidecars/recording-events.ts';
import { fileNameOf, isLogName, isProfileName, profileNameOf } from './profile-names.ts';
import { openFile } from '../files/opened-file.ts';

/** The length of the longest marker, in bytes. */
const longestMarker = 128;

const markerPattern = new RegExp(`${clockMarker}(\\d+):(\\d+):(\\d+):`);

/** Whether a folder with these files is a recording. */
export function isRecording(files: readonly ListedFile[]): boolean {
  return files.some(({ name }) => name === recordingFile || name === eventsFile);
}

/** The sources in a recording's folder. */
export async function recordingIn(folder: string, files: readonly ListedFile[], world: World): Promise<Sources> {
  const manifest = await readManifest(folder, files, world);
  const told = parseEvents((await readText(`${folder}/${eventsFile}`, world)) ?? '');
  const events = readEvents(told.events);
  const logs = await ownersOfLogs(folder, files, events, world);
  const isolates = isolatesOfRecording(folder, files, events, logs, manifest?.interval ?? null);
  return {
    isolates,
    mapFiles: files.filter(({ name }) => name.endsWith(mapsSuffix)).map(({ name }) => `${folder}/${name}`),
    recording: { ...factsOf(manifest), ...(await readSeenAgain(folder, files, world)) },
    evaluated: manifest?.evaluated ?? false,
    warnings: [
      ...(manifest?.notes ?? []).map((text): SourceWarning => ({ type: 'recorderNote', text })),
      ...(manifest === null ? [{ type: 'manifestUnreadable' } as const] : []),
      ...unread(files, told),
    ],
    losses: lossesOf({
      ...{ folder, files, events, isolates },
      command: manifest?.command ?? [],
      isOpen: manifest?.isOpen ?? false,
    }),
  };
}

function factsOf(manifest: Manifest | null): RecordingFacts {
  const { command = null, cwd = null, startedAt = null, exitCode = null, load = null } = manifest ?? {};
  return {
    ...{ command, cwd, startedAt },
    ...(exitCode === null ? {} : { exitCode }),
    ...(load === null ? {} : { load }),
  };
}

async function readSeenAgain(
  folder: string,
  files: readonly ListedFile[],
  world: World,
): Promise<Pick<RecordingFacts, 'seenAgain'>> {
  if (!files.some(({ name }) => name === seenAgainFile)) return {};
  const seenAgain = parseSeenAgain((await readText(`${folder}/${seenAgainFile}`, world, longestManifest)) ?? '');
  return seenAgain === null ? {} : { seenAgain };
}

/** Reads `recording.json`; null where it cannot be read, or is longer than any that the recorder writes. */
async function readManifest(folder: string, files: readonly ListedFile[], world: World): Promise<Manifest | null> {
  const size = files.find(({ name }) => name === recordingFile)?.size ?? 0;
  return size > longestManifest ? null : parseManifest((await readText(`${folder}/${recordingFile}`, world)) ?? '');
}

/** Longest `recording.json` in bytes. */
const longestManifest = 1 << 24;

/** Warnings about files that are longer than the longest string of Node.js, and about too many events. */
function unread(files: readonly ListedFile[], { isCut }: ParsedEvents): readonly SourceWarning[] {
  const tooLong = files
    .filter(({ name, size }) => name.endsWith('.jsonl') && size > longestText)
    .map(({ name }): SourceWarning => ({ type: 'textTooLong', file: name }));
  return isCut ? [...tooLong, { type: 'tooManyLines', file: eventsFile }] : tooLong;
}

/** Length in bytes of the longest text that can be read: a string of Node.js can have this number of ASCII characters. */
const longestText = 2 ** 29 - 24;

/** The version of a recording that this Hotspan does not read; null where it does, or where there is none. */
export async function otherVersionIn(
  folder: string,
  files: readonly ListedFile[],
  world: World,
): Promise<number | null> {
  if (!files.some(({ name }) => name === recordingFile)) return null;
  const { version = recordingVersion } = (await readManifest(folder, files, world)) ?? {};
  return version === recordingVersion ? null : version;
}

/** The isolates of a recording. The names of their first files tell which ones they are, or the markers in V8 logs. */
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

/** The isolate to which a V8 log belongs. */
interface LogOwner {
  readonly isolate: string;
  readonly pid: number;
  readonly threadId: number;
}

/**
 * The owners of a recording's V8 logs, by file name. The first marker that the recorder wrote into a log tells its owner.
 * Logs without a marker belong to processes and threads that are not counted (package managers, Node's thread of loader
 * hooks).
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

interface FirstMarker {
  readonly pid: number;
  readonly threadId: number;
  /** Time of the marker in µs. */
  readonly clock: number;
}

async function firstMarker(path: string, world: World): Promise<FirstMarker | null> {
  const file = await openFile(path, world);
  const decoder = new TextDecoder('latin1');
  let before = '';
  for await (const chunk of file?.chunks ?? []) {
    const at = Math.max(0, Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).indexOf(clockMarker));
    // The marker may begin in one chunk and end in the next.
    const near = before + decoder.decode(chunk.subarray(at, at + longestMarker));
    const [, pid, threadId, clock] = markerPattern.exec(near) ?? [];
    if (pid !== undefined) {
      await file?.close();
      return { pid: Number(pid), threadId: Number(threadId), clock: Number(clock) / 1000 };
    }
    before = decoder.decode(chunk.subarray(-longestMarker));
  }
  return null;
}
