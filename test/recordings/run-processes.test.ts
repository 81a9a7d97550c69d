import assert from 'node:assert/strict';
import { test } from 'node:test';
import { microseconds } from '../../protocol/units.ts';
import { liveProcesses, rememberingAges, secondsIn } from '../../recordings/run-processes.ts';
import type { RecordingEvent } from '../../protocol/recording-lines.ts';

/** What a process with this one's pid would have told so many seconds ago. */
function startOf(secondsAgo: number): Extract<RecordingEvent, { type: 'start' }> {
  const at = microseconds(Number(process.hrtime.bigint() / 1000n) - secondsAgo * 1e6);
  const isolate = `${process.pid}-0-a`;
  return {
    ...{ type: 'start', isolate, pid: process.pid, threadId: 0, ppid: 1, argv: [], execArgv: [] },
    ...{ nodeVersion: 'v24.0.0', at },
  };
}

test(
  'a process is alive unless its pid is by now that of a younger one',
  { skip: process.platform === 'win32' },
  () => {
    const agesOfLive = [0, 3600].filter((age) => liveProcesses([startOf(age)]).length === 1);
    assert.deepEqual(agesOfLive, [0]);
  },
);

test('a number that means a group of processes, or all, is nobody', () => {
  const real = startOf(0);
  assert.deepEqual(
    [0, -1, -process.pid].flatMap((pid) => liveProcesses([{ ...real, pid }])),
    [],
  );
});

test('the age of a process is read as ps writes it', () => {
  assert.deepEqual(['   00:07\n', '01:02:03', '2-00:00:01', ''].map(secondsIn), [7, 3723, 172_801, null]);
});

test('who looks every 20 ms does not start a program each time, and sees in two seconds that a pid is another one', () => {
  const clock = { seconds: 0, asked: 0 };
  const ageOf = rememberingAges(
    () => {
      clock.asked += 1;
      return clock.asked === 1 ? 100 : 0;
    },
    () => clock.seconds,
  );
  const ages = [0, 0.02, 1.5, 2].map((seconds) => {
    clock.seconds = seconds;
    return ageOf(7);
  });
  assert.deepEqual(ages, [100, 100.02, 101.5, 0]);
});
