import { eventsFile, mapsSuffix, recordingFile, recordingVersion } from '../../protocol/recording.ts';
import { type ListedFile, type World, readText } from '../files/world.ts';
import type { RecordingFacts, Sources } from './isolate-source.ts';
import { type ParsedEvents, parseEvents } from '../../recordings/formats/parse-events.ts';
import { type Manifest, parseManifest } from '../../recordings/formats/parse-manifest.ts';
import { ownersOfLogs } from './owners-of-logs.ts';
import { lossesOf } from './recording-losses.ts';
import type { SourceWarning } from './source-warning.ts';
import { readEvents } from '../sidecars/recording-events.ts';
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
      ...(manifest?.notes ?? []).map((text): SourceWarning => ({ type: 'recorderNote', text })),
      ...(isByClock ? [{ type: 'olderRecording' } as const] : []),
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

/** Null where it cannot be read, or is far longer than any. */
async function readManifest(folder: string, files: readonly ListedFile[], world: World): Promise<Manifest | null> {
  const size = files.find(({ name }) => name === recordingFile)?.size ?? 0;
  return size > longestManifest ? null : parseManifest((await readText(`${folder}/${recordingFile}`, world)) ?? '');
}

/** Longest `recording.json` in bytes. */
const longestManifest = 1 << 24;

/** Files beside the profiles that are longer than the longest string, and too many events. */
function unread(files: readonly ListedFile[], { isCut }: ParsedEvents): readonly SourceWarning[] {
  const tooLong = files
    .filter(({ name, size }) => name.endsWith('.jsonl') && size > longestText)
    .map(({ name }): SourceWarning => ({ type: 'textTooLong', file: name }));
  return isCut ? [...tooLong, { type: 'tooManyLines', file: eventsFile }] : tooLong;
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
