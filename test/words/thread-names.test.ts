import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTests } from '../../engine/read/sidecars/read-sidecars.ts';
import type { Isolate, SampleStream } from '../../engine/read/samples/sample-stream.ts';
import { threadNames } from '../../words/thread-names.ts';
import { hotspotsOf } from '../helpers/drawn-hotspots.ts';

const { analysis } = await hotspotsOf('work');
const vitest = '/app/node_modules/vitest/dist/workers/forks.js';

/** A thread of `/app` in which tests of these files ran. */
function thread(isolate: Partial<Isolate>, files: readonly string[] = []): Pick<SampleStream, 'isolate' | 'tests'> {
  const running = files.map((file) => ({ name: 'adds up', file: `/app/${file}` }));
  const tests = { ...readTests([]), changes: Float64Array.from(files.keys()), running };
  const [stream] = analysis.streams;
  assert.ok(stream);
  return { isolate: { ...stream.isolate, ...isolate }, tests };
}

function namesOf(threads: readonly Pick<SampleStream, 'isolate' | 'tests'>[]): readonly string[] {
  return threadNames(threads).map(({ name }) => name);
}

test('a process of a test runner is named by the files whose tests it ran', () => {
  const forks = [
    thread({ pid: 1, command: vitest }, ['test/cart.test.ts']),
    thread({ pid: 2, command: vitest }, ['test/a/list.test.ts', 'test/b/list.test.ts', 'test/c.test.ts']),
    thread({ pid: 3, command: vitest }),
    thread({ pid: 4, command: vitest }),
    thread({ pid: 5, isTestParent: true, command: vitest }),
  ];
  assert.deepEqual(namesOf(forks), [
    'cart.test.ts',
    'a/list.test.ts, b/list.test.ts +1',
    'vitest (process 3)',
    'vitest (process 4)',
    "the test runner's own process",
  ]);
});

test('other processes are named by their script, and their workers with it', () => {
  const threads = [
    thread({ pid: 1, threadId: 0, command: '/app/src/server.js' }),
    thread({ pid: 1, threadId: 2, command: '/app/src/server.js' }),
    thread({ pid: 9, threadId: 0, command: null }),
    thread({ pid: 7, threadId: 0, command: '/usr/bin/node' }, ['cart.test.js']),
    thread({ pid: 7, threadId: 1, command: '/usr/bin/node' }),
  ];
  const ofTests = ['cart.test.js', 'worker 1 of cart.test.js'];
  assert.deepEqual(namesOf(threads), ['server.js', 'worker 2 of server.js', 'process 9', ...ofTests]);
});

test('where one file ran in several threads, each says which one it is', () => {
  const threads = [
    thread({ pid: 1, threadId: 1, command: vitest }, ['cart.test.ts']),
    thread({ pid: 1, threadId: 2, command: vitest }, ['cart.test.ts']),
    thread({ pid: 6, threadId: 0, command: vitest }, ['cart.test.ts']),
  ];
  assert.deepEqual(namesOf(threads), [
    'cart.test.ts (worker 1 of process 1)',
    'cart.test.ts (worker 2 of process 1)',
    'cart.test.ts (process 6)',
  ]);
});
