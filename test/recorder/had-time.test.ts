import assert from 'node:assert/strict';
import childProcess, { ChildProcess } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { mock, test } from 'node:test';
import { hadTime, relaySignals } from '../../recorder/launch/run/end-command.ts';

test('a process that waits for a CPU gets more time for its end, others do not', () => {
  mock.timers.enable({ apis: ['Date'] });
  const waited = new Map([
    [1, 50],
    [2, 0],
  ]);
  const had = hadTime((pid) => waited.get(pid) ?? 0);
  assert.deepEqual([had(1), had(2)], [0, 0]);
  mock.timers.tick(3000);
  waited.set(1, 2550);
  assert.deepEqual([had(1), had(2)], [500, 3000]);
  waited.delete(1); // It has ended.
  assert.equal(had(1), 3000);
  mock.timers.reset();
});

test('signals are relayed without a witness', { skip: process.platform === 'win32' }, (t) => {
  // Without a free file descriptor Node returns a child without `stdin`; without memory it throws.
  for (const spawn of [() => new ChildProcess(), () => assert.fail('spawn ENOMEM')]) {
    const spawned = t.mock.method(childProcess, 'spawn', spawn);
    syncBuiltinESMExports();
    relaySignals(new ChildProcess(), { read: () => [] }).dispose();
    assert.equal(spawned.mock.callCount(), 1);
    spawned.mock.restore();
  }
  syncBuiltinESMExports();
});
