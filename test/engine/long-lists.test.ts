import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../helpers/assert-each.ts';
import { drawProfile, profileOf } from '../helpers/drawn-profile.ts';
import { hotspotsIn, hotspotsOfProfiles, ms } from '../helpers/drawn-hotspots.ts';

/** More than the lists of the engine begin with. `npm run nightly` has as many as break a call's arguments. */
const some = 2000;
/** More than a call can have arguments. */
const many = 130_000;

test('a function of thousands of sampled lines has its figures', async () => {
  const profile = drawProfile('parse parse parse');
  const positionTicks = Array.from({ length: some }, (_, index) => ({ line: some - index, ticks: 1 }));
  const nodes = profile.nodes.map((node) => ({ ...node, positionTicks }));
  const { culprit } = await hotspotsIn({ '/rec/a.cpuprofile': JSON.stringify({ ...profile, nodes }) });
  assert.equal(culprit('parse')?.longCount, 1);
});

test('a deep stack of functions that are all long has its figures', async () => {
  const stack = Array.from({ length: some }, (_, depth) => `f${depth}`);
  const { report } = await hotspotsOfProfiles([profileOf([stack, stack], [3, 3])]);
  assert.equal(report.functions.length, some);
  assert.ok(report.functions.every(({ distinctStacks }) => distinctStacks === 1));
});

test('an operation of very many samples has the time of each of them', async () => {
  const [first, count] = [2000, 92_000];
  const stacks = Array.from({ length: count }, (_, sample) => ['handle', sample % 3 === 0 ? 'parse' : 'render']);
  const durations = stacks.map((_, sample) => (sample % 65_536 === 65_535 ? 7 : sample === count - 1 ? 40 : 1));
  const shorter = profileOf(
    [...stacks.slice(0, first), ['(idle)'], ...stacks.slice(first)],
    [...durations.slice(0, first), 1, ...durations.slice(first)],
  );
  const sumOf = (from: number, to: number, step = 1): number =>
    durations.reduce((sum, ms, at) => (at >= from && at < to && at % step === 0 ? sum + ms : sum), 0);
  const { worst, operations } = await hotspotsOfProfiles([shorter]);
  assertEach(operations, ({ durationUs }) => durationUs, [ms(sumOf(0, first)), ms(sumOf(first, count))]);
  assert.deepEqual([worst('handle'), worst('parse')], [ms(sumOf(first, count)), ms(sumOf(first, count, 3))]);
});

test('functions that take turns in very many operations are one finding with the worst and the number of all', async () => {
  const turn = [
    ['run', 'visit', 'enter'],
    ['run', 'visit', 'leave'],
  ];
  const stacks = Array.from({ length: many }, () => [...turn, ...turn, ...turn, ['(idle)']]).flat();
  const durations = stacks.map((_, sample) => (sample === 0 ? 4 : 2));
  const { report } = await hotspotsOfProfiles([profileOf(stacks, durations)]);
  assertEach(report.findings, ({ name, longCount, worstUs }) => [name, longCount, worstUs], [['visit', many, ms(14)]]);
});
