import { canonicalPath } from '../protocol/path-spelling.ts';
import { type PathMap, pathMapOf, rulesOfBreaks } from './read/files/file-path.ts';
import type { Microseconds } from '../protocol/units.ts';
import type { Analysis } from './analysis.ts';
import { findWorkspace, isTestPath, pathInWorkspace, type WorkspaceOptions } from './read/functions/find-workspace.ts';
import { createFrameTable } from './read/samples/profile-tree.ts';
import { createLocate } from './read/functions/locate-file.ts';
import { nameFunctions } from './read/functions/name-functions.ts';
import { judgeRun } from './judge/hotspots/judge-run.ts';
import { cutRun } from './cut/operations/cut-run.ts';
import { labelFunctions, atomicsWaiters, withCallsAlone } from './judge/lines/facts-from-source.ts';
import { withLostFrames } from './judge/lines/lost-frames.ts';
import { hotLines } from './judge/lines/hot-lines.ts';
import { importLines, blamedPackages, sourcesIn } from './judge/lines/import-lines.ts';
import { changedFiles, doubtWarnings, stoppedTests, unseenProgram } from './judge/hotspots/doubt-warnings.ts';
import { IndexedTexts, SourceIndexes } from './read/source-code/source-indexes.ts';
import { buildStreams, type ReadRun } from './cut/streams/build-streams.ts';
import { findSources } from './read/recording-files/find-sources.ts';
import { findTierRecording, tiersOfSecondRun, filesChangedSince, firstBegin } from './judge/tiers/tiers.ts';
import { type Progress, loadIsolates, type AnalyzeFailure } from './read/isolates/load-isolates.ts';
import { readKeptTexts, changedSince, type ChangedSince } from './read/texts/kept-texts.ts';
import { withDebuggerPlaces, type SourceMapper } from './read/sourcemap/source-mapper.ts';
import { openMappers } from './read/texts/open-mappers.ts';
import type { DebuggerPlaces } from './read/import/importer.ts';
import type { CpuProfile } from './read/samples/cpu-profile.ts';
import { OutdatedBuilds } from './read/texts/outdated-builds.ts';
import { TodaysTexts } from './read/texts/todays-texts.ts';
import { tiersOf } from './judge/tiers/function-tiers.ts';
import { type World, worldOfThisMachine } from './read/files/world.ts';
import { manyScavenges } from './cut/event-loop/program-loops.ts';
import type { RecordingFacts, Sources } from './read/recording-files/isolate-source.ts';
import type { DecodedFiles } from './read/isolates/decoded-files.ts';
import { findFindings, hiddenParts, judgeCauses } from './judge/findings/find-findings.ts';
import type { RunWithPauses } from './judge/findings/finding.ts';
import { noPauses, pausesIn, withoutPauses } from './judge/findings/pauses.ts';
import type { JudgedRun } from './judge/hotspots/judged-run.ts';
import type { Warning } from '../words/warnings/warning-text.ts';

export interface AnalyzeOptions extends WorkspaceOptions {
  readonly thresholdUs: Microseconds;
  readonly sourceMaps: boolean;
  /** What is known of texts that other runs have read, too. */
  readonly texts?: IndexedTexts;
  /** What earlier analyses have decoded of the same files, with the same options. */
  readonly decoded?: DecodedFiles;
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
}

export type AnalyzeResult = Analyzed | { readonly type: 'failed'; readonly failure: AnalyzeFailure };

export interface Analyzed {
  readonly type: 'analyzed';
  readonly analysis: Analysis;
  /** Judges the same recording at another threshold. Nothing is read again, and functions keep their numbers. */
  readonly at: (thresholdUs: Microseconds) => Promise<Analysis>;
  /** The recorded text of a file or original, by the url of functions and lines; today's text if none was kept. */
  readonly textOf: (url: string) => Promise<string | null>;
  /** The recorded text of the file at an absolute path; null where the recording has not kept it. */
  readonly kept: (path: string) => Promise<string | null>;
  /** Originals of lines of what ran; null without source maps. */
  readonly mapper: Pick<SourceMapper, 'lines'> | null;
}

/**
 * Reads recordings, `.cpuprofile` files (plain or gzipped), V8 logs or folders of them, and finds what blocks. A single
 * recording of profiles takes its tiers from the newest recording of tiers of the same command beside it. A damaged
 * file among good ones is a warning. Rejects only for a bug.
 */
export async function analyze(paths: readonly string[], world: World, options: AnalyzeOptions): Promise<AnalyzeResult> {
  const result = await analyzeAlone(paths, worldOfThisMachine(world, openedBy(paths, options)), options);
  const [path] = paths;
  if (result.type === 'failed' || path === undefined || paths.length > 1) return result;
  const analysis = await withSecondRun(result.analysis, path, world, options);
  if (options.signal?.aborted === true) return { type: 'failed', failure: { type: 'cancelled' } };
  return { ...result, analysis };
}

/** Adds the tiers of the recording beside that of `path`, if the analysis has none of its own. */
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
  const read = await readAll(paths, world, options);
  if (read.type === 'failed') return read;
  const cut = cutRun(await withLostFrames(read.run, read.mapper, read.indexes));
  const at = async (thresholdUs: Microseconds): Promise<Analysis> => withLines(judgeRun(cut, thresholdUs), read, world);
  const analysis = await at(options.thresholdUs);
  if (options.signal?.aborted === true) return { type: 'failed', failure: { type: 'cancelled' } };
  const { indexes, kept, mapper } = read;
  return { type: 'analyzed', analysis, at, textOf: async (url) => indexes.textOf(url), kept, mapper };
}

/** What is known once the files are read, at any threshold. */
interface ReadFiles {
  readonly type: 'read';
  readonly run: ReadRun;
  readonly recording: RecordingFacts;
  /** Reads source maps; null where they are not wanted. */
  readonly mapper: Pick<SourceMapper, 'functions' | 'lines'> | null;
  readonly indexes: SourceIndexes;
  /** Whether the file at a path is test code of the workspace. */
  readonly isTest: (path: string) => boolean;
  readonly changed: ChangedSince;
  readonly kept: (path: string) => Promise<string | null>;
  /** Of what was read. Ask for them last: maps are read on demand and may be damaged. `doubts`: of the figures. */
  readonly warnings: (doubts: readonly Warning[]) => readonly Warning[];
}

function functionPlacesIn(world: World): (profile: CpuProfile) => Promise<CpuProfile> {
  return async (profile) => {
    const { withFunctionPlaces } = await import('./read/texts/sampled-places.ts'); // It brings the parser.
    return withFunctionPlaces(profile, world);
  };
}

async function readAll(
  paths: readonly string[],
  world: World,
  options: AnalyzeOptions,
): Promise<ReadFiles | Extract<AnalyzeResult, { type: 'failed' }>> {
  const searched = await findSources(paths, world, openedBy(paths, options));
  if (searched.type === 'failed') return searched;
  const { sources } = searched;
  const frames = createFrameTable();
  const map = pathMapFor(sources, options);
  const texts = await readKeptTexts(sources, world, map);
  const watcher = { ...options, olderUrls: texts.olderUrls, functionPlaces: functionPlacesIn(world), paths: map };
  const loaded = await loadIsolates(sources.isolates, world, frames, watcher);
  if (loaded.type === 'failed') return loaded;
  const cwd = sources.recording.cwd === null ? null : map.toHere(sources.recording.cwd);
  const { workspace, warnings } = await findWorkspace({ ...sources, cwd }, options, world);
  const ranIn = [cwd ?? options.currentFolder].flatMap((folder) => (folder === undefined ? [] : canonicalPath(folder)));
  const indexed = options.texts ?? new IndexedTexts(world.keptIndexes);
  const maps = loaded.isolates.flatMap((isolate) => isolate.maps);
  const mapping = { roots: [...ranIn, ...workspace.roots], paths: map, indexed, maps };
  const opened = await openMappers(sources, texts, world, mapping);
  const locate = await createLocate(workspace, world, ranIn);
  const todays = new TodaysTexts(opened, world, { ...sources, ...frames, ...workspace, locate });
  const builds = new OutdatedBuilds(opened, world, { roots: workspace.roots, texts });
  const mapper = texts.isOfRecording ? builds : todays;
  const usedMapper = options.sourceMaps ? withDebuggerPlaces(mapper, placesIn(loaded.isolates)) : null;
  const functions = await nameFunctions(frames.frames, usedMapper, workspace, locate);
  const said = [...sources.warnings, ...sources.losses, ...loaded.warnings, ...warnings];
  return {
    type: 'read',
    run: { roots: workspace.roots, functions, streams: buildStreams(loaded.isolates, functions) },
    recording: sources.recording,
    mapper: usedMapper,
    indexes: new SourceIndexes((url) => mapper.textOf(url), indexed),
    isTest: (path) => isTestPath(pathInWorkspace(path, workspace) ?? '', workspace),
    changed: await changedSince(functions.functions, opened, texts, todays, builds.found, world),
    kept: texts.textOf,
    warnings: (doubts) => [...said, ...unseenProgram(sources, functions.functions, doubts), ...opened.warnings],
  };
}

function placesIn(isolates: readonly { readonly places: DebuggerPlaces }[]): DebuggerPlaces {
  return new Map(isolates.flatMap(({ places }) => [...places]));
}

function pathMapFor({ recording, isolates }: Sources, { roots, pathRules = [] }: AnalyzeOptions): PathMap {
  const ran = [recording.cwd, ...isolates.map(({ command }) => command)];
  return pathMapOf([...pathRules, ...rulesOfBreaks(ran)], roots);
}

/** The last stage: finds the lines on which the judged functions held the loop, and how V8 ran the functions. */
async function withLines(judged: JudgedRun, read: ReadFiles, world: World): Promise<Analysis> {
  const { mapper, indexes, recording, changed, isTest } = read;
  const table = judged.functions;
  const functions = { ...table, functions: await labelFunctions(table.functions, judged.figures, indexes) };
  const labelled = { ...judged, functions, figures: await withCallsAlone(judged, indexes) };
  const otherSources = async () => (await sourcesIn(judged.roots, world)).filter((path) => !isTest(path));
  const judge = async (paused: RunWithPauses) => judgeCauses(paused, { indexes, otherSources }, recording.seenAgain);
  const whole = {
    ...labelled,
    atomicsWaiters: await atomicsWaiters(labelled, indexes),
    packages: await blamedPackages(labelled, indexes, world),
    pauses: noPauses,
  };
  const first = await judge(whole);
  const { cut, run } = withoutPauses(whole, pausesIn(whole, hiddenParts(first), first.measures));
  const lines = await hotLines(run, { mapper, indexes, isAttached: recording.isAttached === true });
  const found = { ...run, lines };
  const causes = cut === whole ? first : await judge(cut);
  const findings = await findFindings({ ...found, ownParts: cut.ownParts }, causes, indexes);
  const doubts = doubtWarnings(judged);
  return {
    ...found,
    recording,
    findings,
    // A line on which only collections or sleep took time has no mark (rule 19).
    lines: found.lines.map((line) => {
      const isMarked = line.decorated && !line.functionIds.every((id) => findings.unmarked.has(id));
      return { ...line, decorated: isMarked };
    }),
    importLines: await importLines(found, indexes),
    tiers: await tiersOf(found, mapper, indexes),
    changed,
    warnings: [
      ...read.warnings(doubts),
      ...stoppedTests(recording, judged.streams),
      ...changedFiles(found, changed),
      ...doubts,
      ...manyScavenges(judged.streams),
    ],
  };
}

/** Paths that the user gave, which may be on a network share. Paths named in files are not among them. */
function openedBy(
  paths: readonly string[],
  { roots, currentFolder, pathRules = [] }: AnalyzeOptions,
): readonly string[] {
  return [
    ...paths,
    ...roots,
    ...pathRules.map(({ to }) => to),
    ...(currentFolder === undefined ? [] : [currentFolder]),
  ];
}
