import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../../helpers/assert-each.ts';
import { type DrawnHotspots, hotspotsOfProfiles, ms } from '../../../helpers/drawn-hotspots.ts';
import { profileOf } from '../../../helpers/drawn-profile.ts';
import { stacksOf } from '../../../helpers/sampled-stacks.ts';
import { calls, truncated } from './deep-stacks.ts';

type Stack = readonly string[];

const entry = ['main', 'run'];
const idle = ['(idle)'];
/** A stack of 202 frames. When it is cut off, it begins with `f72`. */
const whole = [...entry, ...calls('f', 200)];
const cut = truncated(whole);

async function drawn(...stacks: readonly Stack[]): Promise<DrawnHotspots & { readonly stacks: readonly Stack[] }> {
  const hotspots = await hotspotsOfProfiles([profileOf(stacks)]);
  return { ...hotspots, stacks: stacksOf(hotspots.analysis) };
}

function counts({ report }: DrawnHotspots): readonly number[] {
  const { samples, grafted, unplaced } = report.recording.files[0]?.truncated ?? assert.fail();
  return [samples, grafted, unplaced];
}

test('a truncated stack takes the outer frames of the sample before it', async () => {
  const hotspots = await drawn(entry, whole, [...cut, 'leaf']);
  assert.deepEqual(hotspots.stacks[2], [...whole, 'leaf']);
  assert.deepEqual(counts(hotspots), [1, 1, 0]);
});

test('operations, presence and culprits count with the grafted stack', async () => {
  const hotspots = await drawn(entry, whole, cut, cut, whole);
  assert.equal(hotspots.worst('main'), ms(5));
  assert.equal(hotspots.operations.length, 1);
  assert.deepEqual(hotspots.culprits, ['f199']);
});

test('a stack of 99 frames is none that was truncated', async () => {
  const short = calls('f', 200).slice(-99);
  const hotspots = await drawn(entry, whole, short);
  assert.deepEqual(hotspots.stacks[2], short);
  assert.deepEqual(counts(hotspots), [0, 0, 0]);
});

test('a deep stack that begins with an entry is whole', async () => {
  assert.deepEqual(counts(await drawn(entry, whole, whole)), [0, 0, 0]);
});

test('a sample of one frame makes no entry', async () => {
  assert.deepEqual(counts(await drawn(entry, whole, cut, cut.slice(0, 1))), [1, 1, 0]);
  assert.deepEqual(counts(await drawn(entry, whole, cut, cut.slice(0, 2))), [0, 0, 0]);
});

test('a stack without its place keeps no operation together by the functions that it shares', async () => {
  const { operations } = await drawn(cut.slice(0, 1), cut, ['main', cut[50] ?? '']);
  assertEach(operations, ({ durationUs }) => durationUs, [ms(2), ms(1)]);
});

test('no neighbour is looked for beyond an idle sample', async () => {
  const hotspots = await drawn(entry, whole, idle, cut, idle, whole);
  assert.deepEqual(hotspots.stacks[3], cut);
  assert.deepEqual(counts(hotspots), [1, 0, 1]);
});

test('collections and native samples are not neighbours', async () => {
  const hotspots = await drawn(entry, whole, ['(gc)'], ['(program)'], cut);
  assert.deepEqual(hotspots.stacks[4], whole);
});

test('a grafted stack is a neighbour too', async () => {
  const deeper = [...whole, ...calls('g', 60)];
  const deepest = [...deeper, ...calls('h', 120)];
  const hotspots = await drawn(entry, whole, truncated(deeper), truncated(deepest));
  assert.deepEqual(hotspots.stacks.slice(2), [deeper, deepest]);
  assert.deepEqual(counts(hotspots), [2, 2, 0]);
});

test('eight frames in common with the sample before outweigh more with the one after', async () => {
  const before = [...entry, 'left', ...cut.slice(0, 8)];
  const after = [...entry, 'right', ...cut];
  assert.deepEqual((await drawn(before, cut, after)).stacks[1], [...entry, 'left', ...cut]);
});

test('with fewer than eight in common before, eight after decide', async () => {
  const before = [...entry, 'left', ...cut.slice(0, 7)];
  const after = [...entry, 'right', ...cut.slice(0, 8)];
  assert.deepEqual((await drawn(before, cut, after)).stacks[1], [...entry, 'right', ...cut]);
});

test('where both have fewer, the longer overlap decides, on a tie the one before', async () => {
  const left = (frames: number): Stack => [...entry, 'left', ...cut.slice(0, frames)];
  const right = (frames: number): Stack => [...entry, 'right', ...cut.slice(0, frames)];
  assert.equal((await drawn(left(1), cut, right(2))).stacks[1]?.[2], 'right');
  assert.equal((await drawn(left(2), cut, right(1))).stacks[1]?.[2], 'left');
  assert.equal((await drawn(left(2), cut, right(2))).stacks[1]?.[2], 'left');
  assert.equal((await drawn(left(1), cut, right(1))).stacks[1]?.[2], 'left', 'one frame is enough');
});

test('what neighbours share may be one frame, and all of them', async () => {
  assert.deepEqual((await drawn(['main', 'left'], cut, ['main', 'right'])).stacks[1], ['main', ...cut]);
  assert.deepEqual((await drawn(entry, cut, entry)).stacks[1], [...entry, ...cut]);
});

test('without any overlap, what both neighbours share comes in front', async () => {
  const hotspots = await drawn([...entry, 'shared', 'left'], cut, [...entry, 'shared', 'right']);
  assert.deepEqual(hotspots.stacks[1], [...entry, 'shared', ...cut]);
  assert.deepEqual(counts(hotspots), [1, 1, 0]);
});

test('without any overlap, one neighbour alone says nothing', async () => {
  const hotspots = await drawn(entry, cut);
  assert.deepEqual(hotspots.stacks[1], cut);
  assert.deepEqual(counts(hotspots), [1, 0, 1]);
});

test('of equal overlaps the outermost is the place', async () => {
  const before = [...entry, 'f72', 'f73', 'between', 'f72', 'f73'];
  assert.deepEqual((await drawn(before, cut)).stacks[1], [...entry, ...cut]);
});

test('the longest overlap is the place, wherever it stands', async () => {
  const outer = [...entry, 'f72', 'between', 'f72'];
  assert.deepEqual((await drawn([...outer, 'f72', 'f73', 'f74'], cut)).stacks[1], [...outer, ...cut]);
});

test('recursion is placed at its first call', async () => {
  const recursion = Array.from({ length: 128 }, () => 'again');
  assert.deepEqual((await drawn([...entry, 'again', 'again'], recursion)).stacks[1], [...entry, ...recursion]);
});

test('an unplaced stack stays with the operation before it, and parts none', async () => {
  const { operations } = await drawn(entry, cut, ['next', 'step']);
  assertEach(operations, ({ durationUs }) => durationUs, [ms(2), ms(1)]);
});
