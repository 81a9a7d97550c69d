import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { placeInText } from '../../../../engine/read/texts/place-in-text.ts';
import { growthOf, linear } from '../../../helpers/count-steps.ts';
import { type Line0, column0, line0, line1 } from '../../../../protocol/units.ts';

const url = 'file:///app/src/a.js';

/** How much more work the places of a function take in a text of twice the functions. */
async function growth(textOf: (count: number) => readonly [before: string, now: string]): Promise<number> {
  return growthOf(200, textOf, ([before, now]) => placeInText(before, now, url).function(at(line0(0), 11, 'f0')));
}

describe('where functions of one text stand in another one', () => {
  test('many functions on one line are compared without a copy of it for each', async () => {
    const textOf = (count: number): string =>
      Array.from({ length: count }, (_, at) => `function f${at}(a){return a+${at}}`).join('');
    const before = textOf(3);
    const f0 = (now: string) => placeInText(before, now, url).function(at(line0(0), 11, 'f0'));
    assert.deepEqual(f0(`${before}changed();`), { line: 0, column: 11 });
    assert.equal(f0(before.replace('a+0', 'a+1')), null);
    assert.deepEqual(f0(`\n${before}`), { line: 1, column: 11 });
    assert.ok((await growth((count) => [textOf(count), `\n${textOf(count)}`])) <= linear);
  });

  test('of many that read the same each finds its own', async () => {
    const textOf = (count: number): string => 'spin(() =>\n  1,\n);\n'.repeat(count);
    const places = placeInText(textOf(100), `first();\n${textOf(100)}`, url);
    assert.deepEqual(places.function(at(line0(297), 5, '')), { line: 298, column: 5 });
    assert.equal(places.line(line1(299)), 300);
    assert.ok((await growth((count) => [textOf(count), `first();\n${textOf(count)}`])) <= linear);
  });

  test('types that Node took out of a long line are compared once for all functions on it', async () => {
    const typed = (count: number): string =>
      Array.from({ length: count }, (_, at) => `function f${at}(a: any){return a+${at}}`).join('');
    const textsOf = (count: number): readonly [string, string] => [
      `${typed(count).replaceAll(': any', '     ')}\n\n//# sourceURL=${url}`,
      `// one\n${typed(count)}`,
    ];
    const places = placeInText(...textsOf(3), 'file:///app/src/a.ts');
    assert.deepEqual(places.function(at(line0(0), 11, 'f0')), { line: 1, column: 11 });
    assert.ok((await growth(textsOf)) <= linear);
  });
});

describe('a function is the same', () => {
  const before =
    'function total(items) {\n  let sum = 0;\n  for (const item of items) sum += item;\n  return sum;\n}\n';
  const totalIn = (now: string) => placeInText(before, now, url).function(at(line0(0), 14, 'total'));
  const lineIn = (now: string, line: number) => placeInText(before, now, url).line(line1(line));

  test('whatever comments and white space do: only its places move', () => {
    const commented = `// all\n\nfunction total(items) {\n\n  /* of one\n     cart */ let sum = 0; // euros\n  for (const item of items)\n    sum += item;\n  return sum;\n}\n`;
    assert.deepEqual(totalIn(commented), { line: 2, column: 14 });
    assert.deepEqual([lineIn(commented, 2), lineIn(commented, 3), lineIn(commented, 4)], [6, 7, 9]);
    assert.deepEqual(totalIn(before.replaceAll('\n', '\r\n').replaceAll('  ', '\t')), { line: 0, column: 14 });
  });

  test('on a line with others, too', () => {
    assert.deepEqual(totalIn(`const a = 1; ${before}`), { line: 0, column: 27 });
  });

  test('inside a template of several lines', () => {
    const query = (above: string) => `${above}function ask(id) {\n  return \`a\n\n    b \${id}\n  \`;\n}\n`;
    assert.equal(placeInText(query(''), query('// the query\n'), url).line(line1(3)), 4);
  });

  test('not where a word of it is another one, or a line break ends a statement', () => {
    assert.equal(totalIn(before.replace('sum += item', 'sum -= item')), null);
    assert.equal(totalIn(before.replace('return sum', 'return\n  sum')), null);
  });
});

function at(line: Line0, column: number, name: string): Parameters<ReturnType<typeof placeInText>['function']>[0] {
  return { line, column: column0(column), name };
}
