import { fieldsOf } from '../../protocol/json-value.ts';
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import test from 'node:test';
import { microseconds } from '../../protocol/units.ts';
import { AttachedThreads, writeParts } from '../../recorder/launch/attach/attach.ts';
import { parse } from '../../recorder/launch/attach/inspector.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

const profile = { nodes: [], samples: [], timeDeltas: [], startTime: 0, endTime: 1 };
const goesOn = new AbortController().signal;

test('workers that begin while parts are written do not keep the recording from its end', async () => {
  const written = await threadsWritten(1, null, AbortSignal.abort(), (threads, last) =>
    last < 50 ? begin(threads, last + 1) : undefined,
  );
  assert.deepEqual(written, [0, 1]);
});

test('at its limit no further worker is asked, but the main thread still is', async () => {
  assert.deepEqual(await threadsWritten(3, 100, goesOn), [0, 1, 2]);
});

/** The threads that have a profile afterwards; one is 70 bytes and more. `whenTaken`: a worker's profile is taken. */
async function threadsWritten(
  workers: number,
  mostBytes: number | null,
  isStopped: AbortSignal,
  whenTaken: (threads: AttachedThreads, worker: number) => void = () => {},
) {
  const directory = temporaryProject({});
  const process = { pid: 1, version: 'v24.0.0', argv: [] };
  const threads = new AttachedThreads();
  const send = async (method: string, params: object = {}) => {
    const { sessionId, message } = fieldsOf(params);
    const asked = fieldsOf(parse(String(message)));
    if (asked['method'] === 'Profiler.stop') whenTaken(threads, Number(sessionId));
    if (sessionId === undefined) return method === 'Profiler.stop' ? { profile } : {};
    const answer = JSON.stringify({ id: asked['id'], result: { profile } });
    setImmediate(() =>
      threads.events.hear(inspector, 'NodeWorker.receivedMessageFromWorker', { sessionId, message: answer }),
    );
    return {};
  };
  const inspector = { send, isOver: goesOn };
  inspectors.set(threads, inspector);
  await threads.begin(inspector, process, { directory, intervalUs: microseconds(1000), recorderText: null });
  for (let worker = 1; worker <= workers; worker += 1) begin(threads, worker);
  await writeParts(threads, process, { directory, mostBytes, isStopped, partMs: 1 });
  return readdirSync(directory)
    .flatMap((name) => /^1-(\d+)-.*\.cpuprofile$/.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b);
}

const inspectors = new WeakMap<AttachedThreads, Parameters<AttachedThreads['events']['hear']>[0]>();

function begin(threads: AttachedThreads, worker: number): void {
  const inspector = inspectors.get(threads) ?? assert.fail();
  threads.events.hear(inspector, 'NodeWorker.attachedToWorker', { sessionId: String(worker) });
}
