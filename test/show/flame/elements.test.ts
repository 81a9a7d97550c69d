import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flameOf } from '../../../show/flame/flame.ts';
import type { FlameFrame, FlameQuery } from '../../../protocol/flame.ts';
import { hotspotsOfProfiles } from '../../helpers/drawn-hotspots.ts';
import { profileOf } from '../../helpers/drawn-profile.ts';
import { frames } from './frames.ts';

/** A page of 1000 px: all that can be seen, and the largest frames alone. */
const fine = { leastShare: 0.0005 } as const;
const coarse = { leastShare: 0.008, namedShare: 0.035 } as const;

const stacks = Array.from({ length: 2_000 }, (_, number) => [
  ...Array.from({ length: 60 }, (__, level) => `f${number % 25}_${level}`),
  `leaf${number}`,
]);
const { analysis } = await hotspotsOfProfiles([profileOf(stacks)]);

test('the largest frames alone have no more elements than all that can be seen may have', () => {
  for (const query of [fine, coarse]) assert.ok(elementsOf(flameOf(analysis, query).root) <= 2_500);
  assert.ok(elementsOf(flameOf(analysis, { leastShare: 0.008 }).root) > 2_500, 'without the width of a name');
});

test('as many rows are sent as are asked for, and what is below them is hidden time', () => {
  const { root, totalUs } = flameOf(analysis, { ...coarse, rows: 3 });
  const levelsBelow = ({ children }: FlameFrame): number => Math.max(0, ...children.map((one) => 1 + levelsBelow(one)));
  assert.equal(levelsBelow(root), 3);
  assert.equal(
    frames(root).reduce((sum, { hiddenUs }) => sum + hiddenUs, 0),
    totalUs,
  );
});

test('callers and callees together have no more elements than one graph', async () => {
  const chain = (name: string): readonly string[] => Array.from({ length: 60 }, (_, level) => `${name}_${level}`);
  const stack = (n: number) => [...chain(`from${n % 25}`), 'hub', ...chain(`to${Math.floor(n / 25)}`)];
  const crossing = Array.from({ length: 625 }, (_, number) => stack(number));
  const { analysis: crossed } = await hotspotsOfProfiles([profileOf(crossing)]);
  const around = crossed.functions.functions.findIndex(({ label }) => label === 'hub');
  for (const query of [fine, coarse]) {
    const { root, callers } = flameOf(crossed, { ...query, around } satisfies FlameQuery);
    assert.ok(callers);
    const [below, above] = [elementsOf(root), elementsOf(callers)];
    assert.ok(below + above <= 2_500 && below > 1_000 && above > 1_000, `${below}, ${above}`);
  }
});

/** Elements on a page of 1000 px, on which the frame is as wide as the page. */
function elementsOf(root: FlameFrame): number {
  return frames(root).reduce((sum, { value }) => sum + (value >= 0.035 * root.value ? 4 : 2), 0);
}
