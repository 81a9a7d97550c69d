import { type AnalyzeOptions, analyze, type Analyzed } from '../analyze.ts';
import type { Analysis } from '../analysis.ts';
import { isIncomplete } from '../judge/hotspots/losses.ts';
import type { World } from '../read/files/world.ts';
import type { AnalyzeFailure } from '../read/isolates/load-isolates.ts';
import { commandText, isSameCommand, type RanCommand } from './same-command.ts';
import { nodeIn } from './side.ts';

/** What two runs must have in common to be compared. */
export interface RunFacts {
  readonly path: string;
  /** Version of Node.js; null where it is unknown. */
  readonly node: string | null;
  /** Null where it is unknown. */
  readonly command: RanCommand | null;
  readonly kind: 'profile' | 'tiers';
  readonly exitCode: number | null;
  /** True where a time of own code may be missing. */
  readonly isIncomplete: boolean;
}

/** Why two runs cannot be compared: the fact that differs, and its value in each. */
export interface Refusal {
  readonly differs: 'node' | 'command' | 'kind';
  readonly first: { readonly path: string; readonly value: string };
  readonly other: { readonly path: string; readonly value: string };
}

/** The facts of the runs of a side, and of those read before. */
export interface ReadFacts {
  readonly type: 'read';
  readonly facts: readonly RunFacts[];
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
  /** Called before each run is read. */
  readonly onRun: ((done: number, total: number) => void) | undefined;
  /** Whether the run with this number may have another command than the first, because it only confirms changes. */
  readonly mayDiffer?: (number: number) => boolean;
}

/** `paths`: its recordings; `path`: the first of them. */
export interface ReadRun {
  readonly path: string;
  readonly paths: readonly string[];
  readonly number: number;
  readonly facts: RunFacts;
  readonly result: Analyzed;
}

/**
 * Reads the runs of one side one after the other, and passes each to `use`, so memory holds only one. Gives the facts of
 * all runs so far. It ends at the first run that cannot be read or compared.
 */
export async function readRuns(
  runs: readonly (readonly string[])[],
  world: World,
  options: ReadRunsOptions,
  use: (run: ReadRun) => Promise<void>,
): Promise<ReadFacts | NotRead> {
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
    command: recording.command === null ? null : { words: recording.command, cwd: recording.cwd },
    exitCode: recording.exitCode ?? null,
    isIncomplete: isIncomplete(analysis),
    kind: streams.some(({ tiered }) => tiered !== null) ? 'tiers' : 'profile',
  };
}

/** Why two runs cannot be compared; null where they can. Without a first run it checks only the other one. */
function refusalOf(first: RunFacts | undefined, other: RunFacts): Refusal | null {
  if (other.kind === 'tiers')
    return { differs: 'kind', first: side(other, other.kind), other: side(other, other.kind) };
  if (first === undefined) return null;
  if (first.node !== null && other.node !== null && first.node !== other.node)
    return { differs: 'node', first: side(first, first.node), other: side(other, other.node) };
  if (first.command === null || other.command === null || isSameCommand(first.command, other.command)) return null;
  const [command, another] = [commandText(first.command), commandText(other.command)];
  return { differs: 'command', first: side(first, command), other: side(other, another) };
}

function side({ path }: RunFacts, value: string): Refusal['first'] {
  return { path, value };
}
