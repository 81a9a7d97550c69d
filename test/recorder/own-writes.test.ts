import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { openOutput } from '../../recorder/preload/host/output.ts';
import { type Beginning, measureTurns } from '../../recorder/preload/turns/turns.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

test('each write to the recording is work of the recorder: a slow disk counts for no line of the program', () => {
  const folder = temporaryProject({});
  const output = openOutput(folder, '7-0-a');
  const events = path.join(folder, 'events.jsonl');
  const said: string[] = [];
  output.writeBy((work) => {
    said.push('begin');
    work();
    said.push(readFileSync(events, 'utf8'), 'end');
  });
  output.event({ type: 'worker', pid: 7, threadId: 1, kind: 'background' });
  assert.deepEqual(said, ['begin', '{"type":"worker","pid":7,"threadId":1,"kind":"background"}\n', 'end']);
});

test('such a write within other work of the recorder counts once, also where it fails', () => {
  const { own, turns } = measured();
  turns.own(() => turns.own(slowly));
  assert.equal(own.length, 1);
  assert.throws(() => turns.own(() => assert.fail()));
  own.length = 0;
  turns.own(slowly);
  assert.equal(own.length, 1);
  turns.stop();
});

test('work that begins within other work, and ends after it, is all of the recorder', () => {
  const { own, turns } = measured();
  const [outer, inner] = [turns.beginOwn(), turns.beginOwn()];
  outer();
  slowly();
  assert.deepEqual(own, []);
  inner();
  assert.equal(own.length, 1);
  turns.stop();
});

test('where measuring begins within a callback, its turn is open until the loop goes on at the latest', async () => {
  await setImmediate();
  const { opened, turns } = measured('within a turn');
  turns.sumUp();
  turns.stop(); // Node calls no hook where it was interrupted between two callbacks.
  for (let round = 0; round < 3; round++) await setImmediate();
  turns.sumUp();
  assert.deepEqual(opened, [true, false]);
});

/** The turns of this thread, the lines of the recorder's own work, and whether a turn was open at each summary. */
function measured(beginning: Beginning = 'between turns') {
  const own: (readonly unknown[])[] = [];
  const opened: boolean[] = [];
  const flush = (until?: number): unknown => opened.push(until !== undefined);
  const add = (line: readonly unknown[]): unknown => line[0] === 'own' && own.push(line);
  const turns = measureTurns({ add, flush, flushSoon: () => {}, flushInTime: () => {} }, null, beginning);
  return { own, opened, turns };
}

function slowly(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
}
