import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { growthOf, linear, stepsOf } from '../../helpers/count-steps.ts';
import { type FunctionIdentity, identitiesIn, matchFunctions } from '../../../engine/compare/match-functions.ts';
import { indexSource } from '../../../engine/read/source-code/index-source.ts';
import { identity } from '../../helpers/drawn-sides.ts';

/** Identities of the functions in some files, by path. */
function functionsIn(files: Readonly<Record<string, string>>): readonly FunctionIdentity[] {
  return Object.entries(files).flatMap(([file, text]) => {
    const index = indexSource(text, file);
    assert.ok(index !== null);
    return identitiesIn(file, text, index);
  });
}

type Sources = string | Readonly<Record<string, string>>;

/** Which function of the head each one of the base is, by their names: `parse → read (renamed)`. Without modules. */
function matchesOf(base: Sources, head: Sources): readonly string[] {
  const [was, is] = [base, head].map((one) => functionsIn(typeof one === 'string' ? { 'a.js': one } : one));
  assert.ok(was !== undefined && is !== undefined);
  const nameOf = ({ file, names }: FunctionIdentity): string => `${file === 'a.js' ? '' : file}${names}`;
  const matches = [...matchFunctions(was, is)].map(([one, { is: other, by }]) => {
    const [before, now] = [was[one], is[other]];
    assert.ok(before !== undefined && now !== undefined);
    return { before, text: `${nameOf(before)} → ${nameOf(now)} (${by})` };
  });
  return matches.filter(({ before }) => before.names !== '').map(({ text }) => text);
}

const steps = (count: number): string =>
  Array.from({ length: count }, (_, step) => `total += list[${step}] * rate${step};`).join(' ');

describe('a function is found again', () => {
  test('where only white space and comments changed, as the same', () => {
    assert.deepEqual(
      matchesOf('function sum(a) { return a + 1 }', '// adds\nfunction sum(a) {\n  return a /* b */ + 1\n}'),
      ['>sum → >sum (same)'],
    );
  });

  test('in another file, by its text', () => {
    const text = `function sum(list) { ${steps(5)} }`;
    assert.deepEqual(matchesOf({ 'old.js': `${text} run();` }, { 'new.js': `${text} sum([]);` }), [
      'old.js>sum → new.js>sum (text)',
    ]);
  });

  test('with another text, by file and names', () => {
    assert.deepEqual(matchesOf('function sum() { one(); }', 'function sum() { another(); more(); }'), [
      '>sum → >sum (names)',
    ]);
  });

  test('as a callback that was edited, in a function that was renamed', () => {
    const callback = (more: string): string => `(item) => { ${steps(4)} ${more} return total; }`;
    const outer = (name: string, more: string): string =>
      `function ${name}(list) { ${steps(9)} return list.map(${callback(more)}); }`;
    // Around the callback nothing but the name changed, so its text is alike, but not the same.
    assert.deepEqual(matchesOf({ 'a.js': outer('sum', '') }, { 'a.js': outer('total', 'log(item);') }), [
      '>sum → >total (renamed)',
      '>sum>map callback → >total>map callback (callback)',
    ]);
  });

  test('without a name, where its text was edited, or where it is the only one left', () => {
    const forms = [
      (rounds: string) => `(async () => { ${steps(6)} for (let i = 0; i < ${rounds}; i++) add(i); })();`,
      (rounds: string) => `export default function () { ${steps(6)} return run(${rounds}); }`,
      (rounds: string) => `const jobs = [() => 1, () => { ${steps(6)} return run(${rounds}); }, () => 2];`,
    ];
    for (const form of forms) {
      const matches = matchesOf(form('21e6'), form('5e6'));
      assert.equal(matches.filter((text) => text.endsWith('(callback)')).length, 1, matches.join());
    }
    assert.deepEqual(matchesOf('(() => { slow(); })();', '(() => { return quick + quicker; })();'), [
      '> → > (callback)',
    ]);
    const other =
      '(async () => { const page = await fetch(url); for (const row of page.rows) store.put(row.id, row.text); })();';
    assert.deepEqual(matchesOf(`(() => { ${steps(9)} })();`, other), [], 'nothing of it is left');
  });

  test('as what a file runs while it loads, where the file was moved', () => {
    const text = (from: string): string => `import { rate } from '${from}'; let total = 0; ${steps(9)}`;
    const [was, is] = [
      functionsIn({ 'lib/a.js': text('../r.js') }),
      functionsIn({ 'src/lib/a.js': text('../../r.js') }),
    ];
    assert.deepEqual([...matchFunctions(was, is)], [[0, { is: 0, by: 'file' }]]);
  });

  test('with an edit and in another file, by its name', () => {
    assert.deepEqual(
      matchesOf(
        { 'old.js': `function sum() { ${steps(5)} }` },
        { 'new.js': `function sum() { ${steps(5)} log(total); }` },
      ),
      ['old.js>sum → new.js>sum (file)'],
    );
  });

  test('with an edit and another name in the same function, or none where a call was put around it', () => {
    const [was, is] = [4, 5].map((count) => `(list) => { ${steps(count)} }`);
    assert.deepEqual(matchesOf(`const sum = ${was};`, `const total = ${is};`), ['>sum → >total (renamed)']);
    assert.deepEqual(matchesOf(`const sum = ${was};`, `const sum = memo(${is});`), ['>sum → >memo callback (renamed)']);
    assert.deepEqual(matchesOf(`on(${was});`, `on(wrap(${is}));`), ['>on callback → >wrap callback (renamed)']);
    assert.deepEqual(matchesOf(`const sum = ${was};`, `const sum = (() => ${is})();`), ['>sum → >> (renamed)']);
  });

  test('with another name and a short text, most of which is the same', () => {
    assert.deepEqual(matchesOf('export function inner() { burn(90); }', 'function quick() { burn(35); }'), [
      '>inner → >quick (renamed)',
    ]);
  });

  test('where a part of it was taken out, under its own name, and the part is new', () => {
    const whole = `function load(file) { const text = read(file); ${steps(6)} return total; }`;
    const halves = `function load(file) { const text = read(file); return half(text); } function half(list) { ${steps(6)} return total; }`;
    assert.deepEqual(matchesOf(whole, halves), ['>load → >load (names)']);
  });
});

describe('a function is not taken for another', () => {
  test('where two are alike to within a tenth, unless all are equal', () => {
    const rivals = `function one() { ${steps(5)} a(); } function two() { ${steps(5)} b(); }`;
    assert.deepEqual(matchesOf(`function sum() { ${steps(5)} }`, rivals), []);
  });

  test('where both are short and call something else', () => {
    assert.deepEqual(matchesOf('function load() { read(); }', 'function save() { write(); }'), []);
  });

  test('where its text says too little, in another file', () => {
    assert.deepEqual(matchesOf({ 'a.js': 'const f = () => 1' }, { 'b.js': 'const g = () => 1' }), []);
  });

  test('where it was edited in a regular expression, a string or a template', () => {
    for (const [before, now] of [
      ['/^https?:\\/\\//.test(a) ? one() : two()', '/^https?:\\/\\//.test(a) ? one() : other()'],
      ['/[/*]/.test(a) + one() /* b */', '/[/*]/.test(a) + other() /* b */'],
      ['"// a"', '"// b"'],
      ['`${a} // ${one()}`', '`${a} // ${other()}`'],
    ] as const) {
      assert.deepEqual(
        matchesOf(`function sum(a) { return ${before}\n}`, `function sum(a) { return ${now}\n}`),
        ['>sum → >sum (names)'],
        before,
      );
    }
  });
});

test('each function has one partner at most, and functions of one name keep their order', () => {
  const texts = [
    'class A { get x() { return 1 } set x(v) { w(v) } static x() { return 3 } }',
    'const f = () => g(), h = () => g()',
  ];
  for (const text of texts) {
    const all = functionsIn({ 'a.js': text });
    const matches = [...matchFunctions(all, all)].map(([one, { is }]) => [one, is]);
    assert.deepEqual(
      matches,
      all.map((_, index) => [index, index]),
    );
  }
});

describe('a generated file', () => {
  const many = (count: number, names: number, word: string): readonly FunctionIdentity[] =>
    Array.from({ length: count }, (_, ordinal) =>
      identity({
        ...{ name: `get${ordinal % names}`, ordinal },
        tokens: Array.from({ length: 12 }, (_, at) => `${word}${ordinal * at}`),
      }),
    );

  test('with many functions of one name is matched in one pass, and none is guessed', async () => {
    const sides = (count: number) => [many(count, 1, 'one'), many(count, 1, 'another')] as const;
    assert.equal(matchFunctions(...sides(300)).size, 300);
    assert.ok((await growthOf(300, sides, ([was, is]) => matchFunctions(was, is))) <= linear);
    const [was, is] = sides(300);
    assert.equal(matchFunctions(was, is.slice(1)).size, 0);
  });

  test('with more functions of each name is compared up to a limit', async () => {
    const compared = async (count: number): Promise<number> =>
      stepsOf(() => matchFunctions(many(2 * count, 2, 'one'), many(2 * count, 2, 'another').slice(2)));
    assert.ok((await compared(120)) < (await compared(60)));
  });

  test('with signs of comments that never end is read in one pass', async () => {
    const textOf = (count: number): string => 'x = /[/*]/;\n'.repeat(count);
    assert.equal(functionsIn({ 'a.js': textOf(500) }).length, 1);
    assert.ok((await growthOf(500, textOf, (text) => functionsIn({ 'a.js': text }))) <= linear);
  });
});
