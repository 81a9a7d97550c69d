import assert from 'node:assert/strict';
import test from 'node:test';
import { AttachedWorkers, startProfiler, throughMain } from '../../recorder/launch/attach/inspector.ts';

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
  const [workers, inspector] = [new AttachedWorkers(), { send: async () => ({}), isOver: over.signal }];
  for (const sessionId of ['1', '2']) workers.hear(inspector, 'NodeWorker.attachedToWorker', { sessionId }, 1000);
  const pending = [...workers.running.values()].map(async (worker) => worker.send('Profiler.stop'));
  workers.hear(inspector, 'NodeWorker.detachedFromWorker', { sessionId: '1' }, 1000);
  over.abort();
  assert.ok((await Promise.all(pending)).every((answer) => answer instanceof Error));
  assert.deepEqual([[...workers.running.keys()], workers.ended], [['2'], 1]);
});

test('an error that a worker answers with is one', async () => {
  const worker = throughMain(async () => ({}), goesOn, '1');
  const started = startProfiler(worker.send, 1000);
  worker.receive({ id: 1, error: { message: 'not now' } });
  assert.equal(await started, 'not now');
});
