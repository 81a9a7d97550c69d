import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openOutput } from '../../recorder/preload/host/output.ts';
import { measureTurns } from '../../recorder/preload/turns/turns.ts';
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

/** The turns of this thread, and the lines of the recorder's own work. */
function measured() {
  const own: (readonly unknown[])[] = [];
  const add = (line: readonly unknown[]): unknown => line[0] === 'own' && own.push(line);
  return { own, turns: measureTurns({ add, flush: () => {}, flushSoon: () => {}, flushInTime: () => {} }, null, true) };
}

function slowly(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
}
