import { minOf } from '../../protocol/figures.ts';
import { once } from '../basics/once.ts';
import type { SampleStream } from '../read/samples/sample-stream.ts';
import { type SideFunction, testKeyBelow } from './side.ts';

/** How often a test ran in one run. */
interface TestCount {
  readonly passed: number;
  /** How often it may have passed: an old recording does not say how a test ended. */
  readonly ended: number;
  /** How often it began, and is not known to have failed or skipped itself. */
  readonly begun: number;
}

export interface TestsOfRun {
  /** By {@link testKeyBelow}. */
  readonly counts: ReadonlyMap<string, TestCount>;
  /** Whether these are all tests of the run. */
  readonly isComplete: boolean;
}

export function testsIn(streams: readonly Pick<SampleStream, 'tests'>[], roots: readonly string[]): TestsOfRun {
  const counts = new Map<string, TestCount>();
  for (const { test, outcome } of streams.flatMap(({ tests }) => tests?.runs ?? [])) {
    const key = testKeyBelow(test, roots);
    const { passed, ended, begun } = counts.get(key) ?? noCount;
    counts.set(key, {
      passed: passed + Number(outcome === 'passed'),
      ended: ended + Number(outcome === 'passed' || outcome === 'ended'),
      begun: begun + Number(outcome !== 'failed' && outcome !== 'skipped'),
    });
  }
  return { counts, isComplete: streams.every(({ tests }) => tests?.isComplete ?? true) };
}

const noCount: TestCount = { passed: 0, ended: 0, begun: 0 };

/**
 * Whether the tests in which a function of the base had its worst, or was long, ran to their end on the head, too. Null
 * where that is not known.
 */
export type RanOnHead = (fn: SideFunction, where: 'worst' | 'long') => boolean | null;

/** Null where the command has no tests. A test of a name that a file has twice must pass as often as on the base. */
export function ranOnHead(base: readonly TestsOfRun[], head: readonly TestsOfRun[]): RanOnHead | null {
  if (base.every(({ counts, isComplete }) => counts.size === 0 && isComplete)) return null;
  const least = (runs: readonly TestsOfRun[], of: keyof TestCount, key: string): number =>
    minOf(runs.map(({ counts }) => (counts.get(key) ?? noCount)[of]));
  const isHeadComplete = head.every(({ isComplete }) => isComplete);
  const hasRun = (key: string): boolean | null => {
    const due = Math.max(1, least(base, 'begun', key));
    if (least(head, 'passed', key) >= due) return true;
    return isHeadComplete && least(head, 'ended', key) < due ? false : null;
  };
  const haveAllRun = once((): true | null => {
    const keys = [...(base[0]?.counts.keys() ?? [])].filter((key) => least(base, 'begun', key) > 0);
    return base.every(({ isComplete }) => isComplete) && keys.every(hasRun) ? true : null;
  });
  return ({ longTests }, where) => {
    const asked = [...longTests].flatMap(([key, isWorst]) => (isWorst || where === 'long' ? [key] : []));
    const ran = asked.map((key) => (key === null ? haveAllRun() : hasRun(key)));
    if (ran.length === 0) return haveAllRun();
    return ran.includes(false) ? false : ran.includes(null) ? null : true;
  };
}
