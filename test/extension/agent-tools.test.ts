import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, test, type TestContext } from 'node:test';
import type { McpServerDefinitionProvider } from 'vscode';
import type { CommandHost } from '../../extension/commands/command-arguments.ts';
import { agentTools, mcpProvider, settings, taskType } from '../../protocol/ids.ts';
import { isRecord, parseJson } from '../../protocol/json-value.ts';
import { fakeVscode } from '../helpers/fake-vscode.ts';
import {
  CancellationTokenSource,
  Disposable,
  fake,
  lm,
  ProcessExecution,
  window,
  workspace,
} from '../helpers/fake-vscode-module.ts';
import { is, lateServices, until } from '../helpers/late-services.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { waitUntil } from '../helpers/wait-until.ts';
import { comparisonOf } from '../helpers/drawn-sides.ts';

fakeVscode();
const { activateAgentTools } = await import('../../extension/main.ts');
const { runInNotification } = await import('../../extension/run/command-line.ts');
const { Runs } = await import('../../extension/run/runs.ts');
const { compareOnceMore, setBaselineHere } = await import('../../extension/commands/verify.ts');
const { agentServers, prepareTool, runTool } = await import('../../extension/commands/agent-tools.ts');

const comparison = comparisonOf({}, {}, { warnings: ['Nothing differs.'] });
/** In the place of the command line: compares with main at once, with any other base until it is interrupted, on Windows by a message. */
const commandLine = `
const { writeFileSync } = require('node:fs');
writeFileSync('ran', '');
if (process.argv.includes('--base=main')) process.stdout.write(${JSON.stringify(JSON.stringify(comparison))});
else {
  for (const event of ['SIGINT', 'message']) process.on(event, () => { writeFileSync('ended', ''); process.exit(130); });
  setInterval(() => {}, 1000);
  writeFileSync('begun', '');
}`;

/** The extension in an open folder, with a recording of it on screen. */
async function opened(t: TestContext) {
  const root = temporaryProject({
    'dist/cli.cjs': commandLine,
    'package.json': '{ "scripts": { "test": "node --test" } }',
  });
  const recording = temporaryProject({ 'recording.json': JSON.stringify({ command: ['npm', 'test'], cwd: root }) });
  const context = {
    workspaceState: { get: (_: string, fallback: unknown) => fallback, update: async () => undefined },
    globalStorageUri: { fsPath: path.join(root, 'recordings') },
    asAbsolutePath: (name: string) => path.join(root, name),
  };
  const { services, answer, asked } = lateServices();
  const server = { prepare: () => undefined, about: async (of: string) => ({ of }) };
  const shown = { ...services, server };
  const showing = services.results.open(recording);
  answer(recording);
  await showing;
  assert.ok(is<CommandHost['context']>(context) && is<CommandHost['services']>(shown));
  const runs = new Runs(context, shown);
  workspace.workspaceFolders.splice(0, Infinity, { name: 'shop', uri: { scheme: 'file', fsPath: root } });
  t.after(() => {
    runs.dispose();
    workspace.workspaceFolders.splice(0);
  });
  const host = { context, services: shown, runs, comparisons: { show: async () => undefined } };
  assert.ok(is<CommandHost>(host));
  return { host, root, answer, asked, begun: () => existsSync(path.join(root, 'begun')) };
}

const never = new CancellationTokenSource().token;
/** The object that an agent gets. */
async function answerOf(asked: ReturnType<typeof runTool>): Promise<Readonly<Record<string, unknown>>> {
  const [part] = (await asked).content;
  const answer = isRecord(part) ? parseJson(String(part['value'])) : null;
  return isRecord(answer) ? answer : assert.fail(String(part));
}

const registered: string[] = [];
const register = (name: string): Disposable => {
  registered.push(name);
  return new Disposable(() => undefined);
};

beforeEach(() => {
  registered.length = 0;
  fake.isTrusted = true;
});

test('an editor with tools gets tools, another one a server, and none gets both', async (t) => {
  const { host } = await opened(t);
  Object.assign(lm, { registerTool: register, registerMcpServerDefinitionProvider: register });
  activateAgentTools(host);
  assert.deepEqual(registered, Object.values(agentTools));
  registered.length = 0;
  delete lm.registerTool;
  activateAgentTools(host);
  assert.deepEqual(registered, [mcpProvider]);
  delete lm.registerMcpServerDefinitionProvider;
  activateAgentTools(host).dispose();
});

test('once the workspace is trusted, the server may run code, without a reload', async (t) => {
  const { host } = await opened(t);
  fake.isTrusted = false;
  const mayRun = (): boolean | undefined => agentServers(host)[0]?.args.includes('--allow-run');
  const said: unknown[] = [];
  lm.registerMcpServerDefinitionProvider = (_, provider) => {
    assert.ok(is<McpServerDefinitionProvider>(provider));
    provider.onDidChangeMcpServerDefinitions?.(() => said.push(mayRun()));
    return new Disposable(() => undefined);
  };
  activateAgentTools(host);
  delete lm.registerMcpServerDefinitionProvider;
  assert.equal(mayRun(), false);
  fake.isTrusted = true;
  fake.grantedTrust.fire();
  assert.deepEqual(said, [true]);
});

test('what runs code asks first, and nothing runs in a folder that is not trusted', async (t) => {
  const { host, root } = await opened(t);
  const profile = await prepareTool(host, 'profile', { script: 'test' });
  assert.equal(profile.confirmationMessages?.title, 'Hotspan: profile test');
  assert.equal((await prepareTool(host, 'hotspots', { limit: 5 })).confirmationMessages, undefined);
  fake.isTrusted = false;
  const input = { base: 'main' };
  await assert.rejects(prepareTool(host, 'compare', input), /not trusted/);
  await assert.rejects(runTool(host, 'compare', input, never), /not trusted/);
  assert.ok(!existsSync(path.join(root, 'ran')));
});

test('a tool runs the command line, one at a time, and to its end when it is cancelled', async (t) => {
  const { host, root, begun } = await opened(t);
  assert.deepEqual((await answerOf(runTool(host, 'compare', { base: 'main' }, never)))['warnings'], [
    'Nothing differs.',
  ]);
  const cancelling = new CancellationTokenSource();
  const running = assert.rejects(runTool(host, 'compare', { base: 'slow' }, cancelling.token), /stopped/);
  await waitUntil(begun);
  await assert.rejects(runTool(host, 'compare', { base: 'main' }, never), /"compare slow" runs.* call compare again/);
  cancelling.cancel();
  await running;
  assert.ok(existsSync(path.join(root, 'ended')));
  assert.equal(host.services.measuring.size, 0);
});

test('no tool measures beside a command line of the person', async (t) => {
  const { host, root, begun } = await opened(t);
  const cancelling = new CancellationTokenSource();
  const run = { cli: path.join(root, 'dist/cli.cjs'), cwd: root, args: [] };
  const how = { stop: cancelling.token };
  const checking = runInNotification('Re-check', run, host.services, async () => undefined, how);
  await assert.rejects(runTool(host, 'compare', { base: 'main' }, never), /"Re-check" runs.* call compare again/);
  await waitUntil(begun);
  cancelling.cancel();
  await checking;
  await runTool(host, 'compare', { base: 'main' }, never);
});

test('nor does the person: a second click runs nothing, and a message says what runs', async (t) => {
  const { host, root, begun } = await opened(t);
  const cancelling = new CancellationTokenSource();
  t.mock.method(window, 'withProgress', async (_: unknown, work: Parameters<typeof window.withProgress>[1]) =>
    work({ report: () => undefined }, cancelling.token),
  );
  const { recording } = host.services.results.summary ?? assert.fail();
  const asked = { type: 'commit', ref: 'slow', recording };
  const shown = { ...host, comparisons: { shown: { asked, comparison } } };
  assert.ok(is<CommandHost>(shown));
  const comparing = Promise.all([compareOnceMore(shown), compareOnceMore(shown)]);
  await waitUntil(begun);
  await setBaselineHere(shown, undefined);
  const sentence =
    '“Compare” is running, and two measurements would disturb each other: wait for its end, or cancel it.';
  assert.deepEqual(fake.warnings.splice(0), [sentence, sentence]);
  cancelling.cancel();
  await comparing;
  assert.ok(existsSync(path.join(root, 'ended')));
  assert.equal(host.services.measuring.size, 0);
});

test('what an agent profiles is a run like that of the person: by the settings, and not beside another one', async (t) => {
  const { host, answer, asked } = await opened(t);
  t.after(() => fake.settings.clear());
  fake.settings.set(settings.interval, 500).set(settings.recordingsMaxSize, 7);
  const execution = new ProcessExecution('node', ['cli.cjs', 'record', '--out', '/mine', '--', 'node']);
  const mine = { task: { name: 'npm start', definition: { type: taskType }, execution }, terminate: () => undefined };
  fake.startedTask.fire({ execution: mine });
  await assert.rejects(runTool(host, 'profile', { script: 'test' }, never), /"npm start" runs/);
  fake.endedTask.fire({ execution: mine, exitCode: 0 });
  await until(() => host.services.lastRun.state !== null);
  const cancelling = new CancellationTokenSource();
  const profiling = answerOf(runTool(host, 'profile', { script: 'test' }, cancelling.token));
  await until(() => fake.executed.length > 0);
  const [task] = fake.executed.splice(0);
  assert.ok(isRecord(task) && task['execution'] instanceof ProcessExecution);
  const { args } = task['execution'];
  assert.match(args.join(' '), /--interval 500 --max-size 7 -- npm run test$/);
  const run = { execution: { task, terminate: () => undefined }, exitCode: 130 };
  fake.startedTask.fire(run);
  const recording = args[args.indexOf('--out') + 1] ?? '';
  mkdirSync(recording, { recursive: true });
  for (const name of ['recording.json', '1-0-a.0.cpuprofile', '1-0-a.tests.jsonl'])
    writeFileSync(path.join(recording, name), '{}');
  cancelling.cancel();
  await waitUntil(() => existsSync(path.join(recording, 'stop')));
  fake.endedTask.fire(run);
  await until(() => asked.length > 1);
  const kept = asked.at(-1) ?? '';
  assert.match(kept, /\.ended$/);
  answer(kept);
  assert.deepEqual(await profiling, { of: kept }); // The agent stopped it, so the exit code is left out.
});

test('an input that no tool takes is refused with a sentence', async (t) => {
  const { host } = await opened(t);
  await assert.rejects(prepareTool(host, 'explain', {}), /explain needs "at", such as src\/cart\.ts:12\./);
  await assert.rejects(prepareTool(host, 'compare', { base: '--upload-pack=x' }), /does not begin with "-"/);
});
