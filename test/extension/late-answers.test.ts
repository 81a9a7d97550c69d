import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import type { CancellationToken, WebviewPanel } from 'vscode';
import type { Services } from '../../extension/results/results.ts';
import type { Runs } from '../../extension/run/runs.ts';
import { commands as ids, settings, taskType } from '../../protocol/ids.ts';
import { type OpenAnswer, forgetRequest, fileMarksRequest, openDiffRequest } from '../../protocol/requests.ts';
import { isRecord } from '../../protocol/json-value.ts';
import { fakeVscode } from '../helpers/fake-vscode.ts';
import {
  CancellationTokenSource,
  FakeEmitter,
  ProcessExecution,
  ProgressLocation,
  fake,
  window,
} from '../helpers/fake-vscode-module.ts';
import { is, keptResult, lateServices, until, waiting } from '../helpers/late-services.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

fakeVscode();
const { readRecording } = await import('../../extension/results/server.ts');
const { canRun } = await import('../../extension/run/can-run.ts');
const { FlamePage } = await import('../../extension/flamegraph/flame-page.ts');
const { activateAnnotations } = await import('../../extension/marks/annotations.ts');
const { hotspotsView } = await import('../../extension/hotspots/hotspots.ts');
const { activateRecheckOnSave } = await import('../../extension/run/recheck-on-save.ts');
const { Runs: RecordedRuns } = await import('../../extension/run/runs.ts');
const { on } = await import('../../extension/ui/failures.ts');

test('of several recordings the last that was asked for is shown, whichever is read first, and none is read again over it', async () => {
  const { results, answer, asked } = lateServices();
  const slow = results.open('/slow');
  const quick = results.open('/quick');
  answer('/quick');
  assert.equal((await quick)?.recording, '/quick');
  answer('/slow');
  assert.equal(await slow, null);
  assert.equal(results.summary?.recording, '/quick');
  for (const recording of ['/slow', '/quick']) void results.readAgain(recording);
  answer('/quick');
  await turn();
  void results.open('/newer');
  void results.readAgain('/quick');
  assert.deepEqual(asked, ['/slow', '/quick', '/quick', '/newer']);
});

test('what was cleared stays so, and a failure of what nobody wants any more is not said', async () => {
  const { results, answer } = lateServices();
  const first = results.open('/first');
  await results.clear();
  answer('/first');
  await first;
  assert.equal(results.summary, null);

  const bad = results.open('/bad');
  const good = results.open('/good');
  answer('/bad', { type: 'failed', message: 'bad' });
  answer('/good');
  await Promise.all([bad, good]);
  assert.deepEqual(fake.errors, []);
});

test('what is opened while all before is forgotten is not cleared, neither here nor in the server', async () => {
  const forgotten = waiting();
  const { results, answer, asked, open } = lateServices({ isStarted: true, forget: async () => forgotten.over });
  await open('/before');
  void results.clear();
  const next = results.open('/next');
  forgotten.end();
  await turn();
  answer('/next');
  await next;
  assert.deepEqual(asked, ['/before', '/next']);
  assert.equal(results.summary?.recording, '/next');
});

test('what is shown before the server has cleared stays', async () => {
  const { results, answer, open } = lateServices({ isStarted: true });
  await open('/before');
  const clearing = results.clear();
  await turn();
  await open('/next');
  answer(forgetRequest.method);
  await clearing;
  assert.equal(results.summary?.recording, '/next');
});

test('what was shown before a reload is not asked for once another recording is', async () => {
  const found = waiting();
  const { results, answer, asked } = lateServices({ read: async () => found.over.then(() => [keptResult('/before')]) });
  void results.restore();
  const wanted = results.open('/wanted');
  found.end();
  await turn();
  answer('/wanted');
  await wanted;
  assert.deepEqual(asked, ['/wanted']);
});

test('only a reading that takes long has a message in the corner, and that one can end it', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const corner: CancellationTokenSource[] = [];
  const original = window.withProgress;
  t.mock.method(window, 'withProgress', async (options: unknown, work: Parameters<typeof original>[1]) => {
    const cancelling = new CancellationTokenSource();
    if (isRecord(options) && options['location'] === ProgressLocation.Notification) corner.push(cancelling);
    return work({ report: () => undefined }, cancelling.token);
  });
  const { results, answer } = lateServices();
  const short = results.open('/short');
  await turn();
  t.mock.timers.tick(400);
  answer('/short');
  assert.equal((await short)?.recording, '/short');
  t.mock.timers.tick(1000);
  assert.equal(corner.length, 0);
  const long = results.open('/long');
  await turn();
  t.mock.timers.tick(600);
  assert.equal(corner.length, 1);
  corner[0]?.cancel();
  answer('/long', { type: 'failed', message: 'closed' });
  assert.equal(await long, null);
  const late = results.open('/late');
  await turn();
  t.mock.timers.tick(600);
  corner[1]?.cancel();
  answer('/late'); // The server shows it.
  assert.equal((await late)?.recording, '/late');
});

test('a reading that was given up has no answer, and fails with nothing', async () => {
  const { services, answer, fail } = lateServices();
  const givenUp = (recording: string): Promise<OpenAnswer | null> => {
    const owner = new CancellationTokenSource();
    assert.ok(is<CancellationToken>(owner.token));
    const reading = readRecording(services.server, { recording, more: [], shownAs: null }, owner.token, true);
    owner.cancel();
    return reading;
  };
  const [read, failed] = [givenUp('/read'), givenUp('/failed')];
  answer('/read');
  fail('/failed');
  assert.deepEqual(await Promise.all([read, failed]), [null, null]);
});

test('nobody waits until the failure of a recording was read', async (t) => {
  const { open } = lateServices();
  t.mock.method(window, 'showErrorMessage', async () => new Promise(() => {}));
  assert.equal(await open('/bad', { type: 'failed', message: 'bad' }), null);
});

test('a run that failed is over before its failure was read', async (t) => {
  const { services } = lateServices();
  t.mock.method(window, 'showErrorMessage', async () => new Promise(() => {}));
  const shown = { ...services, server: { prepare: () => undefined } };
  const context = { workspaceState: { get: (_: string, fallback: unknown) => fallback } };
  assert.ok(is<ConstructorParameters<typeof RecordedRuns>[0]>(context) && is<Services>(shown));
  const runs = new RecordedRuns(context, shown);
  const states: boolean[] = [];
  runs.onDidChange(() => states.push(runs.isRunning));
  const args = ['cli.cjs', 'record', '--out', '/nowhere', '--', 'node'];
  const task = { name: 'test', definition: { type: taskType }, execution: new ProcessExecution('node', args) };
  const execution = { task };
  fake.startedTask.fire({ execution });
  fake.endedTask.fire({ execution, exitCode: 1 });
  await until(() => states.length === 2);
  assert.deepEqual(states, [true, false]);
});

const newThreshold = { affectsConfiguration: (name: string) => name === settings.threshold };
test('a setting that is changed while a recording is read reads that one again, not the one before', async () => {
  const { results, answer, asked, open, written } = lateServices();
  await open('/before');
  const next = results.open('/next');
  fake.changedConfiguration.fire(newThreshold);
  answer('/next');
  await turn();
  answer('/next');
  assert.equal((await next)?.recording, '/next');
  assert.deepEqual(asked, ['/before', '/next', '/next']);
  assert.deepEqual([results.summary?.recording, written], ['/next', ['/before', '/next']]);
});

test('what is forgotten or run again while all is read again does not come back', async () => {
  for (const isForgotten of [true, false]) {
    const { results, open, answer, asked } = lateServices({ targetOf: (recording) => recording.slice(0, -2) });
    for (const recording of ['/unit 1', '/e2e 1']) await open(recording);
    fake.changedConfiguration.fire(newThreshold);
    await (isForgotten ? results.clear() : open('/unit 2'));
    answer('/e2e 1');
    await turn();
    assert.equal(asked.lastIndexOf('/unit 1'), 0);
    results.dispose();
  }
});

test('the failure of a recording that the page left is not shown over the one that is wanted', async () => {
  const { page, fail, show, posted } = flamePage();
  const left = page.show('/left');
  await show('/wanted');
  fail('/left');
  await left;
  assert.deepEqual(posted, ['loading', 'loading', 'show']);
});

test('the page goes back to what it showed from one that failed, and from one that is still being read', async () => {
  const { page, answer, show, posted } = flamePage();
  await show('/shown');
  await show('/bad', { type: 'failed', message: 'bad' });
  await show('/shown');
  const slow = page.show('/slow');
  await show('/shown');
  answer('/slow');
  await slow;
  const again = ['loading', 'show'];
  assert.deepEqual(posted, [...again, 'loading', 'failed', ...again, 'loading', ...again]);
});

test('what the page asks is about what it shows while another one is read, and is not asked once that failed', async () => {
  const { page, show, fail, asked, receive } = flamePage();
  await show('/shown');
  const slow = page.show('/slow');
  receive({ type: 'query', id: 5, query: { leastShare: 0.01 } });
  fail('/slow');
  await slow;
  receive({ type: 'query', id: 6, query: { leastShare: 0.01 } });
  assert.deepEqual(asked, ['/shown', '/slow', 'flame /shown']);
});

test('the place in a diff that was left meanwhile is not shown in the next one', async () => {
  const { page, asked, answer, posted } = flamePage();
  const place = { name: 'sort', url: '/app/a.js', line: 1 };
  const left = page.showDiff({ base: [['/a']], head: [['/b']], place });
  answer(openDiffRequest.method);
  await until(() => asked.length === 2);
  const next = page.showDiff({ base: [['/c']], head: [['/d']], place: null });
  answer(asked[1] ?? '');
  answer(openDiffRequest.method);
  await Promise.all([left, next]);
  assert.deepEqual(posted, ['loading', 'show', 'loading', 'show']);
});

test('the page goes over to tiers of its own command, which an edit of the code takes away neither before nor after', async () => {
  const { page, answer, asked, show, posted, receive, summaryOf } = flamePage();
  const [result = '', other = '', tiers = ''] = ['npm', 'node', 'npm'].map((program) =>
    temporaryProject({ 'recording.json': JSON.stringify({ command: [program, 'test'], cwd: '/shop' }) }),
  );
  await show(result);
  receive({ type: 'recordTiers' });
  page.follow(summaryOf(result));
  await page.takeTiers(other);
  const shown = page.takeTiers(tiers);
  await until(() => asked.includes(tiers));
  answer(tiers);
  await shown;
  for (const recording of [result, '/next']) page.follow(summaryOf(recording));
  assert.deepEqual(posted, ['loading', 'show', 'show', 'loading', 'show', 'refresh', 'show']);
});

test('a question of the page that is not understood fails: the page does not wait for ever', () => {
  const { receive, posted } = flamePage();
  receive({ type: 'query', id: 7, query: 'none' });
  assert.deepEqual(posted, ['failed']);
});

test('what is written into an output channel draws nothing', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { services, asked } = lateServices();
  const runs = { isRunning: false, onDidChange: new FakeEmitter().event };
  const context = { subscriptions: [], asAbsolutePath: (file: string) => file };
  const results = { all: [{}], onDidChange: new FakeEmitter().event };
  const shown = { ...services, results, shown: { has: () => true } };
  assert.ok(is<Parameters<typeof activateAnnotations>[0]>(context) && is<Services>(shown) && is<Runs>(runs));
  const annotations = activateAnnotations(context, shown, runs);
  const change = (scheme: string): void => {
    const typed = { range: { isSingleLine: true }, rangeOffset: 0, rangeLength: 0, text: 'x' };
    fake.changedText.fire({ document: { uri: { scheme } }, contentChanges: [typed] });
    t.mock.timers.tick(1_100);
  };
  for (const scheme of ['output', 'vscode-terminal', 'git', 'untitled']) change(scheme);
  assert.deepEqual(asked, []);
  change('file');
  assert.deepEqual(asked, [fileMarksRequest.method]);
  annotations.dispose();
});

test('a newer save comes first and drops no file saved before it; one that is not code changes nothing', async (t) => {
  const asked: string[] = [];
  const first = waiting();
  const ask = async (_: unknown, { uri }: { readonly uri: string }): Promise<readonly never[]> => {
    if (asked.push(uri) === 1) await first.over;
    return [];
  };
  const services = { results: { summary: {} }, log: {}, server: { ask } };
  assert.ok(is<Services>(services));
  t.after(() => fake.settings.clear());
  fake.settings.set(settings.recheckOnSave, 'file');
  activateRecheckOnSave('cli.cjs', services);
  const save = (name: string, languageId: string): void => {
    const document = { uri: { scheme: 'file', toString: () => name }, languageId };
    fake.willSave.fire({ document, reason: 1 });
    fake.saved.fire(document);
  };
  save('a.js', 'javascript');
  await until(() => asked.length === 1);
  for (const name of ['b.ts', 'c.ts']) save(name, 'typescript');
  save('README.md', 'markdown');
  first.end();
  await until(() => asked.length === 4);
  assert.deepEqual(asked, ['a.js', 'c.ts', 'b.ts', 'a.js']);
});

test('a command of the tree that fails says so', async () => {
  const { services } = lateServices();
  const context = { workspaceState: { get: (_: string, fallback: unknown) => fallback } };
  assert.ok(is<Parameters<typeof hotspotsView>[0]>(context));
  hotspotsView(context, services.log);
  for (const id of [ids.groupHotspots, ids.sortHotspots]) {
    fake.errors.length = 0;
    fake.pick = async () => assert.fail('no pick');
    await fake.commands.get(id)?.();
    assert.deepEqual(fake.errors, ['no pick']);
  }
  fake.errors.length = 0;
});

test('what goes wrong in a listener that takes a while is in the log', async () => {
  const emitter = new FakeEmitter();
  const { services, logged } = lateServices();
  const { event } = emitter;
  assert.ok(is<Parameters<typeof on>[0]>(event));
  on(event, async () => assert.fail('broken'), services.log);
  emitter.fire();
  await turn();
  assert.match(logged.join(), /Error.*: broken$/);
});

test('what goes wrong once the person has answered a refusal is in the log', async () => {
  const { services, logged } = lateServices();
  Object.assign(fake, { isTrusted: false, choice: async () => 'Manage Workspace Trust' });
  fake.execute = async () => assert.fail('no such command');
  assert.equal(await canRun(services), false);
  await turn();
  assert.match(logged.join(), /Error.*: no such command$/);
  Object.assign(fake, { isTrusted: true, choice: async () => undefined, execute: async () => undefined, errors: [] });
});

test('a diff is read again by a changed threshold and where it is asked for again, and shown as before', async () => {
  const { page, asked, answer, posted } = flamePage();
  for (const read of [
    async () => page.showDiff({ base: [['/a']], head: [['/b']], place: null }),
    async () => page.readAgain(),
    async () => page.showDiff({ base: [['/a']], head: [['/b']], place: null }),
  ]) {
    const shown = read();
    answer(openDiffRequest.method);
    await shown;
  }
  assert.deepEqual([...new Set(asked), asked.length], [openDiffRequest.method, 3]);
  assert.deepEqual(posted, ['loading', 'show', 'loading', 'show', 'loading', 'show']);
});

/** A page that is ready, and the types of what was sent to it. */
function flamePage() {
  const late = lateServices();
  const messages = new FakeEmitter();
  const posted: string[] = [];
  const panel = {
    title: '',
    onDidChangeViewState: new FakeEmitter().event,
    webview: {
      onDidReceiveMessage: messages.event,
      postMessage: async ({ type }: { readonly type: string }) => posted.push(type),
    },
  };
  assert.ok(is<WebviewPanel>(panel));
  const page = new FlamePage(panel, late.services, { open: async () => {} });
  const show = async (recording: string, given?: OpenAnswer): Promise<void> => {
    const shown = page.show(recording);
    late.answer(recording, given);
    return shown;
  };
  messages.fire({ type: 'ready' });
  return { ...late, page, show, posted, receive: (message: unknown) => messages.fire(message) };
}
