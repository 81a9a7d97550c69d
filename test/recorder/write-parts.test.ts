import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import test from 'node:test';
import { type AttachedWorker, AttachedWorkers, type Fields } from '../../recorder/launch/attach/inspector.ts';
import { writeParts } from '../../recorder/launch/attach/attach.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

const profile = { nodes: [], samples: [], timeDeltas: [], startTime: 0, endTime: 1 };

test('workers that begin while parts are written do not keep the recording from its end', async () => {
  const workers = new AttachedWorkers();
  const begin = (id: number): void => {
    const anotherBegins = (): void => (id < 50 ? begin(id + 1) : undefined);
    workers.running.set(String(id), answering(anotherBegins));
  };
  begin(1);
  assert.deepEqual(await threadsWritten(workers, null, AbortSignal.abort()), [0, 1]);
});

test('at its limit no further worker is asked, but the main thread still is', async () => {
  const workers = new AttachedWorkers();
  for (const id of ['1', '2', '3']) workers.running.set(id, answering());
  assert.deepEqual(await threadsWritten(workers, 100, new AbortController().signal), [0, 1, 2]);
});

/** The threads that have a profile afterwards; one is 70 bytes and more. */
async function threadsWritten(workers: AttachedWorkers, mostBytes: number | null, isStopped: AbortSignal) {
  const directory = temporaryProject({});
  const inspector = {
    ...answering(),
    isOver: new AbortController().signal,
    giveUp: () => {},
    close: async () => true,
  };
  const process = { pid: 1, version: 'v24.0.0', argv: [] };
  await writeParts(inspector, workers, process, { directory, mostBytes, isStopped, partMs: 1 });
  return readdirSync(directory)
    .flatMap((name) => /^1-(\d+)-.*\.cpuprofile$/.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b);
}

/** A thread that answers at once, and does something when its profile is taken. */
function answering(whenTaken: () => void = () => {}): AttachedWorker {
  const send = async (method: string): Promise<Fields> => {
    if (method === 'Profiler.stop') whenTaken();
    return method === 'Profiler.stop' ? { profile } : {};
  };
  return { send, receive: () => {}, end: () => {} };
}
