import type { ComparedRequest, ComparedSide, Comparison } from '../../protocol/comparison.ts';
import type { RecordedLoad } from '../../protocol/recording.ts';
import type { AnalyzeOptions, Analyzed } from '../analyze.ts';
import { olderTextOf } from '../read/files/file-path.ts';
import { ChangedReach } from './changed-reach.ts';
import { filesBelow, openFunctions } from './code-below.ts';
import type { World } from '../read/files/world.ts';
import { IndexedTexts } from '../read/source-code/source-indexes.ts';
import { type ComparedSides, compareSides, type Confirmation } from './judge-functions.ts';
import type { Order } from './change-rules.ts';
import { compareRequests } from './compare-requests.ts';
import { processorShare, lowerThreshold, SideCollector, type SideFunction } from './side.ts';
import { ranOnHead, type TestsOfRun, testsIn } from './ran-on-head.ts';
import { type NotRead, type ReadRunsOptions, readRuns, type RunFacts } from './read-runs.ts';
import { microseconds } from '../../protocol/units.ts';
import { type RunTimes, runTimes } from './tests-to-run.ts';

/** The runs of one side in order; a run is one recording, or several that belong together. */
export interface GivenSide {
  readonly name: string | null;
  readonly runs: readonly (readonly string[])[];
}

export interface CompareOptions extends Pick<
  AnalyzeOptions,
  'thresholdUs' | 'roots' | 'currentFolder' | 'pathRules' | 'signal'
> {
  readonly order: Order;
  /** Null where no runs confirm the first ones. */
  readonly confirm: Confirmation | null;
  readonly rule?: ComparedSides['rule'];
  /** The function of a re-check, as recordings before it know it. */
  readonly asked?: SideFunction | undefined;
  /** Whether the sides differ only in code, so that what no changed code reaches does the same on both. */
  readonly isOnlyCode?: boolean;
  /** Called before each run is read. */
  readonly onRun?: (done: number, total: number) => void;
  /** Called with each run, by its first recording, while the files that ran still exist. */
  readonly onRead?: (path: string, result: Analyzed) => Promise<void>;
}

export type CompareResult =
  | {
      readonly type: 'compared';
      readonly comparison: Comparison;
      /** Files with different texts within one side, which then has more than one version. */
      readonly mixedFiles: readonly string[];
    }
  | NotRead;

/** Compares recordings of one command before and after a change. Rejects only for a bug. */
export async function compareRecordings(
  base: GivenSide,
  head: GivenSide,
  world: World,
  options: CompareOptions,
): Promise<CompareResult> {
  return new GrowingComparison(world).of(base, head, options);
}

/** Compares the same two sides again when they have more runs, and reads each run once. */
export class GrowingComparison {
  readonly #world: World;
  readonly #texts: IndexedTexts;
  readonly #base = new SideRuns();
  readonly #head = new SideRuns();
  readonly #reaches = [new ChangedReach(this.#base, this.#head), new ChangedReach(this.#head, this.#base)] as const;

  constructor(world: World) {
    this.#world = world;
    this.#texts = new IndexedTexts(world.keptIndexes);
  }

  /** The sides have the runs that were given before, and maybe more behind them. Rejects only for a bug. */
  async of(base: GivenSide, head: GivenSide, options: CompareOptions): Promise<CompareResult> {
    const [before, now] = [this.#base, this.#head];
    const total = base.runs.length + head.runs.length;
    for (const [side, { runs }] of [[before, base] as const, [now, head] as const]) {
      const known = [...before.facts, ...now.facts];
      const failure = await side.read(runs, this.#world, options, { total, before: known }, this.#texts);
      if (failure !== null) return failure;
    }
    await now.collector.openFilesOf(before.collector.functions());
    // Where both ran in one folder, its files of today are those of the head.
    const isOneFolder = before.roots.some((root) => now.roots.includes(root));
    await before.collector.openFilesOf(now.collector.functions(), isOneFolder ? before.keptText : undefined);
    const { order, thresholdUs, confirm, rule = 'candidates', isOnlyCode = false, asked } = options;
    // Requests are compared pair by pair, so each run needs its load.
    const isPaired = before.loads.length === base.runs.length && now.loads.length === head.runs.length;
    const { requests } = compareRequests(before.loads, now.loads, isPaired ? order : 'blocks');
    const compared = compareSides({
      ...{ base: before.collector.functions(), head: now.collector.functions(), order, thresholdUs, confirm, rule },
      ...{ baseRuns: base.runs.length, headRuns: head.runs.length },
      partial: { base: before.facts.some(hasGap), head: now.facts.some(hasGap) },
      ranOnHead: requests === undefined ? ranOnHead(before.tests, now.tests) : () => areAnswered(requests),
      ...(asked === undefined
        ? {}
        : { asked: { fn: asked, lost: { base: before.facts.every(hasGap), head: now.facts.every(hasGap) } } }),
      reachedBy: isOnlyCode ? await this.#reachedBy() : null,
    });
    const both = { base: { name: base.name, runs: [...before.runs] }, head: { name: head.name, runs: [...now.runs] } };
    const said = { version: 1, kind: 'comparison', order, thresholdUs, warnings: [] } as const;
    return {
      type: 'compared',
      mixedFiles: [...new Set([...before.collector.mixedFiles, ...now.collector.mixedFiles])],
      comparison: { ...said, ...both, ...compared, ...(requests === undefined ? {} : { requests }) },
    };
  }

  async #reachedBy(): Promise<NonNullable<ComparedSides['reachedBy']>> {
    const sides = await Promise.all(this.#reaches.map(async (one) => one.reachedBy()));
    return (changed) => new Set(sides.flatMap((reached) => [...reached(changed)]));
  }
}

/** What runs of one version know. */
export interface KnownCode {
  readonly type: 'read';
  /** With the tests that reach them. */
  readonly functions: readonly SideFunction[];
  /** Of the last recording. */
  readonly times: RunTimes;
  /** Absolute paths of the own files that the last recording sampled. */
  readonly files: readonly string[];
  /** Folders that contain the test files of `functions`. */
  readonly roots: readonly string[];
  /** The functions that the last recording's open findings name, in the order of the verdict. */
  readonly findings: () => readonly SideFunction[];
  /** Absolute paths of the files with the own code of a function and of all that it called in the last recording. */
  readonly filesBelow: (fn: SideFunction) => readonly string[];
  /** The text of the file at an absolute path, as the last recording has kept it; null where it has not. */
  readonly keptText: (path: string) => Promise<string | null>;
}

/** Reads what runs of one version know: nothing, where there are none. */
export async function knownCodeIn(
  runs: GivenSide['runs'],
  world: World,
  options: Pick<CompareOptions, 'thresholdUs' | 'currentFolder' | 'pathRules' | 'signal'>,
): Promise<KnownCode | NotRead> {
  const last: { result: Analyzed | null } = { result: null };
  const onRead = async (_: string, result: Analyzed): Promise<void> => void (last.result = result);
  const whole = { ...options, roots: [], order: 'blocks', confirm: null, onRead } as const;
  const side = new SideRuns();
  const failure = await side.read(runs, world, whole, { total: runs.length, before: [] });
  if (failure !== null) return failure;
  if (last.result === null) return noCode;
  const { analysis, kept } = last.result;
  const own = analysis.functions.functions.filter((fn) => fn.own && olderTextOf(fn.url) === null);
  const { collector } = side;
  const functions = collector.functions();
  return {
    ...{ type: 'read', functions, times: runTimes(analysis), roots: analysis.roots, keptText: kept },
    files: [...new Set(own.flatMap((fn) => fn.path ?? []))],
    findings: () =>
      openFunctions(analysis).flatMap((id) => functions.find((fn) => collector.idsOf(fn).includes(id)) ?? []),
    filesBelow: (fn) => [...new Set(collector.idsOf(fn).flatMap((id) => filesBelow(analysis, id)))],
  };
}

const noCode: KnownCode = {
  ...{ type: 'read', functions: [], files: [], roots: [] },
  times: { whole: microseconds(0), around: microseconds(0), files: new Map(), alone: new Set() },
  ...{ keptText: async () => null, findings: () => [], filesBelow: () => [] },
};

/** Whether some of the code may not have run, or was not recorded, in a run. */
function hasGap({ exitCode, isIncomplete }: RunFacts): boolean {
  return isIncomplete || (exitCode !== null && exitCode !== 0);
}

/** Whether a load was answered on both sides, by all that it asks for; null where that is not known. */
function areAnswered(requests: readonly ComparedRequest[]): true | null {
  return requests.every(({ verdict }) => verdict !== 'notCompared') ? true : null;
}

/** The runs of one side that were read so far. */
class SideRuns {
  readonly collector = new SideCollector();
  readonly runs: ComparedSide['runs'][number][] = [];
  readonly facts: RunFacts[] = [];
  /** Of the runs that were under a load. */
  readonly loads: RecordedLoad[] = [];
  /** Of the runs of the whole command. */
  readonly tests: TestsOfRun[] = [];
  /** Of the last run, as are `textOf` and `keptText`. */
  roots: readonly string[] = [];
  /** The text of a file that ran, else today's. */
  textOf: (path: string) => Promise<string | null> = async () => null;
  /** The text of the file at an absolute path; null where the run has not kept it. */
  keptText: (path: string) => Promise<string | null> = async () => null;

  /** Reads those of its runs that are new, one after the other. Gives why one cannot be read or compared; null if all can. */
  async read(
    given: GivenSide['runs'],
    world: World,
    options: CompareOptions,
    before: Pick<ReadRunsOptions, 'total' | 'before'>,
    texts = new IndexedTexts(world.keptIndexes),
  ): Promise<NotRead | null> {
    const { confirm } = options;
    const done = this.runs.length;
    const mayDiffer = (number: number): boolean => confirm?.isNarrow === true && done + number >= confirm.from;
    const reading = { ...before, analyze: { ...options, sourceMaps: true, texts }, onRun: options.onRun, mayDiffer };
    const read = await readRuns(given.slice(done), world, reading, async ({ path, paths, number, facts, result }) => {
      await options.onRead?.(path, result);
      const { analysis, textOf, kept } = result;
      [this.roots, this.textOf, this.keptText] = [analysis.roots, textOf, kept];
      await this.collector.add({
        ...{ analysis, textOf, texts },
        lower: await result.at(lowerThreshold(options.thresholdUs)),
      });
      const { node, exitCode } = facts;
      if (analysis.recording.load !== undefined) this.loads.push(analysis.recording.load);
      if (!mayDiffer(number)) this.tests.push(testsIn(analysis.streams, analysis.roots));
      const share = processorShare(analysis.streams);
      this.runs.push({
        ...{ path, paths, node, share, exitCode },
        ...(mayDiffer(number) ? { isNarrow: true } : {}),
        ...(facts.isIncomplete ? { isIncomplete: true } : {}),
      });
      this.facts.push(facts);
    });
    return read.type === 'read' ? null : read;
  }
}
