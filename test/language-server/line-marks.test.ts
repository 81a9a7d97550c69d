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
import { lineMarks, roomBehind } from '../../language-server/features/marks.ts';
import { lensFigure } from '../../words/formats/mark-texts.ts';

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
    ...fn,
  };
  return {
    text,
    reached: [],
    changed: null,
    lost: [],
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
        inCalls: false,
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

const marksOf = (annotations: FileAnnotations) => lineMarks(placeAnnotations(annotations, mapOf(text)), 'worst');
const textOf = (annotations: FileAnnotations): string => marksOf(annotations).marks[0]?.text ?? '';

test('a line reads worst, count and stacks, in that order', () => {
  const { marks } = marksOf(annotated([5]));
  const [within, text] = [{ firstLine: 1, lastLine: 50 }, '312 ms · 14× · 3 stacks'];
  assert.deepEqual(marks, [{ line: 5, text, class: 'verySlow', tone: 'plain', within, of: null, isBehind: true }]);
});

test('a time split over several lines is an estimate', () => {
  assert.match(textOf(annotated([5], {}, { precision: 'shared', estimated: true })), /^≈312 ms · /);
});

test('one word in front says what is special, the most important one', () => {
  const waited = { us: milliseconds(300), in: 'execSync' };
  assert.equal(textOf(annotated([5], { waited })), 'waited 312 ms · 14× · 3 stacks');
  assert.equal(textOf(annotated([5], { waited: { ...waited, us: milliseconds(100) } })), '312 ms · 14× · 3 stacks');
  assert.equal(textOf(annotated([5], {}, { precision: 'oneOf' })), 'maybe 312 ms · 14× · 3 stacks');
  assert.equal(textOf(annotated([5], { waited }, { precision: 'oneOf' })), 'waited 312 ms · 14× · 3 stacks');
  assert.equal(textOf(annotated([5], { kept: true, worstUs: milliseconds(312) })), 'now 312 ms');
  assert.equal(textOf(annotated([5], { tone: 'background' })), 'worker 312 ms');
});

test('a function that is long only the first time says so, dimmed', () => {
  const { marks } = marksOf(annotated([5], { firstTime: { loads: null, thenUs: milliseconds(0.4) }, tone: 'dim' }));
  assert.deepEqual([marks[0]?.text, marks[0]?.tone], ['first call 312 ms', 'dim']);
});

test('a file has its 20 heaviest lines marked, and says how many more there are', () => {
  const { marks, more } = marksOf(annotated(Array.from({ length: 27 }, (_, index) => index + 2)));
  assert.deepEqual([marks.length, more, marks.at(-1)?.line], [20, 7, 21]);
});

test('a mark has room behind its line by columns, tabs and wide characters and all', () => {
  const lines = ['x'.repeat(60), 'x'.repeat(61), `${'x'.repeat(60)}   `, `\t${'x'.repeat(57)}`, '漢'.repeat(30), ''];
  const hasRoom = roomBehind(lines.join('\r\n'), 90);
  const short = '312 ms · 14× · 3 stacks ';
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6].map((line) => hasRoom({ line: line0(line), text: short })),
    [true, false, true, false, true, true, true],
  );
});

test('the lens has the figure of the function, with what is special in front', () => {
  const lens = (more: Partial<AnnotatedFunction>, isChanged = false, metric: 'worst' | 'total' = 'worst'): string => {
    const [fn] = annotated([5], more).functions;
    assert.ok(fn);
    return lensFigure(fn, isChanged, metric);
  };
  assert.equal(lens({}), '312 ms');
  assert.equal(lens({}, true), 'was 312 ms');
  assert.equal(lens({ firstTime: { loads: 'ejs', thenUs: null } }), 'first call 312 ms');
  assert.equal(lens({}, false, 'total'), '900 ms total');
  assert.equal(lens({ estimated: true }, true, 'total'), 'was ≈900 ms total');
});

test('a line has its own figures, unless it has all but a twentieth of its function or stands for the whole', () => {
  assert.equal(textOf(annotated([5], { worstUs: milliseconds(400) })), '312 ms · 14× · 3 stacks');
  const nearly = annotated([5], { worstUs: milliseconds(328), longCount: 15 }, { estimated: true });
  assert.equal(textOf(nearly), '≈328 ms · 15× · 3 stacks');
  const whole = { reason: { type: 'wholeFunction' }, precision: 'shared', estimated: true } as const;
  assert.equal(textOf(annotated([1], {}, whole)), '312 ms · 14× · 3 stacks');
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
      [0, 'maybe bcryptjs 118 ms · 6×', 'plain'],
      [1, 'loaded in 49 ms', 'dim'],
      [5, '312 ms · 14× · 3 stacks', 'plain'],
    ],
  );
});
