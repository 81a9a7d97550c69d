import type { ReportSecondRun } from '../../../protocol/report.ts';
import { type Column1, type Line1, type Microseconds, microseconds } from '../../../protocol/units.ts';
import type { V8Tier } from '../../../protocol/v8-tiers.ts';
import { recordingFile, v8LogSuffix } from '../../../protocol/recording.ts';
import type { RecordingFacts } from '../../read/recording-files/isolate-source.ts';
import { isNameOfTarget } from '../../../protocol/formats/folder-names.ts';
import { parseManifest } from '../../../protocol/formats/parse-manifest.ts';
import { type World, readText } from '../../read/files/world.ts';
import { fileNameOf, folderOf } from '../../../protocol/machine-path.ts';
import { trimEnd } from '../../../protocol/path-spelling.ts';
import { fileKey, isRecorder } from '../../read/files/file-path.ts';
import type { JudgedRun } from '../hotspots/judged-run.ts';
import type { FunctionInfo } from '../../read/functions/function-table.ts';
import { groupBy } from '../../basics/lists.ts';

export interface Tiers {
  /** The second run from which the tiers come; null where the recording itself has them. */
  readonly secondRun: ReportSecondRun | null;
  /** Tiers by function id. Functions that were on top of no tick in JavaScript are missing. */
  readonly functions: ReadonlyMap<number, FunctionTiers>;
  /** Ids of the functions that are on a stack of the second run; empty without one. */
  readonly seen: ReadonlySet<number>;
}

/** Figures of one function over all isolates. Source: docs/definition.md, V8 tiers. */
export interface FunctionTiers {
  /** Time of ticks in JavaScript by tier of the innermost JavaScript frame, built-ins on top included. */
  readonly times: Readonly<Record<V8Tier, Microseconds>>;
  readonly ticks: number;
  /** Functions into which it was inlined, with that part of the time, most first. */
  readonly hosts: readonly Host[];
  readonly code: CodeHistory;
  /** Label of the enclosing function each of whose calls creates this one; null where that is not shown. */
  readonly madeIn: string | null;
}

export function timesByTier(timeOf: (tier: V8Tier) => Microseconds): FunctionTiers['times'] {
  const [unknown, ignition, sparkplug] = [timeOf('unknown'), timeOf('ignition'), timeOf('sparkplug')];
  return { unknown, ignition, sparkplug, maglev: timeOf('maglev'), turbofan: timeOf('turbofan') };
}

export interface Host {
  /** Function id; −1 where the profile does not have it (tiers of a second run). */
  readonly functionId: number;
  readonly time: Microseconds;
}

/** The code of a function that was compiled and thrown away, in the order of time. */
export interface CodeHistory {
  readonly compilations: readonly Compilation[];
  /** Deopts, without those that end no code: V8 also uses a deopt to leave a loop for better code of it. */
  readonly deopts: readonly FunctionDeopt[];
}

/** A compilation. `time` is on the clock of the samples, in µs. */
export interface Compilation {
  readonly time: Microseconds;
  readonly tier: V8Tier;
  /** True where the code was entered in the middle of a loop. Known from Node 26 on. */
  readonly osr: boolean;
}

export interface FunctionDeopt {
  readonly time: Microseconds;
  /** The tier of the code that was thrown away. */
  readonly tier: V8Tier;
  /** Kind as V8 writes it: `deopt-eager`, `deopt-lazy`, `dependency-change`. */
  readonly kind: string;
  /** Reason in V8's words, such as `wrong map`. */
  readonly reason: string;
  /** Place in the original, if a source map has it. It is in another function's text if that was inlined. */
  readonly place: CodePlace;
}

/** A place in code. Line and column count from 1; 0 where V8 does not say. */
export interface CodePlace {
  readonly url: string;
  readonly line: Line1;
  readonly column: Column1;
}

/** A recording's folder, and when the recording began. */
export type FoundRun = Pick<ReportSecondRun, 'path' | 'startedAt'>;

/** The newest finished recording of tiers of the same command and folder beside this one; null if there is none. */
export async function findTierRecording(
  recording: string,
  { command, cwd }: RecordingFacts,
  world: World,
): Promise<FoundRun | null> {
  if (command === null || cwd === null) return null;
  const found: FoundRun[] = [];
  for (const path of await foldersBeside(recording, world)) {
    const run = await tierRecordingIn(path, { command, cwd }, world);
    if (run !== null) found.push(run);
  }
  return found.toSorted((a, b) => ((a.startedAt ?? '') < (b.startedAt ?? '') ? 1 : -1))[0] ?? null;
}

async function tierRecordingIn(
  path: string,
  target: Required<Pick<RecordingFacts, 'command' | 'cwd'>>,
  world: World,
): Promise<FoundRun | null> {
  const manifest = parseManifest((await readText(`${path}/${recordingFile}`, world)) ?? '');
  if (manifest === null || !manifest.isOfTiers || manifest.endedAt === null) return null;
  const { command, cwd, startedAt } = manifest;
  if (cwd !== target.cwd || JSON.stringify(command ?? []) !== JSON.stringify(target.command)) return null;
  const files = (await world.listFiles(path)) ?? [];
  return files.some(({ name }) => name.endsWith(v8LogSuffix)) ? { path, startedAt } : null;
}

/** Folders beside a recording, as `hotspan record` leaves recordings. The editor has a folder for each target. */
async function foldersBeside(recording: string, world: World): Promise<readonly string[]> {
  const parent = folderOf(recording.slice(0, 1) + trimEnd(recording.slice(1)));
  if (!isNameOfTarget(fileNameOf(parent))) return foldersIn(parent, world);
  const targets = (await foldersIn(folderOf(parent), world)).filter((path) => isNameOfTarget(fileNameOf(path)));
  const all: string[] = [];
  for (const target of targets) for (const folder of await foldersIn(target, world)) all.push(folder);
  return all;
}

async function foldersIn(folder: string, world: World): Promise<readonly string[]> {
  const names = (await world.listFolders?.(folder)) ?? [];
  return names.map((name) => `${folder}/${name}`);
}

/**
 * The tiers of a profile's functions in another run, matched by place: V8's log and profiler name many differently.
 * Functions of changed files are left out.
 */
export function tiersOfSecondRun(
  profile: JudgedRun,
  second: JudgedRun & { readonly tiers: Tiers | null },
  run: FoundRun,
  changedFiles: ReadonlySet<string>,
): Tiers {
  const found = second.tiers?.functions ?? new Map<number, FunctionTiers>();
  const places = groupBy(
    [...found].flatMap(([id, tiers]) => {
      const fn = second.functions.functions[id];
      return fn === undefined || fn.url === '' ? [] : [{ place: placeOf(fn), tiers }];
    }),
    ({ place }) => place,
  );
  const changed = new Set([...changedFiles].map(fileKey));
  const unchanged = profile.functions.functions.filter(({ path }) => path === null || !changedFiles.has(path));
  const known = new Map(unchanged.map((fn) => [placeOf(fn), fn.id]));
  const hostOf = ({ functionId, time }: Host): Host => {
    const host = second.functions.functions[functionId];
    return { functionId: host === undefined ? -1 : (known.get(placeOf(host)) ?? -1), time };
  };
  const functions = new Map<number, FunctionTiers>();
  for (const fn of unchanged) {
    const [first, ...others] = places.get(placeOf(fn)) ?? [];
    if (first === undefined) continue;
    const tiers = others.reduce((sum, other) => merged(sum, other.tiers), first.tiers);
    const deopts = tiers.code.deopts.filter(({ place }) => !changed.has(fileKey(place.url)));
    functions.set(fn.id, { ...tiers, hosts: tiers.hosts.map(hostOf), code: { ...tiers.code, deopts } });
  }
  const secondRun = { ...run, otherNode: otherNode(profile, second), changedFiles: [...changedFiles] };
  const seenPlaces = new Set(second.functions.functions.filter(({ url }) => url !== '').map(placeOf));
  const seen = unchanged.filter((fn) => seenPlaces.has(placeOf(fn)));
  return { secondRun, functions, seen: new Set(seen.map(({ id }) => id)) };
}

/** The Node versions of the second run, if the profile has none of them; else null, also where they are not known. */
function otherNode(profile: JudgedRun, second: JudgedRun): string | null {
  const before = nodeVersionsOf(profile);
  const versions = nodeVersionsOf(second);
  const isOther = before.length > 0 && versions.length > 0 && !versions.some((version) => before.includes(version));
  return isOther ? [...new Set(versions)].join(', ') : null;
}

function nodeVersionsOf({ streams }: JudgedRun): readonly string[] {
  return streams.map(({ isolate }) => isolate.nodeVersion).filter((version) => version !== null);
}

function placeOf({ url, line, column }: FunctionInfo): string {
  return `${line}:${column}\n${fileKey(url)}`;
}

/** Merges two functions of one place, whose names differ by what ran them. */
function merged(a: FunctionTiers, b: FunctionTiers): FunctionTiers {
  return {
    times: timesByTier((tier) => microseconds(a.times[tier] + b.times[tier])),
    ticks: a.ticks + b.ticks,
    hosts: [...a.hosts, ...b.hosts].toSorted((one, other) => other.time - one.time),
    code: {
      compilations: [...a.code.compilations, ...b.code.compilations].toSorted((one, other) => one.time - other.time),
      deopts: [...a.code.deopts, ...b.code.deopts].toSorted((one, other) => one.time - other.time),
    },
    madeIn: a.madeIn ?? b.madeIn,
  };
}

/**
 * Files of the functions that changed since `begin` (ms since the epoch), own files first. Missing files do not count
 * as changed; the recorder's file is left out, because each run writes it.
 */
export async function filesChangedSince(
  begin: number,
  functions: readonly FunctionInfo[],
  world: Pick<World, 'changedAt'>,
): Promise<ReadonlySet<string>> {
  const ordered = [...functions.filter(({ own }) => own), ...functions];
  const known = ordered.map(({ path }) => path).filter((path) => path !== null);
  const paths = [...new Set(known)].filter((path) => !isRecorder(path));
  const times = await Promise.all(paths.map(async (path) => world.changedAt?.(path)));
  return new Set(paths.filter((_path, index) => (times[index] ?? 0) > begin));
}

/** When the first of these runs began, in ms since the epoch; `Infinity` where none of them says it. */
export function firstBegin(...runs: readonly { readonly startedAt: string | null }[]): number {
  const begins = runs.map(({ startedAt }) => Date.parse(startedAt ?? ''));
  return begins.reduce((least, begin) => (begin < least ? begin : least), Infinity);
}
