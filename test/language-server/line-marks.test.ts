import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  AnnotatedFunction,
  AnnotatedLine,
  FileAnnotations,
} from '../../language-server/queries/file-annotations.ts';
import { mapOf } from '../helpers/code-map.ts';
import { placeAnnotations } from '../../language-server/features/placed-file.ts';
import { line0, milliseconds } from '../../protocol/units.ts';
import { isSaidBy, lensTitle, longLines } from '../../language-server/features/code-lens.ts';
import { lineMarks } from '../../language-server/features/marks.ts';

const text = Array.from({ length: 60 }, (_, line) => `line${line}();`).join('\n');

/** A function from `first` to `last` with one marked line for each of `lines`. */
function annotated(
  lines: readonly number[],
  fn: Partial<AnnotatedFunction> = {},
  line: Partial<AnnotatedLine> = {},
): FileAnnotations {
  const figures = { worstUs: milliseconds(312), longCount: 14, distinctStacks: 3 };
  const extent = { name: '', firstLine: line0(1), lastLine: line0(50) };
  const whole: AnnotatedFunction = {
    ...figures,
    functionId: 0,
    label: 'quote',
    estimated: false,
    tone: 'plain',
    firstTime: null,
    totalUs: milliseconds(900),
    extent,
    kept: false,
    optimized: null,
    testCount: 0,
    isBuilt: false,
    ...fn,
  };
  return {
    text,
    reached: [],
    functions: [whole],
    lines: lines.map((at, index) => {
      return {
        ...figures,
        line: line0(at),
        owner: 0,
        worstUs: milliseconds(312 - index),
        precision: 'exact',
        estimated: false,
        waited: null,
        reason: null,
        functions: [whole],
        elsewhere: null,
        ...line,
      };
    }),
    quiet: [],
    imports: [],
  };
}

const marksOf = (annotations: FileAnnotations) =>
  lineMarks(placeAnnotations(annotations, mapOf(text)), 'worst', milliseconds(10));
const lensOf = (annotations: FileAnnotations) => {
  const file = placeAnnotations(annotations, mapOf(text));
  const [fn] = file.functions;
  assert.ok(fn);
  return lensTitle(fn, isSaidBy(file.lines, fn, milliseconds(10)), 'worst', milliseconds(10));
};

test('a line reads worst, count and stacks, in that order', () => {
  const { marks } = marksOf(annotated([5]));
  assert.deepEqual(marks, [
    {
      line: 5,
      text: '312 ms worst · 14 × >10 ms · 3 stacks',
      class: 'verySlow',
      tone: 'plain',
      within: { firstLine: 1, lastLine: 50 },
    },
  ]);
});

test('a time split over several lines is an estimate', () => {
  assert.match(
    marksOf(annotated([5], {}, { precision: 'shared', estimated: true })).marks[0]?.text ?? '',
    /^≈312 ms worst/,
  );
});

test('a line that waited says in what', () => {
  const waited = { us: milliseconds(300), in: 'execSync' };
  assert.match(marksOf(annotated([5], { waited })).marks[0]?.text ?? '', /^312 ms worst · waited \(execSync\) · 14 ×/);
  const little = { us: milliseconds(100), in: 'execSync' };
  assert.doesNotMatch(marksOf(annotated([5], { waited: little })).marks[0]?.text ?? '', /waited/);
});

test('a call that may be one of several says so', () => {
  assert.match(marksOf(annotated([5], {}, { precision: 'oneOf' })).marks[0]?.text ?? '', / · one of several lines$/);
});

test('a function that is long only the first time says both times, dimmed', () => {
  const { marks } = marksOf(annotated([5], { firstTime: { loads: null, thenUs: milliseconds(0.4) }, tone: 'dim' }));
  assert.deepEqual([marks[0]?.text, marks[0]?.tone], ['312 ms the first time, then 0.4 ms', 'dim']);
});

test('a file has its 20 heaviest lines marked, and says how many more there are', () => {
  const { marks, more } = marksOf(annotated(Array.from({ length: 27 }, (_, index) => index + 2)));
  assert.deepEqual([marks.length, more, marks.at(-1)?.line], [20, 7, 21]);
});

test('lines are long by their columns, tabs and all, and white space at their end is nothing', () => {
  const lines = ['x'.repeat(80), 'x'.repeat(81), `${'x'.repeat(80)}   `, `\t${'x'.repeat(77)}`, ''].join('\r\n');
  const isLong = longLines(lines, 80);
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5].map((line) => isLong(line0(line))),
    [false, true, false, true, false, false],
  );
});

test('the lens says the figures, but not where a marked line in sight below it says them', () => {
  const figures = '312 ms worst · 14 × >10 ms · 3 stacks';
  assert.equal(lensOf(annotated([1])), '');
  assert.equal(lensOf(annotated([31])), '');
  assert.equal(lensOf(annotated([32])), figures);
  assert.equal(lensOf(annotated([5], { worstUs: milliseconds(400) })), figures.replace('312', '400'));
});

test('the lens says what the line does not: how many tests reach it, how V8 ran it, that the file was built', () => {
  const notes = { testCount: 4, optimized: '41 % optimized' };
  assert.equal(lensOf(annotated([5], notes)), 'in 4 tests · 41 % optimized');
  const built = { isBuilt: true, tone: 'dim' } as const;
  assert.equal(lensOf(annotated([5], built)), 'built file, no source map');
  assert.equal(lensOf(annotated([40], built)), '312 ms worst · 14 × >10 ms · 3 stacks · built file, no source map');
});

test('a line with a part of its function says of how much, and one of several functions how many', () => {
  const textOf = (annotations: FileAnnotations): string => marksOf(annotations).marks[0]?.text ?? '';
  const figures = '312 ms worst · 14 × >10 ms · 3 stacks';
  assert.equal(textOf(annotated([5], { worstUs: milliseconds(400) })), `${figures} · of the function's 400 ms`);

  const alone = annotated([5], { worstUs: milliseconds(200) });
  const [sort] = alone.functions;
  assert.ok(sort);
  const rank = { ...sort, functionId: 1, worstUs: milliseconds(112) };
  const shared = annotated([5], { worstUs: milliseconds(200) }, { functions: [sort, rank] });
  assert.equal(textOf(shared), `${figures} · 2 functions`);
});

test('a line with all but a twentieth of its function has the figures of the function', () => {
  const nearly = annotated([5], { worstUs: milliseconds(328), longCount: 15 }, { estimated: true });
  assert.equal(marksOf(nearly).marks[0]?.text, '≈328 ms worst · 15 × >10 ms · 3 stacks');
  assert.equal(lensOf(nearly), '');
});

test('a mark that stands for a whole function has the figures of the function', () => {
  const whole = { reason: { type: 'wholeFunction' }, precision: 'shared', estimated: true } as const;
  assert.equal(marksOf(annotated([1], {}, whole)).marks[0]?.text, '312 ms worst · 14 × >10 ms · 3 stacks');
});

test('a package stands on the lines that import it, and so does the loading of a module', () => {
  const annotations = annotated([5]);
  const imports = [
    {
      line: line0(0),
      worstUs: milliseconds(118),
      package: { name: 'bcryptjs', longCount: 6, estimated: false },
      isOneOf: true,
    },
    { line: line0(1), worstUs: milliseconds(49), package: null, isOneOf: false },
  ];
  assert.deepEqual(
    marksOf({ ...annotations, imports }).marks.map(({ line, text: shown, tone }) => [line, shown, tone]),
    [
      [0, 'bcryptjs: 118 ms worst · 6 × >10 ms · one of several lines', 'plain'],
      [1, 'loaded in 49 ms', 'dim'],
      [5, '312 ms worst · 14 × >10 ms · 3 stacks', 'plain'],
    ],
  );
});
