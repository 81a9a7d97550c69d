import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLimit } from '../../cli/commands/check-limit.ts';
import { drawnStart } from '../helpers/drawn-profile.ts';
import { type DrawnOptions, hotspotsOf, ms } from '../helpers/drawn-hotspots.ts';
import { type DrawnRun, drawnRuns } from '../helpers/drawn-runs.ts';
import type { TurnLine } from '../../protocol/recording-lines.ts';

/** Twice, so that the second time is warm. */
const warm = (name: string): string =>
  [...Array.from({ length: 5 }, () => name), '(idle)', ...Array.from({ length: 5 }, () => name)].join(' ');
const turns = '0-5 6-11';

/** Exit code and sentence. */
async function verdict(drawing: string, options: DrawnOptions, limit = 4): Promise<string> {
  const { analysis } = await hotspotsOf(drawing, options);
  const { code, sentence } = checkLimit(analysis, [], ms(limit), '/app');
  return `${code} ${sentence ?? ''}`;
}

test('a culprit over the limit is named', async () => {
  assert.match(
    await verdict(warm('cart.ts#total'), { turns }),
    /^1 Over the limit of 4 ms: 5 ms in total, src\/cart\.ts:\d+\.$/,
  );
});

test('a shorter time than that of the row says that the first time was longer', async () => {
  const drawing = `${Array.from({ length: 9 }, () => 'total').join(' ')} (idle) ${warm('total')}`;
  assert.match(
    await verdict(drawing, { turns: '0-9 10-15 16-21' }),
    /^1 Over the limit of 4 ms: 5 ms in total, src\/app\.ts:\d+, after its first time\.$/,
  );
});

test('a culprit at the limit passes', async () => {
  assert.equal(await verdict(warm('total'), { turns }, 5), '0 ');
});

test("what is nobody's wait, or not of the application, fails nothing", async () => {
  assert.equal(await verdict(warm('test#case'), { turns }), '0 ', 'test code');
  assert.equal(await verdict(warm('total'), { turns, worker: 'background' }), '0 ', 'a worker');
  assert.equal(await verdict(`${warm('bcryptjs#hash')} parse`, { turns }), '0 ', 'a package');
});

test('where none of the own code was seen, nothing is known of the limit, whatever a package took', async () => {
  const unknown = '3 Nothing is known about the limit of 4 ms: none of your code was seen in this run.';
  assert.equal(await verdict(warm('bcryptjs#hash'), { turns }), unknown);
  assert.equal(await verdict(warm('bcryptjs#hash'), { turns, roots: ['/elsewhere'] }), unknown);
  assert.equal(await verdict('node:fs#read node:fs#read', { turns: [[0, 2]] }), unknown);
});

test('an estimate over the limit has an exit code of its own, a first time none, and both are said', async () => {
  assert.match(await verdict(warm('total'), {}, 4.99), /^3 .* the limit of 4\.99 ms: 5 ms in .* is an estimate\.$/);
  assert.match(await verdict(warm('total'), {}), /^3 Nothing certain is over .* is an estimate\.$/);
  const once = await verdict('total total total total total', { turns: [[0, 5]] });
  assert.match(once, /^0 Nothing certain is over the limit of 4 ms: 5 ms in total, .* was a first call\.$/);
});

test('an estimated operation does not hide a certain one', async () => {
  const drawing = `${warm('total')} (idle) total total (idle)`;
  const found = await verdict(drawing, { turns: `${turns} 12-20` });
  assert.match(found, /^1 Over the limit of 4 ms: 5 ms in total/);
});

test('what a turn waited for a processor is over no limit', async () => {
  const busy: TurnLine = ['turn', drawnStart, drawnStart + 11_000, 3000, 0, 8000];
  assert.equal(await verdict(warm('total'), { turns: [], turnLines: [busy] }), '0 ');
});

test('where nobody counts waits, what a function computed at least is over the limit for certain', async () => {
  const half: TurnLine = ['turn', drawnStart + 6000, drawnStart + 16_000, 5000];
  const drawing = `ms 5 1 5 5
    total (idle) total total`;
  const options = { turns: [[0, 5]] as const, turnLines: [half] };
  assert.match(await verdict(drawing, options), /^1 Over the limit of 4 ms: 5 ms, 4\.8 ms of it certain, in total/);
});

test('the time for which the process was stopped within a function is not certain to be its own', async () => {
  const run = [...Array.from({ length: 40 }, () => 'total'), '(idle)', ...Array.from({ length: 40 }, () => 'total')];
  const turn = (start: number, ran: number): TurnLine => {
    const from = drawnStart + start * 1000;
    return ['turn', from, from + 40_000, ran * 1000, 0, 0];
  };
  const options = { turns: [], turnLines: [turn(0, 30), turn(41, 30)] };
  assert.match(await verdict(run.join(' '), options, 35), /^3 Nothing certain is over the limit of 35 ms/);
  assert.match(
    await verdict(run.join(' '), options, 25),
    /^1 Over the limit of 25 ms: 40 ms, 30 ms of it certain, in total, /,
  );
});

test('native code and collections without any JavaScript prove nothing where turns were not measured', async () => {
  const native = await verdict('total (idle) (program) (program) (program) (program) (program)', {});
  assert.equal(
    native,
    '3 Nothing certain is over the limit of 4 ms: native code without any JavaScript held the event loop for ≈5 ms.',
  );
  assert.match(await verdict('total (idle) (gc) (gc) (gc) (gc) (gc)', {}), /garbage collection without any JavaScript/);
  assert.equal(await verdict('(program) (program) (program) (program) (program) total', {}), '0 ', 'a program starts');
  assert.equal(await verdict('total (idle) (program) (program) (program) (program)', {}), '0 ', 'at the limit');
});

/** Exit code and sentence over several runs, at a limit of 30 ms. */
async function verdictOfRuns(...runs: readonly DrawnRun[]): Promise<string> {
  const { analysis, runs: all } = await drawnRuns(runs, 'runs');
  const { code, sentence } = checkLimit(analysis, all, ms(30), '/app');
  return `${code} ${sentence ?? ''}`;
}

test('of several runs, a function fails only if it is over the limit in all of them', async () => {
  const held = (ms: number): DrawnRun => ({ held: `total 5 total ${ms}` });
  const [short, long, longer] = [held(20), held(40), held(43)];
  assert.match(
    await verdictOfRuns(long, longer, long),
    /^1 Over the limit of 30 ms in all 3 runs: 40–43 ms in total, src\/app\.ts:\d+\.$/,
  );
  assert.match(
    await verdictOfRuns(long, short, longer),
    /^0 Over the limit of 30 ms in 2 of 3 runs only, and so no failure: 40–43 ms in total, src\/app\.ts:\d+\.$/,
  );
  assert.equal(await verdictOfRuns(short, short), '0 ');
});

test('another function in each run fails nobody, and a run without own code judges nothing', async () => {
  const [one, other] = [{ held: 'total 5 total 40' }, { held: 'parse 5 parse 40' }];
  assert.match(await verdictOfRuns(one, other), /^0 Over the limit of 30 ms in 1 of 2 runs only/);
  assert.match(
    await verdictOfRuns(one, { held: 'node:fs#read 40' }),
    /^3 Nothing is known about the limit of 30 ms: none of your code was seen in \/runs\/2\.$/,
  );
});
