import type { FrameTable } from '../samples/profile-tree.ts';
import { createPlainReader } from '../import/cpuprofile/plain-reader.ts';
import { noPathMap, type PathMap } from '../files/file-path.ts';
import type { World } from '../files/world.ts';
import type { IsolateSource } from '../recording-files/isolate-source.ts';
import { severalClocks, severalRuns, unreportedTests } from './isolate-warnings.ts';
import { type IsolateReading, type LoadedIsolate, loadIsolate } from './load-isolate.ts';
import type { Warning } from '../../../words/warnings/warning-text.ts';
import type { SourceFailure } from '../recording-files/find-sources.ts';

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
  readonly paths?: PathMap;
}

/** Reads all isolates one after the other, one file at a time. */
export async function loadIsolates(
  sources: readonly IsolateSource[],
  world: World,
  frames: FrameTable,
  { onProgress, signal, olderUrls, functionPlaces, paths = noPathMap }: Watcher,
): Promise<LoadedIsolates> {
  const meter = onProgress === undefined ? null : await createMeter(sources, world, onProgress);
  const onBytes = (count: number): void => meter?.read(count);
  const reading = { world, signal, plain: createPlainReader(), onBytes, olderUrls, functionPlaces, paths };
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
    for (const isolate of loaded) if (isolate.parts.length > 0 || isolate.isSilent) isolates.push(isolate);
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
