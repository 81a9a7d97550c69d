import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { mock, test } from 'node:test';
import { analyzedIn } from '../helpers/analyzed.ts';
import { drawnStart, profileOf } from '../helpers/drawn-profile.ts';
import { memoryWorld } from '../helpers/memory-world.ts';

/** The time, and for how long the thread has run, in ms. `smooth`: by how much CPU time moves with each reading. */
const machine = { now: 0, ran: 0, step: 0, smooth: 0 };
const cpuUsage = () => {
  machine.ran += machine.smooth;
  const us = Math.floor(machine.ran * 1000);
  return { user: machine.step === 0 ? us : us - (us % (machine.step * 1000)), system: 0 };
};

// The recorder takes Node's functions when it is loaded.
const { platform } = process;
const clock = mock.method(performance, 'now', () => machine.now);
Object.assign(process, { threadCpuUsage: cpuUsage });
const { createTurnMeter } = await import('../../recorder/preload/turns/turn-meter.ts');
clock.mock.restore();

function meterOf(facts: Partial<typeof machine>): ReturnType<typeof createTurnMeter> {
  Object.assign(machine, { now: 0, ran: 0, step: 0, smooth: 0 }, facts);
  Object.defineProperty(process, 'platform', { value: 'win32' }); // Which does not count waits.
  const meter = createTurnMeter();
  Object.defineProperty(process, 'platform', { value: platform });
  return meter;
}

const windows = { step: 15.625 };

test('the recorder sees whether the CPU clock has steps, and how long they are', () => {
  assert.equal(meterOf({ smooth: 0.002 }).step(), 0);
  assert.equal(meterOf(windows).step(), 15.625);
  const finer = meterOf({ step: 2 });
  finer.begin(0);
  Object.assign(machine, { now: 12, ran: 3 });
  finer.ofTurn(12);
  assert.equal(finer.step(), 2);
});

/** 200 turns of 10 to 120 ms, in which the thread ran for `share` of the time, in slices of up to 4 ms. */
function turnsOf(share: number): readonly number[] {
  let random = 7;
  return Array.from({ length: 200 }, () => {
    random = (random * 48_271) % 2_147_483_647;
    return Math.ceil(10 + (random / 2_147_483_647) * 110) * (share === 1 ? 1 : 2);
  });
}

/** How many of these turns are in doubt when the recorder measures them with this clock. */
async function doubts(facts: Partial<typeof machine>, share: number): Promise<number> {
  const meter = meterOf(facts);
  const stacks: string[][] = [];
  const durations: number[] = [];
  const sampled = (frame: string, ms: number): void => {
    stacks.push([frame]);
    durations.push(ms);
    machine.now += ms;
  };
  const lines = turnsOf(share).map((length) => {
    sampled('(idle)', 7.3);
    const start = machine.now;
    meter.begin(start);
    for (let left = length; left > 0; left--) {
      const waits = left % 8 === 0 && left < length ? Math.min(8 * (1 - share), left - 1) : 0;
      sampled('work', 1 + waits);
      machine.ran += 1;
      left -= waits;
      meter.lap(machine.now);
    }
    const { run } = meter.ofTurn(machine.now);
    const us = (ms: number): number => drawnStart + Math.round(ms * 1000);
    return ['turn', us(start), us(machine.now), Math.round(run * 1000), 0, -1];
  });
  const step = Math.round(meter.step() * 1000);
  const files = {
    '/rec/recording.json': JSON.stringify({ version: 2, command: ['node', 'app.js'], cwd: '/app', intervalUs: 1000 }),
    '/rec/7-0-x.0.cpuprofile': JSON.stringify(profileOf(stacks, durations)),
    '/rec/7-0-x.turns.jsonl': [...lines, ...(step === 0 ? [] : [['clock', step]]), ['mark', drawnStart + 1e9]]
      .map((line) => JSON.stringify(line))
      .join('\n'),
  };
  const { operations } = (await analyzedIn(memoryWorld(files))).analysis;
  assert.ok(operations.length >= 200, `${operations.length}`);
  return operations.filter(({ doubt }) => doubt !== null).length;
}

test('on a quiet machine a clock with steps casts no doubt on a turn', async () => {
  assert.ok((await doubts(windows, 1)) <= 2);
});

test('on a busy machine a clock with steps hides no doubt that an exact one shows', async () => {
  const exact = await doubts({ smooth: 0.0001 }, 0.5);
  const ticking = await doubts(windows, 0.5);
  assert.ok(exact > 150, `${exact}`);
  assert.ok(ticking >= exact * 0.95, `${ticking} of ${exact}`);
});
