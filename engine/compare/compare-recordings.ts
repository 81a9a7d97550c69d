import type { Comparison, ComparedSide } from '../../protocol/comparison.ts';
import { type AnalyzeOptions, analyze } from '../analyze.ts';
import type { Analysis } from '../analysis.ts';
import type { World } from '../files/world.ts';
import type { AnalyzeFailure } from '../isolates/load-isolates.ts';
import { type ComparedSides, compareSides, type Confirmation } from './judge-functions.ts';
import type { Order } from './change-rules.ts';
import { processorShare } from './processor-share.ts';
import { lowerThreshold, SideCollector, type SideFunction } from './side.ts';

/** The runs of one side, in the order in which they were made; a run is one recording, or several that belong together. */
export interface GivenSide {
  readonly name: string | null;
  readonly runs: readonly (readonly string[])[];
}

export interface CompareOptions extends Pick<AnalyzeOptions, 'thresholdUs' | 'roots' | 'currentFolder' | 'signal'> {
  readonly order: Order;
  /** The runs of each side that confirm the ones before; null where none does. */
  readonly confirm: Confirmation | null;
  readonly rule?: ComparedSides['rule'];
  /** Told before each recording is read. */
  readonly onRun?: (done: number, total: number) => void;
}

export type CompareResult =
  | { readonly type: 'compared'; readonly comparison: Comparison }
  | { readonly type: 'failed'; readonly path: string; readonly failure: AnalyzeFailure }
  | { readonly type: 'refused'; readonly refusal: Refusal };

/** Why two runs cannot be compared: what differs, and how it is in the first run and in the other one. */
export interface Refusal {
  readonly differs: 'node' | 'command' | 'kind';
  readonly first: { readonly path: string; readonly value: string };
  readonly other: { readonly path: string; readonly value: string };
}

/** Compares recordings of one command before and after a change. Rejects only for a bug. */
export async function compareRecordings(
  base: GivenSide,
  head: GivenSide,
  world: World,
  options: CompareOptions,
): Promise<CompareResult> {
  const total = base.runs.length + head.runs.length;
  const before = await readSide(base, world, options, { total, runs: [] });
  if (before.type !== 'read') return before;
  const now = await readSide(head, world, options, { total, runs: before.facts });
  if (now.type !== 'read') return now;
  const { order, thresholdUs, confirm, rule = 'candidates' } = options;
  const compared = compareSides({
    ...{ base: before.functions, head: now.functions, order, thresholdUs, confirm, rule },
    ...{ baseRuns: base.runs.length, headRuns: head.runs.length },
    failed: { base: hasFailed(before.side), head: hasFailed(now.side) },
  });
  const both = { base: before.side, head: now.side };
  return {
    type: 'compared',
    comparison: { version: 1, kind: 'comparison', order, thresholdUs, ...both, ...compared, warnings: [] },
  };
}

/** The functions that recordings of one version know, with the tests that reach them. */
export async function functionsIn(
  paths: readonly string[],
  world: World,
  options: Pick<CompareOptions, 'thresholdUs' | 'currentFolder'>,
): Promise<
  | { readonly type: 'read'; readonly functions: readonly SideFunction[] }
  | Extract<CompareResult, { readonly type: 'failed' | 'refused' }>
> {
  const runs = paths.map((path) => [path]);
  const whole = { ...options, roots: [], order: 'blocks', confirm: null } as const;
  return readSide({ name: null, runs }, world, whole, { total: paths.length, runs: [] });
}

/** Whether the command failed in a run of a side, so that a part of it may not have run. */
function hasFailed({ runs }: ComparedSide): boolean {
  return runs.some(({ exitCode }) => exitCode !== null && exitCode !== 0);
}

interface Read {
  readonly type: 'read';
  readonly side: ComparedSide;
  readonly functions: ReturnType<SideCollector['functions']>;
  /** Facts about the runs of this side, and of those read before. */
  readonly facts: readonly RunFacts[];
}

/** Reads the recordings of one side, one after the other. `before`: the runs that were read already, of `total`. */
async function readSide(
  { name, runs: given }: GivenSide,
  world: World,
  options: CompareOptions,
  before: { readonly total: number; readonly runs: readonly RunFacts[] },
): Promise<Read | Exclude<CompareResult, { readonly type: 'compared' }>> {
  const collector = new SideCollector();
  const facts = [...before.runs];
  const runs: ComparedSide['runs'][number][] = [];
  for (const [number, paths] of given.entries()) {
    const [path = ''] = paths;
    options.onRun?.(facts.length, before.total);
    const result = await analyze(paths, world, { ...options, sourceMaps: true });
    if (result.type === 'failed') return { type: 'failed', path, failure: result.failure };
    const { analysis, textOf } = result;
    const run = factsOf(path, analysis);
    const isOther = options.confirm?.isNarrow === true && number >= options.confirm.from;
    const refusal = isOther ? null : refusalOf(facts[0], run);
    if (refusal !== null) return { type: 'refused', refusal };
    facts.push(run);
    await collector.add({ analysis, lower: await result.at(lowerThreshold(options.thresholdUs)), textOf });
    runs.push({ path, node: run.node, share: processorShare(analysis.streams), exitCode: run.exitCode });
  }
  return { type: 'read', side: { name, runs }, functions: collector.functions(), facts };
}

interface RunFacts {
  readonly path: string;
  /** Major and minor version of Node.js; null where nothing tells it. */
  readonly node: string | null;
  readonly command: string | null;
  readonly kind: 'profile' | 'tiers';
  readonly exitCode: number | null;
}

function factsOf(path: string, { streams, recording }: Analysis): RunFacts {
  const versions = new Set(streams.flatMap(({ isolate: { nodeVersion } }) => nodeVersion ?? []));
  return {
    path,
    node: versions.size === 0 ? null : [...versions].toSorted().join(', '),
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
