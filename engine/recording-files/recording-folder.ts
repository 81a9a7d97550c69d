import { eventsFile, mapsSuffix, recordingFile, recordingVersion, turnsSuffix } from '../../protocol/recording.ts';
import { type ListedFile, type World, readText } from '../files/world.ts';
import type { IsolateSource, RecordingFacts, Sources } from './isolate-source.ts';
import { tooManyLines } from '../../recordings/formats/json-lines.ts';
import { type ParsedEvents, parseEvents } from '../../recordings/formats/parse-events.ts';
import { type Manifest, parseManifest } from '../../recordings/formats/parse-manifest.ts';
import { otherUserSentences } from './other-users.ts';
import { ownersOfLogs } from './owners-of-logs.ts';
import { fileNameOf } from './profile-names.ts';
import { type RecordingEvents, isolateOf, readEvents } from '../sidecars/recording-events.ts';
import { isolatesOfRecording } from './recording-source.ts';

/** Whether a folder with these files is a recording. */
export function isRecording(files: readonly ListedFile[]): boolean {
  return files.some(({ name }) => name === recordingFile || name === eventsFile);
}

/** The sources in a recording's folder. */
export async function recordingIn(folder: string, files: readonly ListedFile[], world: World): Promise<Sources> {
  const manifest = await readManifest(folder, files, world);
  const told = parseEvents((await readText(`${folder}/${eventsFile}`, world)) ?? '');
  const events = readEvents(told.events);
  const isByClock = manifest !== null && manifest.version < recordingVersion;
  const logs = await ownersOfLogs(folder, files, events, world);
  const facts = { interval: manifest?.interval ?? null, isByClock };
  const isolates = isolatesOfRecording(folder, files, events, logs, facts);
  return {
    isolates,
    mapFiles: files.filter(({ name }) => name.endsWith(mapsSuffix)).map(({ name }) => `${folder}/${name}`),
    recording: factsOf(manifest),
    evaluated: manifest?.evaluated ?? false,
    warnings: [
      ...(manifest?.notes ?? []),
      ...(isByClock ? [olderRecording] : []),
      ...(manifest === null ? [`${recordingFile} cannot be read: what was run, and where, is unknown.`] : []),
      ...unread(files, told),
    ],
    losses: [
      ...otherUserSentences(events, manifest?.command ?? []),
      ...lossesOf(events, isolates, manifest?.isOpen ?? false),
      ...flagSentences(events),
      ...strangersOf(folder, events, isolates),
      ...missingOf(files, events, isolates),
    ],
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

const olderRecording =
  'An older Hotspan made this recording: it does not know what other processes took of the time, so its figures are times by the clock. Record again for figures of a busy machine.';

/** Null where it cannot be read, or is far longer than any. */
async function readManifest(folder: string, files: readonly ListedFile[], world: World): Promise<Manifest | null> {
  const size = files.find(({ name }) => name === recordingFile)?.size ?? 0;
  return size > longestManifest ? null : parseManifest((await readText(`${folder}/${recordingFile}`, world)) ?? '');
}

/** Longest `recording.json` in bytes. */
const longestManifest = 1 << 24;

/** Sentences about files beside the profiles that are longer than the longest string, and about too many events. */
function unread(files: readonly ListedFile[], { isCut }: ParsedEvents): readonly string[] {
  const tooLong = files.flatMap(({ name, size }) =>
    name.endsWith('.jsonl') && size > longestText
      ? [`${name} is over 512 MB and was not read, so what it tells is missing: record a shorter run.`]
      : [],
  );
  return isCut ? [...tooLong, `${eventsFile} ${tooManyLines}.`] : tooLong;
}

/** Longest text in bytes: of ASCII, as many as a string can have. */
const longestText = 2 ** 29 - 24;

/** The version of a recording that a newer Hotspan made; null where this one knows the version. */
export async function newerVersionIn(
  folder: string,
  files: readonly ListedFile[],
  world: World,
): Promise<number | null> {
  if (!files.some(({ name }) => name === recordingFile)) return null;
  const { version = 0 } = (await readManifest(folder, files, world)) ?? {};
  return version > recordingVersion ? version : null;
}

/** Sentences about what was not recorded. `isOpen`: nobody has noted yet that the recording is over. */
function lossesOf(events: RecordingEvents, isolates: readonly IsolateSource[], isOpen: boolean): readonly string[] {
  const profiled = new Set(isolates.map(({ pid, threadId }) => `${pid}-${threadId}`));
  const hasEnded = (pid: number): boolean => events.ends.has(isolateOf(events, { pid, threadId: 0 }) ?? '');
  const silent = [...events.starts].filter(
    ([isolate, { pid, threadId }]) =>
      (threadId === 0 || hasEnded(pid)) &&
      !profiled.has(`${pid}-${threadId}`) &&
      !events.ends.has(isolate) &&
      !events.lost.has(isolate) &&
      !events.leaving.has(isolate) &&
      !events.unprofiled.has(isolate),
  );
  const refused = [...events.unprofiled].filter(([isolate]) => events.starts.get(isolate)?.isTestParent !== true);
  const lostPids = new Set([...events.lost.keys()].map((isolate) => events.starts.get(isolate)?.pid));
  const cutOff = isolates.filter(
    ({ ended, pid }) => (ended === 'killed' || ended === 'outlived') && !lostPids.has(pid ?? undefined),
  );
  return [
    ...[...events.lost].map(
      ([isolate, reason]) =>
        `Process ${events.starts.get(isolate)?.pid ?? isolate} could not save all that it recorded (${reason}): make room on the disk, and record again.`,
    ),
    ...fullSentences(events),
    ...silent.map(
      ([isolate, { pid, threadId, command }]) =>
        `${threadId === 0 ? `Process ${pid}` : `Worker ${threadId} of process ${pid}`} (${fileNameOf(command)}) left no profile: it ${events.outliving.has(isolate) ? '' : 'was killed, or '}ran on after the command.`,
    ),
    ...refused.map(
      ([isolate, reason]) => `Process ${events.starts.get(isolate)?.pid ?? isolate} was not profiled: ${reason}`,
    ),
    ...cutOff.map(({ pid, ended }) => `Process ${pid} ${fateOf(ended === 'outlived', isOpen)}`),
  ];
}

/** What is said of a process that has not told its end. */
function fateOf(isOutliving: boolean, isOpen: boolean): string {
  if (isOutliving)
    return 'went on after the command and was recorded no longer: its last 10 s before that may be missing.';
  const end = isOpen ? 'is still running, or was killed' : 'was killed';
  return `${end}: its last 10 s may be missing, or the operation that it was in, and what comes after its last mark is estimated.`;
}

/** One sentence for all processes, because they stop recording within ten seconds of each other. */
function fullSentences({ full, starts }: RecordingEvents): readonly string[] {
  const [[first = '', mostBytes] = []] = full;
  if (mostBytes === undefined) return [];
  const pids = new Set([...full.keys()].map((isolate) => starts.get(isolate)?.pid));
  const who = pids.size > 1 ? `${pids.size} processes` : `process ${starts.get(first)?.pid ?? first}`;
  return [
    `The recording reached its limit of ${mostBytes / 1e6} MB, and what ${who} did after that is not in it: record a shorter run, or raise --max-size.`,
  ];
}

function flagSentences({ flags, starts }: RecordingEvents): readonly string[] {
  return [...flags].map(
    ([isolate, own]) =>
      `Process ${starts.get(isolate)?.pid ?? isolate} has set V8's ${[...new Set(own)].join(', ')} while it ran: its tiers are those of a V8 set so.`,
  );
}

/** Processes of which this recording knows nothing: somebody put the files of two recordings into one folder. */
function strangersOf(
  folder: string,
  { starts }: RecordingEvents,
  isolates: readonly IsolateSource[],
): readonly string[] {
  const known = new Set([...starts.values()].map(({ pid }) => pid));
  const strangers = new Set(isolates.flatMap(({ pid }) => (pid === null || known.has(pid) ? [] : [pid])));
  if (known.size === 0 || strangers.size === 0) return [];
  const named = `${strangers.size === 1 ? 'Process' : 'Processes'} ${[...strangers].join(', ')} in ${folder} ${strangers.size === 1 ? 'is' : 'are'}`;
  return [`${named} of another recording: what they count is added up.`];
}

/** Processes that ended well and have turns here, but no profile. */
function missingOf(
  files: readonly ListedFile[],
  { starts, ends, lost, unprofiled }: RecordingEvents,
  isolates: readonly IsolateSource[],
): readonly string[] {
  const names = new Set(files.map(({ name }) => name));
  const profiled = new Set(isolates.map(({ pid, threadId }) => `${pid}-${threadId}`));
  return [...starts].flatMap(([isolate, { pid, threadId, command }]) => {
    const isWhole = ends.has(isolate) && !lost.has(isolate) && !unprofiled.has(isolate);
    const isThere = profiled.has(`${pid}-${threadId}`) || !names.has(`${isolate}${turnsSuffix}`);
    return threadId !== 0 || !isWhole || isThere
      ? []
      : [`The profile of process ${pid} (${fileNameOf(command)}) is missing: copy the whole folder of the recording.`];
  });
}
