import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Measured, SideFunction } from '../../../engine/compare/side.ts';
import { findInComparison, findInSide, functionMeant, placesOf } from '../../../engine/compare/find-function.ts';
import { type FunctionIdentity, identitiesIn } from '../../../engine/compare/match-functions.ts';
import { indexSource } from '../../../engine/read/source-code/index-source.ts';
import type { ComparedFunction } from '../../../protocol/comparison.ts';
import { line1 } from '../../../protocol/units.ts';
import { assertEach } from '../../helpers/assert-each.ts';
import { compared, measured } from '../../helpers/drawn-sides.ts';

/** The functions in the text of a file, each with its own run: 50 ms where nothing else is said. */
function sideIn(
  file: string,
  text: string,
  runOf: (number: number) => Measured | null = () => measured({ worst: 50 }),
): readonly SideFunction[] {
  const index = indexSource(text, file) ?? assert.fail('cannot be read');
  return identitiesIn(file, text, index).map((identity, number) => ({
    ...{ identity, runs: [runOf(number)], testFiles: new Map(), longTests: new Map(), isTest: false },
    place: { label: labelOf(identity), file, url: `file:///app/${file}`, line: line1(1) },
  }));
}

function labelOf({ names, name, callbackOf }: FunctionIdentity): string {
  return names === '' ? 'shop.ts (module)' : name === null ? (callbackOf ?? '') : names.slice(1);
}

test('a place is a file and a line, whatever the file is called', () => {
  const only = (typed: string): unknown => {
    const [place, ...others] = placesOf(typed);
    return others.length > 0 ? others : [place?.file, place?.line];
  };
  assert.deepEqual(only('src/cart.ts:12'), ['src/cart.ts', 12]);
  assert.deepEqual(only(String.raw`C:\src\cart.ts:12`), [String.raw`C:\src\cart.ts`, 12]);
  assert.deepEqual(only('new\nline.js:3'), ['new\nline.js', 3]);
  assert.deepEqual(only('a:b.js:3'), ['a:b.js', 3]);
});

test('a second number is a column, or the line in a file whose name ends with the first one', () => {
  assertEach(placesOf('cart.ts:12:5'), ({ file, line }) => [file, line], [
    ['cart.ts', 12],
    ['cart.ts:12', 5],
  ]);
});

test('what has no line is a name', () => {
  for (const typed of ['quote', 'Cart.total', 'a:b', String.raw`C:\cart.ts`, ':12'])
    assert.deepEqual(placesOf(typed), [], typed);
});

test('the line of a callback means the function around it, unless the callback held the loop for longer', () => {
  const file = 'src/shop.ts';
  const text = `function unique(items) {
  return items.filter((one) => items.includes(one));
}
`;
  const found = (worst: readonly number[]): readonly string[] => {
    const side = sideIn(file, text, (number) => measured({ worst: worst[number] ?? 0 }));
    const query = { type: 'place', file: `/app/${file}`, line: line1(2), text } as const;
    return findInSide(query, side).map(({ place }) => place.label);
  };
  assert.deepEqual(found([0, 50, 9]), ['unique']);
  assert.deepEqual(found([0, 9, 50]), ['filter']);
});

test('a line outside of functions means what the file runs while it loads, where that was seen', () => {
  const file = 'src/shop.ts';
  const text = `function quote() {
  return 1;
}
for (let i = 0; i < 1e8; i++) quote();
const area = (n) => n * n;
list.forEach((one) => quote(one));
`;
  const found = (line: number, worst: readonly (number | null)[]): readonly string[] => {
    const side = sideIn(file, text, (at) => (worst[at] === null ? null : measured({ worst: worst[at] ?? 0 })));
    const query = { type: 'place', file: `/app/${file}`, line: line1(line), text } as const;
    return findInSide(query, side).map(({ place }) => place.label);
  };
  assert.deepEqual(found(4, [50, 20]), ['shop.ts (module)']);
  assert.deepEqual(found(4, [null, 20]), []);
  assert.deepEqual(found(2, [null, 20]), ['quote']);
  assert.deepEqual(found(2, [50, 20]), ['quote'], 'whatever the file took');
  assert.deepEqual(found(5, [50, 20, 20]), ['area']);
  assert.deepEqual([found(6, [50, 20, 20, 20]), found(6, [9, 20, 20, 20])], [['shop.ts (module)'], ['forEach']]);
  const runs = [50, 51, 52];
  const { functions } = compared({ 'shop.ts (module)': { runs }, quote: { runs } }, { quote: { runs } });
  const query = { type: 'place', file: '/app/src/shop.ts', line: line1(4), text } as const;
  assert.deepEqual(findInComparison(query, functions, null), []);
});

test('a line of the recorded text means what held the loop there, where nothing did at that line of today', () => {
  const file = 'src/shop.ts';
  const sum = 'for (const item of items) sum += item.price * item.count;';
  const other = 'function other(a) {\n  const b = a + 1;\n  return b * 2;\n}\n';
  const before = `function heavy(items) {\n  let sum = 0;\n  ${sum}\n  return sum;\n}\n${other}`;
  type Figures = Parameters<typeof measured>[0] | null;
  const meant = (now: string, ofOther: Figures, line = 3, then = before): readonly unknown[] => {
    const side = sideIn(file, then, (number) =>
      number === 1 ? measured({ worst: 36 }) : number === 2 && ofOther !== null ? measured(ofOther) : null,
    );
    const query = { type: 'place', file: `/app/${file}`, line: line1(line), text: now, recorded: then } as const;
    const found = functionMeant(query, side, 10_000);
    const as = found.query.type === 'name' ? found.query.name : found.query.line;
    return [found.fn?.place.label, as, found.other?.place.label ?? null];
  };
  const shorter = `// A sum:\nconst heavy = (items) => total(items);\n${other}`;
  const [short, gone] = [meant(shorter, null), meant(other, null)];
  assert.deepEqual(short, ['heavy', 2, null], 'its line of today');
  assert.deepEqual(gone, ['heavy', 'heavy', null], 'by its name, where it is gone');
  assert.deepEqual(meant(shorter, null, 6), ['other', 6, null]);
  const isLong = { worst: 0, presence: 40 };
  assert.deepEqual(meant(shorter, isLong), ['other', 3, 'heavy'], 'what was long is meant by its line of today');
  assert.deepEqual(meant(`${before}\n`, null), ['heavy', 3, null], 'the same function');
  const nested = `function whole(items) {\n  return items.map(() => {\n    ${sum}\n  });\n}\n`;
  const inOne = meant('function whole(items) {\n  return (\n    items\n  );\n}\n', { worst: 36 }, 3, nested);
  assert.deepEqual(inOne, ['whole', 3, null], 'a callback that is gone is a part of its function');
});

test('a line of a field means what sets the fields of its class, a line of a static block what runs those', () => {
  const file = 'src/cart.ts';
  const found = (line: number, members: string): readonly string[] => {
    const text = `class Cart {\n  rows = read();\n${members}}\n`;
    const query = { type: 'place', file, line: line1(line), text } as const;
    return findInSide(query, sideIn(file, text)).map(({ place }) => place.label);
  };
  const block = '  static {\n    load();\n  }\n';
  assert.deepEqual(found(2, block), ['Cart>fields of Cart']);
  assert.deepEqual(found(4, block), ['Cart>static fields of Cart']);
  assert.deepEqual(found(2, '  total = () => {\n    sum();\n  };\n'), ['Cart'], 'which has no other part');
  assert.deepEqual(found(4, '  total = () => {\n    sum();\n  };\n'), ['Cart>total']);
});

test('a line means the function that was in another file, which has it no more', () => {
  const textOf = (name: string, ms: number): string =>
    `exports.${name} = function ${name}(list) {\n  burn(${ms});\n  return list.map(half).filter(isLarge);\n};\n`;
  const side = [...sideIn('src/one.js', textOf('one', 50)), ...sideIn('src/two.js', textOf('two', 30))];
  const query = { type: 'place', file: '/app/src/uno.js', line: line1(2), text: textOf('one', 22) } as const;
  const found = (changed: readonly (readonly [string, string | null])[]): readonly string[] =>
    findInSide({ ...query, changed: new Map(changed) }, side).map(({ place }) => `${place.file}>${place.label}`);
  assert.deepEqual(found([['src/one.js', null]]), ['src/one.js>one']);
  assert.deepEqual(found([['src/one.js', 'exports.rate = 1;\n']]), ['src/one.js>one'], 'it was taken out');
  assert.deepEqual(found([['src/one.js', textOf('one', 51)]]), [], 'it is there, and the other one is a copy');
  assert.deepEqual(found([]), []);
});

test('a line means a function of its own file, never one in a file whose path is an end of it', () => {
  const text = 'function run() {\n  return 1;\n}\n';
  const [outer, inner] = [sideIn('index.js', text), sideIn('lib/index.js', text)];
  const found = (file: string, side: readonly SideFunction[]): readonly (string | undefined)[] => {
    const query = { type: 'place', file, line: line1(2), text } as const;
    const { fn } = compared({ run: { runs: [29, 28, 30] } }, { run: { runs: [29, 28, 30] } });
    const functions = side.map(({ place }) => ({ ...fn('run'), is: place }));
    const inComparison = findInComparison(query, functions, null).map(({ is }) => is?.file);
    return [...findInSide(query, side).map(({ place }) => place.file), ...inComparison];
  };
  const both = [...outer, ...inner].toReversed();
  for (const file of ['lib/index.js', '/app/lib/index.js'])
    assert.deepEqual(found(file, both), ['lib/index.js', 'lib/index.js'], file);
  assert.deepEqual(found('index.js', both), ['index.js', 'index.js']);
  assert.deepEqual(found('lib/index.js', outer), [], 'it was not seen');
});

test('a callback that an edit made so quick that it was not seen is still meant by its line', () => {
  const text = 'function unique(items) {\n  return items.filter(isNew);\n}\n';
  const query = { type: 'place', file: '/app/src/shop.js', line: line1(2), text } as const;
  const slow = {
    'filter() callback in unique': { runs: [29, 28, 30] },
    'map() callback in other': { runs: [40, 41, 42] },
  };
  const { functions } = compared(slow, {}, { headRuns: 3 });
  const meant = { label: 'unique', file: 'src/shop.js', url: 'file:///app/src/shop.js', line: line1(1) };
  assert.deepEqual(
    findInComparison(query, functions, meant).map(({ was, verdict }) => [was?.label, verdict]),
    [['filter() callback in unique', 'gone']],
  );
  assert.deepEqual(findInComparison(query, functions, null), []);
});

test('a line in a callback that no run reached means the function around it, where that has a verdict', () => {
  const text = 'function unique(items) {\n  return items.filter((item) => {\n    return isNew(item);\n  });\n}\n';
  const query = { type: 'place', file: '/app/src/shop.js', line: line1(3), text } as const;
  const runs = [29, 28, 30];
  const { fn } = compared({ outer: { runs } }, { outer: { runs } });
  const named = (label: string, line: number): ComparedFunction => {
    const place = { label, file: 'src/shop.js', url: 'file:///app/src/shop.js', line: line1(line) };
    return { ...fn('outer'), was: place, is: place };
  };
  const { worst } = named('inner', 2);
  const inner: ComparedFunction = {
    ...named('inner', 2),
    ...{ verdict: 'notReached', worst: { ...worst, wasBelow: true, isBelow: true } },
  };
  const found = (functions: readonly ComparedFunction[]) =>
    findInComparison(query, functions, null).map(({ is }) => is?.label);
  assert.deepEqual(found([inner, named('unique', 1)]), ['unique']);
  assert.deepEqual(found([inner]), ['inner']);
});
