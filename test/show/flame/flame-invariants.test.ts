import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../helpers/drawn-cases.ts';
import { flameOf } from '../../../show/flame/flame.ts';
import type { Analysis } from '../../../engine/analysis.ts';
import type { FlameFrame, FlameQuery, FrameCategory } from '../../../protocol/flame.ts';
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
const folded = fc.subarray(['test', 'dependency', 'node', 'native', 'gc', 'program'] as const);
const opened = fc.array(fc.nat(20), { maxLength: 8 });

test('at every frame: value = self + children + hidden; every view has all the time; the legend adds up', async () => {
  await fc.assert(
    fc.asyncProperty(
      stacks,
      folded,
      opened,
      fc.constantFrom(0, 0.01, 0.3),
      async (samples, kinds, open, leastShare) => {
        const analysis = await analysisOf(samples);
        const busy = analysis.bridged.flatMap(({ nodes }) => [...nodes]).filter((node) => node !== 2).length * 1000;
        const fold = { kinds, open: open.map(String) };
        const queries: FlameQuery[] = [
          { leastShare, fold },
          { leastShare, fold: { ...fold, apart: true } },
          { leastShare, fold, functionId: 0 },
          { leastShare, fold, zoom: '3' },
        ];
        for (const query of queries) {
          const answer = flameOf(analysis, query);
          assert.equal(answer.totalUs, busy);
          const shown = frames(answer.root);
          for (const { value, selfUs, hiddenUs, children } of shown) {
            assert.equal(value, selfUs + hiddenUs + children.reduce((sum, child) => sum + child.value, 0));
            assert.ok((selfUs >= 0 && hiddenUs >= 0 && value > 0) || busy === 0);
            const values = children.filter(({ folded: bar }) => !comesLast(bar)).map((child) => child.value);
            assert.deepEqual(
              values,
              values.toSorted((a, b) => b - a),
            );
          }
          const zoomed = shown.find(({ id }) => id === answer.zoom);
          assert.equal(
            Object.values(answer.selfByCategory).reduce((sum, time) => sum + time, 0),
            zoomed?.value,
          );
          assert.ok(shown.every(isFoldedOr(kinds)));
          if (answer.zoom === '')
            assert.deepEqual(answer.selfByCategory, flameOf(analysis, { leastShare }).selfByCategory);
          assert.equal(new Set(shown.map(({ id }) => id)).size, shown.length);
        }
      },
    ),
    { numRuns: 60 },
  );
});

/** Whether the frame stands beside the others, whatever its time. */
function comesLast(bar: FlameFrame['folded']): boolean {
  return bar?.type === 'small' || bar?.type === 'outside';
}

/** The names, times and levels of all frames, callers first. */
function drawn(frame: FlameFrame, level = 0): readonly string[] {
  const { name, value, selfUs, children } = frame;
  return [`${level} ${name} ${value} ${selfUs}`, ...children.flatMap((child) => drawn(child, level + 1))];
}

test('unfolding one frame after the other ends with the plain graph, and no step moves time', async () => {
  await fc.assert(
    fc.asyncProperty(stacks, folded, async (samples, kinds) => {
      const analysis = await analysisOf(samples);
      const plain = flameOf(analysis, { leastShare: 0 });
      const open: string[] = [];
      for (;;) {
        const answer = flameOf(analysis, { leastShare: 0, fold: { kinds, open } });
        assert.equal(answer.totalUs, plain.totalUs);
        const next = frames(answer.root).find((frame) => frame.folded !== undefined);
        if (next === undefined) {
          assert.deepEqual(drawn(answer.root), drawn(plain.root));
          return;
        }
        assert.ok(!open.includes(next.id), 'what was unfolded stays so');
        open.push(next.id);
      }
    }),
    { numRuns: 60 },
  );
});

/** Whether a frame is none of these kinds of code, or stands for folded code, or was unfolded. */
function isFoldedOr(kinds: readonly FrameCategory[]): (frame: FlameFrame) => boolean {
  const isKind = (category: FrameCategory): boolean => category !== 'test' && kinds.includes(category);
  return ({ id, category, folded: bar, unfolded }) =>
    id === '' || bar?.type === 'others' || bar?.type === 'outside' || unfolded !== undefined || !isKind(category);
}

async function analysisOf(samples: readonly (readonly string[])[]): Promise<Analysis> {
  const valid = samples.map((stack) => {
    const meta = stack.find((frame) => frame.startsWith('('));
    return meta === undefined ? stack : [meta];
  });
  return (await hotspotsOfProfiles([profileOf(valid)])).analysis;
}
