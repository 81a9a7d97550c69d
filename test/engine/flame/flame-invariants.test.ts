import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { flameOf } from '../../../engine/flame/flame.ts';
import type { FlameQuery } from '../../../protocol/flame.ts';
import { hotspotsOfProfiles } from '../../helpers/drawn-hotspots.ts';
import { profileOf } from '../../helpers/drawn-profile.ts';
import { frames } from './frames.ts';

const stacks = fc.array(
  fc.array(fc.constantFrom('a', 'b', 'c', 'lib#d', 'test#e', 'node:fs#f', 'native#g', '(gc)', '(idle)', '(program)'), {
    minLength: 1,
    maxLength: 7,
  }),
  { minLength: 1, maxLength: 40 },
);
const hidden = fc.subarray(['own', 'test', 'dependency', 'node', 'native', 'gc', 'program'] as const);

test('at every frame: value = self + children + hidden; every view has all the time; the legend adds up', async () => {
  await fc.assert(
    fc.asyncProperty(stacks, hidden, fc.constantFrom(0, 0.01, 0.3), async (samples, hide, leastShare) => {
      const valid = samples.map((stack) => {
        const meta = stack.find((frame) => frame.startsWith('('));
        return meta === undefined ? stack : [meta];
      });
      const { analysis } = await hotspotsOfProfiles([
        profileOf(
          valid,
          valid.map(() => 1),
        ),
      ]);
      const busy = analysis.bridged.flatMap(({ nodes }) => [...nodes]).filter((node) => node !== 2).length * 1000;
      const queries: FlameQuery[] = [
        { leastShare, hide },
        { leastShare, hide, functionId: 0 },
        { leastShare, hide, zoom: '3' },
      ];
      for (const query of queries) {
        const answer = flameOf(analysis, query);
        assert.equal(answer.totalUs, busy);
        const shown = frames(answer.root);
        for (const { value, selfUs, hiddenUs, children } of shown) {
          assert.equal(value, selfUs + hiddenUs + children.reduce((sum, child) => sum + child.value, 0));
          assert.ok((selfUs >= 0 && hiddenUs >= 0 && value > 0) || busy === 0);
          assert.deepEqual(
            children.map((child) => child.value),
            children.map((child) => child.value).toSorted((a, b) => b - a),
          );
        }
        const zoomed = shown.find(({ id }) => id === answer.zoom);
        assert.equal(
          Object.values(answer.selfByCategory).reduce((sum, time) => sum + time, 0),
          zoomed?.value,
        );
        assert.ok(shown.every(({ id, category }) => id === '' || !hide.some((one) => one === category)));
        assert.equal(new Set(shown.map(({ id }) => id)).size, shown.length);
      }
    }),
    { numRuns: 60 },
  );
});
