import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { isAlive } from '../../recordings/run-processes.ts';
import { shopFiles, work } from '../helpers/blocking-shop.ts';
import { projectFile } from '../helpers/project.ts';
import type { CliRun } from '../helpers/run-cli.ts';
import { Repository, write } from '../helpers/temporary-repository.ts';
import { waitUntil } from '../helpers/wait-until.ts';

/** Tests that npm starts through a shell and `node --test`; the last process of them notes its pid, and waits. */
const waiting = (how: string): Repository =>
  new Repository({
    'package.json': '{ "name": "wait", "scripts": { "test": "node --test wait.test.js" } }\n',
    'wait.test.js': `
const { test } = require('node:test');
const { writeFileSync } = require('node:fs');
test('waits', () => new Promise((resolve) => {
  setTimeout(() => { writeFileSync(process.env.PID_FILE, String(process.pid)); ${how} }, 50);
}));\n`,
  });

interface Stopped extends CliRun {
  /** Of the process that ran the tests. */
  readonly pid: number;
}

/** Sends a signal to the command line alone, as a supervisor does, once the tests run. */
async function stopped(repository: Repository, signal: NodeJS.Signals, ...words: readonly string[]): Promise<Stopped> {
  const file = path.join(repository.temporary, 'pid');
  rmSync(file, { force: true });
  const env = { ...repository.env, PID_FILE: file, NODE_TEST_CONTEXT: undefined };
  const child = spawn(process.execPath, [projectFile('dist/cli.cjs'), ...words], {
    cwd: repository.folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  await waitUntil(() => child.exitCode !== null || readFileSync(file, 'utf8') !== '');
  assert.equal(child.exitCode, null, 'it ended before its tests ran');
  child.kill(signal);
  const [stdout, stderr] = await output;
  const pid = Number(readFileSync(file, 'utf8'));
  return { code: child.exitCode, signal: child.signalCode, stdout, stderr, pid };
}

const viaNpm = ['--', 'npm', 'test'];
const tests = ['--', process.execPath, '--test', 'wait.test.js'];

test('SIGTERM or SIGHUP to Hotspan alone ends all that the command has started', async () => {
  const repository = waiting('setTimeout(resolve, 60_000);');
  const changed = readFileSync(path.join(repository.folder, 'wait.test.js'), 'utf8').replace('60_000', '59_000');
  write(repository.folder, { 'wait.test.js': changed }); // A re-check of unchanged code runs nothing.
  const cases = [
    ['SIGTERM', ['baseline', ...tests], 3, /stopped after 0 of 3 runs, and sets no baseline/],
    ['SIGHUP', ['compare', '--base', 'HEAD', ...viaNpm], 3, /stopped before there was a verdict/],
    ['SIGTERM', ['recheck', 'wait.test.js:5', '--base', 'HEAD', ...tests], 3, /stopped before there was a verdict/],
    ['SIGHUP', ['check', '--update', ...tests], 3, /recorded is in \S+\.\n.*stopped, so no budget was written/],
    ['SIGTERM', ['record', ...viaNpm], null, /Hotspan|hotspan|Nothing|over/],
    ['SIGHUP', ['record', ...tests], null, /Hotspan|hotspan|Nothing|over/],
  ] as const;
  for (const [signal, words, code, said] of cases) {
    const run = await stopped(repository, signal, ...words);
    assert.equal(run.code, code, `${words[0]}: ${run.stderr}`);
    assert.match(run.stderr, said, words[0]);
    await waitUntil(() => !isAlive(run.pid)); // Orphans are there until init has noticed their end.
    repository.assertClean(' M wait.test.js\n');
  }
});

test('SIGTERM ends tests that are busy, and such that do not obey it', async () => {
  for (const how of ['for (;;);', "process.on('SIGTERM', () => {}); setTimeout(resolve, 60_000);"]) {
    const repository = waiting(how);
    write(repository.folder, { 'new.js': '' });
    const run = await stopped(repository, 'SIGTERM', 'compare', '--base', 'HEAD', ...tests);
    assert.equal(run.code, 3, run.stderr);
    await waitUntil(() => !isAlive(run.pid));
    repository.assertClean('?? new.js\n');
  }
});

test('a command that crashes is not a command that was stopped', async () => {
  const repository = new Repository({ 'main.js': 'setTimeout(() => process.abort(), 50);\n' });
  const words = ['--', process.execPath, 'main.js'];
  const { code, stderr } = await repository.run(['baseline', ...words]);
  assert.equal(code, 2);
  assert.match(stderr, /The command was ended by SIGABRT, .* Its output is in \/\S+\.log\./);
  write(repository.folder, { 'new.js': '' });
  const compared = await repository.compare('--base', 'HEAD', ...words);
  assert.equal(compared.code, 2);
  assert.match(compared.stderr, /was ended by SIGABRT/);
  repository.assertClean('?? new.js\n');
  write(repository.folder, { 'new.js': "if (process.env.HOTSPAN_DIR.endsWith('head-2')) process.abort();\n" });
  const later = await repository.run(['recheck', 'new.js:1', '--base', 'HEAD', '--', process.execPath, 'new.js']);
  assert.match(`${later.code}${later.stdout} ${later.stderr}`, /^3 [^]*Pair 2 of 3[^]*was ended by SIGABRT/);
});

test('Ctrl+C while a change is confirmed a second time keeps what was recorded, without a verdict', async () => {
  const shop = (ms: string): string => `${work('quote', ms)}module.exports = { quote, rank: () => 0 };\n`;
  const repository = new Repository({ ...shopFiles, 'shop.js': shop('150') });
  write(repository.folder, { 'shop.js': shop('(/head-[1-3]$/.test(process.env.HOTSPAN_DIR) ? 15 : 150)') });
  const inOneProcess = [process.execPath, '--test', '--test-isolation=none', 'shop.test.js'];
  let isSent = false;
  const { code, stdout, stderr } = await repository.run(['compare', '--base', 'HEAD', '--', ...inOneProcess], {
    detached: true,
    onStderr: (said, { pid }) => {
      if (isSent || pid === undefined || !said.includes('Confirming pair 1 of 2')) return;
      isSent = true;
      process.kill(-pid, 'SIGINT'); // As a terminal does: to all processes of the group.
    },
  });
  assert.equal(code, 3, stderr);
  assert.match(stdout, /ended after 6 pairs, before all changes were confirmed: run it again for a verdict/);
  repository.assertClean(' M shop.js\n');
});
