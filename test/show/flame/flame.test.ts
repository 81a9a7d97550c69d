import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Analysis } from '../../../engine/analysis.ts';
import { ListedWeights } from '../../../engine/read/samples/weights.ts';
import { flameOf } from '../../../show/flame/flame.ts';
import { assertEach } from '../../helpers/assert-each.ts';
import { hotspotsOf, ms } from '../../helpers/drawn-hotspots.ts';
import { analysisOf, drawn, frameNamed, frames, twice } from './frames.ts';

const all = { leastShare: 0 };

test('stacks are merged by their functions, the heaviest first, and waiting is left out', async () => {
  const analysis = await analysisOf(`
    main  main (idle) main  main  boot
    parse read .      parse parse .
  `);
  assert.deepEqual(drawn(flameOf(analysis, all)), ['main 4 0', '  parse 3 3', '  read 1 1', 'boot 1 1']);
  assert.equal(flameOf(analysis, all).totalUs, 5000);
});

test('processes are merged', async () => {
  const analysis = twice(await analysisOf('a a\nb .'));
  assert.deepEqual(drawn(flameOf(analysis, all)), ['a 4 2', '  b 2 2']);
});

test('a collection is a frame below what it interrupted', async () => {
  const analysis = await analysisOf(`
    main  (gc) (gc) main
    parse .    .    parse
  `);
  const answer = flameOf(analysis, all);
  assert.deepEqual(drawn(answer), ['main 4 0', '  parse 4 2', '    (garbage collector) 2 2']);
  assert.equal(frameNamed(answer, '(garbage collector)').category, 'gc');
});

const layers = `
  main     main     main     main
  lib#each lib#each dep#run  .
  parse    read     parse    .
`;

test('frames have the category of their code', async () => {
  const analysis = await analysisOf(`
    test#case test#case  test#case
    app       node:fs#readSync lib#each
    .         native#read .
  `);
  const [, ...below] = frames(flameOf(analysis, all).root).map(({ name, category }) => `${name} ${category}`);
  assert.deepEqual(below.toSorted(), ['app own', 'case test', 'each dependency', 'read native', 'readSync node']);
});

test('a zoom shows the way to the frame as one line, and what is below it', async () => {
  const analysis = await analysisOf(layers);
  const each = frameNamed(flameOf(analysis, all), 'each');
  const zoomed = flameOf(analysis, { ...all, zoom: each.id });
  assert.deepEqual(drawn(zoomed), ['main 4 1 +1', '  each 2 0', '    parse 1 1', '    read 1 1']);
  assert.equal(zoomed.zoom, each.id);
  assert.deepEqual(zoomed.selfByCategory.own, 2000);
});

test('a function is zoomed at its heaviest place; what is not there shows everything', async () => {
  const analysis = await analysisOf(`
    a     a     b
    parse parse parse
  `);
  const parse = analysis.functions.functions.find(({ name }) => name === 'parse')?.id ?? -1;
  assert.deepEqual(drawn(flameOf(analysis, { ...all, functionId: parse })), ['a 2 0', '  parse 2 2']);
  for (const query of [{ functionId: 999 }, { zoom: '999' }, { zoom: '1.2' }, { zoom: '-1' }, { zoom: 'x' }]) {
    assert.equal(flameOf(analysis, { ...all, ...query }).zoom, '');
  }
});

test('one operation shows its own samples alone, to its end', async () => {
  const { analysis } = await hotspotsOf('a a b b b\n. p . . .', { turns: '0-1.5 2-4.5' });
  const [first = -1, second = -1] = [1500, 2500].map((us) =>
    analysis.operations.findIndex(({ start, end }) => end - start === us),
  );
  assert.deepEqual(drawn(flameOf(analysis, { ...all, operation: first })), ['a 1.5 1', '  p 0.5 0.5']);
  assert.deepEqual(drawn(flameOf(analysis, { ...all, operation: second })), ['b 2.5 2.5']);
  assert.deepEqual(flameOf(analysis, { ...all, operation: 99 }), flameOf(analysis, all), 'it is not there any more');
});

test('the operation of which a function took most is shown alone, and said', async () => {
  const { analysis } = await hotspotsOf('a a a (idle) a a a a b', { turns: '0-3 4-9' });
  const id = analysis.functions.functions.findIndex(({ name }) => name === 'a');
  const answer = flameOf(analysis, { ...all, worstOf: id });
  assert.deepEqual(drawn(answer), ['a 4 4', 'b 1 1']);
  assert.deepEqual(answer.operation, { number: 1, durationUs: ms(5), estimated: false, test: null });
  const { analysis: plain } = await hotspotsOf('a a a (idle)');
  assert.equal(flameOf(plain, { ...all, operation: 0 }).operation?.estimated, true);
  assert.equal(flameOf(analysis, { ...all, worstOf: 99 }).operation, undefined);
});

test('what cannot be seen is left out and summed', async () => {
  const analysis = await analysisOf(`
    main  main  main  main main main main main main main
    parse parse parse read .    .    .    .    .    .
  `);
  assert.deepEqual(drawn(flameOf(analysis, { leastShare: 0.2 })), ['main 10 6 +1', '  parse 3 3']);
  const zoom = frameNamed(flameOf(analysis, all), 'read').id;
  assert.deepEqual(drawn(flameOf(analysis, { leastShare: 0.2, zoom })), ['main 10 6 +3', '  read 1 1']);
});

test('a culprit’s frame carries its figures', async () => {
  const answer = flameOf(await analysisOf('main main main main\nslow slow slow .'), all);
  assert.equal(frameNamed(answer, 'slow').figures?.longCount, 1);
  assert.equal(frameNamed(answer, 'main').figures, undefined);
});

test('a stack of 100 000 frames is shown some hundred levels at a time', async () => {
  const depth = 100_000;
  const analysis = deepened(await analysisOf('a a'), depth);
  const top = flameOf(analysis, all);
  const levels = frames(top.root);
  assert.ok(levels.length > 100 && levels.length < 500);
  assert.equal(levels.at(-1)?.hiddenUs, 2000);
  const deeper = flameOf(analysis, { ...all, zoom: levels.at(-1)?.id ?? '' });
  assert.ok(frames(deeper.root).length > levels.length);
  assert.equal(deeper.root.id, '');
  const innermost = flameOf(analysis, { ...all, zoom: String(depth) });
  assert.ok(JSON.stringify(innermost).length < 1e6);
});

/** The same samples, in a stack of so many frames of the one function. */
const spans = { of: new Int32Array(), wall: [], held: [], asleep: [], awake: [] };

function deepened(analysis: Analysis, depth: number): Analysis {
  const [stream] = analysis.streams;
  if (stream === undefined) return assert.fail();
  const size = 4 + depth;
  const parent = Int32Array.from({ length: size }, (_, node) => (node === 0 ? -1 : node <= 4 ? 0 : node - 1));
  const functionId = Int32Array.from({ length: size }, (_, node) => (node < 4 ? -1 : 0));
  const nodes = stream.nodes.map(() => size - 1);
  return {
    ...analysis,
    streams: [{ ...stream, nodes, tree: { ...stream.tree, size, parent, functionId } }],
    bridged: [{ nodes, sampled: nodes, weights: new ListedWeights(Float64Array.from(nodes, () => 1000)), spans }],
  };
}

test('a wide graph is bounded, its heaviest frames are kept', async () => {
  const analysis = await analysisOf('a a');
  const [stream] = analysis.streams;
  const [fn] = analysis.functions.functions;
  assert.ok(stream !== undefined && fn !== undefined);
  const count = 20_000;
  const functions = Array.from({ length: count }, (_, id) => ({ ...fn, id, label: `f${id}` }));
  const nodes = Int32Array.from({ length: count }, (_, node) => node + 4);
  const size = count + 4;
  const functionId = Int32Array.from({ length: size }, (_, node) => node - 4);
  const weights = new ListedWeights(Float64Array.from(nodes, (_, sample) => 2 * sample));
  const wide: Analysis = {
    ...analysis,
    functions: { ...analysis.functions, functions },
    streams: [{ ...stream, nodes, tree: { ...stream.tree, size, parent: new Int32Array(size), functionId } }],
    bridged: [{ nodes, sampled: nodes, weights, spans }],
  };
  const { root } = flameOf(wide, all);
  assert.ok(root.children.length > 500 && root.children.length < 1500);
  assertEach(root.children.slice(0, 2), ({ name }) => name, ['f19999', 'f19998']);
});

test('a frame says that its function only loaded, and that a tool has built it', async () => {
  const { analysis } = await hotspotsOf(
    `
    ms 6                           1      3
    handler                        (idle) file:///app/dist/a.js#b
    node:internal/modules/cjs#load .      .
  `,
    { turns: '0-6 7-10' },
  );
  const answer = flameOf(analysis, all);
  const { firstTime, figures, role } = frameNamed(answer, 'handler');
  assert.deepEqual([firstTime, figures?.worstUs, role], [{ loads: 'modules', thenUs: null }, ms(6), 'app']);
  assert.deepEqual([frameNamed(answer, 'b').role, frameNamed(answer, 'b').firstTime], ['built', undefined]);
  assert.equal(frameNamed(answer, 'load').role, undefined);
});
