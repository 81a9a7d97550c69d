import type { PathMap } from '../files/file-path.ts';
import { readText } from '../files/world.ts';
import type { CpuProfile, ProfileFrame } from '../samples/cpu-profile.ts';
import type { FrameTable, ProfilePart } from '../samples/profile-tree.ts';
import type { DecodedFiles, Measured } from './decoded-files.ts';
import type { IsolateSource } from '../recording-files/isolate-source.ts';
import { jsonLines, mostLines } from '../../../protocol/json-value.ts';
import { loadProfile } from '../import/load-profile.ts';
import { workerStart } from '../import/v8-log-importer.ts';
import type { DebuggerPlace, DebuggerPlaces, ImportedThread, Reading } from '../import/importer.ts';
import { keyHere } from '../import/importer.ts';
import { fileNameOf } from '../../../protocol/machine-path.ts';
import { readRequests, readTests, readTurns, readWaits } from '../sidecars/read-sidecars.ts';
import type { MapLine } from '../../../protocol/recording-lines.ts';
import type { Warning } from '../../../words/warnings/warning-text.ts';

export interface IsolateReading extends Reading {
  /** Called with the number of bytes that were read, piece by piece. */
  readonly onBytes: (count: number) => void;
  readonly paths: PathMap;
  /** Urls for scripts of an isolate whose file was edited after they ran. */
  readonly olderUrls:
    | ((source: IsolateSource, frames: readonly ProfileFrame[]) => Promise<ReadonlyMap<string, string>>)
    | undefined;
  /** For a profile without lines: maybe its frames have places of samples, in place of functions. */
  readonly functionPlaces: ((profile: CpuProfile) => Promise<CpuProfile>) | undefined;
  readonly decoded: DecodedFiles | undefined;
}

export interface LoadedIsolate extends Omit<Measured, 'damages'> {
  readonly source: IsolateSource;
  /** Parts of the profile, in order. The list is empty where no file could be read, or none has a sample. */
  readonly parts: readonly ProfilePart[];
  /** True where it was profiled, and ended before there was a sample. */
  readonly isSilent: boolean;
  readonly places: DebuggerPlaces;
  /** Source maps in the file itself. */
  readonly maps: readonly MapLine[];
  readonly warnings: readonly Warning[];
  readonly missing: readonly string[];
}

/** Reads the files of one isolate, and adds its frames to `frames`. Null if cancelled. A trace has several isolates. */
export async function loadIsolate(
  source: IsolateSource,
  reading: IsolateReading,
  frames: FrameTable,
): Promise<readonly LoadedIsolate[] | null> {
  const parts: ProfilePart[] = [];
  const places = new Map<string, DebuggerPlace>();
  const warnings: Warning[] = [];
  const missing: string[] = [];
  const silent: Warning[] = [];
  const { toHere } = reading.paths;
  for (const path of source.profiles) {
    const loaded = await profileAt(path, reading);
    if (loaded.type === 'cancelled') return null;
    if (loaded.type === 'trace') {
      return loaded.threads.map((thread, number) => ({
        ...isolateOfTrace(source, thread, frames, reading.paths),
        ...(number === 0 ? { warnings: loaded.warnings, maps: loaded.maps } : {}),
      }));
    }
    if (loaded.type === 'missing') missing.push(path);
    if (loaded.type === 'silent') silent.push(loaded.warning);
    else if (loaded.type === 'profile') {
      for (const warning of loaded.warnings) warnings.push(warning);
      for (const [key, place] of loaded.places ?? [])
        places.set(keyHere(key, toHere), { ...place, path: toHere(place.path) });
      const here = profileHere(loaded.profile, reading.paths);
      const isToldOfLines = source.isRecorded || here.tiered !== undefined || here.ticks.line.length > 0;
      const profile = isToldOfLines ? here : ((await reading.functionPlaces?.(here)) ?? here);
      const urls = await reading.olderUrls?.(source, profile.frames);
      parts.push({ profile, frames: frames.add(profile, urls) });
    } else warnings.push(loaded.warning);
  }
  const { damages, ...measured } = await measuredBeside(source, reading);
  for (const damage of damages) warnings.push(damage);
  const isSilent = silent.length > 0 && parts.length === 0;
  if (isSilent) for (const warning of silent) warnings.push(warning); // Beside parts with samples, it does not matter.
  const known = isLogOfWorker(source, parts, warnings) ? { ...source, threadKind: null } : source;
  return [{ source: known, parts, isSilent, places, maps: [], ...measured, warnings, missing }];
}

async function profileAt(path: string, reading: IsolateReading): ReturnType<typeof loadProfile> {
  const { decoded, world, onBytes } = reading;
  const load = async (): ReturnType<typeof loadProfile> => loadProfile(path, reading, onBytes);
  if (decoded === undefined) return load();
  const loaded = await decoded.profiles.of({ paths: [path] }, world, load, onBytes);
  if (loaded.type === 'profile') return { ...loaded, profile: copyOf(loaded.profile) };
  if (loaded.type !== 'trace') return loaded;
  const threads = loaded.threads.map((thread) => ({ ...thread, profiles: thread.profiles.map(copyOf) }));
  return { ...loaded, threads };
}

/** The profile with nodes of its own: streams write theirs into the given array. */
function copyOf(profile: CpuProfile): CpuProfile {
  return { ...profile, nodes: profile.nodes.slice() };
}

async function measuredBeside(source: IsolateSource, reading: IsolateReading): Promise<Measured> {
  const { turnsFile, waitsFile, testsFile, requestsFile, isComplete } = source;
  const paths = [turnsFile, waitsFile, testsFile, requestsFile].filter((file) => file !== null);
  const read = async (): Promise<Measured> => readMeasured(source, reading);
  return reading.decoded?.measured.of({ paths, variant: String(isComplete) }, reading.world, read) ?? read();
}

async function readMeasured(
  source: IsolateSource,
  { world, paths }: Pick<IsolateReading, 'world' | 'paths'>,
): Promise<Measured> {
  const { isComplete } = source;
  const damages: Warning[] = [];
  const read = async <Made>(file: string | null, make: (lines: readonly unknown[], isCut: boolean) => Made) => {
    const text = file === null ? null : await readText(file, world);
    if (file === null || text === null) return null;
    const lines = jsonLines(text);
    const isTooLong = lines.length === mostLines;
    const isCut = isTooLong || (isComplete && isCutOff(text)); // A killed process may have written half of a line.
    if (isCut) damages.push({ type: isTooLong ? 'tooManyLines' : 'linesCutOff', file: fileNameOf(file) });
    return make(lines, isCut);
  };
  const waits = await read(source.waitsFile, readWaits);
  // A file that is empty was lost: operations are inferred, as without one.
  const turns = await read(source.turnsFile, (lines, isCut) =>
    lines.length === 0 ? null : readTurns(lines, isComplete && !isCut),
  );
  return {
    // A thread that was ended in its first turn has only noted its waits.
    turns: turns ?? (waits === null ? null : readTurns([], false)),
    waits,
    tests: await read(source.testsFile, (lines, isCut) => readTests(lines, paths.toHere, isCut)),
    requests: await read(source.requestsFile, readRequests),
    damages,
  };
}

function isCutOff(text: string): boolean {
  return text !== '' && !text.endsWith('\n');
}

/** Whether a worker wrote a log. V8 names no thread there, but the stacks show the first script of each worker. */
function isLogOfWorker(
  { isRecorded }: IsolateSource,
  parts: readonly ProfilePart[],
  warnings: readonly Warning[],
): boolean {
  if (warnings.some(({ type }) => type === 'mixedIsolates')) return false;
  const { tiered, frames = [] } = parts[0]?.profile ?? {};
  return !isRecorded && tiered !== undefined && frames.some(({ url }) => url === workerStart);
}

/** If the thread is not the main thread, its frames show its kind. */
function isolateOfTrace(
  source: IsolateSource,
  { pid, threadId, profiles }: ImportedThread,
  frames: FrameTable,
  paths: PathMap,
): LoadedIsolate {
  const here = profiles.map((profile) => profileHere(profile, paths));
  return {
    source: { ...source, pid, threadId, threadKind: threadId === 0 ? 'main' : null },
    parts: here.map((profile) => ({ profile, frames: frames.add(profile) })),
    isSilent: false,
    places: new Map(),
    maps: [],
    turns: null,
    waits: null,
    tests: null,
    requests: null,
    warnings: [],
    missing: [],
  };
}

/** The profile with the urls that its scripts have here. */
function profileHere(profile: CpuProfile, { isEmpty, toHere }: PathMap): CpuProfile {
  if (isEmpty) return profile;
  return { ...profile, frames: profile.frames.map((frame) => ({ ...frame, url: toHere(frame.url) })) };
}
