import { type AnalyzeOptions, analyze, type AnalyzeResult } from '../analyze.ts';
import type { Analysis } from '../analysis.ts';
import type { World } from '../read/files/world.ts';
import type { AnalyzeFailure } from '../read/isolates/load-isolates.ts';
import { nodeIn } from './side.ts';

/** What two runs must have in common to be compared. */
export interface RunFacts {
  readonly path: string;
  /** Version of Node.js; null where nothing tells it. */
  readonly node: string | null;
  readonly command: string | null;
  readonly kind: 'profile' | 'tiers';
  readonly exitCode: number | null;
}

/** Why two runs cannot be compared: what differs, and how it is in the first run and in the other one. */
export interface Refusal {
  readonly differs: 'node' | 'command' | 'kind';
  readonly first: { readonly path: string; readonly value: string };
  readonly other: { readonly path: string; readonly value: string };
}

/** Why runs were not read. */
export type NotRead =
  | { readonly type: 'failed'; readonly path: string; readonly failure: AnalyzeFailure }
  | { readonly type: 'refused'; readonly refusal: Refusal };

export interface ReadRunsOptions {
  readonly analyze: AnalyzeOptions;
  /** The facts of runs that were read before: those of the other side. */
  readonly before: readonly RunFacts[];
  /** How many runs both sides have. */
  readonly total: number;
  /** Told before each run is read. */
  readonly onRun: ((done: number, total: number) => void) | undefined;
  /** Whether the run with this number may be of another command than the first: it confirms what that one found. */
  readonly mayDiffer?: (number: number) => boolean;
}

/** A run that has been read; `paths`: its recordings, of which `path` is the first. */
export interface ReadRun {
  readonly path: string;
  readonly paths: readonly string[];
  readonly number: number;
  readonly facts: RunFacts;
  readonly result: Extract<AnalyzeResult, { readonly type: 'analyzed' }>;
}

/**
 * Reads the runs of one side one after the other, and hands each to `use`, so that only one is held. Gives the facts of
 * all runs so far. The first run that cannot be read, or not be compared, ends it.
 */
export async function readRuns(
  runs: readonly (readonly string[])[],
  world: World,
  options: ReadRunsOptions,
  use: (run: ReadRun) => Promise<void>,
): Promise<{ readonly type: 'read'; readonly facts: readonly RunFacts[] } | NotRead> {
  const all = [...options.before];
  for (const [number, paths] of runs.entries()) {
    const [path = ''] = paths;
    options.onRun?.(all.length, options.total);
    const result = await analyze(paths, world, options.analyze);
    if (result.type === 'failed') return { type: 'failed', path, failure: result.failure };
    const facts = factsOf(path, result.analysis);
    const refusal = options.mayDiffer?.(number) === true ? null : refusalOf(all[0], facts);
    if (refusal !== null) return { type: 'refused', refusal };
    all.push(facts);
    await use({ path, paths, number, facts, result });
  }
  return { type: 'read', facts: all };
}

function factsOf(path: string, analysis: Analysis): RunFacts {
  const { streams, recording } = analysis;
  return {
    path,
    node: nodeIn(analysis),
    command: commandIn(recording),
    exitCode: recording.exitCode ?? null,
    kind: streams.some(({ tiered }) => tiered !== null) ? 'tiers' : 'profile',
  };
}

/** The command, with the folder in which it ran as `.`: another checkout lies elsewhere. */
function commandIn({ command, cwd }: Analysis['recording']): string | null {
  if (command === null) return null;
  return command.map((word) => (cwd === null ? word : word.replaceAll(cwd, '.'))).join(' ');
}

/** Why two runs cannot be compared; null where they can. Without a first run only the other one itself is judged. */
function refusalOf(first: RunFacts | undefined, other: RunFacts): Refusal | null {
  if (other.kind === 'tiers') return { differs: 'kind', first: side(other, 'kind'), other: side(other, 'kind') };
  if (first === undefined) return null;
  const differs = (['node', 'command'] as const).find(
    (fact) => first[fact] !== null && other[fact] !== null && first[fact] !== other[fact],
  );
  return differs === undefined ? null : { differs, first: side(first, differs), other: side(other, differs) };
}

function side(run: RunFacts, fact: Refusal['differs']): Refusal['first'] {
  return { path: run.path, value: run[fact] ?? '' };
}
