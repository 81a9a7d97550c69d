import { eventsFile, mapsSuffix, recordingFile } from '../../protocol/recording.ts';
import { microseconds } from '../../protocol/units.ts';
import type { AnalyzeFailure } from '../analyze-failure.ts';
import { isRecord, numberOf, parseJson, textOf, textOrNull } from '../json-value.ts';
import type { ListedFile, World } from '../world.ts';
import type { IsolateSource, Sources } from './isolate-source.ts';
import { jsonLines } from './json-lines.ts';
import { fileNameOf, isProfileName, profileNameOf } from './profile-names.ts';
import { type RecordingEvents, readEvents } from './recording-events.ts';
import { isolatesOfRecording } from './recording-source.ts';
import { readText } from './read-text.ts';

export type FoundSources =
  | { readonly type: 'found'; readonly sources: Sources }
  | { readonly type: 'failed'; readonly failure: AnalyzeFailure };

/** Finds out what isolates the paths hold: recordings, profiles, folders of profiles. Reads no profile yet: a file may not be there. */
export async function findSources(paths: readonly string[], world: World): Promise<FoundSources> {
  const found: Sources[] = [];
  for (const path of new Set(paths)) {
    const files = await world.listFiles(path);
    const folder = path.replace(/(?<=.)[\\/]+$/, '');
    const sources = files === undefined ? plainProfiles([path], true) : await sourcesOfFolder(folder, files, world);
    if (sources.isolates.length === 0) return { type: 'failed', failure: nothingIn(path, files ?? [], sources) };
    found.push(sources);
  }
  return { type: 'found', sources: together(found) };
}

function nothingIn(path: string, files: readonly ListedFile[], { losses }: Sources): AnalyzeFailure {
  return isRecording(files)
    ? { type: 'nothingRecorded', path, reason: losses[0] ?? null }
    : { type: 'noProfiles', path };
}

function isRecording(files: readonly ListedFile[]): boolean {
  return files.some(({ name }) => name === recordingFile || name === eventsFile);
}

async function sourcesOfFolder(folder: string, files: readonly ListedFile[], world: World): Promise<Sources> {
  if (isRecording(files)) return recordingIn(folder, files, world);
  const profiles = files.map(({ name }) => name).filter(isProfileName);
  return plainProfiles(
    profiles.toSorted().map((name) => `${folder}/${name}`),
    false,
  );
}

async function recordingIn(folder: string, files: readonly ListedFile[], world: World): Promise<Sources> {
  const json = parseJson((await readText(`${folder}/${recordingFile}`, world)) ?? '');
  const manifest = isRecord(json) ? json : {};
  const events = readEvents(jsonLines((await readText(`${folder}/${eventsFile}`, world)) ?? ''));
  const interval = numberOf(manifest['intervalUs'], 0);
  const isolates = isolatesOfRecording(folder, files, events, interval > 0 ? microseconds(interval) : null);
  const command = manifest['command'];
  const notes = manifest['notes'];
  return {
    isolates,
    mapFiles: files.filter(({ name }) => name.endsWith(mapsSuffix)).map(({ name }) => `${folder}/${name}`),
    recording: {
      command: Array.isArray(command) ? command.map(textOf) : null,
      cwd: textOrNull(manifest['cwd']),
      startedAt: textOrNull(manifest['startedAt']),
    },
    evaluated: manifest['evaluated'] === true,
    warnings: [
      ...(Array.isArray(notes) ? notes.filter((note) => typeof note === 'string') : []),
      ...(isRecord(json) ? [] : [`${recordingFile} cannot be read: what was run, and where, is unknown.`]),
    ],
    losses: lossesOf(events, isolates),
  };
}

/** What was not recorded, in words. */
function lossesOf(events: RecordingEvents, isolates: readonly IsolateSource[]): readonly string[] {
  const profiled = new Set(isolates.map(({ pid, threadId }) => `${pid}-${threadId}`));
  const silent = [...events.starts].filter(
    ([isolate, { pid, threadId }]) =>
      threadId === 0 &&
      !profiled.has(`${pid}-${threadId}`) &&
      !events.ends.has(isolate) &&
      !events.lost.has(isolate) &&
      !events.unprofiled.has(isolate),
  );
  const refused = [...events.unprofiled].filter(([isolate]) => events.starts.get(isolate)?.isTestParent !== true);
  const lostPids = new Set([...events.lost.keys()].map((isolate) => events.starts.get(isolate)?.pid));
  const killed = isolates.filter(({ ended, pid }) => ended === 'killed' && !lostPids.has(pid ?? undefined));
  return [
    ...[...events.lost].map(
      ([isolate, reason]) =>
        `Process ${events.starts.get(isolate)?.pid ?? isolate} could not save all that it recorded (${reason}): make room on the disk, and record again.`,
    ),
    ...silent.map(
      ([, { pid, command }]) =>
        `Process ${pid} (${fileNameOf(command)}) left no profile: it was killed, or ran on after the command.`,
    ),
    ...refused.map(
      ([isolate, reason]) => `Process ${events.starts.get(isolate)?.pid ?? isolate} was not profiled: ${reason}`,
    ),
    ...killed.map(
      ({ pid }) =>
        `Process ${pid} was killed: its last seconds may be missing, and what comes after its last mark is estimated.`,
    ),
  ];
}

/** Profiles that no recording tells anything of. A thread beside its process's main thread is told by its frames. */
function plainProfiles(paths: readonly string[], isNamed: boolean): Sources {
  const names = paths.map((path) => ({ path, name: profileNameOf(fileNameOf(path)) }));
  const mainPids = new Set(
    names.flatMap(({ name }) => (name.type !== 'foreign' && name.threadId === 0 ? [name.pid] : [])),
  );
  const isolates = names.map(({ path, name }): IsolateSource => {
    const isBeside = name.type !== 'foreign' && name.threadId !== 0 && mainPids.has(name.pid);
    return {
      profiles: [path],
      isNamed,
      turnsFile: null,
      pid: name.type === 'foreign' ? null : name.pid,
      threadId: name.type === 'foreign' ? null : name.threadId,
      threadKind: isBeside ? null : 'main',
      nodeVersion: null,
      isTestParent: false,
      ended: 'unknown',
      isComplete: false,
      interval: null,
    };
  });
  const recording = { command: null, cwd: null, startedAt: null };
  return { isolates, mapFiles: [], recording, evaluated: false, warnings: [], losses: [] };
}

/** The facts are those of the first recording among them. */
function together(all: readonly Sources[]): Sources {
  const nothing = { command: null, cwd: null, startedAt: null };
  return {
    isolates: all.flatMap((sources) => sources.isolates),
    mapFiles: all.flatMap((sources) => sources.mapFiles),
    recording: all.find(({ recording }) => recording.cwd !== null)?.recording ?? nothing,
    evaluated: all.some((sources) => sources.evaluated),
    warnings: all.flatMap((sources) => sources.warnings),
    losses: all.flatMap((sources) => sources.losses),
  };
}
