import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { placeInText } from '../../../engine/texts/place-in-text.ts';
import { type Line0, column0, line0, line1 } from '../../../protocol/units.ts';

const [url, count] = ['file:///app/src/a.js', 8000];

describe('where functions of one text stand in another one', () => {
  test('thousands of functions on one line are compared without a copy of it for each', () => {
    const bodies = Array.from({ length: count }, (_, at) => `function f${at}(a){return a+${at}}`);
    const before = bodies.join('');
    const places = placeInText(before, `${before}changed();`, url);
    assert.equal(places.function(at(line0(0), 11, 'f0')), null);
    assert.deepEqual(placeInText(before, `\n${before}`, url).function(at(line0(0), 11, 'f0')), {
      line: 1,
      column: 11,
    });
  });

  test('of thousands that read the same each finds its own', () => {
    const before = 'spin(() =>\n  1,\n);\n'.repeat(count);
    const started = performance.now();
    const places = placeInText(before, `first();\n${before}`, url);
    const last = 3 * (count - 1);
    assert.deepEqual(places.function(at(line0(last), 5, '')), { line: last + 1, column: 5 });
    assert.equal(places.line(line1(last + 2)), last + 3);
    assert.ok(performance.now() - started < 3000);
  });

  test('types that Node took out of a long line are compared once for all functions on it', () => {
    const typed = Array.from({ length: count }, (_, at) => `function f${at}(a: any){return a+${at}}`).join('');
    const before = `${typed.replaceAll(': any', '     ')}\n\n//# sourceURL=${url}`;
    const started = performance.now();
    const places = placeInText(before, `// one\n${typed}`, 'file:///app/src/a.ts');
    assert.deepEqual(places.function(at(line0(0), 11, 'f0')), { line: 1, column: 11 });
    assert.ok(performance.now() - started < 4000);
  });
});

function at(line: Line0, column: number, name: string): Parameters<ReturnType<typeof placeInText>['function']>[0] {
  return { line, column: column0(column), name };
}
