import { existsSync, type FSWatcher, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { recordingFile } from '../protocol/recording.ts';
import { baselinesFolder, listBaselines } from './baselines.ts';
import { defaultRecordingsFolders } from './default-folder.ts';
import { isOfComparison, findRecordings, hasProfiles, readManifest } from './recording-folders.ts';

/**
 * The newest finished recording in the project at `cwd` that has a profile, runs of baselines included; else the newest
 * one that should have one; null if there is none.
 */
export async function lastRecording(cwd: string, env: NodeJS.ProcessEnv = process.env): Promise<string | null> {
  return (await newestIn([cwd], env))?.folder ?? null;
}

/** The same of the nearest folder that has one: `cwd`, or one above it in its repository. */
export async function nearestRecording(cwd: string): Promise<string | null> {
  for (const folder of foldersOfProject(cwd)) {
    const newest = await newestIn([folder]);
    if (newest !== null) return newest.folder;
  }
  return null;
}

/** The finished recordings of the project, or of folders above it in its repository, that are older; the newest first. */
export async function olderRecordings(cwd: string, recording: string): Promise<readonly string[]> {
  const found = await foundIn(foldersOfProject(cwd).flatMap((one) => defaultRecordingsFolders(one)));
  const all = found.filter(({ folder, isEnded }) => isEnded && !isOfComparison(folder)).toSorted(newestFirst);
  return all.slice(all.findIndex(({ folder }) => folder === recording) + 1).map(({ folder }) => folder);
}

/**
 * Says that nothing was recorded in the projects, or only runs of checks and comparisons, and which is the newest. The
 * sentence has no end: a next step follows. `place` is where that is.
 */
export async function nothingRecorded(projects: readonly string[], place = 'here'): Promise<string> {
  const folders = [...new Set(projects.flatMap(foldersOfProject))];
  const newest = await newestOfComparisons(folders.flatMap((one) => defaultRecordingsFolders(one)));
  return newest === null ? `Nothing was recorded ${place} yet` : onlyComparisons(newest, place);
}

/** A sentence without an end. `newest`: the newest run. */
export function onlyComparisons(newest: string, place: string): string {
  return `Only checks and comparisons were recorded ${place} (the newest run is ${newest})`;
}

/** The newest finished run of a check or a comparison in folders of recordings; null if there is none. */
export async function newestOfComparisons(folders: readonly string[]): Promise<string | null> {
  const found = await foundIn(folders);
  const newest = await firstToShow(found.filter(({ folder, isEnded }) => isEnded && isOfComparison(folder)));
  return newest?.folder ?? null;
}

export interface NewestInProjects extends BegunRecording {
  /** How many recordings there are in all. */
  readonly count: number;
  /** Number of those that began later and do not count: not ended, without a profile, or of V8's tiers. */
  readonly leftOut: number;
}

/** As `lastRecording`. All commands and editors choose "the newest recording" by this. */
export async function newestIn(projects: readonly string[], env?: NodeJS.ProcessEnv): Promise<NewestInProjects | null> {
  const found = await foundIn(projects.flatMap((one) => defaultRecordingsFolders(one, env)));
  const recordings = found.filter(({ folder }) => !isOfComparison(folder));
  const baselines = (await Promise.all(projects.map(listBaselines))).flat();
  const ofBaselines = baselines.flatMap(({ recordings: [folder], createdAt }) =>
    folder === undefined ? [] : [{ folder, startedAt: createdAt }],
  );
  const newest = await firstToShow([...recordings.filter(({ isEnded }) => isEnded), ...ofBaselines]);
  if (newest === null) return null;
  const all = [...recordings, ...ofBaselines];
  const later = all.filter(({ startedAt }) => startedAt > newest.startedAt);
  return { ...newest, count: all.length, leftOut: later.length };
}

/** A recording, and when it began: a baseline that replaces another one has the same path. */
export interface BegunRecording {
  readonly folder: string;
  /** ISO 8601. */
  readonly startedAt: string;
}

function newestFirst(a: BegunRecording, b: BegunRecording): number {
  return a.startedAt < b.startedAt ? 1 : -1;
}

async function foundIn(folders: readonly string[]): ReturnType<typeof findRecordings> {
  return (await Promise.all(folders.map(findRecordings))).flat();
}

/** The newest with a profile; else the newest that should have one; null for none. */
async function firstToShow(recordings: readonly BegunRecording[]): Promise<BegunRecording | null> {
  let first: BegunRecording | null = null;
  for (const { folder, startedAt } of recordings.toSorted(newestFirst)) {
    const manifest = await readManifest(folder);
    if (manifest === null || manifest.isOfTiers) continue;
    if (await hasProfiles(folder)) return { folder, startedAt };
    first ??= { folder, startedAt };
  }
  return first;
}

/** The folder, and those above it in its repository: what runs all packages of a monorepo is recorded at its root. */
export function foldersOfProject(folder: string): readonly string[] {
  const folders = [folder];
  for (let last = folder; !existsSync(join(last, '.git')); folders.push(last)) {
    if (dirname(last) === last) return [folder];
    last = dirname(last);
  }
  return folders;
}

/** What `NewestOfProject` reports. */
export interface NewestListener {
  /** The newest finished recording is another one, or made again; null: there is none, said once at the start too. */
  readonly onDidChange: (recording: BegunRecording | null) => void;
  /** A command is being recorded. */
  readonly onDidBegin: (recording: string) => void;
}

/**
 * Follows the newest finished recording of a folder, or of one above it in its repository. Watches the folders that may
 * have one, which need not exist yet, and in them the runs that have not ended.
 */
export class NewestOfProject {
  readonly #projects: readonly string[];
  readonly #listener: NewestListener;
  /** By path. */
  readonly #watchers = new Map<string, FSWatcher>();
  #wanted: readonly Watched[] = [];
  /** Undefined before the first look. */
  #newest: BegunRecording | null | undefined;
  /** Undefined before the first look: runs that began earlier do not count. */
  #running: ReadonlySet<string> | undefined;
  #timer: NodeJS.Timeout | null = null;
  /** How long the timer waits, in ms. */
  #waits = 0;
  #looking = Promise.resolve();
  #isClosed = false;

  constructor(folder: string, listener: NewestListener) {
    this.#projects = foldersOfProject(folder);
    this.#listener = listener;
    this.#lookIn(0);
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const path of this.#watchers.keys()) this.#unwatch(path);
  }

  /** Events come in groups: one look answers all of them. `ms`: how long to wait for others. */
  #lookIn(ms: number): void {
    if (this.#isClosed || (this.#timer !== null && this.#waits <= ms)) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#waits = ms;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#looking = this.#looking.then(async () => this.#look()).catch(() => this.#lookIn(withoutWatchMs));
    }, ms);
  }

  async #look(): Promise<void> {
    const folders = this.#projects.flatMap((one) => defaultRecordingsFolders(one));
    const runs = (await Promise.all(folders.map(unendedRuns))).flat();
    if (this.#isClosed) return;
    // What happens between the look and the watch would be missed, so each new watch asks for another look.
    const watched = [...folders, ...this.#projects.map(baselinesFolder)].map(watchedFor);
    if (this.#watchOnly([...watched, ...runs.map(endOf)])) this.#lookIn(0);
    const found = await newestIn(this.#projects);
    const newest = found === null ? null : { folder: found.folder, startedAt: found.startedAt };
    if (this.#isClosed) return;
    const begun = runs.find((run) => this.#running?.has(run) === false);
    if (begun !== undefined) this.#listener.onDidBegin(begun);
    this.#running = new Set(runs);
    if (isDeepStrictEqual(newest, this.#newest)) return;
    this.#newest = newest;
    this.#listener.onDidChange(newest);
  }

  /** Watches these and no others; true where it watches a folder that it did not watch before. */
  #watchOnly(wanted: readonly Watched[]): boolean {
    this.#wanted = wanted;
    for (const path of this.#watchers.keys()) if (!wanted.some(({ folder }) => folder === path)) this.#unwatch(path);
    const missing = [...new Set(wanted.map(({ folder }) => folder))].filter((path) => !this.#watchers.has(path));
    for (const path of missing) this.#watch(path);
    return missing.some((path) => this.#watchers.has(path));
  }

  #watch(path: string): void {
    try {
      const watcher = watch(path, { persistent: false }, (_, changed) => this.#onDidChange(path, changed));
      watcher.on('error', () => {
        this.#unwatch(path);
        this.#lookIn(withoutWatchMs);
      });
      this.#watchers.set(path, watcher);
    } catch {
      this.#lookIn(withoutWatchMs); // It is gone, or the system has no watch left.
    }
  }

  /** `changed` is a name in the folder, or that of the folder; null where the system does not say it. */
  #onDidChange(path: string, changed: string | null): void {
    if (changed === basename(path)) this.#unwatch(path); // It may be gone, and another one in its place.
    const isOf = ({ folder, name }: Watched): boolean => folder === path && (name === null || name === changed);
    if (changed === null || !this.#watchers.has(path) || this.#wanted.some(isOf)) this.#lookIn(togetherMs);
  }

  #unwatch(path: string): void {
    this.#watchers.get(path)?.close();
    this.#watchers.delete(path);
  }
}

/** A recording's end writes several files. */
const togetherMs = 20;
const withoutWatchMs = 5_000;

interface Watched {
  readonly folder: string;
  /** The name in the folder that counts; null for all. */
  readonly name: string | null;
}

/** The folder, or where it will appear: the nearest folder above it, and the name to wait for. */
function watchedFor(folder: string): Watched {
  if (existsSync(folder)) return { folder, name: null };
  const above = watchedFor(dirname(folder)).folder;
  return { folder: above, name: relative(above, folder).split(sep)[0] ?? null };
}

/** A run has ended when its `recording.json` says so. */
function endOf(run: string): Watched {
  return { folder: run, name: recordingFile };
}

/** The last runs in a folder of recordings that have not ended. */
async function unendedRuns(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const runs = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  const last = runs.toSorted().slice(-MAX_RUNS);
  const ended = await Promise.all(last.map(async (run) => (await readManifest(run))?.isOpen === false));
  return last.filter((_, index) => ended[index] !== true);
}

/** Limit of watched runs. Killed ones stay without an end, and older ones do not count. */
const MAX_RUNS = 8;
