import type { Microseconds } from '../protocol/units.ts';
import type { Analysis } from './analysis.ts';
import type { AnalyzeFailure } from './sources/analyze-failure.ts';
import { scavengeSentences } from './event-loop/scavenges.ts';
import { findWorkspace } from './functions/find-workspace.ts';
import { createFrameTable } from './samples/frame-table.ts';
import { createLocate } from './functions/locate-file.ts';
import { nameFunctions } from './functions/name-functions.ts';
import { findHotspots } from './hotspots/find-hotspots.ts';
import { labelFunctions } from './lines/label-functions.ts';
import { atomicsWaiters } from './lines/atomics-waiters.ts';
import { worldOfThisMachine } from './files/world-of-this-machine.ts';
import { hotLines } from './lines/hot-lines.ts';
import { importLines } from './lines/import-lines.ts';
import { blamedPackages } from './lines/package-lines.ts';
import { doubtSentences } from './hotspots/doubts.ts';
import { SourceIndexes } from './source-code/source-indexes.ts';
import { buildStreams } from './streams/build-streams.ts';
import { findSources } from './sources/find-sources.ts';
import { findTierRecording } from './tiers/find-tier-recording.ts';
import { loadIsolates } from './isolates/load-isolates.ts';
import { withDebuggerPlaces } from './sourcemap/with-debugger-places.ts';
import { unseenSentences } from './streams/unseen-program.ts';
import { changedSince } from './texts/changed-since.ts';
import { readKeptTexts } from './texts/kept-texts.ts';
import { openMappers } from './texts/open-mappers.ts';
import { filesChangedSince, firstBegin } from './tiers/changed-files.ts';
import { tiersOf } from './tiers/tiers-of.ts';
import { tiersOfSecondRun } from './tiers/tiers-of-second-run.ts';
import type { World } from './files/world.ts';

export interface AnalyzeOptions {
  readonly thresholdUs: Microseconds;
  /** Absolute paths of the workspace folders; none: the recording's `cwd`, else `currentFolder`, widened to its project. */
  readonly roots: readonly string[];
  /** Absolute path. */
  readonly currentFolder?: string;
  readonly sourceMaps: boolean;
  /** More regular expressions for paths of tests, matched inside the workspace. */
  readonly testPatterns?: readonly string[];
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
}

/** Isolates are read one after the other; `done` of `total` are. Told at each percent of the bytes, and at each isolate. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  /** Whole percent of the bytes of all; of the isolates where sizes are not known. */
  readonly percent: number;
}

export type AnalyzeResult =
  | {
      readonly type: 'analyzed';
      readonly analysis: Analysis;
      /** The same recording at another threshold, with the same numbers of functions; nothing is read again. */
      readonly at: (thresholdUs: Microseconds) => Promise<Analysis>;
      /** The text that was recorded, of a file or original as functions and lines name it; today's where it was not kept. */
      readonly textOf: (url: string) => Promise<string | null>;
      /** Of the file at an absolute path; null where the recording has not kept it. */
      readonly kept: (path: string) => Promise<string | null>;
    }
  | { readonly type: 'failed'; readonly failure: AnalyzeFailure };

/**
 * Reads recordings, `.cpuprofile` files (plain or gzipped), V8 logs or folders of them, and finds what blocks. Where it is one
 * recording of profiles, its functions take their tiers from the newest recording of tiers of the same command beside it.
 * A damaged file among good ones becomes a warning. Rejects only for a bug.
 */
export async function analyze(paths: readonly string[], world: World, options: AnalyzeOptions): Promise<AnalyzeResult> {
  const result = await analyzeAlone(paths, worldOfThisMachine(world, openedBy(paths, options)), options);
  const [path] = paths;
  if (result.type === 'failed' || path === undefined || paths.length > 1) return result;
  const analysis = await withSecondRun(result.analysis, path, world, options);
  if (options.signal?.aborted === true) return { type: 'failed', failure: { type: 'cancelled' } };
  return { ...result, analysis };
}

/** With the tiers of the recording that lies beside that of `path` now, where it has none of its own. */
export async function withSecondRun(
  analysis: Analysis,
  path: string,
  world: World,
  options: AnalyzeOptions,
): Promise<Analysis> {
  const isOwn = analysis.tiers?.secondRun === null;
  const ours = worldOfThisMachine(world, openedBy([path], options));
  const run = isOwn ? null : await findTierRecording(path, analysis.recording, ours);
  if (run === null) return analysis;
  const { onProgress: _, ...quietly } = options;
  const second = await analyzeAlone([run.path], ours, { ...quietly, roots: analysis.roots });
  if (second.type === 'failed') return analysis;
  const changed = await filesChangedSince(firstBegin(analysis.recording, run), analysis.functions.functions, ours);
  return { ...analysis, tiers: tiersOfSecondRun(analysis, second.analysis, run, changed) };
}

async function analyzeAlone(paths: readonly string[], world: World, options: AnalyzeOptions): Promise<AnalyzeResult> {
  const searched = await findSources(paths, world, openedBy(paths, options));
  if (searched.type === 'failed') return searched;
  const { sources } = searched;
  const frames = createFrameTable();
  const texts = await readKeptTexts(sources, world);
  const loaded = await loadIsolates(sources.isolates, world, frames, { ...options, olderUrls: texts.olderUrls });
  if (loaded.type === 'failed') return loaded;
  const { workspace, warnings } = await findWorkspace(sources, options, world);
  const ranIn = [sources.recording.cwd ?? options.currentFolder].filter((folder) => folder !== undefined);
  const mapper = await openMappers(sources, texts, world, [...ranIn, ...workspace.roots]);
  const noted = new Map(loaded.isolates.flatMap(({ places }) => [...places]));
  const usedMapper = options.sourceMaps ? withDebuggerPlaces(mapper, noted) : null;
  const table = await nameFunctions(frames.frames, usedMapper, workspace, await createLocate(workspace, world, ranIn));
  const streams = buildStreams(loaded.isolates, table);
  const said = [...sources.warnings, ...sources.losses, ...loaded.warnings, ...warnings];
  const unseen = unseenSentences(sources, table.functions);
  const indexes = new SourceIndexes((url) => mapper.textOf(url));
  const changed = await changedSince(table.functions, mapper, texts, world);
  const at = async (thresholdUs: Microseconds): Promise<Analysis> => {
    const hotspots = findHotspots(streams, table.functions, thresholdUs);
    const doubts = doubtSentences({ thresholdUs, streams, functions: table, ...hotspots });
    const functions = { ...table, functions: await labelFunctions(table.functions, hotspots.figures, indexes) };
    const found = { thresholdUs, functions, streams, roots: workspace.roots, ...hotspots };
    return {
      ...found,
      recording: sources.recording,
      atomicsWaiters: await atomicsWaiters(found, indexes),
      lines: await hotLines(found, usedMapper, indexes),
      importLines: await importLines(found, indexes),
      packages: await blamedPackages(found, indexes, world),
      tiers: await tiersOf(found, usedMapper, indexes),
      changed,
      warnings: [...said, ...unseen, ...mapper.warnings, ...texts.warnings, ...doubts, ...scavengeSentences(streams)],
    };
  };
  const analysis = await at(options.thresholdUs);
  if (options.signal?.aborted === true) return { type: 'failed', failure: { type: 'cancelled' } };
  return { type: 'analyzed', analysis, at, textOf: async (url) => mapper.textOf(url), kept: texts.textOf };
}

/** What the person gave, which may lie on a share: nothing that a file says. */
function openedBy(paths: readonly string[], { roots, currentFolder }: AnalyzeOptions): readonly string[] {
  return [...paths, ...roots, ...(currentFolder === undefined ? [] : [currentFolder])];
}
