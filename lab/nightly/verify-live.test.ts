// Comparisons, re-checks and checks of running programs, to the end: their verdicts are right on a machine that does
// little else.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, test } from 'node:test';
import { blockingShop, shopFiles, work } from '../../test/helpers/blocking-shop.ts';
import { projectFile } from '../../test/helpers/project.ts';
import { parseComparison } from '../../test/helpers/report-schema.ts';
import { type CliRun, runCli } from '../../test/helpers/run-cli.ts';
import { Repository, write } from '../../test/helpers/temporary-repository.ts';
import { waitUntil } from '../../test/helpers/wait-until.ts';
import { requestStop } from '../../recordings/recording-folders.ts';

const tests = ['--', process.execPath, '--test', 'shop.test.js'];

const run = async (repository: Repository, ...words: readonly string[]): Promise<CliRun> =>
  runCli(words, { cwd: repository.folder, env: { ...repository.env, XDG_CACHE_HOME: repository.temporary } });

/** The verdict of each function by its name now, or before where it is gone. */
function verdictsIn({ stdout }: CliRun): Readonly<Record<string, string>> {
  const verdicts: Record<string, string> = {};
  for (const { is, was, verdict } of parseComparison(stdout).functions) verdicts[(is ?? was)?.label ?? ''] = verdict;
  return verdicts;
}

const compared = async (repository: Repository): Promise<Readonly<Record<string, string>>> =>
  verdictsIn(await run(repository, 'compare', '--base', 'HEAD', '--json', ...tests));

/** A test of one module that exports `quote`. */
const aloneIn = (file: string): string => `
const quote = require(${JSON.stringify(`./${file}`)});
require('node:test').test('quotes', () => new Promise((resolve) => setTimeout(() => resolve(quote()), 5)));\n`;

describe('hotspan compare --base', () => {
  test('finds the fix in a dirty tree, and confirms it', async () => {
    const repository = new Repository(shopFiles);
    write(repository.folder, { 'shop.js': blockingShop(15) });
    const { code, stdout, stderr } = await run(repository, 'compare', '--base', 'HEAD', '--json', ...tests);
    assert.equal(code, 0, stderr);
    const { functions, base, head } = parseComparison(stdout);
    const quote = functions.find(({ is }) => is?.label === 'quote');
    assert.deepEqual([quote?.verdict, quote?.confirmed], ['faster', true]);
    assert.deepEqual([base.runs.length, head.runs.length], [6, 6]);
    assert.match(stderr, /1 change to confirm/);
  });

  test('a tree that is slower is red', async () => {
    const repository = new Repository(shopFiles);
    write(repository.folder, { 'shop.js': blockingShop(280) });
    const { code, stdout } = await run(repository, 'compare', '--base', 'main', ...tests);
    assert.equal(code, 1, stdout);
    assert.match(stdout, /^slower {2}\d+ → \d+ ms .*6 pairs.*\) +quote/);
  });

  test('nothing is slower where the code that runs did not change', async () => {
    const repository = new Repository(shopFiles);
    write(repository.folder, { 'other.js': '' }); // A comparison of unchanged code runs nothing.
    const verdicts = Object.values(await compared(repository));
    assert.ok(!verdicts.includes('slower') && !verdicts.includes('new'), verdicts.join(' '));
  });
});

describe('hotspan recheck', () => {
  const edits = [
    {
      name: 'faster, by line',
      from: shopFiles,
      edit: { 'shop.js': blockingShop(15) },
      asked: 'shop.js:4',
      answer: /^quote, shop\.js:2: faster, was [\d.]+ → [\d.]+ ms \([\d.–]+( ms)?, \d pairs\)\n$/,
      code: 0,
    },
    {
      name: 'slower, by name',
      from: shopFiles,
      edit: { 'shop.js': blockingShop(280) },
      asked: 'quote',
      answer: /^quote, shop\.js:2: slower, was /,
      code: 1,
    },
    {
      name: 'moved where it was split in two, and takes as long with what it calls',
      from: shopFiles,
      edit: {
        'shop.js': `${work('quote', 35).replace('return sum', 'return sum + discount()')}${work('discount', 35)}${work('rank', 40)}module.exports = { quote, rank };\n`,
      },
      asked: 'quote',
      answer: /^quote, shop\.js:2: moved: its own part \d+ → \d+ ms; with what it calls .*: see discount$/m,
      code: 0,
      compared: { quote: 'moved', discount: 'new' },
    },
    {
      name: 'faster where nothing of its file is seen any more',
      from: { 'quote.js': `${work('quote', 70)}module.exports = quote;\n`, 'shop.test.js': aloneIn('quote.js') },
      edit: { 'quote.js': 'function quote() {\n  return 0;\n}\nmodule.exports = quote;\n' },
      asked: 'quote.js:2',
      answer: /^quote, quote\.js:1: faster, was [\d.]+ ms → under 8 ms/,
      code: 0,
      compared: { quote: 'faster' },
    },
  ] as const;
  for (const { name, from, edit, asked, answer, code, ...rest } of edits)
    test(`says ${name}`, async () => {
      const repository = new Repository(from);
      await run(repository, 'baseline', ...tests);
      write(repository.folder, edit);
      const rechecked = await run(repository, 'recheck', asked);
      assert.match(rechecked.stdout, answer, rechecked.stderr);
      assert.equal(rechecked.code, code);
      if (!('compared' in rest)) return;
      const verdicts = await compared(repository);
      for (const [fn, verdict] of Object.entries(rest.compared)) assert.equal(verdicts[fn], verdict, fn);
    });

  test('says faster of TypeScript that Vitest compiles', async () => {
    const typeScript = (ms: number): string =>
      `interface Price { readonly sum: number }\n${work('quote', ms)}export const price = (): Price => ({ sum: quote() });\n`;
    const repository = new Repository({
      'package.json': '{ "name": "ts", "type": "module", "scripts": { "test": "vitest run" } }\n',
      'src/quote.ts': typeScript(90),
      'test/quote.test.ts': `
import { expect, test } from 'vitest';
import { price } from '../src/quote.ts';
test('quotes', async () => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(price().sum).toBeGreaterThan(0);
});\n`,
    });
    symlinkSync(projectFile('examples/reports-ts/node_modules'), path.join(repository.folder, 'node_modules'));
    const set = await run(repository, 'baseline', '--', 'npm', 'test');
    assert.equal(set.code, 0, set.stderr);
    write(repository.folder, { 'src/quote.ts': typeScript(20) });
    const { code, stdout, stderr } = await run(repository, 'recheck', 'src/quote.ts:6');
    assert.match(stdout, /^quote, src\/quote\.ts:3: faster, was [\d.]+ → [\d.]+ ms \(.*pairs\)\n$/, stderr);
    assert.equal(code, 0);
  });
});

describe('a machine that sleeps half-way makes nothing slower', () => {
  const files = { ...shopFiles, 'shop.js': blockingShop(300) };
  const edited = (): Repository => {
    const repository = new Repository(files);
    write(repository.folder, { 'shop.js': `${files['shop.js']}void 0;\n` }); // Of unchanged code nothing is run.
    return repository;
  };

  test('in a comparison', async () => {
    const words = ['compare', '--base', 'HEAD', '--json', ...tests];
    const slept = await sleeping(edited(), ['head-1', 'head-2', 'head-3'], ...words);
    assert.ok(slept.code === 0 || slept.code === 3, slept.stderr);
    assert.match(verdictsIn(slept)['quote'] ?? '', /^(noChangeSeen|tooNoisy)$/);
  });

  test('in a re-check', async () => {
    const words = ['recheck', 'shop.js:4', '--base', 'HEAD', ...tests];
    const slept = await sleeping(edited(), ['head-2'], ...words);
    assert.ok(slept.code === 0 || slept.code === 3, slept.stderr);
  });
});

/** Runs a command line, and lets all of it sleep for a while in the middle of the runs of these names. */
async function sleeping(
  repository: Repository,
  names: readonly string[],
  ...words: readonly string[]
): Promise<CliRun> {
  const home = path.join(repository.temporary, 'recordings');
  const child = spawn(process.execPath, [projectFile('dist/cli.cjs'), ...words], {
    cwd: repository.folder,
    env: { ...repository.env, HOTSPAN_RECORDINGS: home, NODE_TEST_CONTEXT: undefined },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  const recordings = () => (existsSync(home) ? readdirSync(home, { recursive: true, encoding: 'utf8' }) : []);
  for (const name of names) {
    while (child.exitCode === null && !recordings().some((one) => one.endsWith(`-compare/${name}`))) await delay(20);
    await delay(300);
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGSTOP');
    await delay(2000);
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGCONT');
  }
  const [stdout, stderr] = await output;
  return { code: child.exitCode, signal: child.signalCode, stdout, stderr };
}

/** An example of this repository in a clone of its own, with what it has installed. */
function cloneOf(example: string): Repository {
  const repository = new Repository({});
  const source = projectFile(`examples/${example}`);
  const modules = path.join(source, 'node_modules');
  cpSync(source, repository.folder, { recursive: true, filter: (file) => file !== modules });
  symlinkSync(modules, path.join(repository.folder, 'node_modules'));
  return repository;
}

/** Runs something beside two processes that take all of the processor that they can get. */
async function besideSpinners<Result>(work: () => Promise<Result>): Promise<Result> {
  const spinners: readonly ChildProcess[] = [1, 2].map(() =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  try {
    return await work();
  } finally {
    for (const spinner of spinners) spinner.kill('SIGKILL');
  }
}

describe('hotspan check', () => {
  const command = ['--', 'npm', 'test'];

  test('is green on the healthy example beside two spinners', async () => {
    const repository = cloneOf('healthy');
    assert.equal((await run(repository, 'check', '--update', ...command)).code, 0);
    const { code, stdout } = await besideSpinners(async () => run(repository, 'check', ...command));
    assert.equal(code, 0, stdout);
    // Beside spinners a function may come near its budget, which is a warning and fails nothing.
    assert.match(stdout, /^Within budget/m);
  });

  test('is green on the shop by its own budget, and red once that is lowered', async () => {
    const repository = cloneOf('shop');
    assert.equal((await run(repository, 'check', '--update', ...command)).code, 0);
    assert.equal((await run(repository, 'check', ...command)).code, 0);
    const file = path.join(repository.folder, 'hotspan.budget.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/("[^"]*snapshot": \{\s+"worstMs": )\d+/, '$115'));
    const { code, stdout, stderr } = await run(repository, 'check', ...command);
    assert.equal(code, 1, stdout);
    assert.match(stdout, /snapshot .*\n.*over its budget of 15 ms in all 3 runs/);
    assert.match(stderr, /budgets? exceeded once[\s\S]*^hotspan: Run 3 of 3 … about \d+ s left$/m);
  });
});

test('a server is re-checked and compared under the load of its recording, and both say what became of the answers', async () => {
  const server = (ms: number): string =>
    `${work('price', ms)}require('node:http').createServer((_, response) => response.end(String(price()))).listen(0);\n`;
  const repository = new Repository({ '.gitignore': 'out\n', 'server.js': server(60) });
  const out = path.join(repository.folder, 'out');
  const recorded = run(repository, 'record', '--quiet', '--out', out, '--', process.execPath, 'server.js');
  await waitUntil(() => readFileSync(path.join(out, 'events.jsonl'), 'utf8').includes('"listens"'));
  const sent = await run(repository, 'load', 'out', '--load', '-c 2 -a 6 /');
  assert.equal(sent.code, 0, sent.stderr);
  await requestStop(out);
  await recorded;
  write(repository.folder, { 'server.js': server(3) });
  const rechecked = await run(repository, 'recheck', 'price', '--recording', 'out');
  assert.match(rechecked.stdout, /^price, server\.js:\d+: faster, was /, rechecked.stderr);
  assert.match(rechecked.stdout, /GET \/ p99 [\d.]+ → [\d.]+ ms/);
  const both = await run(repository, 'compare', '--base', 'HEAD', '--recording', 'out');
  assert.match(both.stdout, /GET \/ p99 [\d.]+ → [\d.]+ ms/);
  assert.match(both.stdout, /^faster .*price/m, both.stderr);
});
