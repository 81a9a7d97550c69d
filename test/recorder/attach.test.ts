import { fieldsOf } from '../../protocol/json-value.ts';
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { WebSocketServer } from 'ws';
import { microseconds } from '../../protocol/units.ts';
import { attach } from '../../recorder/launch/attach/attach.ts';
import { parse } from '../../recorder/launch/attach/inspector.ts';
import { portOf } from '../helpers/free-port.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

const profile = { nodes: [], samples: [], timeDeltas: [], startTime: 0, endTime: 1 };

test('who has given up before anything was told waits for nothing', async (t) => {
  const { outcome } = await attached(t, () => null, { isGivenUp: AbortSignal.abort() });
  assert.match((await outcome).message ?? '', /has not answered yet/);
});

test('who gives up does not wait for workers either', async (t) => {
  const giveUp = new AbortController();
  const worker = { method: 'NodeWorker.attachedToWorker', params: { sessionId: '1' } };
  const { outcome } = await attached(
    t,
    (method) => {
      // What is asked of the worker is taken, and never answered.
      if (method === 'NodeWorker.sendMessageToWorker') setImmediate(() => giveUp.abort());
      return method === 'NodeWorker.enable' ? worker : {};
    },
    { isGivenUp: giveUp.signal, isStopped: AbortSignal.abort() },
  );
  assert.equal((await outcome).type, 'failed');
});

test('arguments that look like secrets are in no file of the recording', async (t) => {
  const { outcome, out } = await attached(t, () => ({}), { isStopped: AbortSignal.abort() });
  assert.equal((await outcome).type, 'recorded');
  for (const file of ['recording.json', 'events.jsonl']) {
    const text = readFileSync(path.join(out, file), 'utf8');
    assert.match(text, /--password/, file);
    assert.doesNotMatch(text, /hunter2/, file);
  }
});

test('where no part could be written, the process is not said to have ended', async (t) => {
  const deleteAtEnd = (method: string, out: string): object => {
    if (method === 'Profiler.stop') rmSync(out, { recursive: true });
    return {};
  };
  const { outcome } = await attached(t, deleteAtEnd, { isStopped: AbortSignal.abort() });
  assert.equal((await outcome).message, 'Nothing of process 7 was recorded.');
});

/** Attaches to a process that answers what it is, and has an empty profile; else as `answer` says, `null` for never. */
async function attached(
  t: test.TestContext,
  answer: (method: string, out: string) => object | null,
  signals: { readonly isStopped?: AbortSignal; readonly isGivenUp?: AbortSignal },
) {
  const out = path.join(temporaryProject({}), 'out');
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  t.after(() => server.close());
  server.on('connection', (socket) =>
    socket.on('message', (data) => {
      const { id, method } = fieldsOf(parse(Buffer.isBuffer(data) ? data.toString() : ''));
      const result = answer(String(method), out);
      if (result === null) return;
      if ('method' in result) socket.send(JSON.stringify(result));
      const value = [7, 'v24.0.0', '/app', ['node', 'app.js', '--password=hunter2'], null];
      const known = { 'Runtime.evaluate': { result: { value } }, 'Profiler.stop': { profile } };
      socket.send(JSON.stringify({ id, result: { ...result, ...fieldsOf(fieldsOf(known)[String(method)]) } }));
    }),
  );
  const port = await portOf(server);
  const outcome: Promise<{ readonly type: string; readonly message?: string }> = attach({
    address: `ws://127.0.0.1:${port}/a`,
    ...{ cwd: path.dirname(out), out, intervalUs: microseconds(1000), hotspanVersion: '0.0.0', notes: [] },
    ...{ recorderFile: null, mostBytes: null, say: () => {}, isStopped: new AbortController().signal, ...signals },
  });
  return { outcome, out };
}
