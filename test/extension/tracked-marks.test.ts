import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../helpers/drawn-cases.ts';
import { type TextChange, type TextNow, TrackedMarks } from '../../extension/marks/tracked-marks.ts';
import type { LineMark } from '../../protocol/requests.ts';
import { line0 } from '../../protocol/units.ts';
import { assertEach } from '../helpers/assert-each.ts';

/** Functions of four lines, each with its mark on the second: `a2();` is marked in `f2`. */
const text = Array.from({ length: 5 }, (_, n) => `function f${n}() {\n  a${n}();\n  b${n}();\n}\n`).join('\n');
const marks = Array.from({ length: 5 }, (_, n): LineMark => {
  const within = { firstLine: line0(5 * n), lastLine: line0(5 * n + 3) };
  return { line: line0(5 * n + 1), text: `${n}`, class: 'slow', tone: 'plain', within, of: null, isBehind: true };
});

/** A document with all of its marks. */
class Typed {
  readonly marks = new TrackedMarks();
  text = text;

  constructor() {
    this.marks.replace(marks, this.now());
  }

  /** Replaces the part from `start` to `end`. True where VS Code has to be told. */
  change(start: number, end: number, put: string): boolean {
    const isOverLines = this.text.slice(start, end).includes('\n');
    const change: TextChange = { start, end, text: put, isOverLines };
    this.text = this.text.slice(0, start) + put + this.text.slice(end);
    return this.marks.follow([change], this.now());
  }

  put(before: string, typed: string): boolean {
    const at = this.text.indexOf(before);
    return this.change(at, at, typed);
  }

  /** The marks as they are drawn: the text of each line, with `(stale)` behind it. */
  shown(): readonly string[] {
    const now = this.now();
    return this.marks.all.map(({ anchor, isStale }) => {
      return `${now.lineAt(now.lineOf(anchor)).trim()}${isStale ? ' (stale)' : ''}`;
    });
  }

  now(): TextNow {
    const lines = this.text.split('\n');
    const startOf = (line: number): number => lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0);
    return {
      path: '/a.js',
      lineCount: lines.length,
      lineAt: (line) => lines[line] ?? '',
      startOf,
      lineOf: (offset) => this.text.slice(0, offset).split('\n').length - 1,
      textBetween: (start, end) => this.text.slice(start, end),
    };
  }
}

const all = ['a0();', 'a1();', 'a2();', 'a3();', 'a4();'];

test('what is typed above a mark moves it, and nothing is set again', () => {
  const typed = new Typed();
  assert.equal(typed.put('function f2', 'const x = 1;\n\n'), false);
  assert.equal(typed.put('a2();', '\n'), false);
  assert.deepEqual(typed.shown(), all);
});

test('code that is typed in a function makes its mark stale at once, and undone it is not', () => {
  const typed = new Typed();
  assert.equal(typed.put('b2()', 'await '), true);
  assert.deepEqual(typed.shown(), ['a0();', 'a1();', 'a2(); (stale)', 'a3();', 'a4();']);
  const at = typed.text.indexOf('await ');
  assert.equal(typed.change(at, at + 6, ''), true);
  assert.deepEqual(typed.shown(), all);
});

test('comments and white space leave a mark as it is', () => {
  const typed = new Typed();
  assert.equal(typed.put('b2()', '// see below\n\n    '), false);
  assert.equal(typed.put('}\n\nfunction f3', '/* end */ '), false);
  assert.deepEqual(typed.shown(), all);
});

test('a line that ends with Enter keeps its mark; the rest of it takes none along', () => {
  const typed = new Typed();
  const end = typed.text.indexOf('a2();') + 5;
  assert.equal(typed.change(end, end, '\n'), false);
  assert.deepEqual(typed.shown(), all);
});

test('a mark is gone with its line, and with all of the text', () => {
  const typed = new Typed();
  const line = typed.text.indexOf('  a2();\n');
  assert.equal(typed.change(line, line + 8, ''), true);
  assert.deepEqual(typed.shown(), all.toSpliced(2, 1));
  assert.equal(typed.change(0, typed.text.length, text), true);
  assert.deepEqual(typed.shown(), []);
});

test('the first word of a line may be replaced: the mark stays there, stale', () => {
  const typed = new Typed();
  const at = typed.text.indexOf('a2();');
  assert.equal(typed.change(at, at + 2, 'renamed'), true);
  assert.deepEqual(typed.shown(), all.with(2, 'renamed(); (stale)'));
});

test('marks that an answer has in the same places with the same words are not set again', () => {
  const typed = new Typed();
  typed.put('function f0', '// above\n');
  const ids = typed.marks.all.map(({ id }) => id);
  const moved = marks.map((mark): LineMark => ({ ...mark, line: line0(mark.line + 1), within: null }));
  typed.marks.replace(moved, typed.now());
  assertEach(typed.marks.all, ({ id }) => id, ids);
  typed.marks.replace(
    moved.map((mark) => ({ ...mark, text: mark.text === '1' ? 'other' : mark.text })),
    typed.now(),
  );
  assert.deepEqual(
    typed.marks.all.map(({ id }, index) => id === ids[index]),
    [true, false, true, true, true],
  );
});

test('whatever is typed, a mark that is not stale is on the line that it was measured for', () => {
  const piece = fc.constantFrom('x', '\n', ' ', '// c\n', '{', 'function f1() {\n  a1();\n  b1();\n}\n', 'a3();', '');
  const edit = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), deleted: fc.nat(25), put: piece });
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 12 }), (edits) => {
      const typed = new Typed();
      for (const { at, deleted, put } of edits) {
        const start = Math.floor(at * typed.text.length);
        typed.change(start, Math.min(typed.text.length, start + deleted), put);
        const now = typed.now();
        for (const { mark, anchor, isStale, code } of typed.marks.all) {
          if (isStale || code === null) continue;
          const line = now.lineAt(now.lineOf(anchor));
          assert.match(line, new RegExp(`^\\s*(\\}|;|//.*)*.*a${mark.text}`));
          assert.match(typed.text.slice(code.start, code.end), new RegExp(`a${mark.text}[^]*b${mark.text}`));
        }
      }
    }),
    { numRuns: 3_000 },
  );
});
