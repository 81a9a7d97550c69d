import assert from 'node:assert/strict';
import { test } from 'node:test';
import { microseconds } from '../../../protocol/units.ts';
import { parseEvents } from '../../../protocol/formats/parse-events.ts';
import type { RecordingEvent } from '../../../protocol/recording-lines.ts';

const at = microseconds(5);
const own = { isolate: '7-0-a' };

const right: readonly RecordingEvent[] = [
  {
    ...{ type: 'start', ...own, pid: 7, threadId: 0, tid: 8, ppid: 1, argv: ['node', 'a.js'], execArgv: ['--x'] },
    ...{ nodeVersion: 'v24.0.0', at, kind: 'background' },
  },
  { type: 'start', ...own, pid: 7, threadId: 1, ppid: 1, argv: [], execArgv: [], nodeVersion: 'v20.0.0', at },
  { type: 'end', ...own, at, reason: 'exit' },
  { type: 'end', ...own, at, reason: 'signal' },
  { type: 'outlives', ...own, at },
  { type: 'signal', ...own, at, signal: 'SIGINT' },
  { type: 'leaves', ...own, by: 'setuid' },
  { type: 'stays', ...own },
  { type: 'otherUser', ...own, uid: 1000 },
  { type: 'handles', ...own, signal: 'SIGTERM' },
  { type: 'worker', pid: 7, threadId: 2, kind: 'pool' },
  { type: 'serves', ...own },
  { type: 'listens', ...own, at, server: 0, protocol: 'https', host: '::', port: 3000, path: '' },
  { type: 'closes', ...own, at, server: 0 },
  { type: 'unprofiled', ...own, reason: 'no inspector' },
  { type: 'failed', ...own, reason: 'x' },
  { type: 'flag', ...own, flag: '--no-opt' },
  { type: 'full', ...own, at, mostBytes: 100 },
  { type: 'lost', ...own, reason: 'ENOSPC' },
];

const textOf = (events: readonly unknown[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join('');

test('each event of protocol/recording.ts is read as it was written', () => {
  assert.deepEqual(parseEvents(textOf(right)), { events: right, isCut: false });
});

const end: RecordingEvent = { type: 'end', ...own, at, reason: 'exit' };

const foreign: Readonly<Record<string, string>> = {
  nothing: '',
  'no JSON': 'started\n\u0000\n{"type":"end"',
  'no objects': '7\nnull\n"end"\n["end"]\n[{"type":"end"}]\n',
  'no type': '{}\n{"isolate":"7-0-a"}\n{"type":null}\n{"type":["end"]}\n',
  'a newer version': '{"type":"paused","isolate":"7-0-a","at":5}\n',
  'names of an object’s own parts': '{"type":"constructor"}\n{"type":"__proto__"}\n{"__proto__":{"type":"end"}}\n',
};

for (const [name, text] of Object.entries(foreign))
  test(`lines that are not events are left out, and no others: ${name}`, () => {
    assert.deepEqual(parseEvents(`${textOf([end])}${text}\n${textOf([end])}`).events, [end, end]);
  });

test('the last line may be half written', () => {
  assert.deepEqual(parseEvents(textOf([end, end]).slice(0, -8)).events, [end]);
  assert.deepEqual(parseEvents(textOf([end]).trimEnd()).events, [end]);
});

test('what a newer version adds to an event is left out', () => {
  assert.deepEqual(parseEvents(textOf([{ ...end, mood: 'good' }])).events, [end]);
});

const damaged: readonly (readonly [line: unknown, event: RecordingEvent])[] = [
  [{ type: 'end' }, { type: 'end', isolate: '', at: microseconds(0), reason: 'exit' }],
  [
    { type: 'end', isolate: 7, at: 'now', reason: 'war' },
    { type: 'end', isolate: '', at: microseconds(0), reason: 'exit' },
  ],
  [
    { type: 'start', isolate: [], pid: '1', threadId: null, tid: '../1', argv: 'a', execArgv: [1, 'x'], kind: 'odd' },
    {
      ...{ type: 'start', isolate: '', pid: -1, threadId: -1, ppid: -1, argv: [], execArgv: ['', 'x'] },
      ...{ nodeVersion: '', at: microseconds(0) },
    },
  ],
  [
    { type: 'worker', kind: 'odd' },
    { type: 'worker', pid: -1, threadId: -1, kind: 'background' },
  ],
  [
    { type: 'full', mostBytes: {}, at: [] },
    { type: 'full', isolate: '', at: microseconds(0), mostBytes: 0 },
  ],
];

test('fields of wrong types are as if they were not there', () => {
  for (const [line, event] of damaged) assert.deepEqual(parseEvents(textOf([line])).events, [event]);
});

test('five million lines are read at most, and that is told', () => {
  assert.deepEqual(parseEvents('{}\n'.repeat(5e6 + 1)), { events: [], isCut: true });
});
