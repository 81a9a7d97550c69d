import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SideCollector, testFilesOf } from '../../../engine/compare/side.ts';
import { MAX_TEST_FILES, fewestTestFiles, runTimes, timeOf } from '../../../engine/compare/tests-to-run.ts';
import type { TestLine } from '../../../protocol/recording-lines.ts';
import { microseconds, milliseconds } from '../../../protocol/units.ts';
import { hotspotsOf } from '../../helpers/drawn-hotspots.ts';

/** Test files by name: the worst in ms and the number of long operations in each. */
const chosen = (files: Readonly<Record<string, readonly [worst: number, longCount: number]>>): readonly string[] =>
  fewestTestFiles(
    new Map(Object.entries(files).map(([file, [ms, longCount]]) => [file, { worst: milliseconds(ms), longCount }])),
  );

test('a re-check runs the test file with the worst, and more until these have half of the long operations', () => {
  assert.deepEqual(chosen({ a: [20, 3], b: [90, 4], c: [30, 1] }), ['b']);
  assert.deepEqual(chosen({ a: [20, 3], b: [90, 1], c: [30, 2], d: [12, 1] }), ['b', 'a']);
  assert.deepEqual(chosen({ b: [20, 2], a: [20, 2] }), ['a']);
});

test('where too many files share its long operations, the file with the worst runs alone', () => {
  const files = Object.fromEntries(
    Array.from({ length: 3 * MAX_TEST_FILES }, (_, i) => [`${i}`, [20 + i, 1] as const]),
  );
  assert.deepEqual(chosen(files), [`${3 * MAX_TEST_FILES - 1}`]);
});

test('a function that is long in no test is re-checked by all that reach it, or by the whole command', () => {
  assert.deepEqual(chosen({ a: [0, 0], b: [0, 0] }), ['a', 'b']);
  assert.deepEqual(chosen(Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`${i}`, [0, 0] as const]))), []);
  assert.deepEqual(chosen({}), []);
});

test('the test files of a function are known where its worst is in a test, not in a hook before one', async () => {
  const begin = (time: number): TestLine => ['begin', time, 0, '/app/a.test.js', ['adds up'], -1];
  const known = async (hook: number, end = hook + 31): Promise<readonly (readonly string[])[]> => {
    const { analysis } = await hotspotsOf(`ms ${hook} 1 30 1\n work (idle) work (idle)`, {
      turns: `0-${hook} ${hook + 1}-${end}`,
      tests: [begin(hook + 1), ['end', end, 0]],
    });
    const side = new SideCollector();
    await side.add({ analysis, lower: analysis, textOf: async () => null });
    const work = analysis.functions.functions.findIndex(({ name }) => name === 'work');
    return [testFilesOf(analysis, work), side.functions()[0]?.testFiles].map((files) => [...(files?.keys() ?? [])]);
  };
  assert.deepEqual(await known(60), [[], []]);
  assert.deepEqual(await known(32), [['a.test.js'], ['a.test.js']]);
});

test('the time of a run is that of its files and of the runner around them, and unknown where one of theirs is', () => {
  const times = { whole: microseconds(900), around: microseconds(50), files: new Map([['a', microseconds(200)]]) };
  assert.deepEqual([timeOf([], times), timeOf(['a'], times), timeOf(['a', 'b'], times)], [900, 250, null]);
});

test('a run under a load takes what its server needs to start, the warm-up and the load, not the wait for a person', async () => {
  const drawing = `ms ${[20, 5000, 20, 5000].join(' ')}\n start (idle) answer (idle)`;
  const turns = [
    [0, 20],
    [5020, 5040],
  ] as const;
  const requests = [{ start: 5020, end: 5040 }];
  const load = { requests: [], warmUpS: 1, recorded: { requests: 1, durationUs: 500_000 } };
  const wholeOf = async (manifest: object): Promise<number> =>
    runTimes((await hotspotsOf(drawing, { turns, requests, manifest: { ...manifest } })).analysis).whole;
  assert.ok((await wholeOf({})) > 9_000_000);
  assert.equal(await wholeOf({ load }), 1_520_000);
});
