import assert from 'node:assert/strict';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import type { Services } from '../../extension/results/results.ts';
import { taskType } from '../../protocol/ids.ts';
import type { Target } from '../../recorder/launch/target.ts';
import { fakeVscode } from '../helpers/fake-vscode.ts';
import { fake, ProcessExecution, window } from '../helpers/fake-vscode-module.ts';
import { is, lateServices, until } from '../helpers/late-services.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { waitUntil } from '../helpers/wait-until.ts';

fakeVscode();
const { lastRunRows, waysBelow } = await import('../../extension/hotspots/hotspot-rows.ts');
const { Runs } = await import('../../extension/run/runs.ts');
const { showRunning } = await import('../../extension/run/show-running.ts');

/** Runs over an editor that tells them what is started, and one task for them. */
function startedRuns(recording: string) {
  const { services } = lateServices();
  const shown = { ...services, server: { prepare: () => undefined } };
  const state = new Map<string, unknown>();
  const context = {
    workspaceState: {
      get: (key: string, otherwise: unknown) => state.get(key) ?? otherwise,
      update: async (key: string, value: unknown) => void state.set(key, value),
    },
    globalStorageUri: { fsPath: recording },
    asAbsolutePath: (name: string) => name,
  };
  assert.ok(is<ConstructorParameters<typeof Runs>[0]>(context) && is<Services>(shown));
  const target: Target = {
    ...{ id: 'npm test', kind: 'tests', runner: null, label: 'npm test', description: '', folder: '/shop' },
    ...{ command: ['npm', 'test'], env: {}, notes: [], isOrchestrator: false },
  };
  const args = ['cli.cjs', 'record', '--out', recording, '--', 'node'];
  const execution = new ProcessExecution('node', args, { cwd: '/shop' });
  const task = { name: 'npm test', definition: { type: taskType }, execution };
  return { runs: new Runs(context, shown), task, target, lastRun: services.lastRun };
}

test('a task that is started once more while it runs is ended, and the first run goes on', async () => {
  const { runs, task } = startedRuns('/nowhere');
  const ended: string[] = [];
  const [first, second] = ['first', 'second'].map((name) => ({ task, terminate: () => ended.push(name) }));
  fake.startedTask.fire({ execution: first });
  fake.startedTask.fire({ execution: second });
  fake.endedTask.fire({ execution: second, exitCode: 2 });
  await until(() => fake.warnings.length > 0);
  assert.deepEqual(ended, ['second']);
  assert.deepEqual(fake.warnings, ['“npm test” is running already: its result comes when it ends.']);
  assert.deepEqual([runs.isRunning, fake.errors], [true, []]);
  fake.endedTask.fire({ execution: first, exitCode: 0 });
  await until(() => !runs.isRunning);
  runs.dispose();
});

test('a double click starts one run: VS Code would ask which of two to terminate', async (t) => {
  const { runs, target } = startedRuns('/nowhere');
  t.after(() => runs.dispose());
  await Promise.all([runs.start(target), runs.start(target)]);
  assert.equal(fake.executed.splice(0).length, 1);
  await runs.start(target);
  assert.equal(fake.executed.splice(0).length, 1, 'one that could not begin can be started again');
});

test('the targets that were run are remembered, the last one first', async (t) => {
  const { runs, target } = startedRuns('/nowhere');
  t.after(() => runs.dispose());
  for (const id of ['unit', 'e2e', 'unit']) await runs.start({ ...target, id });
  fake.executed.splice(0);
  assert.deepEqual(runs.remembered, ['unit', 'e2e']);
});

test('a run that is started before VS Code has seen the end of the last one waits for that, and no longer', async (t) => {
  const { runs, target } = startedRuns('/nowhere');
  t.after(() => runs.dispose());
  await runs.start(target);
  const [task] = fake.executed.splice(0);
  const execution = { task, terminate: () => undefined };
  fake.startedTask.fire({ execution });
  fake.endedTask.fire({ execution, exitCode: 0 });
  fake.taskExecutions.push(execution);
  const again = runs.start(target);
  for (let turns = 0; turns < 20; turns++) await turn();
  assert.equal(fake.executed.length, 0);
  fake.taskExecutions.splice(0);
  await again;
  assert.equal(fake.executed.splice(0).length, 1);
});

test('what came of a run without a recording is known, with the ways on, until another run begins', async (t) => {
  const { runs, task, lastRun } = startedRuns('/nowhere');
  t.after(() => runs.dispose());
  const run = (): object => ({ execution: { task, terminate: () => undefined }, exitCode: 1 });
  const first = run();
  fake.startedTask.fire(first);
  fake.endedTask.fire(first);
  await until(() => lastRun.state !== null);
  assert.equal(lastRun.state?.message, 'The command could not be recorded. The terminal says why.');
  const [row] = lastRunRows(lastRun);
  assert.ok(row !== undefined);
  const labels = waysBelow(row).map((way) => (way.type === 'way' ? way.label : ''));
  assert.deepEqual(labels, ['Show Terminal', 'Show Log', 'Profile npm Script']);
  const done: unknown[] = [];
  fake.execute = async (...call) => done.push(...call);
  await lastRun.goOn('Profile npm Script');
  assert.deepEqual(done, ['hotspan.profileScript']);
  fake.execute = async () => undefined;
  fake.startedTask.fire(run());
  assert.equal(lastRun.state, null);
  assert.deepEqual(lastRunRows(lastRun), []);
});

test('the message about a command that failed without a profile has its exit code, and no folder of Hotspan', async (t) => {
  const recording = path.join(temporaryProject({ 'target/run/recording.json': '{}' }), 'target/run');
  const { runs, task, lastRun } = startedRuns(recording);
  t.after(() => runs.dispose());
  const run = { execution: { task, terminate: () => undefined }, exitCode: 127 };
  fake.startedTask.fire(run);
  fake.endedTask.fire(run);
  await waitUntil(() => lastRun.state !== null);
  const { message, ways } = lastRun.state ?? assert.fail();
  assert.equal(
    message,
    'node ended with exit code 127, and no Node.js program of it could be recorded. The terminal says why.',
  );
  assert.equal(ways[0], 'showTerminal');
});

test('when the window closes while a run goes on, nothing waits for its end any more', async () => {
  const { runs, task } = startedRuns('/nowhere');
  const execution = { task, terminate: () => undefined };
  const before = timers();
  fake.startedTask.fire({ execution });
  fake.startedProcess.fire({ execution, processId: process.pid });
  await until(() => timers() >= before + 3); // One looks at the process, one for a longer turn, one for servers.
  runs.dispose();
  await until(() => timers() <= before);
});

test('each of two apps that run has an item of its own in the status bar', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const ids: unknown[] = [];
  const item = { show: () => undefined, dispose: () => undefined };
  Object.assign(window, { createStatusBarItem: (id: unknown) => ids.push(id) > 0 && item });
  const reported = { isolate: 'a', at: Number(process.hrtime.bigint() / 1000n) };
  const begins = { type: 'start', pid: process.pid, threadId: 0, ppid: 1, argv: [], execArgv: [], nodeVersion: '' };
  const listens = { type: 'listens', server: 1, protocol: 'http', host: '', port: 3000, path: '' };
  const lines = [begins, listens].map((event) => `${JSON.stringify({ ...reported, ...event })}\n`);
  const recording = temporaryProject({ 'events.jsonl': lines.join('') });
  const run = { task: { name: 'app' }, recording, over: new AbortController() };
  assert.ok(is<Parameters<typeof showRunning>[0]>(run));
  const running = [1, 2].map(async () => showRunning(run, lateServices().services.log, () => undefined));
  while (ids.length < 2) {
    await turn();
    t.mock.timers.tick(500);
  }
  run.over.abort();
  await Promise.all(running);
  const named = ids.filter((id) => typeof id === 'string');
  assert.equal(new Set(named).size, named.length, 'VS Code draws items of one id as one');
});

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}
