import { maxOf } from '../../protocol/figures.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { ComparedFunction } from '../../protocol/comparison.ts';
import type { Analysis } from '../analysis.ts';
import type { RecordedLoad } from '../../protocol/recording.ts';
import { compareTexts } from '../basics/lists.ts';
import { startOf } from '../read/samples/sample-stream.ts';
import { fileBelow, type Reach, type SideFunction } from './side.ts';

/** At most so many test files run by themselves: for more of them the whole command runs. */
export const MAX_TEST_FILES = 4;

/**
 * The fewest test files that have a function's worst and half of its long operations; the one with its worst where these
 * are more than {@link MAX_TEST_FILES}. None where no test is known to reach it, or too many do and it is long in none.
 */
export function fewestTestFiles(testFiles: ReadonlyMap<string, Reach>): readonly string[] {
  const byWorst = [...testFiles].toSorted(([a, one], [b, two]) =>
    one.worst === two.worst ? compareTexts(a, b) : two.worst - one.worst,
  );
  const longCount = byWorst.reduce((sum, [, reach]) => sum + reach.longCount, 0);
  const [worst, ...others] = byWorst;
  if (worst === undefined) return [];
  if (longCount === 0) return byWorst.length > MAX_TEST_FILES ? [] : byWorst.map(([file]) => file);
  const chosen = [worst];
  let covered = worst[1].longCount;
  for (const one of others.toSorted(([, a], [, b]) => b.longCount - a.longCount)) {
    if (covered * 2 >= longCount) break;
    chosen.push(one);
    covered += one[1].longCount;
  }
  return (chosen.length > MAX_TEST_FILES ? [worst] : chosen).map(([file]) => file);
}

/** The test files of all these functions; none where those of one are unknown: then the whole command runs. */
export function testFilesOfAll(functions: readonly Pick<ComparedFunction, 'testFiles'>[]): readonly string[] {
  const isUnknown = functions.some(({ testFiles }) => testFiles.length === 0);
  return isUnknown ? [] : [...new Set(functions.flatMap(({ testFiles }) => testFiles))];
}

/** Test files in which a function was long on a side; none where those of a side on which it was long are unknown. */
export function testFilesOfBoth(sides: readonly (SideFunction | undefined)[]): readonly string[] {
  const reached = sides.flatMap((fn) => (fn === undefined || (fn.testFiles.size === 0 && !isLong(fn)) ? [] : fn));
  return testFilesOfAll(reached.map(({ testFiles }) => ({ testFiles: [...testFiles.keys()] })));
}

function isLong({ runs }: SideFunction): boolean {
  return runs.some((run) => run !== null && run.longCount > 0);
}

/** What one run of a re-check executes: test files below the root, or the whole command where there are none. */
export interface RunCost {
  readonly files: readonly string[];
  /** An estimate, by the clock of the recording; null where a file's time is not known. */
  readonly us: Microseconds | null;
}

/** How long one run takes, by the clock of a recording. */
export interface RunTimes {
  readonly whole: Microseconds;
  /** What the runner took before its first thread with tests began, and after its last one ended. */
  readonly around: Microseconds;
  /** By path below the root: what the tests of the file took, and what each of their isolates took until its first test. */
  readonly files: ReadonlyMap<string, Microseconds>;
  /** Files whose isolates ran no other test file: run by themselves, they find the same warm code and the same state. */
  readonly alone: ReadonlySet<string>;
}

export function runTimes({ streams, roots, recording }: Pick<Analysis, 'streams' | 'roots' | 'recording'>): RunTimes {
  const begin = streams.reduce((first, stream) => Math.min(first, startOf(stream)), Infinity);
  const end = streams.reduce((last, stream) => Math.max(last, stream.end), 0);
  const files = new Map<string, Microseconds>();
  const together = new Set<string>();
  let [firstTests, lastTests] = [end, begin];
  const add = (file: string, us: number): void => {
    const name = fileBelow(file, roots);
    files.set(name, microseconds(Math.round((files.get(name) ?? 0) + us)));
  };
  for (const stream of streams) {
    const { tests } = stream;
    const first = tests?.changes[0];
    if (tests === null || first === undefined) continue;
    firstTests = Math.min(firstTests, startOf(stream));
    lastTests = Math.max(lastTests, stream.end);
    const inStream = new Set<string>();
    for (const [at, test] of tests.running.entries()) {
      if (test === null || test.file === '') continue;
      add(test.file, (tests.changes[at + 1] ?? stream.end) - (tests.changes[at] ?? 0));
      inStream.add(test.file);
    }
    for (const file of inStream) add(file, first - startOf(stream));
    if (inStream.size > 1) for (const file of inStream) together.add(fileBelow(file, roots));
  }
  const alone = new Set([...files.keys()].filter((file) => !together.has(file)));
  const around = firstTests - begin + (end - lastTests);
  const inUs = (us: number): Microseconds => microseconds(Math.max(0, Math.round(us)));
  const { load } = recording;
  const whole = load === undefined ? end - begin : Math.min(end - begin, timeUnderLoad(streams, load));
  return { whole: inUs(whole), around: inUs(around), files, alone };
}

/** A run under a load starts its server and ends with the load. The recorded server may also have waited for a person. */
function timeUnderLoad(streams: Analysis['streams'], { warmUpS, recorded }: RecordedLoad): number {
  const startTimes = streams.map(({ turns, requests }) => {
    const ready = requests?.requests[0]?.start ?? -Infinity;
    let busy = 0;
    for (const [turn, start] of (turns?.starts ?? new Float64Array()).entries())
      if (start < ready) busy += (turns?.ends[turn] ?? start) - start;
    return busy;
  });
  return Math.max(0, maxOf(startTimes)) + warmUpS * 1e6 + recorded.durationUs;
}

/** How long a run of these test files takes: the whole command, where there are none. Null where one is not known. */
export function timeOf(
  files: readonly string[],
  { whole, around, files: known }: Pick<RunTimes, 'whole' | 'around' | 'files'>,
): Microseconds | null {
  if (files.length === 0) return whole;
  const times = files.map((file) => known.get(file) ?? null);
  return times.includes(null) ? null : microseconds(times.reduce<number>((sum, us) => sum + (us ?? 0), around));
}
