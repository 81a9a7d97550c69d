// Cancel in the editor's notification, with the real command line: what it has started is gone when it has ended.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { LogOutputChannel } from 'vscode';
import { isGroupRunning } from '../../recordings/run-processes.ts';
import { assertNone } from '../helpers/assert-each.ts';
import { fakeVscode } from '../helpers/fake-vscode.ts';
import { CancellationTokenSource, window } from '../helpers/fake-vscode-module.ts';
import { is } from '../helpers/late-services.ts';
import { projectFile } from '../helpers/project.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { Repository, write } from '../helpers/temporary-repository.ts';
import { waitUntil } from '../helpers/wait-until.ts';

fakeVscode();
const { runInNotification } = await import('../../extension/run/command-line.ts');

/** Runs a command line, and cancels it once it is to be. Gives its exit code. */
async function cancelled(t: test.TestContext, cli: string, cwd: string, args: readonly string[], begun: () => boolean) {
  const source = new CancellationTokenSource();
  t.mock.method(window, 'withProgress', async (_: unknown, work: Parameters<typeof window.withProgress>[1]) =>
    work({ report: () => undefined }, source.token),
  );
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  assert.ok(is<LogOutputChannel>(log));
  const services = { log, measuring: new Set<{ readonly name: string }>() };
  const ending = runInNotification('Re-check', { cli, cwd, args }, services, async () => undefined);
  await waitUntil(begun);
  source.cancel();
  return (await ending).exitCode;
}

test('Cancel interrupts a command line that goes on a second time', async (t) => {
  const cwd = temporaryProject({
    'cli.cjs': `let times = 0;
      process.on('SIGINT', () => { times += 1; if (times === 2) process.exit(5); });
      setInterval(() => {}, 60_000);
      require('fs').writeFileSync('begun', '');`,
  });
  const begun = (): boolean => existsSync(path.join(cwd, 'begun'));
  assert.equal(await cancelled(t, path.join(cwd, 'cli.cjs'), cwd, [], begun), 5);
});

test('Cancel of a re-check ends tests that do not obey it, and leaves no base', async (t) => {
  const main = `process.on('SIGINT', () => {}); require('fs').writeFileSync(process.env.PID_FILE, process.pid + '\\n');
      for (;;);`;
  const repository = new Repository({ 'main.js': main });
  write(repository.folder, { 'main.js': `${main} // v2\nvoid 0;` }); // A re-check of unchanged code runs nothing.
  const mark = path.join(repository.temporary, 'pid');
  const outer = { ...process.env };
  t.after(() => Object.assign(process.env, outer));
  Object.assign(process.env, { TMPDIR: repository.temporary, PID_FILE: mark, NODE_TEST_CONTEXT: '' });
  const words = ['recheck', 'main.js:1', '--base', 'HEAD', '--', process.execPath, 'main.js'];
  const begun = (): boolean => readFileSync(mark, 'utf8').endsWith('\n');
  assert.equal(await cancelled(t, projectFile('dist/cli.cjs'), repository.folder, words, begun), 3);
  assert.equal(isGroupRunning(Number(readFileSync(mark, 'utf8'))), false);
  assertNone(readdirSync(repository.temporary), (name) => name.startsWith('hotspan-base-'));
});
