import assert from 'node:assert/strict';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import type { LogOutputChannel } from 'vscode';
import { fakeVscode } from '../helpers/fake-vscode.ts';
import { CancellationTokenSource, window } from '../helpers/fake-vscode-module.ts';
import { is } from '../helpers/late-services.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

fakeVscode();
const { runInNotification } = await import('../../extension/run/command-line.ts');

const cwd = temporaryProject({ 'waits.cjs': 'setTimeout(() => {}, 60_000);', 'fails.cjs': 'process.exit(1);' });

async function said(t: test.TestContext, file: string, cancels: boolean): Promise<string> {
  const source = new CancellationTokenSource();
  t.mock.method(window, 'withProgress', async (_: unknown, work: Parameters<typeof window.withProgress>[1]) =>
    work({ report: () => undefined }, source.token),
  );
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  assert.ok(is<LogOutputChannel>(log));
  const services = { log, measuring: new Set<{ readonly name: string }>() };
  const run = { cli: path.join(cwd, file), cwd, args: [] };
  const ending = runInNotification('Compare', run, services, async () => undefined);
  await turn();
  if (cancels) source.cancel();
  return (await ending).said;
}

test('a command line that the person cancels before it says anything was stopped, and has not failed', async (t) => {
  assert.equal(await said(t, 'waits.cjs', true), 'It was stopped before anything was run.');
});

test('one that ends by itself and says nothing has', async (t) => {
  assert.match(await said(t, 'fails.cjs', false), /ended without a word/);
});
