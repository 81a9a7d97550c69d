import type { FrameTable } from '../samples/profile-tree.ts';
import { createPlainReader } from '../import/cpuprofile/plain-reader.ts';
import { noPathMap, type PathMap } from '../files/file-path.ts';
import type { World } from '../files/world.ts';
import type { IsolateSource } from '../recording-files/isolate-source.ts';
import { type IsolateReading, type LoadedIsolate, loadIsolate } from './load-isolate.ts';
import type { Warning } from '../../../words/warnings/warning-text.ts';
import type { SourceFailure } from '../recording-files/find-sources.ts';
import { profileNameOf } from '../recording-files/profile-names.ts';
import { fileNameOf } from '../../../protocol/machine-path.ts';

/**
 * `done` of `total` isolates are read, one after the other. Reported at each percent of the bytes, and at each isolate.
 */
export interface Progress {
  readonly done: number;
  readonly total: number;
  /** Percentage of the bytes, rounded down; where the sizes of files are not known, percentage of the isolates. */
  readonly percent: number;
}

export type AnalyzeFailure =
  | { readonly type: 'cancelled' }
  | SourceFailure
  /** No file could be read. `reasons` has a warning for each file. */
  | { readonly type: 'allDamaged'; readonly reasons: readonly Warning[] };

type LoadedIsolates =
  | {
      readonly type: 'loaded';
      readonly isolates: readonly LoadedIsolate[];
      readonly warnings: readonly Warning[];
    }
  | { readonly type: 'failed'; readonly failure: AnalyzeFailure };

interface Watcher {
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
  readonly olderUrls?: IsolateReading['olderUrls'];
  readonly functionPlaces?: IsolateReading['functionPlaces'];
  readonly decoded?: IsolateReading['decoded'];
  readonly paths?: PathMap;
}

/** Reads all isolates one after the other, one file at a time. */
export async function loadIsolates(
  sources: readonly IsolateSource[],
  world: World,
  frames: FrameTable,
  { onProgress, signal, olderUrls, functionPlaces, decoded, paths = noPathMap }: Watcher,
): Promise<LoadedIsolates> {
  const meter = onProgress === undefined ? null : await createMeter(sources, world, onProgress);
  const onBytes = (count: number): void => meter?.read(count);
  const reading = { world, signal, plain: createPlainReader(), onBytes, olderUrls, functionPlaces, decoded, paths };
  const isolates: LoadedIsolate[] = [];
  const warnings: Warning[] = [];
  for (const [done, source] of sources.entries()) {
    meter?.begin(done);
    if (signal?.aborted === true) return { type: 'failed', failure: { type: 'cancelled' } };
    const loaded = await loadIsolate(source, reading, frames);
    if (loaded === null) return { type: 'failed', failure: { type: 'cancelled' } };
    for (const isolate of loaded) for (const warning of isolate.warnings) warnings.push(warning);
    const [missing] = loaded.flatMap((isolate) => isolate.missing);
    if (missing !== undefined && source.isNamed)
      return { type: 'failed', failure: { type: 'notFound', path: missing } };
    for (const isolate of loaded) {
      const same = isolates.find((one) => isSameProfile(one, isolate));
      if (same !== undefined) warnings.push(givenTwice(isolate, same));
      else if (isolate.parts.length > 0 || isolate.isSilent) isolates.push(isolate);
    }
  }
  meter?.begin(sources.length);
  return isolates.some(({ isSilent }) => !isSilent)
    ? {
        type: 'loaded',
        isolates,
        warnings: [...severalRuns(isolates), ...severalClocks(isolates), ...warnings, ...unreportedTests(isolates)],
      }
    : { type: 'failed', failure: { type: 'allDamaged', reasons: warnings } };
}

/**
 * Whether one profile is a copy of the other, under a name that does not show it: the clock of V8 counts µs since the
 * machine started. A V8 log has its own clock.
 */
function isSameProfile(a: LoadedIsolate, b: LoadedIsolate): boolean {
  const [one, other] = [a.parts[0]?.profile, b.parts[0]?.profile];
  if (one === undefined || other === undefined || one.tiered !== undefined || one.end !== other.end) return false;
  if (one.times.length !== other.times.length || one.times.at(0) !== other.times.at(0)) return false;
  const mayBeOne = (x: number | null, y: number | null): boolean => x === null || y === null || x === y;
  const { pid, threadId } = a.source;
  return mayBeOne(pid, b.source.pid) && mayBeOne(threadId, b.source.threadId) && [a, b].some(isForeign);
}

function isForeign({ source: { isRecorded, profiles } }: LoadedIsolate): boolean {
  return !isRecorded && profileNameOf(fileNameOf(profiles[0] ?? '')).type === 'foreign';
}

function givenTwice(copy: LoadedIsolate, { source }: LoadedIsolate): Warning {
  const [file, of] = [copy.source, source].map(({ profiles }) => fileNameOf(profiles[0] ?? ''));
  return { type: 'givenTwice', file: file ?? '', of: of ?? '' };
}

async function createMeter(sources: readonly IsolateSource[], world: World, onProgress: (progress: Progress) => void) {
  const paths = sources.flatMap(({ profiles }) => profiles);
  const sizes = await Promise.all(paths.map(async (path) => world.sizeOf?.(path)));
  const size = sizes.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
  const total = sources.length;
  const state = { done: 0, bytes: 0, percent: -1 };
  const report = (): void => {
    const [part, whole] = size > 0 && state.done < total ? [state.bytes, size] : [state.done, total];
    state.percent = whole === 0 ? 0 : Math.min(100, Math.floor((100 * part) / whole));
    onProgress({ done: state.done, total, percent: state.percent });
  };
  return {
    begin: (done: number) => {
      state.done = done;
      report();
    },
    read: (bytes: number) => {
      state.bytes += bytes;
      if (size > 0 && Math.floor((100 * state.bytes) / size) > state.percent) report();
    },
  };
}

/**
 * Finds out whether the plain profiles of a folder come from several runs or machines, because `--cpu-prof` writes its
 * files beside yesterday's. In one run some process is always at work, and all processes have the same clock.
 */
function severalRuns(isolates: readonly LoadedIsolate[]): readonly Warning[] {
  const spans = isolates.filter(({ source }) => !source.isRecorded && !source.isNamed).flatMap(spansOf);
  const runs: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const at = runs.findIndex((run) => isSameRun(run, span));
    const run = runs[at];
    if (run === undefined) runs.push(span);
    else runs[at] = { ...run, end: Math.max(run.end, span.end), boot: run.boot ?? span.boot };
  }
  if (runs.length <= 1) return [];
  const dates = runs.flatMap(({ startedAt }) => startedAt ?? []).toSorted();
  return [{ type: 'severalRuns', runs: runs.length, first: dates[0] ?? null, last: dates.at(-1) ?? null }];
}

/** Finds out whether there are several V8 logs without the recorder's clock: each counts from its own begin. */
function severalClocks(isolates: readonly LoadedIsolate[]): readonly Warning[] {
  const logs = isolates.filter(({ source, parts }) => !source.isRecorded && parts[0]?.profile.tiered !== undefined);
  return logs.length <= 1 ? [] : [{ type: 'severalClocks', logs: logs.length }];
}

/** When an isolate was profiled, in µs on its machine's clock. */
interface Span {
  readonly start: number;
  readonly end: number;
  /** When that clock began, by the time in the file's name (of unknown time zone); null where the name has none. */
  readonly boot: number | null;
  /** Time of day in the file's name, such as `2026-01-31 23:59:59`; null where it has none. */
  readonly startedAt: string | null;
}

function spansOf({ source, parts }: LoadedIsolate): readonly Span[] {
  const name = profileNameOf(fileNameOf(source.profiles[0] ?? ''));
  const startedAt =
    name.type === 'node' && name.startedAt !== null
      ? name.startedAt.replace(/(\d{4})(\d\d)(\d\d)\.(\d\d)(\d\d)(\d\d)/, '$1-$2-$3 $4:$5:$6')
      : null;
  const wall = startedAt === null ? Number.NaN : Date.parse(`${startedAt.replace(' ', 'T')}Z`) * 1000;
  return parts.flatMap(({ profile: { times, end } }) => {
    const start = times.at(0);
    return start === undefined ? [] : [{ start, end, startedAt, boot: Number.isFinite(wall) ? wall - start : null }];
  });
}

function isSameRun(run: Span, span: Span): boolean {
  const isOneClock = run.boot === null || span.boot === null || Math.abs(run.boot - span.boot) < MAX_CLOCK_DRIFT_US;
  return isOneClock && span.start - run.end < MAX_PAUSE_US;
}

/** Between two begins of one clock: file names have whole seconds, clocks are corrected. Sleep differs by more. */
const MAX_CLOCK_DRIFT_US = 60e6;
/** In µs, within a run. Scripts of one run follow each other sooner; a user starts a second run later. */
const MAX_PAUSE_US = 5e6;

/** Finds tests that ran at the same time, and a runner without any test. */
function unreportedTests(isolates: readonly LoadedIsolate[]): readonly Warning[] {
  const files = new Set(isolates.flatMap(({ tests }) => [...(tests?.untold ?? [])])).size;
  return [...(files === 0 ? [] : [{ type: 'concurrentTests', files } as const]), ...silentRunner(isolates)];
}

/** Finds a runner without any test. The recorder hooks functions inside of runners, which other versions may rename. */
function silentRunner(isolates: readonly LoadedIsolate[]): readonly Warning[] {
  if (isolates.some(({ tests }) => tests !== null && (tests.changes.length > 0 || tests.untold.size > 0))) return [];
  const recorded = isolates.filter(({ source, turns }) => turns !== null && !source.isTestParent);
  const urls = new Set(
    recorded.flatMap(({ parts }) => parts).flatMap(({ profile }) => profile.frames.map(({ url }) => url)),
  );
  const ran = ([file]: readonly [RegExp, string]): boolean => [...urls].some((url) => file.test(url));
  const [watched, other] = [runners.find(ran), otherRunners.find(ran)];
  if (watched !== undefined) return [{ type: 'silentRunner', runner: watched[1] }];
  return other === undefined ? [] : [{ type: 'otherRunner', runner: other[1] }];
}

/** Files that a runner loads only in processes in which tests run. */
const runners = [
  [/[\\/]node_modules[\\/]jest-circus[\\/]/, 'Jest'],
  [/[\\/]node_modules[\\/]@vitest[\\/]runner[\\/]/, 'Vitest'],
  [/[\\/]node_modules[\\/]mocha[\\/]lib[\\/]runner\.js$/, 'Mocha'],
  [/^node:internal\/test_runner\/test$/, 'node:test'],
] as const;

/** Files that run tests which the recorder cannot see. What apps load, such as `uvu/assert` in micromark, is none. */
const otherRunners = [
  [/[\\/]node_modules[\\/]jest-jasmine2[\\/]/, 'Jest with jasmine2'],
  [/[\\/]node_modules[\\/]jasmine-core[\\/]lib[\\/]jasmine-core[\\/]jasmine\.js$/, 'Jasmine'],
  [/[\\/]node_modules[\\/]ava[\\/]lib[\\/](?:worker[\\/]|runner\.js$)/, 'AVA'],
  [/[\\/]node_modules[\\/](?:tap[\\/]lib|@tapjs[\\/](?:core|test)|libtap)[\\/]/, 'tap'],
  [/[\\/]node_modules[\\/]tape[\\/]lib[\\/]test\.js$/, 'tape'],
  [/[\\/]node_modules[\\/]uvu[\\/](?:dist|run)[\\/]/, 'uvu'],
] as const;
