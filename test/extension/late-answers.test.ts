import assert from 'node:assert/strict';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { test } from 'node:test';
import type { LogOutputChannel, WebviewPanel } from 'vscode';
import type { LastRecording } from '../../extension/last-recording.ts';
import type { Server } from '../../extension/server.ts';
import type { Services } from '../../extension/services.ts';
import type { Runs } from '../../extension/run/runs.ts';
import { commands as ids, settings, taskType } from '../../protocol/ids.ts';
import type { OpenAnswer } from '../../protocol/requests.ts';
import { fakeVscode } from '../helpers/fake-vscode.ts';
import { FakeEmitter, ProcessExecution, fake, window } from '../helpers/fake-vscode-module.ts';

fakeVscode();
const { Results } = await import('../../extension/results.ts');
const { FlamePage } = await import('../../extension/flamegraph/page.ts');
const { activateAnnotations } = await import('../../extension/annotations/annotations.ts');
const { hotspotsView } = await import('../../extension/hotspots/view-options.ts');
const { Runs: RecordedRuns } = await import('../../extension/run/runs.ts');
const { on } = await import('../../extension/on.ts');

test('of several recordings the last that was asked for is shown, whichever is read first', async () => {
  const { results, answer } = setUp();
  const slow = results.open('/slow');
  const quick = results.open('/quick');
  answer('/quick');
  assert.equal((await quick)?.recording, '/quick');
  answer('/slow');
  assert.equal(await slow, null);
  assert.equal(results.summary?.recording, '/quick');
});

test('what was cleared stays so, and a failure of what nobody wants any more is not said', async () => {
  const { results, answer } = setUp();
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

test('nobody waits until the failure of a recording was read', async (t) => {
  const { results, answer } = setUp();
  t.mock.method(window, 'showErrorMessage', async () => new Promise(() => {}));
  const bad = results.open('/bad');
  answer('/bad', { type: 'failed', message: 'bad' });
  assert.equal(await Promise.race([bad, delay(500, 'waits')]), null);
});

test('a run that failed is over before its failure was read', async (t) => {
  const { services } = setUp();
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
  await delay(200);
  assert.deepEqual(states, [true, false]);
});

test('a setting that is changed while a recording is read reads that one again, not the one before', async () => {
  const { results, answer, asked } = setUp();
  const before = results.open('/before');
  answer('/before');
  await before;
  const next = results.open('/next');
  fake.changedConfiguration.fire({ affectsConfiguration: (name: string) => name === settings.threshold });
  answer('/next');
  await next;
  answer('/next');
  await turn();
  assert.deepEqual(asked, ['/before', '/next', '/next']);
  assert.equal(results.summary?.recording, '/next');
});

test('the failure of a recording that the page left is not shown over the one that is wanted', async () => {
  const { services, fail, answer } = setUp();
  const { panel, receive, posted } = pagePanel();
  const page = new FlamePage(panel, services);
  receive({ type: 'ready' });
  const left = page.show('/left');
  const wanted = page.show('/wanted');
  answer('/wanted');
  await wanted;
  fail('/left');
  await left;
  assert.deepEqual(posted(), ['loading', 'loading', 'show']);
});

test('a question of the page that is not understood fails: the page does not wait for ever', () => {
  const { services } = setUp();
  const { panel, receive, posted } = pagePanel();
  assert.equal(new FlamePage(panel, services).panel, panel);
  receive({ type: 'query', id: 7, query: 'none' });
  assert.deepEqual(posted(), ['failed']);
});

test('what is written into an output channel draws nothing', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { services } = setUp();
  const drawn: string[] = [];
  const editor = { document: { uri: { scheme: 'file' }, version: 1 }, setDecorations: () => undefined };
  Object.defineProperty(fake, 'editors', {
    get: () => {
      drawn.push('all');
      return [editor];
    },
  });
  const runs = { isRunning: false, onDidChange: new FakeEmitter().event };
  const context = { subscriptions: [], asAbsolutePath: (file: string) => file };
  const shown = { ...services, results: { summary: {}, onDidChange: new FakeEmitter().event } };
  assert.ok(is<Parameters<typeof activateAnnotations>[0]>(context) && is<Services>(shown) && is<Runs>(runs));
  const annotations = activateAnnotations(context, shown, runs);
  const change = (scheme: string): void => {
    fake.changedText.fire({ document: { uri: { scheme } }, contentChanges: [{}] });
    t.mock.timers.tick(1_100);
  };
  for (const scheme of ['output', 'vscode-terminal', 'git', 'untitled']) change(scheme);
  assert.deepEqual(drawn, []);
  change('file');
  assert.deepEqual(drawn, ['all']);
  annotations.dispose();
});

test('a command of the tree that fails says so', async () => {
  const { services } = setUp();
  const context = { workspaceState: { get: (_: string, fallback: unknown) => fallback } };
  assert.ok(is<Parameters<typeof hotspotsView>[0]>(context));
  hotspotsView(context, services.log);
  for (const id of [ids.groupHotspots, ids.sortHotspots]) {
    fake.errors.length = 0;
    fake.pick = async () => {
      throw new Error('no pick');
    };
    await fake.commands.get(id)?.();
    assert.deepEqual(fake.errors, ['no pick']);
  }
  fake.errors.length = 0;
});

test('what goes wrong in a listener that takes a while is in the log', async () => {
  const emitter = new FakeEmitter();
  const { services, logged } = setUp();
  const { event } = emitter;
  assert.ok(is<Parameters<typeof on>[0]>(event));
  on(
    event,
    async () => {
      throw new Error('broken');
    },
    services.log,
  );
  emitter.fire();
  await turn();
  assert.deepEqual(logged, ['Error: broken']);
});

/** The results over a server that answers when it is told to. */
function setUp() {
  const asked: string[] = [];
  const logged: string[] = [];
  const waiting: { recording: string; resolve: (answer: OpenAnswer) => void; reject: (error: Error) => void }[] = [];
  const server = {
    isStarted: false,
    onDidRestart: new FakeEmitter().event,
    ask: async (_: unknown, { recording }: { readonly recording: string }): Promise<OpenAnswer> =>
      new Promise((resolve, reject) => {
        asked.push(recording);
        waiting.push({ recording, resolve, reject });
      }),
  };
  const write = (text: unknown): void => void logged.push(String(text));
  const log = { error: write, warn: write };
  const last = { targetOf: () => null, remember: async () => undefined, forget: async () => undefined };
  assert.ok(is<Server>(server) && is<LogOutputChannel>(log) && is<LastRecording>(last));
  const results = new Results(server, log, last);
  const services = { server, results, log };
  assert.ok(is<Services>(services));
  const take = (recording: string) => {
    const index = waiting.findIndex((one) => one.recording === recording);
    return waiting.splice(index, 1)[0] ?? assert.fail(`${recording} was not asked for`);
  };
  const answer = (recording: string, given?: OpenAnswer): void => {
    const opened = { type: 'opened', summary: { recording, title: 'npm test', warnings: [], hotspotCount: 0 } };
    assert.ok(is<OpenAnswer>(opened));
    take(recording).resolve(given ?? opened);
  };
  const fail = (recording: string): void => take(recording).reject(new Error('closed'));
  return { services, results, answer, fail, asked, logged };
}

function pagePanel() {
  const messages = new FakeEmitter();
  const types: string[] = [];
  const panel = {
    title: '',
    webview: {
      onDidReceiveMessage: messages.event,
      postMessage: async ({ type }: { readonly type: string }) => types.push(type),
    },
  };
  assert.ok(is<WebviewPanel>(panel));
  return { panel, receive: (message: unknown) => messages.fire(message), posted: (): readonly string[] => types };
}

/** Stands in for something of which a test needs a part. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says what it stands in for
function is<Type>(value: unknown): value is Type {
  return value !== null;
}
