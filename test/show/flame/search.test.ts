import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Analysis } from '../../../engine/analysis.ts';
import { flameOf, searchFlame } from '../../../show/flame/flame.ts';
import { testRegex } from '../../../language-server/recordings/questions.ts';
import type { FlameFind } from '../../../protocol/flame.ts';
import { analysisOf, frameNamed, frames } from './frames.ts';

const fold = { kinds: ['dependency'], open: [] } as const;
const text = { isRegex: false } as const;

describe('a search', () => {
  test('counts frames, and each time once', async () => {
    const analysis = await analysisOf(`
      main  main  boot
      parse parse parse
      parse read  .
    `);
    assert.deepEqual(counted(analysis, 'PARSE'), [3, 3000]);
    assert.deepEqual(counted(analysis, 'no such'), [0, 0]);
    assert.deepEqual(counted(analysis, 'app.ts'), [6, 3000], 'the path of the file');
  });

  test('finds a path as the page shows it: decoded, and with either slash', async () => {
    const analysis = await analysisOf('file:///app/my%20caf%C3%A9/a.js#one file:///c:/app/src/b.js#two');
    for (const pattern of ['my café/a', 'SRC\\b', 'c:/app/src/b'])
      assert.deepEqual(counted(analysis, pattern), [1, 1000], pattern);
  });

  test('counts what is folded once a bar and function, and names the bars', async () => {
    const analysis = await analysisOf(`
      main     main     main
      lib#each lib#each lib#map
      lib#step lib#map  lib#step
    `);
    const bar = frameNamed(flameOf(analysis, { leastShare: 0, fold }), 'lib');
    const found = searchFlame(analysis, { ...text, pattern: 'step', fold });
    assert.deepEqual(found.type === 'found' && [found.matches, found.matchedUs, found.bars], [1, 2000, [bar.id]]);
    assert.deepEqual(counted(analysis, 'step'), [2, 2000], 'two frames where nothing is folded');
    const [around = -1, step = -1] = ['main', 'step'].map((name) =>
      analysis.functions.functions.findIndex((fn) => fn.name === name),
    );
    assert.equal(flameOf(analysis, { leastShare: 0, fold, functionId: step }).zoom, bar.id, 'shown in its bar');
    const beside = searchFlame(analysis, { ...text, pattern: 'step', fold, around });
    const { root } = flameOf(analysis, { leastShare: 0, fold, around });
    assert.deepEqual(beside.type === 'found' && beside.bars, [bar.id, root.children[0]?.id], 'also beside a function');
  });

  test('finds collections, which have no function', async () => {
    const analysis = await analysisOf('main (gc)\nparse .');
    const found = searchFlame(analysis, { ...text, pattern: 'garbage' });
    assert.deepEqual(found.type === 'found' && found.categories, ['gc']);
  });

  test('by a regular expression sees name and url as lines of their own', async () => {
    const analysis = await analysisOf('parse parseAll\nread .');
    const search = (pattern: string) => searchFlame(analysis, { pattern, isRegex: true }, testRegex);
    const [exact, none] = [search('^PARSE$'), search('parse.*app')];
    assert.deepEqual([exact.type === 'found' && exact.matches, none.type === 'found' && none.matches], [1, 0]);
  });

  test('by a wrong or an evil regular expression says so at once', async () => {
    const analysis = await analysisOf(`main ${'a'.repeat(60)}!`);
    const wrong = searchFlame(analysis, { pattern: '(', isRegex: true }, testRegex);
    assert.deepEqual(wrong, { type: 'wrong', message: 'Unterminated group' });
    const evil = searchFlame(analysis, { pattern: '(a+)+$', isRegex: true }, testRegex);
    assert.deepEqual(evil, { type: 'slow' });
    const find: FlameFind = { pattern: '(a+)+$', isRegex: true, from: null, step: 1 };
    assert.equal(flameOf(analysis, { leastShare: 0, find }, testRegex).found, undefined);
  });
});

describe('going to a match', () => {
  const drawing = `
    main     main     main main main main
    lib#each lib#each work work .    .
    lib#step .        step .    .    .
    step     .        .    .    .    .
  `;

  test('goes from the heaviest to the next, round and back, unfolds what it is in, and counts', async () => {
    const analysis = await analysisOf(drawing);
    const walked: string[] = [];
    let [from, open]: [string | null, readonly string[]] = [null, []];
    for (const step of [1, 1, 1, -1] as const) {
      const answer = flameOf(analysis, {
        leastShare: 0,
        fold: { ...fold, open },
        find: { ...text, pattern: 'step', from, step },
      });
      const { found } = answer;
      assert.ok(found);
      const frame = frames(answer.root).find(({ id }) => id === found.id);
      walked.push(`${frame?.name} ${frame?.category} ${found.number} of ${found.matches}`);
      ({ id: from, open } = found);
    }
    assert.deepEqual(walked, ['step dependency 1 of 3', 'step own 2 of 3', 'step own 3 of 3', 'step own 2 of 3']);
  });

  test('keeps a zoom in which the match is seen, and leaves one in which it is not', async () => {
    const analysis = await analysisOf(drawing);
    const plain = flameOf(analysis, { leastShare: 0 });
    const find: FlameFind = { ...text, pattern: 'each', from: null, step: 1 };
    const [each, work] = ['each', 'work'].map((name) => frameNamed(plain, name).id);
    assert.equal(flameOf(analysis, { leastShare: 0, zoom: each ?? '', find }).zoom, each);
    const left = flameOf(analysis, { leastShare: 0, zoom: work ?? '', find });
    assert.notEqual(left.zoom, work);
    assert.ok(frames(left.root).some(({ id }) => id === each));
  });

  test('while a name is typed, brings the bar with the heaviest match in sight, and unfolds nothing', async () => {
    const analysis = await analysisOf(drawing);
    const find: FlameFind = { ...text, pattern: 'step', from: null, step: 0 };
    const { root, chosen, found } = flameOf(analysis, { leastShare: 0.06, fold: { ...fold, open: [] }, find });
    const bar = frames(root).find(({ id }) => id === chosen);
    assert.deepEqual([bar?.folded?.type, found], ['others', undefined]);
  });
});

function counted(analysis: Analysis, pattern: string): readonly number[] {
  const found = searchFlame(analysis, { ...text, pattern });
  return found.type === 'found' ? [found.matches, found.matchedUs] : [];
}
