import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../helpers/drawn-cases.ts';
import type { Analysis } from '../../../engine/analysis.ts';
import { flameOf } from '../../../show/flame/flame.ts';
import type { FlameAnswer } from '../../../protocol/flame.ts';
import { assertEach } from '../../helpers/assert-each.ts';
import { hotspotsOf, ms } from '../../helpers/drawn-hotspots.ts';
import { analysisOf, drawn, frames } from './frames.ts';

const places = `
  main     main boot     main
  lib#each work lib#each .
  work     read work     .
  read     .    work     .
`;

test('a function of all its places stands between who calls it and what it calls', async () => {
  const analysis = await analysisOf(places);
  const answer = around(analysis, 'work');
  assert.deepEqual([answer.root.name, answer.root.value, answer.totalUs, answer.estimated], ['work', 3000, 4000, true]);
  assert.deepEqual(drawn(answer), ['read 2 2']);
  assert.deepEqual(callersIn(answer), ['each 2 0', '  boot 1 1', '  main 1 1', 'main 1 1']);
  assert.deepEqual([answer.selfByCategory.own, answer.selfByCategory.native], [3000, 0]);
});

test('code of others is folded on both sides, and unfolded by its id', async () => {
  const analysis = await analysisOf(places);
  const fold = { kinds: ['dependency'], open: [] } as const;
  const folded = around(analysis, 'work', fold);
  assert.deepEqual(callersIn(folded), ['lib 2 0', '  boot 1 1', '  main 1 1', 'main 1 1']);
  const bar = folded.callers?.children[0]?.id ?? '';
  assert.deepEqual(callersIn(around(analysis, 'work', { ...fold, open: [bar] })), callersIn(around(analysis, 'work')));
});

test('a function with no time there shows the graph', async () => {
  const analysis = await analysisOf(places);
  const answer = flameOf(analysis, { leastShare: 0, around: 999 });
  assert.deepEqual([answer.callers, answer.root.id], [undefined, '']);
});

test('callers have the time of the function, and so have callees with it itself', async () => {
  const stack = fc.array(fc.constantFrom('a', 'b', 'c', 'lib#d', 'native#e'), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(fc.array(stack, { minLength: 1, maxLength: 20 }), fc.boolean(), async (stacks, isFolded) => {
      const depth = Math.max(...stacks.map((one) => one.length));
      const rows = Array.from({ length: depth }, (_, level) => stacks.map((one) => one[level] ?? '.').join(' '));
      const { analysis, fn } = await hotspotsOf(rows.join('\n'));
      const name = stacks[0]?.[0] ?? '';
      const fold = isFolded ? ({ kinds: ['dependency', 'native'], open: [] } as const) : undefined;
      const answer = around(analysis, name.replace(/^.*#/, ''), fold);
      assert.equal(answer.root.value, fn(name.replace(/^.*#/, '')).totalUs);
      assert.equal(answer.callers?.value, answer.root.value);
      for (const root of [answer.root, answer.callers])
        for (const { value, selfUs, hiddenUs, children } of root === undefined ? [] : frames(root))
          assert.equal(value, selfUs + hiddenUs + children.reduce((sum, child) => sum + child.value, 0));
    }),
    { numRuns: 60 },
  );
});

test('the list of functions has the figures of the report, in any order', async () => {
  const { analysis, report } = await hotspotsOf(places.replace('boot     main', 'boot main (gc)'));
  const listed = (by: 'total' | 'name', isDescending: boolean) =>
    flameOf(analysis, { leastShare: 0, functions: { by, isDescending } }).functions?.rows ?? [];
  for (const { name, value, selfUs } of listed('total', true)) {
    const fn = report.functions.find((one) => one.label === name);
    assert.deepEqual([value, selfUs], [fn?.totalUs, fn?.selfUs], name);
  }
  assertEach(listed('name', false), ({ name }) => name, ['boot', 'each', 'main', 'read', 'work']);
  assertEach(listed('total', false), ({ value }) => value, [ms(1), ms(2), ms(2), ms(3), ms(4)]);
  const fold = { kinds: ['dependency'], open: [] } as const;
  const own = flameOf(analysis, { leastShare: 0, fold, functions: { by: 'self', isDescending: true } }).functions;
  assert.deepEqual([own?.rows.map(({ name }) => name).includes('each'), own?.folded, own?.more], [false, 1, 0]);
});

function around(
  analysis: Analysis,
  name: string,
  fold?: NonNullable<Parameters<typeof flameOf>[1]['fold']>,
): FlameAnswer {
  const id = analysis.functions.functions.findIndex((fn) => fn.name === name);
  return flameOf(analysis, { leastShare: 0, around: id, ...(fold === undefined ? {} : { fold }) });
}

function callersIn({ callers }: FlameAnswer): readonly string[] {
  return callers === undefined ? [] : drawn({ root: callers });
}
