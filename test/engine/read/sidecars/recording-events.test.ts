import { test } from 'node:test';
import { readEvents } from '../../../../engine/read/sidecars/recording-events.ts';
import type { RecordingEvent } from '../../../../protocol/recording-lines.ts';
import { microseconds } from '../../../../protocol/units.ts';
import { assertEach } from '../../../helpers/assert-each.ts';

test('a worker thread, which does not know its script, runs that of its process', () => {
  const start = (threadId: number, argv: readonly string[]): RecordingEvent => {
    const thread = { type: 'start', isolate: `7-${threadId}-a`, pid: 7, threadId, tid: 7, ppid: 1 } as const;
    return { ...thread, argv, execArgv: [], nodeVersion: 'v24.0.0', at: microseconds(threadId) };
  };
  const { starts } = readEvents([
    start(0, ['/bin/node', '/app/server.js']),
    start(1, ['/bin/node']),
    start(2, ['/bin/node', '/app/worker.js']),
  ]);
  assertEach(starts.values(), ({ command }) => command, ['/app/server.js', '/app/server.js', '/app/worker.js']);
});
