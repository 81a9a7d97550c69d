import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flameOf } from '../../../show/flame/flame.ts';
import { ms } from '../../helpers/drawn-hotspots.ts';
import { analysisOf, drawn, frameNamed, frames } from './frames.ts';

const all = { leastShare: 0 };
const folded = { ...all, fold: { kinds: ['dependency', 'node'], open: [] } } as const;

test('code of others is folded into a bar that keeps its time, with what it calls merged below', async () => {
  const analysis = await analysisOf(`
    main     main     main     main
    lib#each lib#each dep#run  .
    node:fs#f lib#map  parse    .
    parse    parse    .        .
  `);
  const answer = flameOf(analysis, folded);
  assert.deepEqual(drawn(answer), ['main 4 1', '  lib · Node.js 2 0', '    parse 2 2', '  dep 1 0', '    parse 1 1']);
  const bar = frameNamed(answer, 'lib · Node.js');
  assert.deepEqual(bar.folded, {
    type: 'others',
    frames: 3,
    owners: [
      { name: 'lib', totalUs: 2000 },
      { name: 'Node.js', totalUs: 1000 },
    ],
  });
  assert.deepEqual([bar.category, bar.functionId], ['dependency', -1]);
  const open = flameOf(analysis, { ...all, fold: { ...folded.fold, open: [bar.id] } });
  assert.deepEqual(drawn(open), [
    'main 4 1',
    ...['  each 2 0', '    map 1 0', '      parse 1 1', '    f 1 0', '      parse 1 1'],
    ...['  dep 1 0', '    parse 1 1'],
  ]);
  const again = frames(open.root).map(({ name, unfolded }) => (unfolded === bar.id ? name : ''));
  assert.deepEqual(again, ['', '', 'each', 'map', '', 'f', '', '', '']);
});

test('many functions that are called from several frames of a bar are each merged into one', async () => {
  const called = Array.from({ length: 12 }, (_, index) => `parse${index}`);
  const row = (left: string, right: string): string => called.map(() => `${left} ${right}`).join(' ');
  const drawing = [row('main', 'main'), row('lib#each', 'lib#map'), called.map((name) => `${name} ${name}`).join(' ')];
  const answer = flameOf(await analysisOf(drawing.join('\n')), folded);
  assert.deepEqual(drawn(answer).slice(0, 2), ['main 24 0', '  lib 24 0']);
  assert.deepEqual(drawn(answer).slice(2).toSorted(), called.map((name) => `    ${name} 2 2`).toSorted());
});

test('folding moves no share, and what native code and GC do in code of others is folded with it', async () => {
  const analysis = await analysisOf(`
    main     main        main        (gc) main
    lib#each lib#each    native#sort .    lib#each
    .        native#copy .           .    .
  `);
  const answer = flameOf(analysis, folded);
  assert.deepEqual(drawn(answer), ['main 5 0', '  lib 3 3', '  sort 2 1', '    (garbage collector) 1 1']);
  assert.deepEqual(answer.selfByCategory, flameOf(analysis, all).selfByCategory);
  assert.equal(answer.selfByCategory.native, ms(2));
});

test('own code and tests are never folded', async () => {
  const analysis = await analysisOf('test#case test#case\napp .');
  assert.deepEqual(
    drawn(flameOf(analysis, { ...all, fold: { kinds: ['own', 'test'], open: [] } })),
    drawn(flameOf(analysis, all)),
  );
});

test('a function that calls itself is one frame, until it is unfolded', async () => {
  const analysis = await analysisOf(`
    walk walk walk
    walk walk leaf
    walk leaf .
  `);
  const answer = flameOf(analysis, folded);
  assert.deepEqual(drawn(answer), ['walk 3 1', '  leaf 2 2']);
  const walk = frameNamed(answer, 'walk');
  assert.deepEqual(walk.folded, { type: 'recursion', levels: 3 });
  const open = flameOf(analysis, { ...all, fold: { ...folded.fold, open: [walk.id] } });
  assert.deepEqual(drawn(open), drawn(flameOf(analysis, all)));
  const again = frames(open.root).flatMap(({ name, unfolded }) => (unfolded === walk.id ? [name] : []));
  assert.deepEqual(again, ['walk', 'walk', 'walk'], 'F on each of its calls folds it again');
});

test('an id is the same frame in every view, and the bar where it is folded', async () => {
  const analysis = await analysisOf(`
    main     main     main     main
    lib#each lib#each dep#run  .
    parse    read     parse    .
  `);
  const whole = flameOf(analysis, all);
  const cut = flameOf(analysis, { ...folded, zoom: frameNamed(whole, 'each').id });
  assert.equal(cut.zoom, frameNamed(cut, 'lib').id);
  assert.equal(frameNamed(cut, 'read').id, frameNamed(whole, 'read').id);
});
