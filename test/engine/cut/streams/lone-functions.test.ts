import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hotspotsOf, ms } from '../../../helpers/drawn-hotspots.ts';
import { stacksOf } from '../../../helpers/sampled-stacks.ts';

test('a function that V8 gave without its callers is where the samples around it are', async () => {
  const { analysis, operations, worst, culprit, report } = await hotspotsOf(`
    main  main  leaf main
    check check .    check
    leaf  bind  .    bind
  `);
  assert.deepEqual(stacksOf(analysis)[2], ['main', 'check', 'bind', 'leaf']);
  assert.equal(operations.length, 1);
  assert.equal(worst('main'), ms(4));
  assert.equal(culprit('bind')?.worstUs, ms(3));
  assert.deepEqual(report.recording.files[0]?.truncated, { samples: 1, grafted: 1, unplaced: 0 });
});

test('where the samples around it are in that function, it is one call', async () => {
  const { analysis } = await hotspotsOf(`
    main main leaf main
    leaf leaf .    leaf
  `);
  assert.deepEqual(stacksOf(analysis)[2], ['main', 'leaf']);
});

test('a function that is an entry elsewhere is one here', async () => {
  const { analysis } = await hotspotsOf(`
    main main leaf main leaf
    leaf bind .    bind bind
  `);
  assert.deepEqual(stacksOf(analysis)[2], ['leaf']);
});

test('a function that was never under those callers came by itself: a callback between two', async () => {
  const { analysis, operations } = await hotspotsOf(`
    tick  main parse main
    parse bind .     bind
  `);
  assert.deepEqual(stacksOf(analysis)[2], ['parse']);
  assert.equal(operations.length, 4);
});

test('where the samples around it share eight frames it is in between, though it was never seen there', async () => {
  const callers = (count: number): string =>
    'abcdefgh'
      .slice(0, count)
      .split('')
      .map((f) => `\n${f} . ${f}`)
      .join('');
  const lengths = [7, 8].map(async (count) => {
    const { analysis } = await hotspotsOf(callers(count).replace('.', 'leaf'));
    return stacksOf(analysis)[1]?.length;
  });
  assert.deepEqual(await Promise.all(lengths), [1, 9]);
});

test('one neighbour alone, or two that share nothing, say nothing', async () => {
  for (const drawing of [
    'main main leaf\nleaf bind .',
    'main leaf tick\nleaf . leaf',
    'main leaf (idle) main\nleaf . . leaf',
  ]) {
    const { analysis } = await hotspotsOf(drawing);
    assert.deepEqual(
      stacksOf(analysis).filter((stack) => stack.length === 1),
      [['leaf']],
    );
  }
});
