import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, test } from 'node:test';
import { blockingShop, shopFiles, work } from '../helpers/blocking-shop.ts';
import { projectFile } from '../helpers/project.ts';
import { parseComparison } from '../helpers/report-schema.ts';
import { type CliRun, runCli } from '../helpers/run-cli.ts';
import { Repository, write } from '../helpers/temporary-repository.ts';

const tests = ['--', process.execPath, '--test', 'shop.test.js'];

const run = async (repository: Repository, ...words: readonly string[]): Promise<CliRun> =>
  runCli(words, { cwd: repository.folder, env: { ...repository.env, XDG_CACHE_HOME: repository.temporary } });

/** The verdict of each function by its name now, or before where it is gone. */
function verdictsIn({ stdout }: CliRun): Readonly<Record<string, string>> {
  const verdicts: Record<string, string> = {};
  for (const { is, was, verdict } of parseComparison(stdout).functions) verdicts[(is ?? was)?.label ?? ''] = verdict;
  return verdicts;
}

describe('a function that changed its shape (real clock)', () => {
  test('is told as renamed where only its name is another', async () => {
    const repository = new Repository(shopFiles);
    await run(repository, 'baseline', ...tests);
    const renamed = blockingShop(70).replace('function quote', 'function price').replace('{ quote,', '{ quote: price,');
    write(repository.folder, { 'shop.js': renamed });
    const { code, stdout } = await run(repository, 'recheck', 'shop.js:4');
    assert.match(stdout, /^price \(was quote\), shop\.js:2: (no change seen|too noisy to say)/);
    assert.ok(code === 0 || code === 3, String(code));
    const compared = await repository.compare('--base', 'HEAD', '--all', '--json', ...tests);
    const { functions } = parseComparison(compared.stdout);
    assert.ok(functions.some(({ was, is }) => was?.label === 'quote' && is?.label === 'price'));
    const verdicts = Object.values(verdictsIn(compared));
    assert.ok(!verdicts.some((verdict) => ['new', 'gone', 'faster', 'slower'].includes(verdict)), verdicts.join(' '));
  });

  test('is told as moved where it was split in two, and takes as long with what it calls', async () => {
    const repository = new Repository(shopFiles);
    await run(repository, 'baseline', ...tests);
    const split = [
      work('quote', 35).replace('return sum', 'return sum + discount()'),
      work('discount', 35),
      work('rank', 40),
    ];
    write(repository.folder, { 'shop.js': `${split.join('')}module.exports = { quote, rank };\n` });
    const { code, stdout, stderr } = await run(repository, 'recheck', 'quote');
    assert.match(stdout, /^quote, shop\.js:2: moved: its own part \d+ → \d+ ms; with what it calls .*: see discount$/m);
    assert.equal(code, 0, stderr);
    const compared = verdictsIn(await repository.compare('--base', 'HEAD', '--json', ...tests));
    assert.deepEqual([compared['quote'], compared['discount']], ['moved', 'new']);
  });

  test('is told as faster where nothing of its file is seen any more', async () => {
    const alone = (text: string) => ({ 'quote.js': `${text}module.exports = quote;\n` });
    const repository = new Repository({
      ...alone(work('quote', 70)),
      'shop.test.js': `
const quote = require('./quote.js');
require('node:test').test('quotes', () => new Promise((resolve) => setTimeout(() => resolve(quote()), 5)));\n`,
    });
    await run(repository, 'baseline', ...tests);
    write(repository.folder, alone('function quote() {\n  return 0;\n}\n'));
    const { code, stdout, stderr } = await run(repository, 'recheck', 'quote.js:2');
    assert.match(stdout, /^quote, quote\.js:1: faster, was \d+ ms → under 8 ms/, stderr);
    assert.equal(code, 0);
    const compared = await repository.compare('--base', 'HEAD', '--json', ...tests);
    assert.deepEqual(verdictsIn(compared), { quote: 'faster' });
  });

  test('is found in a file whose name has a line break', async () => {
    const odd = (ms: number) => ({ 'new\nline.js': `${work('quote', ms)}module.exports = quote;\n` });
    const repository = new Repository({
      ...odd(70),
      'shop.test.js': `
const quote = require('./new\\nline.js');
require('node:test').test('quotes', () => new Promise((resolve) => setTimeout(() => resolve(quote()), 5)));\n`,
    });
    await run(repository, 'baseline', ...tests);
    write(repository.folder, odd(15));
    const { stdout } = await run(repository, 'recheck', 'new\nline.js:3');
    assert.match(stdout, /^quote, newline\.js:\d: faster, was /);
  });
});

const typeScript = (ms: number): string => `
interface Price { readonly sum: number }
export function quote(discount: number): Price {
  const begin: number = process.cpuUsage().user;
  let sum: number = discount;
  while (process.cpuUsage().user - begin < ${ms} * 1000) for (let step = 0; step < 1e4; step++) sum += Math.sqrt(step);
  return { sum } satisfies Price;
}
`;

test('a TypeScript project with Vitest goes from baseline over an edit to a re-check (real clock)', async () => {
  const repository = new Repository({
    'package.json': '{ "name": "ts", "type": "module", "scripts": { "test": "vitest run" } }\n',
    'src/quote.ts': typeScript(90),
    'test/quote.test.ts': `
import { expect, test } from 'vitest';
import { quote } from '../src/quote.ts';
test('quotes', async () => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(quote(1).sum).toBeGreaterThan(0);
});\n`,
  });
  symlinkSync(projectFile('examples/reports-ts/node_modules'), path.join(repository.folder, 'node_modules'));
  const set = await run(repository, 'baseline', '--', 'npm', 'test');
  assert.equal(set.code, 0, set.stderr);
  write(repository.folder, { 'src/quote.ts': typeScript(20) });
  const { code, stdout, stderr } = await run(repository, 'recheck', 'src/quote.ts:6');
  assert.match(stdout, /^quote, src\/quote\.ts:3: faster, was \d+ → \d+ ms \(.*pairs\)\n$/, stderr);
  assert.equal(code, 0);
  repository.assertClean(' M src/quote.ts\n');
});

test('a base whose dependencies cannot be installed is no verdict', async () => {
  const lock = (version: string): string =>
    JSON.stringify({ lockfileVersion: 3, packages: { '': { dependencies: { 'left-pad': version } } } });
  const repository = new Repository({
    ...shopFiles,
    'package.json': '{ "name": "shop", "dependencies": { "left-pad": "1.0.0" } }',
    'package-lock.json': lock('1.0.0'),
  });
  await run(repository, 'record', '--quiet', ...tests);
  write(repository.folder, {
    'package-lock.json': lock('1.1.0'),
    'node_modules/left-pad/package.json': '{ "name": "left-pad", "version": "1.1.0" }',
  });
  const { code, stdout, stderr } = await run(repository, 'recheck', 'quote', '--base', 'HEAD');
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(stderr, /The base could not be prepared: "npm ci .*prepare\.log/);
  repository.assertClean(' M package-lock.json\n');
});

/** Runs a command line, and lets all of it sleep for a while in the middle of the runs of these names. */
async function sleeping(
  repository: Repository,
  names: readonly string[],
  ...words: readonly string[]
): Promise<CliRun> {
  const child = spawn(process.execPath, [projectFile('dist/cli.cjs'), ...words], {
    cwd: repository.folder,
    env: { ...repository.env, NODE_TEST_CONTEXT: undefined },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  for (const name of names) {
    while (child.exitCode === null && !recordingsOf(repository).some((one) => one.endsWith(`-compare/${name}`)))
      await delay(20);
    await delay(300);
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGSTOP');
    await delay(2000);
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGCONT');
  }
  const [stdout, stderr] = await output;
  return { code: child.exitCode, signal: child.signalCode, stdout, stderr };
}

test('a machine that sleeps half-way makes nothing slower (real clock)', async () => {
  const files = { ...shopFiles, 'shop.js': blockingShop(300) };
  const compared = await sleeping(
    new Repository(files),
    ['head-1', 'head-2', 'head-3'],
    ...['compare', '--base', 'HEAD', '--json', ...tests],
  );
  assert.ok(compared.code === 0 || compared.code === 3, compared.stderr);
  const verdicts = verdictsIn(compared);
  assert.ok(verdicts['quote'] === 'noChangeSeen' || verdicts['quote'] === 'tooNoisy', verdicts['quote']);
  const once = await sleeping(new Repository(files), ['head-2'], 'recheck', 'shop.js:4', '--base', 'HEAD', ...tests);
  assert.ok(once.code === 0 || once.code === 3, once.stderr);
});

/** Paths of what was recorded so far. */
function recordingsOf({ folder }: Repository): readonly string[] {
  const home = path.join(folder, '.hotspan');
  return existsSync(home) ? readdirSync(home, { recursive: true, encoding: 'utf8' }) : [];
}
