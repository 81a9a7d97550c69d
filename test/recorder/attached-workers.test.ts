import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { microseconds } from '../../protocol/units.ts';
import { AttachedThreads } from '../../recorder/launch/attach/attach.ts';
import { ThreadEvents, type ThreadInspector, throughMain } from '../../recorder/launch/attach/inspector.ts';

const goesOn = new AbortController().signal;

test('a worker that ends while it is asked answers with an error, and so does one that has ended', async () => {
  const worker = throughMain(async () => ({}), goesOn, '1');
  const pending = worker.send('Profiler.stop');
  worker.end();
  assert.ok((await pending) instanceof Error);
  assert.ok((await worker.send('Profiler.start')) instanceof Error);
});

test('what ends a worker is that its main thread tells so, or goes itself', async () => {
  const over = new AbortController();
  const begun: ThreadInspector[] = [];
  const ended: string[] = [];
  const events = new ThreadEvents(
    (_id, worker) => begun.push(worker),
    (id) => ended.push(id),
  );
  const inspector = { send: async () => ({}), isOver: over.signal };
  for (const sessionId of ['1', '2']) events.hear(inspector, 'NodeWorker.attachedToWorker', { sessionId });
  const pending = begun.map(async (worker) => worker.send('Profiler.stop'));
  events.hear(inspector, 'NodeWorker.detachedFromWorker', { sessionId: '1' });
  over.abort();
  assert.equal((await Promise.all(pending)).filter((answer) => answer instanceof Error).length, 2);
  assert.deepEqual(ended, ['1']);
});

test('what a thread says by its binding is heard, from a worker as well', () => {
  const events = new ThreadEvents(
    () => {},
    () => {},
  );
  const inspector = { send: async () => ({}), isOver: goesOn };
  const heard: string[] = [];
  events.onBinding('own', (text) => heard.push(text));
  const called = (name: string, payload: string) => ({ method: 'Runtime.bindingCalled', params: { name, payload } });
  events.hear(inspector, 'Runtime.bindingCalled', called('own', 'main').params);
  events.hear(inspector, 'NodeWorker.attachedToWorker', { sessionId: '1' });
  for (const name of ['other', 'own']) {
    const message = JSON.stringify(called(name, 'worker'));
    events.hear(inspector, 'NodeWorker.receivedMessageFromWorker', { sessionId: '1', message });
  }
  assert.deepEqual(heard, ['main', 'worker']);
});

test('an error that a worker answers with is one', async () => {
  const worker = throughMain(async () => ({}), goesOn, '1');
  const started = worker.send('Profiler.start');
  worker.receive({ id: 1, error: { message: 'not now' } });
  const answer = await started;
  assert.equal(answer instanceof Error && answer.message, 'not now');
});

test('a worker whose start cannot be noted is reported with the next part, and not before', async () => {
  const threads = new AttachedThreads();
  const send = async (method: string) => (method.endsWith('ToWorker') ? assert.fail('no room on the disk') : {});
  const inspector = { send, isOver: goesOn };
  const options = { directory: '', intervalUs: microseconds(1000), recorderText: null };
  await threads.begin(inspector, { pid: 1, version: 'v24.0.0', argv: [] }, options);
  threads.events.hear(inspector, 'NodeWorker.attachedToWorker', { sessionId: '1' });
  threads.beat();
  await setImmediate();
  await assert.rejects(async () => threads.write(true, Infinity), /no room on the disk/);
});
