import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../../../helpers/assert-each.ts';
import { drawLog } from '../../../../helpers/drawn-log.ts';
import { memoryWorld } from '../../../../helpers/memory-world.ts';
import { analyzedIn } from '../../../../helpers/analyzed.ts';
import { startLine } from '../../../../helpers/drawn-hotspots.ts';

/** A log that the preload marked: its zero is `zeroUs` on the recorder's clock. */
function markedLog(pid: number, threadId: number, zeroUs: number): string {
  const marker = (time: number, at: number): string =>
    `code-creation,Script,9,${time},0x9000,9, hotspan-clock:${pid}:${threadId}:${(zeroUs + at) * 1000}:1:1,0xabc,~`;
  return drawLog(`
    ${marker(110, 100)}
    ${marker(130, 120)}
    ~ work 1000 100
    ${Array.from({ length: 40 }, () => 'tick 1010').join('\n')}
    tick:idle 9999`);
}

test('the logs of a recording of tiers meet the turns of their isolates by the mark of the recorder', async () => {
  const start = (threadId: number, at: number): string =>
    startLine(`7-${threadId}-a`, ['node', '/app/a.js'], { nodeVersion: 'v24.1.0', at });
  const end = '{"type":"end","isolate":"7-0-a","at":9000000,"reason":"exit"}';
  const world = memoryWorld({
    '/rec/recording.json': JSON.stringify({ version: 2, kind: 'tiers', intervalUs: 1000, cwd: '/app' }),
    '/rec/events.jsonl': [start(0, 4_999_000), start(1, 8_999_000), end].join('\n'),
    '/rec/isolate-0x1-7-7-1795283043935.v8.log': markedLog(7, 0, 5_000_000),
    '/rec/isolate-0x2-7-7-1795283043990.v8.log': markedLog(7, 1, 9_000_000),
    '/rec/isolate-0x3-8-8-1795283043990.v8.log': drawLog('~ npm 1000 100\ntick 1010'),
    '/rec/7-0-a.turns.jsonl': '["turn",5010000,5030000,20000]\n["mark",5050000]\n',
    '/rec/7-1-a.turns.jsonl': '["turn",9001000,9016000,15000]\n["mark",9050000]\n',
  });
  const { streams, operations, warnings } = (await analyzedIn(world)).analysis;
  assertEach(streams, ({ isolate, times }) => [isolate.pid, isolate.threadId, isolate.nodeVersion, times.at(0)], [
    [7, 0, 'v24.1.0', 5_001_000],
    [7, 1, 'v24.1.0', 9_001_000],
  ]);
  assertEach(operations, ({ start, end }) => [start, end], [
    [5_010_000, 5_030_000],
    [9_001_000, 9_016_000],
  ]);
  assert.deepEqual(warnings, []);
});

test('a plain log is of the process that its name has', async () => {
  const log = drawLog('~ work 1000 100\ntick 1010\ntick 1010');
  const names = ['isolate-0x1d2f3000-2645-v8.log', 'isolate-0x1d-77-77-1795283043935.v8.log', 'v8.log'];
  const world = memoryWorld(Object.fromEntries(names.map((name) => [`/logs/${name}`, log])));
  const paths = names.map((name) => `/logs/${name}`);
  const { analysis } = await analyzedIn(world, {}, paths);
  assertEach(analysis.streams, ({ isolate }) => isolate.pid, [2645, 77, null]);
});
