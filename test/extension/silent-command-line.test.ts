import assert from 'node:assert/strict';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import type { LogOutputChannel } from 'vscode';
import { fakeVscode } from '../helpers/fake-vscode.ts';
import { CancellationTokenSource, window, workspace } from '../helpers/fake-vscode-module.ts';
import { is } from '../helpers/late-services.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

fakeVscode();
const { runInNotification } = await import('../../extension/run/command-line.ts');
const { recheck, setBaseline } = await import('../../extension/run/verify.ts');

const cwd = temporaryProject({ 'waits.cjs': 'setTimeout(() => {}, 60_000);', 'fails.cjs': 'process.exit(1);' });

async function said(t: test.TestContext, file: string, cancels: boolean): Promise<string> {
  const source = new CancellationTokenSource();
  t.mock.method(window, 'withProgress', async (options: unknown, work: Parameters<typeof window.withProgress>[1]) => {
    assert.match(JSON.stringify(options), /\[page\]\u200B\(x\)/, 'no link');
    return work({ report: () => undefined }, source.token);
  });
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  assert.ok(is<LogOutputChannel>(log));
  const services = { log, measuring: new Set<{ readonly name: string }>() };
  const run = { cli: path.join(cwd, file), cwd, args: [] };
  const ending = runInNotification('Compare [page](x)', run, services, async () => undefined);
  await turn();
  if (cancels) source.cancel();
  return (await ending).said;
}

test('a command line that says nothing has failed, unless the person has cancelled it', async (t) => {
  assert.equal(await said(t, 'waits.cjs', true), 'It was stopped before anything was run.');
  assert.match(await said(t, 'fails.cjs', false), /ended without a word/);
});

test('a question that is open blocks no second click, and editors are saved before a baseline is set', async (t) => {
  const server = { about: async () => ({ text: '3 min', us: 180e6 }), ask: async () => ({ why: '' }) };
  const services = { log: {}, measuring: new Set(), server };
  assert.ok(is<Parameters<typeof recheck>[0]>(services));
  const { mock } = t.mock.method(workspace, 'saveAll');
  await assert.rejects(setBaseline(services, 'cli.cjs', path.join(cwd, 'none')), /^Error: Where this was recorded/);
  assert.equal(mock.callCount(), 1);
  const answers = [new Promise(() => {}), 'Re-check'];
  t.mock.method(window, 'showWarningMessage', async () => answers.shift());
  const click = async (): Promise<unknown> => recheck(services, 'cli.cjs', { recording: cwd, functionId: 1 });
  await assert.rejects(Promise.race([click(), click()]), /^Error: Where this function is/);
});
