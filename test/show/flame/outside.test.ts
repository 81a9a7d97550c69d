import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flameOf, searchFlame } from '../../../show/flame/flame.ts';
import { outsideId, smallId } from '../../../protocol/flame.ts';
import { analysisOf, drawn, frameNamed, frames } from './frames.ts';

const fold = { kinds: ['dependency', 'runner', 'node'], open: [], apart: true } as const;
const apart = { leastShare: 0, fold } as const;
const together = { leastShare: 0, fold: { ...fold, open: [outsideId] } } as const;

/** A runner that calls tests in two ways, loads by itself, and is interrupted by a collection. */
const suite = `
  node:vm#run  node:vm#run  node:timers#tick lib#load lib#load (program) (gc)
  test#case    test#case    test#case        lib#map  .        .         .
  parse        .            parse            .        .        .         .
`;

test('own code begins at the root, and all that runs outside of it is one frame beside it', async () => {
  const answer = flameOf(await analysisOf(suite), apart);
  assert.deepEqual(drawn(answer), ['case 3 1', '  parse 2 2', 'lib 4 4']);
  assert.equal(answer.root.value, 7000, 'all is all');
  const outside = frameNamed(answer, 'lib');
  assert.deepEqual(outside.folded, {
    type: 'outside',
    frames: 6,
    owners: [
      { name: 'lib', totalUs: 2000 },
      { name: 'GC', totalUs: 1000 },
      { name: '(program)', totalUs: 1000 },
    ],
  });
});

test('unfolded, it is what was there before, and no frame of own code changes its time or its id', async () => {
  const analysis = await analysisOf(suite);
  const [before, after] = [flameOf(analysis, apart), flameOf(analysis, together)];
  assert.deepEqual(drawn(after), drawn(flameOf(analysis, { ...apart, fold: { kinds: fold.kinds, open: [] } })));
  const { id, unfolded } = frameNamed(after, 'lib');
  assert.equal(unfolded, outsideId, 'it can be folded again');
  assert.deepEqual(flameOf(analysis, { ...apart, zoom: id }), before, 'also while it is zoomed');
  const factsOf = (one: typeof before) => [frameNamed(one, 'case').id, one.totalUs, one.selfByCategory];
  assert.deepEqual(factsOf(before), factsOf(after));
});

test('code of others that own code calls stays below it', async () => {
  const answer = flameOf(await analysisOf('node:vm#run\nhandle\nlib#each\nprice'), apart);
  assert.deepEqual(drawn(answer), ['handle 1 0', '  lib 1 0', '    price 1 1']);
});

test('frames are left out by their share of own code, however much ran outside', async () => {
  const answer = flameOf(await analysisOf('ms 1000 8 2\nlib#load handle price'), { ...apart, leastShare: 0.1 });
  assert.deepEqual(drawn(answer), ['handle 8 8', 'price 2 2', 'lib 1000 1000']);
});

test('the outermost frames that are too narrow are one frame, so that own code has all of its width', async () => {
  const analysis = await analysisOf('ms 1000 80 9 8 3\nlib#load handle test#a test#b price');
  const answer = flameOf(analysis, { ...apart, leastShare: 0.1 });
  assert.deepEqual(drawn(answer), ['handle 80 80', ' 20 0 +20', 'lib 1000 1000']);
  const small = answer.root.children[1];
  assert.deepEqual([small?.folded, small?.category, small?.id], [{ type: 'small', frames: 3 }, 'test', smallId]);
  assert.equal(flameOf(analysis, { ...apart, zoom: smallId }).zoom, '', 'there is nothing to zoom to');
});

test('without own code there is nothing to be beside', async () => {
  assert.deepEqual(drawn(flameOf(await analysisOf('lib#load lib#load'), apart)), ['lib 2 2']);
});

test('a search goes to what is outside: it unfolds that, and the bar in it', async () => {
  const analysis = await analysisOf(suite);
  const found = searchFlame(analysis, { pattern: 'map', isRegex: false, fold });
  assert.deepEqual(found.type === 'found' && [found.matches, found.bars], [1, [outsideId]]);
  const answer = flameOf(analysis, { ...apart, find: { pattern: 'map', isRegex: false, from: null, step: 1 } });
  assert.equal(frameNamed(answer, 'map').id, answer.found?.id);
  const shown = flameOf(analysis, { ...apart, functionId: frameNamed(answer, 'map').functionId });
  assert.deepEqual([shown.zoom, shown.open], [answer.found?.id, answer.found?.open], 'and so does a function');
});

test('a function is revealed in the widest zoom in which it has a quarter of the width', async () => {
  const analysis = await analysisOf(`
    ms 900    60    30    5    5
    lib#load  other main  main rest
    .         .     parse read .
  `);
  const revealed = (name: string): readonly (string | undefined)[] => {
    const reveal = analysis.functions.functions.findIndex(({ label }) => label === name);
    const answer = flameOf(analysis, { ...apart, reveal });
    const names = new Map(frames(answer.root).map((frame) => [frame.id, frame.name]));
    return [names.get(answer.zoom), names.get(answer.chosen ?? 'none')];
  };
  assert.deepEqual(revealed('parse'), ['all', 'parse']);
  assert.deepEqual(revealed('read'), ['read', 'read']);
  assert.deepEqual(revealed('main'), ['all', 'main']);
});
