import type { DiffSides } from '../../protocol/diff.ts';
import type { analyze, AnalyzeOptions } from '../../engine/analyze.ts';
import type { Order } from '../../engine/compare/change-rules.ts';
import { type NotRead, type ReadRunsOptions, readRuns, type RunFacts } from '../../engine/compare/read-runs.ts';
import { filePathOf, olderTextOf } from '../../engine/read/files/file-path.ts';
import type { World } from '../../engine/read/files/world.ts';
import type { RecordingFacts } from '../../engine/read/recording-files/isolate-source.ts';
import { type DiffTree, diffTreeOf, type SideRun, sideRunOf } from './diff-tree.ts';
import { type DiffFunction, joinFunctions, SideFunctions } from './side-functions.ts';

/** All that is known of a diff. It is made once, and answers every question. */
export interface Diff {
  readonly functions: readonly DiffFunction[];
  readonly tree: DiffTree;
  readonly order: Order;
  /** Facts about the first recording of the head. */
  readonly recording: RecordingFacts;
  /** The texts of own files that ran, as far as the recordings of a side have kept them, by absolute path. */
  readonly texts: Readonly<Record<'base' | 'head', ReadonlyMap<string, string>>>;
}

export type DiffResult = { readonly type: 'read'; readonly diff: Diff } | NotRead;

export interface DiffOptions extends Pick<AnalyzeOptions, 'thresholdUs' | 'testPatterns' | 'pathRules' | 'onProgress'> {
  /** Told before each run is read, with its number from 0. */
  readonly onRun?: (done: number, total: number) => void;
}

/**
 * Reads the runs of both sides, one after the other: only what a diff needs of each is kept. Each is read as what it is
 * on its own, because the base ran in a folder that the editor does not know. Rejects only for a bug.
 */
export async function readDiff({ base, head }: DiffSides, world: World, options: DiffOptions): Promise<DiffResult> {
  const total = base.length + head.length;
  const before = await readSide(base, world, options, { total, before: [] });
  if (before.type !== 'read') return before;
  const now = await readSide(head, world, options, { total, before: before.facts });
  if (now.type !== 'read') return now;
  const joined = joinFunctions(before.functions, now.functions);
  return {
    type: 'read',
    diff: {
      functions: joined.functions,
      tree: diffTreeOf(before.runs, now.runs, joined),
      order: orderOf(before.startedAt, now.startedAt),
      recording: now.recording,
      texts: { base: before.texts, head: now.texts },
    },
  };
}

interface ReadSide {
  readonly type: 'read';
  readonly functions: SideFunctions;
  readonly runs: readonly SideRun[];
  /** Facts about the runs of this side and of those before. */
  readonly facts: readonly RunFacts[];
  /** When each run began, in ISO 8601; null where that is not known. */
  readonly startedAt: readonly (string | null)[];
  readonly recording: RecordingFacts;
  /** Texts that ran, those of the last run where they differ. */
  readonly texts: ReadonlyMap<string, string>;
}

async function readSide(
  given: DiffSides['base'],
  world: World,
  options: DiffOptions,
  before: Pick<ReadRunsOptions, 'total' | 'before'>,
): Promise<ReadSide | NotRead> {
  const functions = new SideFunctions();
  const runs: SideRun[] = [];
  const startedAt: (string | null)[] = [];
  const texts = new Map<string, string>();
  let recording: RecordingFacts = { command: null, cwd: null, startedAt: null };
  const reading = { ...before, analyze: { ...options, roots: [], sourceMaps: true }, onRun: options.onRun };
  const read = await readRuns(given, world, reading, async ({ number, result }) => {
    const { analysis } = result;
    if (number === 0) ({ recording } = analysis);
    startedAt.push(analysis.recording.startedAt);
    runs.push(sideRunOf(analysis, await functions.add(result)));
    for (const [file, text] of await keptTexts(result)) texts.set(file, text);
  });
  return read.type === 'read' ? { ...read, functions, runs, startedAt, recording, texts } : read;
}

/** The texts of own files that a recording has kept, by path. Nothing else tells which text ran. */
async function keptTexts({
  analysis,
  kept,
}: Extract<Awaited<ReturnType<typeof analyze>>, { readonly type: 'analyzed' }>): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const { own, url } of analysis.functions.functions) {
    const path = own && olderTextOf(url) === null ? filePathOf(url) : null;
    const text = path === null || texts.has(path) ? null : await kept(path);
    if (path !== null && text !== null) texts.set(path, text);
  }
  return texts;
}

/**
 * Whether the runs of both sides took turns: neither side began all of its runs before the other began one. Where that
 * is not known they count as blocks, of which less can be told.
 */
function orderOf(base: readonly (string | null)[], head: readonly (string | null)[]): Order {
  const timesOf = (side: readonly (string | null)[]): readonly number[] => side.map((time) => Date.parse(time ?? ''));
  const [before, now] = [timesOf(base), timesOf(head)];
  if ([...before, ...now].some((time) => Number.isNaN(time))) return 'blocks';
  const isApart = Math.max(...before) < Math.min(...now) || Math.max(...now) < Math.min(...before);
  return isApart ? 'blocks' : 'interleaved';
}
