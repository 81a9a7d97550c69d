import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  compareRecordings,
  type CompareResult,
  type GivenSide,
  GrowingComparison,
} from '../../../engine/compare/compare-recordings.ts';
import { milliseconds } from '../../../protocol/units.ts';
import { diskWorld } from '../../../recordings/disk-world.ts';
import { callFrameOf } from '../../helpers/drawn-profile.ts';
import { filesOf } from '../../helpers/drawn-runs.ts';
import { memoryWorld } from '../../helpers/memory-world.ts';
import { copyFixture, type FixtureName } from '../../helpers/recording-fixtures.ts';
import { temporaryProject } from '../../helpers/temporary-project.ts';

const project = temporaryProject({});
const runsOf = (...names: readonly FixtureName[]) => names.map((name) => [copyFixture(name, { project }).recording]);
const base = runsOf('small/run-1', 'small/run-2', 'small/run-3');
const head = runsOf('small/faster-1', 'small/faster-2', 'small/faster-3');
const upTo = (runs: GivenSide['runs'], count: number): GivenSide => ({ name: 'a', runs: runs.slice(0, count) });
const options = { thresholdUs: milliseconds(10), roots: [project], confirm: null, order: 'interleaved' } as const;

const comparedIn = (result: CompareResult) =>
  result.type === 'compared' ? result.comparison : assert.fail(`The result is ${result.type}.`);

test('a comparison that grows says what one of all runs says, and reads each run once', async () => {
  const read: string[] = [];
  const onRead = async (path: string): Promise<void> => void read.push(path);
  const comparison = new GrowingComparison(diskWorld);
  const said = async (count: number) =>
    comparedIn(await comparison.of(upTo(base, count), upTo(head, count), { ...options, onRead }));
  const first = await said(2);
  assert.deepEqual(
    await said(3),
    comparedIn(await compareRecordings(upTo(base, 3), upTo(head, 3), diskWorld, options)),
  );
  assert.deepEqual(read.toSorted(), [...base, ...head].flat().toSorted());
  assert.equal(first.base.runs.length, 2);
});

test('what is not seen on a side on which a process was killed may not have been reached', async () => {
  const verdictOf = async (isKilled: boolean) => {
    const world = memoryWorld(filesOf([{ held: 'parse 40 check 12' }, { held: 'check 12', isKilled }]));
    const side = (name: string): GivenSide => ({ name, runs: [[`/runs/${name}`]] });
    const { functions } = comparedIn(
      await compareRecordings(side('1'), side('2'), world, { ...options, roots: ['/app'] }),
    );
    return functions.find(({ was }) => was?.label === 'parse')?.verdict;
  };
  assert.deepEqual([await verdictOf(false), await verdictOf(true)], ['gone', 'notReached']);
});

test('unchanged code that is no longer seen is faster where its test ran to its end, and not where that was skipped', async () => {
  const verdictOf = async (outcome: 'passed' | 'skipped') => {
    const testsOf = (end: typeof outcome) =>
      [['begin', 0, 0, '/app/one.test.js', ['a test'], -1] as const, ['end', 100_000, 0, end] as const] as const;
    const world = memoryWorld({
      ...filesOf([
        { held: 'one.js#one 60 check 12', tests: testsOf('passed') },
        { held: 'check 12', tests: testsOf(outcome) },
      ]),
      '/app/src/one.js': `${'\n'.repeat(callFrameOf('one').lineNumber)}function one(list) { return list.map(half); }\n`,
    });
    const side = (name: string): GivenSide => ({ name, runs: [[`/runs/${name}`]] });
    const both = { ...options, order: 'blocks', roots: ['/app'] } as const;
    const { functions } = comparedIn(await compareRecordings(side('1'), side('2'), world, both));
    return functions.find(({ was }) => was?.label === 'one')?.verdict;
  };
  assert.deepEqual([await verdictOf('passed'), await verdictOf('skipped')], ['faster', 'notReached']);
});

test('a file that was moved between recordings of one folder was not at its new path before', async () => {
  const textOf = (from: number): string =>
    `${'\n'.repeat(callFrameOf('one').lineNumber)}function one(list) { return list.map(half).slice(${from}); }\n`;
  const world = memoryWorld({
    ...filesOf([{ held: 'one.js#one 60' }, { held: 'uno.js#one 22' }]),
    '/runs/1/7-0-x.texts.jsonl': JSON.stringify({ url: 'file:///app/src/one.js', text: '1-a' }),
    '/runs/1/1-a.text.gz': gzipSync(textOf(1)),
    '/app/src/uno.js': textOf(2),
  });
  const side = (name: string): GivenSide => ({ name, runs: [[`/runs/${name}`]] });
  const both = { ...options, order: 'blocks', roots: ['/app'] } as const;
  const { functions } = comparedIn(await compareRecordings(side('1'), side('2'), world, both));
  assert.deepEqual(
    functions.map(({ was, is, matchedBy, verdict }) => [was?.file, is?.file, matchedBy, verdict]),
    [['src/one.js', 'src/uno.js', 'file', 'faster']],
  );
});

test('a comparison that grows refuses a run of another command, unless such runs only confirm', async () => {
  const other = runsOf('shop/first');
  const saidOf = async (confirm: { readonly from: number; readonly isNarrow: boolean } | null) => {
    const comparison = new GrowingComparison(diskWorld);
    await comparison.of(upTo(base, 2), upTo(head, 2), options);
    const more = { name: 'a', runs: [...base.slice(0, 2), ...other] };
    return comparison.of(more, upTo(head, 3), { ...options, confirm });
  };
  assert.equal((await saidOf(null)).type, 'refused');
  assert.equal((await saidOf({ from: 3, isNarrow: true })).type, 'refused');
  const confirmed = comparedIn(await saidOf({ from: 2, isNarrow: true }));
  assert.deepEqual(
    confirmed.base.runs.map(({ isNarrow = false }) => isNarrow),
    [false, false, true],
  );
});
