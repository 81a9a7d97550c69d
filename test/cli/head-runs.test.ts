import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { commandsFor, type RunProgress, showRun } from '../../cli/commands/head-runs.ts';
import { outputOf } from '../../cli/views/terminal.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

/** What is written for some runs of pairs. */
function written(isTTY: boolean, runs: readonly Partial<RunProgress>[]): string {
  const pieces: string[] = [];
  const stream = { isTTY, columns: 60, write: (text: string) => pieces.push(text), once: () => undefined };
  const pair = { noun: 'Pair', number: 1, of: 3, what: null, isFirst: true, leftMs: null };
  for (const run of runs) showRun(outputOf(stream, {}), { ...pair, ...run });
  return pieces.join('');
}

const both = [
  { number: 2, what: 'main', leftMs: 40_400 },
  { number: 2, what: 'your work tree', leftMs: 30_000, isFirst: false },
];

test('a terminal shows each run, with what is run and how long the rest takes', () => {
  const lines = written(true, both)
    .split('\r')
    .filter((line) => line.trim() !== '');
  assert.ok(lines.includes('Pair 2 of 3: main … about 41 s left'));
  assert.equal(lines.at(-1), 'Pair 2 of 3: your work tree … about 30 s left');
});

test('a log gets one line for each number', () => {
  assert.equal(written(false, both), 'hotspan: Pair 2 of 3 … about 41 s left\n');
});

test('how long it takes is not said before anything has run, and in minutes where it is long', () => {
  assert.equal(written(false, [{ noun: 'Run', of: 'at most 3' }]), 'hotspan: Run 1 of at most 3 …\n');
  assert.match(written(false, [{ leftMs: 600_000 }]), /about 10 min left/);
});

test('the test files of a checkout inside of another one run in it, by the Node that their command names', async () => {
  const [description, tests] = ['{"scripts":{"test":"node --test"}}', 'test/a.test.js'];
  const outer = temporaryProject({
    ...{ '.git/HEAD': '', 'package.json': description, [tests]: '' },
    ...{ 'inner/.git': 'gitdir: …', 'inner/package.json': description, [`inner/${tests}`]: '' },
  });
  for (const [cwd, command, node] of [
    [outer, ['npm', 'test'], 'node'],
    [path.join(outer, 'inner'), ['/opt/24/bin/node', '--test'], '/opt/24/bin/node'],
  ] as const) {
    const [found] = (await commandsFor([tests], { command, cwd }, {})) ?? [];
    assert.deepEqual([found?.cwd, found?.command], [cwd, [node, '--test', path.join(cwd, 'test', 'a.test.js')]]);
  }
});
