import assert from 'node:assert/strict';
import { cpSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { copyFixture } from '../../helpers/recording-fixtures.ts';
import { parseReport } from '../../helpers/report-schema.ts';
import type { CliRun } from '../../helpers/run-cli.ts';
import { runHere } from '../../helpers/run-here.ts';
import { temporaryProject } from '../../helpers/temporary-project.ts';
import { write } from '../../helpers/temporary-repository.ts';

const project = temporaryProject({});
const names = ['slower-1', 'slower-2', 'slower-3', 'faster-1', 'other', 'run-1', 'run-2', 'run-3'] as const;
for (const name of names) copyFixture(`small/${name}`, { project, recording: path.join(project, name) });
/** A second name of `run-1`: a link, and on Windows, where not everyone may make one, its name in capitals. */
const second = process.platform === 'win32' ? 'RUN-1' : 'link';
if (second === 'link') symlinkSync('run-1', path.join(project, second));
const isSame = new RegExp(String.raw`${second} is the same recording as \S+run-1, and counts once\.`, 'i');
cpSync(path.join(project, 'run-1'), path.join(project, 'copy'), { recursive: true });

const hotspan = async (...words: readonly string[]): Promise<CliRun> => runHere(words, { cwd: project });
const runs = ['run-1', 'run-2', 'run-3'];

/** Checks recordings by a budget of the whole, or of `quote`, in ms. */
async function check(worstMs: number, recordings: readonly string[], ofQuote = false): Promise<CliRun> {
  const budget = ofQuote ? { functions: { 'shop.js#quote': { worstMs } } } : { whole: { worstMs } };
  const file = `budget-${recordings.join('-')}.json`;
  write(project, { [file]: JSON.stringify({ version: 1, ...budget }) });
  return hotspan('check', ...recordings, '--budget', file);
}

describe('hotspan analyze of several recordings', () => {
  test('shows runs of one command with their range, and says so', async () => {
    const { code, stdout, stderr } = await hotspan('analyze', ...runs);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^66–75 ms worst, 3 runs · 1 × >10 ms · 1 stack {2}quote {2}shop\.js:5$/m);
    assert.match(
      stderr,
      /^hotspan: 3 recordings are runs of one thing: the command and the test files are the same \(--shards /,
    );
  });

  test('in JSON and Markdown, too', async () => {
    const { several, functions } = parseReport((await hotspan('analyze', ...runs, '--json')).stdout);
    assert.deepEqual([several?.takenFor, several?.recordings.length], ['runs', 3]);
    const culprit = functions.find(({ name }) => name === 'quote')?.culprit;
    assert.deepEqual(culprit?.worstUs, culprit?.runs?.worstUs?.toSorted((a, b) => Number(a) - Number(b))[1]);
    const markdown = await hotspan('analyze', ...runs, '--markdown');
    assert.match(
      markdown.stdout,
      /^### Hotspan: .*\n\n3 recordings are runs of one thing[\s\S]*\*\*66–75 ms worst, 3 runs/,
    );
  });

  test('counts different commands together, and what the person says first', async () => {
    const shards = await hotspan('analyze', 'run-1', 'other');
    assert.match(shards.stderr, /2 recordings count together: they are of different commands \(--runs /);
    assert.match(shards.stdout, /^\d+ ms worst · 2 × >10 ms · 1 stack {2}rank/m);
    const asked = await hotspan('analyze', '--shards', 'run-1', 'run-2');
    assert.match(asked.stdout, /^\d+ ms worst · 2 × >10 ms · 1 stack {2}quote/m);
    const asRuns = await hotspan('analyze', '--runs', 'run-1', 'other');
    assert.match(asRuns.stdout, /ms worst, in 1 of 2 runs · .*quote/);
    const both = await hotspan('analyze', '--runs', '--shards', ...runs);
    assert.deepEqual([both.code, both.stderr], [2, 'hotspan: Choose one of --runs and --shards.\n']);
  });

  test('fails over a limit only if all runs are over it', async () => {
    const shop = temporaryProject({});
    const copied = (name: 'first' | 'second' | 'accounts'): string =>
      copyFixture(`shop/${name}`, { project: shop }).recording;
    const first = copied('first');
    const over = async (other: string) =>
      runHere(['analyze', '--runs', first, other, '--fail-over', '140'], { cwd: shop });
    const some = await over(copied('accounts'));
    assert.equal(some.code, 0);
    assert.match(some.stderr, /Over the limit of 140 ms in 1 of 2 runs only, and so no failure: 247 ms in callSite/);
    const all = await over(copied('second'));
    assert.equal(all.code, 1);
    assert.match(
      all.stderr,
      /Over the limit of 140 ms in all 2 runs: 203–247 ms, 203–241 ms of it certain, in callSite, src[/\\]logger\.js:13, and 1 more\./,
    );
  });

  test('leaves out a run that cannot be read, and then judges no limit', async () => {
    write(project, { 'broken/recording.json': JSON.stringify({ version: 2, command: ['node'], cwd: project }) });
    const { code, stdout, stderr } = await hotspan('analyze', ...runs, 'broken', '--runs');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^66–75 ms worst, 3 runs/m);
    assert.match(stdout, /! \S+broken is left out, so there are 3 runs: \S+broken holds no CPU profile/);
    const limit = await hotspan('analyze', 'run-1', 'nowhere', '--runs', '--fail-over', '60s');
    assert.equal(limit.code, 3);
    assert.match(limit.stderr, /1 run could not be read, so nothing is said of the limit/);
  });
});

describe('recordings of different code', () => {
  test('are not runs: compare says what changed', async () => {
    const { code, stdout, stderr } = await hotspan('analyze', 'run-1', 'faster-1');
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /ran different code: shop\.js differs\. "hotspan compare \S+run-1 --head \S+faster-1" says/);
  });

  test('are shown as runs where the person insists, with a warning', async () => {
    const { code, stdout } = await hotspan('analyze', 'run-1', 'faster-1', '--runs');
    assert.equal(code, 0);
    assert.match(stdout, /^\d+–\d+ ms worst, 2 runs .*quote[\s\S]*! .*ran different code: shop\.js differs/m);
  });

  test('are not a side of a comparison', async () => {
    const other = await hotspan('compare', 'run-1', 'run-2', '--head', 'other');
    assert.equal(other.code, 2, 'another command is on the other side');
    const slower = ['slower-1', 'slower-2', 'slower-3'];
    const mixed = await hotspan('compare', 'run-1', 'run-2', 'faster-1', '--head', ...slower);
    assert.deepEqual([mixed.code, mixed.stdout], [3, '']);
    assert.match(mixed.stderr, /ran different code \(shop\.js differs\), so there is no verdict/);
  });

  test('keep a check from being green', async () => {
    const { code, stdout } = await check(500, ['run-1', 'faster-1']);
    assert.equal(code, 3, stdout);
    assert.match(stdout, /Not all could be judged \(1 budget, 2 runs\)\.\n! .*shop\.js differs/);
  });
});

describe('a recording that is given twice', () => {
  test('counts once in analyze', async () => {
    const { stdout } = await hotspan('analyze', 'run-1', second, 'copy', 'run-2');
    assert.match(stdout, /ms worst, 2 runs/);
    assert.match(stdout, isSame);
    assert.match(stdout, /! \S+copy is the same/);
  });

  test('counts once in check, so that one slow run does not pass for three', async () => {
    const { code, stdout, stderr } = await check(20, ['run-1', second, 'copy']);
    assert.equal(code, 1);
    assert.match(stdout, /1 over budget \(1 budget, 1 run\)/);
    assert.match(stderr, isSame);
  });

  test('is refused on both sides of a comparison, and counts once on one', async () => {
    const both = await hotspan('compare', ...runs, '--head', 'copy', 'run-2', 'run-3');
    assert.deepEqual([both.code, both.stdout], [2, '']);
    assert.match(both.stderr, /run-1 are the same recording, and on both sides: give recordings from before/);
    const few = await hotspan('compare', 'run-1', 'copy', second, '--head', 'run-2', 'run-3');
    assert.equal(few.code, 3, 'one against two gives no verdict');
    assert.match(few.stdout, /one side has 1: this says what is apart, without a verdict/);
    assert.match(few.stdout, /copy is the same recording as \S+run-1, and counts once/);
  });
});

test('parts of one run are judged together by a budget', async () => {
  const { code, stdout, stderr } = await check(20, ['run-1', 'other'], true);
  assert.equal(code, 1, stdout);
  assert.match(stdout, /1 over budget \(1 budget, 1 run\)/);
  assert.match(stderr, /2 recordings count together: they are of different commands/);
});

test('parts of jobs in other folders are not judged as within: the option that counts their code is named', async () => {
  const other = temporaryProject({});
  const { recording } = copyFixture('small/run-2', { project: other });
  const map = `--map ${other}=${project}`;
  for (const words of [
    ['analyze', '--fail-over', '60s'],
    ['check', '--budget', 'job.json'],
  ] as const) {
    write(project, { 'job.json': '{ "version": 1, "whole": { "worstMs": 60000 } }' });
    const { code, stdout, stderr } = await hotspan(...words, 'run-1', recording);
    assert.equal(code, 3, stderr);
    assert.match(stderr, /2 recordings count together: they ran in different folders /);
    assert.ok(stdout.includes(`if that is the same project in another place, add ${map}.`), stdout);
    assert.equal((await hotspan(...words, 'run-1', recording, ...map.split(' '))).code, 0);
  }
});
