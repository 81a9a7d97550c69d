import assert from 'node:assert/strict';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { blockingShop, shopFiles } from '../helpers/blocking-shop.ts';
import { parseReport } from '../helpers/report-schema.ts';
import { type CliRun, runCli } from '../helpers/run-cli.ts';
import { newFolder, write } from '../helpers/temporary-repository.ts';

const state = { folder: '' };
const hotspan = async (...words: readonly string[]): Promise<CliRun> => runCli(words, { cwd: state.folder });

/** Records the shop's tests, or other words of a command, into a folder of that name. */
async function record(name: string, ...words: readonly string[]): Promise<void> {
  const command = words.length > 0 ? words : ['--test', 'shop.test.js'];
  const { code, stderr } = await hotspan('record', '--out', name, '--', process.execPath, ...command);
  assert.equal(code, 0, stderr);
}

before(async () => {
  state.folder = path.join(newFolder(), 'shop');
  mkdirSync(state.folder);
  const other = `require('node:test').test('other', () => require('./shop.js').rank());\n`;
  const again = "test('quotes again', () => new Promise((resolve) => setTimeout(() => resolve(quote()), 5)));\n";
  const tests = { 'shop.test.js': `${shopFiles['shop.test.js'] ?? ''}${again}`, 'other.test.js': other };
  write(state.folder, { ...shopFiles, ...tests });
  for (const name of ['run-1', 'run-2', 'run-3']) await record(name);
  await record('other', '--test', 'other.test.js');
});

describe('hotspan analyze of several recordings', () => {
  const runs = ['run-1', 'run-2', 'run-3'];

  test('shows runs of one command with their range, and says so', async () => {
    const { code, stdout, stderr } = await hotspan('analyze', ...runs);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^(\d+|\d+–\d+) ms worst, 3 runs · 2 × >10 ms · 1 stack +quote {2}shop\.js:5$/m);
    assert.match(
      stderr,
      /^hotspan: 3 recordings are runs of one thing: the command and the test files are the same \(--shards /,
    );
  });

  test('in JSON and Markdown, too', async () => {
    const { stdout } = await hotspan('analyze', ...runs, '--json');
    const { several, functions } = parseReport(stdout);
    assert.deepEqual([several?.takenFor, several?.recordings.length], ['runs', 3]);
    const culprit = functions.find(({ name }) => name === 'quote')?.culprit;
    const [low = 0, middle = 0] = (culprit?.runs?.worstUs ?? []).map(Number).toSorted((a, b) => a - b);
    assert.ok(low >= 60_000, String(low));
    assert.equal(culprit?.worstUs, middle);
    const markdown = await hotspan('analyze', ...runs, '--markdown');
    assert.match(markdown.stdout, /^### Hotspan: .*\n\n3 recordings are runs of one thing/);
    assert.match(markdown.stdout, /ms worst, 3 runs/);
  });

  test('counts different commands together, and what the person says first', async () => {
    const shards = await hotspan('analyze', 'run-1', 'other');
    assert.match(shards.stderr, /2 recordings count together: they are of different commands \(--runs /);
    assert.match(shards.stdout, /ms worst · 2 × >10 ms · \d stacks? +rank/);
    const asked = await hotspan('analyze', '--shards', 'run-1', 'run-2');
    assert.match(asked.stdout, /ms worst · 4 × >10 ms · 1 stack +quote/);
    const asRuns = await hotspan('analyze', '--runs', 'run-1', 'other');
    assert.match(asRuns.stdout, /ms worst, in 1 of 2 runs · .*quote/);
    const both = await hotspan('analyze', '--runs', '--shards', ...runs);
    assert.deepEqual([both.code, both.stderr], [2, 'hotspan: Choose one of --runs and --shards.\n']);
  });

  test('fails over a limit only if all runs are over it', async () => {
    const all = await hotspan('analyze', ...runs, '--fail-over', '50');
    assert.equal(all.code, 1);
    assert.match(all.stderr, /Over the limit of 50 ms in all 3 runs: \S+ ms in quote, shop\.js:2\./);
    const some = await hotspan('analyze', '--runs', 'run-1', 'run-2', 'other', '--fail-over', '50');
    assert.equal(some.code, 0);
    assert.match(some.stderr, /Over the limit of 50 ms in 2 of 3 runs only, and so no failure: \S+ ms in quote/);
  });

  test('leaves out a run that cannot be read', async () => {
    cpSync(path.join(state.folder, 'run-1'), path.join(state.folder, 'broken'), { recursive: true });
    const manifest = { version: 2, command: [process.execPath, '--test', 'shop.test.js'], cwd: state.folder };
    rmSync(path.join(state.folder, 'broken'), { recursive: true });
    write(state.folder, { 'broken/recording.json': JSON.stringify(manifest) });
    const { code, stdout, stderr } = await hotspan('analyze', ...runs, 'broken', '--runs');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /ms worst, 3 runs/);
    assert.match(stdout, /! \S+broken is left out, so there are 3 runs: \S+broken holds no CPU profile/);
  });
});

describe('recordings of different code', () => {
  before(async () => {
    writeFileSync(path.join(state.folder, 'shop.js'), blockingShop(30));
    await record('after');
    writeFileSync(path.join(state.folder, 'shop.js'), blockingShop(70));
  });

  test('are no runs: compare says what changed', async () => {
    const { code, stdout, stderr } = await hotspan('analyze', 'run-1', 'after');
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(
      stderr,
      /are no runs of the same code: shop\.js differs\. "hotspan compare \S+run-1 --head \S+after" says/,
    );
  });

  test('are shown as runs where the person insists, with a warning', async () => {
    const { code, stdout } = await hotspan('analyze', 'run-1', 'after', '--runs');
    assert.equal(code, 0);
    assert.match(stdout, /\d+–\d+ ms worst, 2 runs .*quote/);
    assert.match(stdout, /! .*no runs of the same code: shop\.js differs/);
  });

  test('are no side of a comparison', async () => {
    const { code, stdout } = await hotspan('compare', 'run-1', 'run-2', '--head', 'other');
    assert.equal(code, 2, 'another command is on the other side');
    await record('run-4');
    await record('run-5');
    const mixed = await hotspan('compare', 'run-1', 'run-2', 'after', '--head', 'run-3', 'run-4', 'run-5');
    assert.equal(mixed.code, 3, stdout);
    assert.match(mixed.stdout, /did not all run the same code: shop\.js differs\./);
  });

  test('keep a check from being green', async () => {
    write(state.folder, { 'hotspan.budget.json': '{ "version": 1, "whole": { "worstMs": 500 } }' });
    const { code, stdout } = await hotspan('check', 'run-1', 'after');
    assert.equal(code, 3, stdout);
    assert.match(stdout, /Not all could be judged \(1 budget, 2 runs\)\.\n! .*shop\.js differs/);
  });
});

describe('a recording that is given twice', () => {
  before(() => {
    symlinkSync('run-1', path.join(state.folder, 'link'));
    cpSync(path.join(state.folder, 'run-1'), path.join(state.folder, 'copy'), { recursive: true });
  });

  test('counts once in analyze', async () => {
    const { stdout } = await hotspan('analyze', 'run-1', 'link', 'copy', 'run-2');
    assert.match(stdout, /ms worst, 2 runs/);
    assert.match(stdout, /! \S+link is the same recording as \S+run-1, and counts once\.\n! \S+copy is the same/);
  });

  test('counts once in check, so that one slow run does not pass for three', async () => {
    write(state.folder, { 'hotspan.budget.json': '{ "version": 1, "whole": { "worstMs": 20 } }' });
    const { code, stdout, stderr } = await hotspan('check', 'run-1', 'link', 'copy');
    assert.equal(code, 1);
    assert.match(stdout, /1 over budget \(1 budget, 1 run\)/);
    assert.match(stderr, /link is the same recording as \S+run-1, and counts once\./);
  });

  test('is refused on both sides of a comparison, and counts once on one', async () => {
    const both = await hotspan('compare', 'run-1', 'run-2', 'run-3', '--head', 'copy', 'run-2', 'run-3');
    assert.deepEqual([both.code, both.stdout], [2, '']);
    assert.match(both.stderr, /run-1 are the same recording, and on both sides: give recordings from before/);
    const few = await hotspan('compare', 'run-1', 'copy', 'link', '--head', 'run-2', 'run-3');
    assert.equal(few.code, 3, 'one against two is no verdict');
    assert.match(few.stdout, /one side has 1: this says what is apart, and is no verdict/);
    assert.match(few.stdout, /copy is the same recording as \S+run-1, and counts once/);
  });
});

test('parts of one run are judged together by a budget', async () => {
  write(state.folder, {
    'hotspan.budget.json': '{ "version": 1, "functions": { "shop.js#quote": { "worstMs": 20 } } }',
  });
  const { code, stdout, stderr } = await hotspan('check', 'run-1', 'other');
  assert.equal(code, 1, stdout);
  assert.match(stdout, /1 over budget \(1 budget, 1 run\)/);
  assert.match(stderr, /2 recordings count together: they are of different commands/);
});

test('a limit is not judged where a run cannot be read', async () => {
  const { code, stderr } = await hotspan('analyze', 'run-1', 'nowhere', '--runs', '--fail-over', '60s');
  assert.equal(code, 3, stderr);
  assert.match(stderr, /1 run could not be read, so nothing is said of the limit/);
});
