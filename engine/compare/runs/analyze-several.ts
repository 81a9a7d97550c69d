import type { Microseconds } from '../../../protocol/units.ts';
import type { Analysis, Several } from '../../analysis.ts';
import { type AnalyzeOptions, type AnalyzeResult, analyze, type Analyzed } from '../../analyze.ts';
import { type World, readText } from '../../read/files/world.ts';
import type { AnalyzeFailure } from '../../read/isolates/load-isolates.ts';
import { type AnalyzedRun, findAgain, type OtherText } from './find-again.ts';
import { type GivenRuns, mergeRuns } from './merge-runs.ts';
import { jsonLines } from '../../../protocol/json-value.ts';
import { findSources, type WithoutCopies, withoutCopies } from '../../read/recording-files/find-sources.ts';
import type { Sources } from '../../read/recording-files/isolate-source.ts';
import { isLogName } from '../../read/recording-files/profile-names.ts';
import { fileNameOf } from '../../../protocol/machine-path.ts';
import { readTests } from '../../read/sidecars/read-sidecars.ts';

export interface SeveralOptions extends AnalyzeOptions {
  /** What the user says the recordings are; null: the recordings decide. */
  readonly takenFor: Several['takenFor'] | null;
}

export type SeveralResult =
  | (Omit<Analyzed, 'mapper'> & {
      /** Each run with its own analysis, and the ids of its functions in `analysis`; empty for one run, and for shards. */
      readonly runs: readonly RunOfSeveral[];
    })
  | { readonly type: 'failed'; readonly failure: AnalyzeFailure }
  /** They look like runs of one thing, but ran different code. */
  | { readonly type: 'otherCode'; readonly differing: OtherText };

export interface RunOfSeveral {
  readonly path: string;
  readonly analysis: Analysis;
  readonly ids: readonly number[];
}

/**
 * Analyzes one recording, several runs of one thing, or its parts. A recording that is given twice counts once. A run that
 * cannot be read becomes a warning. Rejects only for a bug.
 */
export async function analyzeSeveral(
  paths: readonly string[],
  world: World,
  options: SeveralOptions,
): Promise<SeveralResult> {
  const { kept, copies, taken } = await takeGiven(paths, world, options.takenFor);
  if (taken?.takenFor === 'runs') return analyzeRuns(kept, world, options, { ...taken, copies });
  const result = await analyze(kept, world, options);
  if (taken === null && copies.length === 0) return withoutRuns(result);
  const together: Taken = taken ?? { takenFor: 'shards', why: 'unknown' };
  return withoutRuns(result, { ...together, copies, paths: kept, leftOut: [], middle: null, blames: [] });
}

function withoutRuns(result: AnalyzeResult, several?: Several): SeveralResult {
  if (result.type === 'failed') return result;
  const withSeveral = (analysis: Analysis): Analysis => (several === undefined ? analysis : { ...analysis, several });
  const at = async (thresholdUs: Microseconds): Promise<Analysis> => withSeveral(await result.at(thresholdUs));
  return { ...result, analysis: withSeveral(result.analysis), at, runs: [] };
}

async function analyzeRuns(
  paths: readonly string[],
  world: World,
  options: SeveralOptions,
  given: Omit<GivenRuns, 'leftOut'>,
): Promise<SeveralResult> {
  const read: { readonly path: string; readonly result: Analyzed }[] = [];
  const leftOut: Several['leftOut'][number][] = [];
  for (const [number, path] of paths.entries()) {
    const result = await analyze([path], world, { ...options, ...progressOf(options, number, paths.length) });
    if (result.type === 'analyzed') read.push({ path, result });
    else if (result.failure.type === 'cancelled') return result;
    else leftOut.push({ path, failure: result.failure });
  }
  const [first] = read;
  if (first === undefined) return { type: 'failed', failure: leftOut[0]?.failure ?? { type: 'cancelled' } };
  const runs = read.map(({ path, result: { analysis, textOf } }): AnalyzedRun => ({ path, analysis, textOf }));
  const again = await findAgain(runs);
  const [differing] = again.differing;
  if (differing !== undefined && given.why !== 'asked') return { type: 'otherCode', differing };
  const { analysis, middle, ids } = mergeRuns(runs, again, { ...given, leftOut });
  const at = async (thresholdUs: Microseconds): Promise<Analysis> => {
    const analyses = await Promise.all(read.map(({ result }) => result.at(thresholdUs)));
    const judged = runs.map((run, number) => ({ ...run, analysis: analyses[number] ?? run.analysis }));
    return mergeRuns(judged, again, { ...given, leftOut }, middle).analysis;
  };
  const inOrder = [...read.slice(middle, middle + 1), ...read].map(({ result }) => result);
  return {
    type: 'analyzed',
    analysis,
    at,
    textOf: async (url) => firstOf(inOrder, async (result) => result.textOf(url)),
    kept: async (path) => firstOf(inOrder, async (result) => result.kept(path)),
    runs: runs.map((run, number) => ({ path: run.path, analysis: run.analysis, ids: ids[number] ?? [] })),
  };
}

/** Reports the progress of run `number` as a part of all. */
function progressOf({ onProgress }: SeveralOptions, number: number, total: number): Pick<AnalyzeOptions, 'onProgress'> {
  if (onProgress === undefined) return {};
  return {
    onProgress: ({ percent }) =>
      onProgress({ done: number, total, percent: Math.floor((100 * number + percent) / total) }),
  };
}

async function firstOf<Item>(all: readonly Item[], ask: (one: Item) => Promise<string | null>): Promise<string | null> {
  for (const one of all) {
    const answer = await ask(one);
    if (answer !== null) return answer;
  }
  return null;
}

export type Taken = Pick<Several, 'takenFor' | 'why'>;

/** The given recordings, each once, and what several of them are. */
export interface Given extends WithoutCopies {
  /** Null where there is only one. */
  readonly taken: Taken | null;
}

/** `asked`: what the user says the recordings are; null: the recordings decide. */
export async function takeGiven(
  paths: readonly string[],
  world: World,
  asked: Taken['takenFor'] | null,
): Promise<Given> {
  const given = await withoutCopies(paths, world);
  if (given.kept.length < 2) return { ...given, taken: null };
  return { ...given, taken: asked === null ? await takeFor(given.kept, world) : { takenFor: asked, why: 'asked' } };
}

/**
 * Decides whether recordings are runs of one thing or its parts, without reading a profile. It ignores paths that cannot
 * be read: the analysis reports these.
 */
async function takeFor(paths: readonly string[], world: World): Promise<Taken> {
  const all: Known[] = [];
  for (const path of paths) {
    const found = await findSources([path], world);
    if (found.type === 'failed') continue;
    const one = await knownOf(found.sources, world);
    if (one === null) return unknown;
    all.push(one);
  }
  const [first, ...others] = all;
  if (first === undefined) return unknown;
  if (others.some(({ command }) => command !== first.command)) return { takenFor: 'shards', why: 'otherCommand' };
  if (others.some(({ folder }) => folder !== first.folder)) return { takenFor: 'shards', why: 'otherFolder' };
  if (others.some(({ shard }) => shard !== first.shard)) return { takenFor: 'shards', why: 'shardOptions' };
  if (others.every(({ reached }) => isSame(reached, first.reached)))
    return { takenFor: 'runs', why: all.some(({ hasTests }) => hasTests) ? 'sameTests' : 'sameCommand' };
  const isOfOtherTests = all.every(({ hasTests }) => hasTests) && areApart(all.map(({ reached }) => reached));
  return isOfOtherTests ? { takenFor: 'shards', why: 'otherTests' } : unknown;
}

const unknown: Taken = { takenFor: 'shards', why: 'unknown' };

interface Known {
  readonly folder: string;
  /** Without the folder, options that select a part, and values that differ in each run. */
  readonly command: string;
  /** The options that select a part; empty without any. */
  readonly shard: string;
  /** Paths of the test files that ran; without tests, the scripts of its processes. */
  readonly reached: ReadonlySet<string>;
  readonly hasTests: boolean;
}

/** Null for plain profiles, which have no command, and recordings of V8's tiers, which have no times. */
async function knownOf({ recording, isolates }: Sources, world: World): Promise<Known | null> {
  const { command, cwd } = recording;
  const isOfTiers = isolates.some(({ profiles }) => isLogName(fileNameOf(profiles[0] ?? '')));
  if (command === null || cwd === null || isOfTiers) return null;
  const tests = new Set<string>();
  for (const { testsFile } of isolates) {
    const text = testsFile === null ? null : await readText(testsFile, world);
    const { running, untold } = readTests(text === null ? [] : jsonLines(text));
    for (const file of [...running.map((test) => test?.file ?? ''), ...untold]) if (file !== '') tests.add(file);
  }
  const scripts = new Set(isolates.flatMap((isolate) => isolate.command ?? []));
  return {
    folder: cwd,
    ...commandParts(command, cwd),
    reached: tests.size > 0 ? tests : scripts,
    hasTests: tests.size > 0,
  };
}

/**
 * Splits a command into what is the same in each run, and the options that select a part: `--shard=1/3` of Jest, Vitest
 * and Playwright, `--test-shard` of Node.js.
 */
function commandParts(command: readonly string[], cwd: string): Pick<Known, 'command' | 'shard'> {
  const words = command.join(' ');
  const same = words
    .replaceAll(shardOption, '')
    .replaceAll(changingOption, '')
    .replaceAll(cwd, '.')
    .replaceAll(temporary, '<temporary>');
  return { command: same, shard: (words.match(shardOption) ?? []).join('') };
}

const shardOption = /(?<!\S)--(?:test-)?shard(?:-index|-count)?(?:=|\s+)\S+/g;
/** Options whose values differ between runs of one thing. */
const changingOption = /(?<!\S)--(?:seed|sequence\.seed|port)(?:=|\s+)\d+/g;
/** Paths in the folder for temporary files of Linux, macOS and Windows. */
const temporary = /(?:\/tmp|\/var\/folders|[A-Z]:\\Users\\[^\\\s]+\\AppData\\Local\\Temp)[/\\]\S+/gi;

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((one) => b.has(one));
}

/** Whether the sets are disjoint, and none is empty. */
function areApart(sets: readonly ReadonlySet<string>[]): boolean {
  const all = new Set(sets.flatMap((set) => [...set]));
  return all.size === sets.reduce((sum, { size }) => sum + size, 0) && sets.every(({ size }) => size > 0);
}
