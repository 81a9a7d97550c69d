import { trimEnd } from '../../../protocol/path-spelling.ts';
import { fileNameOf, isWithin } from '../../../protocol/machine-path.ts';
import { type World, type Folder, foldersBelow } from '../files/world.ts';
import { kindOfFile } from '../files/file-kinds.ts';
import type { IsolateSource, RecordingFacts, Sources } from './isolate-source.ts';
import { openFile } from '../files/opened-file.ts';
import { isProfileName, type ProfileName, profileNameOf } from './profile-names.ts';
import { isRecording, otherVersionIn, recordingIn } from './recording-folder.ts';
import { groupBy } from '../../basics/lists.ts';
import type { Warning } from '../../../words/warnings/warning-text.ts';
import type { FileKind } from '../../../words/warnings/file-warnings.ts';

/** Why there is nothing to read at the given paths. */
export type SourceFailure =
  | { readonly type: 'notFound'; readonly path: string }
  /** The recording has no profile. `loss` is the reason where it is known. */
  | { readonly type: 'nothingRecorded'; readonly path: string; readonly loss: Warning | null }
  /** The folder has neither a recording nor a profile. `instead` is a file in it of another known kind. */
  | {
      readonly type: 'noProfiles';
      readonly path: string;
      readonly instead: { readonly file: string; readonly kind: FileKind } | null;
    }
  | Warning<'unknownVersion'>;

type FoundSources =
  | { readonly type: 'found'; readonly sources: Sources }
  | { readonly type: 'failed'; readonly failure: SourceFailure };

/**
 * Finds the isolates at these paths: recordings, profiles or folders of profiles. Reads no profile yet, so a named file
 * may be missing. `opened`: the paths that the user gave, which may be on a network share.
 */
export async function findSources(
  paths: readonly string[],
  world: World,
  opened: readonly string[] = paths,
): Promise<FoundSources> {
  const found: Sources[] = [];
  const named: string[] = [];
  for (const path of new Set(paths)) {
    const files = await world.listFiles(path);
    if (files === undefined) {
      named.push(path);
      continue;
    }
    const folder = { path: path.slice(0, 1) + trimEnd(path.slice(1)), files };
    const version = await otherVersionIn(folder.path, files, world);
    if (version !== null) return { type: 'failed', failure: { type: 'unknownVersion', path, version } };
    const inside = await sourcesOfFolder(folder, world);
    if (inside.isolates.length === 0)
      return { type: 'failed', failure: await nothingIn({ ...folder, path }, inside, world) };
    found.push(inside);
  }
  const byFolder = groupBy(named, (path) => path.slice(0, -fileNameOf(path).length));
  for (const files of byFolder.values()) found.push(plainProfiles(files, true));
  return { type: 'found', sources: ranHere(together(found), opened) };
}

async function nothingIn(folder: Folder, { losses }: Sources, world: World): Promise<SourceFailure> {
  const { path, files } = folder;
  return isRecording(files)
    ? { type: 'nothingRecorded', path, loss: losses[0] ?? null }
    : { type: 'noProfiles', path, instead: await otherKindIn(folder, world) };
}

/** The first file of a known kind, other than profiles. */
async function otherKindIn(
  { path, files }: Folder,
  world: World,
): Promise<Extract<SourceFailure, { type: 'noProfiles' }>['instead']> {
  for (const { name } of files.slice(0, MAX_OPENED)) {
    const file = await openFile(`${path}/${name}`, world);
    await file?.close();
    const kind = file === undefined ? null : kindOfFile(name, file.start);
    if (kind !== null) return { file: name, kind };
  }
  return null;
}

const MAX_OPENED = 20;

/** The recording in a folder, or its profiles, or those in the folders below, as in the results of a CI job. */
async function sourcesOfFolder(folder: Folder, world: World): Promise<Sources> {
  const own = await sourcesIn(folder, world);
  if (own.isolates.length > 0 || isRecording(folder.files)) return own;
  const below = await foldersBelow(folder.path, world);
  const found: Sources[] = [];
  const newer: Warning[] = [];
  for (const one of below.folders) {
    const version = await otherVersionIn(one.path, one.files, world);
    if (version === null) found.push(await sourcesIn(one, world));
    else newer.push({ type: 'unknownVersion', path: one.path, version });
  }
  const full = found.filter(({ isolates }) => isolates.length > 0);
  const all = together(full);
  const { path } = folder;
  const read: Warning = { type: 'readBelow', path, profiles: all.isolates.length, folders: full.length };
  const cut: Warning = { type: 'notAllSearched', path, folders: below.folders.length };
  return { ...all, warnings: [read, ...(below.isWhole ? [] : [cut]), ...newer, ...all.warnings] };
}

async function sourcesIn(folder: Folder, world: World): Promise<Sources> {
  const { path, files } = folder;
  if (isRecording(files)) return recordingIn(path, files, world);
  const names = new Set(files.map(({ name }) => name));
  // `gzip -k` leaves a packed copy beside a file.
  const isCopy = (name: string): boolean => name.endsWith('.gz') && names.has(name.slice(0, -'.gz'.length));
  const profiles = [...names].filter((name) => isProfileName(name) && !isCopy(name));
  const found = plainProfiles(
    profiles.toSorted().map((name) => `${path}/${name}`),
    false,
  );
  return profiles.length === 0 ? found : { ...found, warnings: leftOut(folder) };
}

function leftOut({ path, files }: Folder): readonly Warning[] {
  const others = files.map(({ name }) => name).filter((name) => !isProfileName(name));
  return others.length === 0 ? [] : [{ type: 'filesLeftOut', path, files: others }];
}

/** Joins sources. The facts are those of the first recording. A file that was given twice counts once. */
function together(all: readonly Sources[]): Sources {
  const isolates = all.flatMap((sources) => sources.isolates);
  const byFirstFile = groupBy(isolates, ({ profiles }) => profiles[0]);
  return {
    isolates: [...byFirstFile.values()].flatMap(([first]) => first ?? []),
    mapFiles: all.flatMap((sources) => sources.mapFiles),
    recording: factsOfAll(all),
    cwds: [...new Set(all.flatMap(({ cwds }) => cwds))],
    evaluated: all.some((sources) => sources.evaluated),
    warnings: all.flatMap((sources) => sources.warnings),
    losses: all.flatMap((sources) => sources.losses),
  };
}

/** `seenAgain` is about one recording; a doubt of one is a doubt of all. */
function factsOfAll(all: readonly Sources[]): RecordingFacts {
  const first = all.find(({ recording }) => recording.cwd !== null)?.recording;
  if (first === undefined) return { command: null, cwd: null, startedAt: null };
  if (all.length === 1) return first;
  const { seenAgain: _, ...facts } = first;
  const isAttached = all.some(({ recording }) => recording.isAttached);
  return isAttached ? { ...facts, isAttached } : facts;
}

/** Removes the folder of the program if it is on another host: no file is looked for there, and none is own code. */
function ranHere(sources: Sources, opened: readonly string[]): Sources {
  const { cwd } = sources.recording;
  if (cwd === null || isWithin(cwd, opened)) return sources;
  const warnings: readonly Warning[] = [...sources.warnings, { type: 'ranElsewhere' }];
  return { ...sources, recording: { ...sources.recording, cwd: null }, warnings };
}

/**
 * Profiles of one folder that belong to no recording. Where a name does not show whether a thread is the main one, its
 * frames do. Rotated parts are one isolate here, too. `isNamed`: the user gave these paths.
 */
function plainProfiles(paths: readonly string[], isNamed: boolean): Sources {
  const named = paths.map((path) => ({ path, name: profileNameOf(fileNameOf(path)) }));
  const mainPids = new Set(
    named.flatMap(({ name }) => (name.type !== 'foreign' && name.threadId === 0 ? [name.pid] : [])),
  );
  const byIsolate = groupBy(named, ({ path, name }) => (name.type === 'part' ? name.isolate : path));
  const isolates = [...byIsolate.values()].map((parts): IsolateSource => {
    const profiles = parts.toSorted((a, b) => partOf(a.name) - partOf(b.name)).map(({ path }) => path);
    const name = parts[0]?.name ?? { type: 'foreign' };
    const isBeside = name.type !== 'foreign' && name.threadId !== 0 && mainPids.has(name.pid);
    return {
      profiles,
      isNamed,
      isRecorded: false,
      turnsFile: null,
      waitsFile: null,
      testsFile: null,
      requestsFile: null,
      textsFile: null,
      pid: name.type === 'foreign' ? null : name.pid,
      threadId: name.type === 'foreign' ? null : name.threadId,
      threadKind: isBeside ? null : 'main',
      nodeVersion: null,
      command: null,
      isTestParent: false,
      ended: 'unknown',
      isComplete: false,
      interval: null,
    };
  });
  const recording = { command: null, cwd: null, startedAt: null };
  return { isolates, mapFiles: [], recording, cwds: [], evaluated: false, warnings: [], losses: [] };
}

function partOf(name: ProfileName): number {
  return name.type === 'part' ? name.part : 0;
}

/**
 * The recordings in a folder, and the folders of profiles beside them. Any other path stands for itself: a file, a
 * recording, a folder with profiles of its own or without recordings.
 */
export async function recordingsAt(path: string, world: World): Promise<RecordingsThere> {
  const files = (await world.listFiles(path)) ?? [];
  const below = isReadAlone(files) ? null : await foldersBelow(path, world);
  if (below === null || !below.folders.some((folder) => isRecording(folder.files)))
    return { paths: [path], warnings: [] };
  const paths = below.folders.filter((folder) => isReadAlone(folder.files)).map((folder) => folder.path);
  const cut: Warning = { type: 'notAllSearched', path, folders: below.folders.length };
  return { paths, warnings: below.isWhole ? [] : [cut] };
}

interface RecordingsThere {
  readonly paths: readonly string[];
  readonly warnings: readonly Warning[];
}

function isReadAlone(files: Folder['files']): boolean {
  return isRecording(files) || files.some(({ name }) => isProfileName(name));
}

export interface WithoutCopies {
  /** Paths as given, each recording once. */
  readonly kept: readonly string[];
  /** Paths that were left out, with the one that is kept in their place. */
  readonly copies: readonly { readonly path: string; readonly of: string }[];
}

/** Leaves out recordings given twice (same begin and processes); keeps the fuller one, and what cannot be compared. */
export async function withoutCopies(paths: readonly string[], world: World): Promise<WithoutCopies> {
  if (paths.length < 2) return { kept: paths, copies: [] };
  const kept: Known[] = [];
  const copies: WithoutCopies['copies'][number][] = [];
  for (const path of paths) {
    const one = { path, isolates: await isolatesOf(path, world) };
    const fuller = kept.find((other) => other.path === path || isContained(one, other));
    const fewer = fuller === undefined ? kept.find((other) => isContained(other, one)) : undefined;
    if (fewer !== undefined) kept.splice(kept.indexOf(fewer), 1, one);
    else if (fuller === undefined) kept.push(one);
    if (fuller !== undefined) copies.push({ path, of: fuller.path });
    if (fewer !== undefined) copies.push({ path: fewer.path, of: path });
  }
  return { kept: kept.map(({ path }) => path), copies };
}

interface Known {
  readonly path: string;
  /** Names that no other recording has; may be empty. */
  readonly isolates: ReadonlySet<string>;
}

/** Whether all isolates of `one`, as far as there are any, are in `other`, too. */
function isContained(one: Known, other: Known): boolean {
  return one.isolates.size > 0 && [...one.isolates].every((isolate) => other.isolates.has(isolate));
}

async function isolatesOf(path: string, world: World): Promise<ReadonlySet<string>> {
  const found = await findSources([path], world);
  if (found.type === 'failed') return new Set();
  const { isolates, recording } = found.sources;
  return new Set(isolates.flatMap(({ profiles }) => nameOf(fileNameOf(profiles[0] ?? ''), recording.startedAt) ?? []));
}

/** A name for a process and its begin; null where others may have it, too. A recording's names need its begin. */
function nameOf(file: string, startedAt: string | null): string | null {
  const name = profileNameOf(file);
  const plain = file.replace(/\.gz$/, '');
  if (name.type === 'node') return name.startedAt === null ? null : plain;
  return startedAt === null || name.type === 'foreign' ? null : `${startedAt} ${plain}`;
}
