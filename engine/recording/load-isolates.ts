import type { AnalyzeFailure } from '../analyze-failure.ts';
import type { FrameTable } from '../functions/frame-table.ts';
import { createPlainReader } from '../profile/plain-reader.ts';
import type { World } from '../world.ts';
import type { IsolateSource } from './isolate-source.ts';
import { describeRuns } from './describe-runs.ts';
import { type LoadedIsolate, loadIsolate } from './load-isolate.ts';
import { untoldTests } from './untold-tests.ts';

export type LoadedIsolates =
  | { readonly type: 'loaded'; readonly isolates: readonly LoadedIsolate[]; readonly warnings: readonly string[] }
  | { readonly type: 'failed'; readonly failure: AnalyzeFailure };

interface Watcher {
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  readonly signal?: AbortSignal;
}

/** Reads all isolates, one after the other: one file at a time. */
export async function loadIsolates(
  sources: readonly IsolateSource[],
  world: World,
  frames: FrameTable,
  { onProgress, signal }: Watcher,
): Promise<LoadedIsolates> {
  const reading = { world, signal, plain: createPlainReader() };
  const isolates: LoadedIsolate[] = [];
  const warnings: string[] = [];
  for (const [done, source] of sources.entries()) {
    onProgress?.({ done, total: sources.length });
    if (signal?.aborted === true) return { type: 'failed', failure: { type: 'cancelled' } };
    const loaded = await loadIsolate(source, reading, frames);
    if (loaded === null) return { type: 'failed', failure: { type: 'cancelled' } };
    warnings.push(...loaded.flatMap((isolate) => isolate.warnings));
    const [missing] = loaded.flatMap((isolate) => isolate.missing);
    if (missing !== undefined && source.isNamed)
      return { type: 'failed', failure: { type: 'notFound', path: missing } };
    isolates.push(...loaded.filter(({ parts, isSilent }) => parts.length > 0 || isSilent));
  }
  onProgress?.({ done: sources.length, total: sources.length });
  return isolates.some(({ isSilent }) => !isSilent)
    ? { type: 'loaded', isolates, warnings: [...describeRuns(isolates), ...warnings, ...untoldTests(isolates)] }
    : { type: 'failed', failure: { type: 'allDamaged', reasons: warnings } };
}
