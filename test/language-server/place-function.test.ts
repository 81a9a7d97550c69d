import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../helpers/drawn-cases.ts';
import { codeText } from '../../protocol/code-text.ts';
import { mapOf } from '../helpers/code-map.ts';
import { placeAnnotations } from '../../language-server/features/placed-file.ts';
import { placeFunction } from '../../language-server/placement/code-map.ts';
import { line0, microseconds } from '../../protocol/units.ts';

const before = `const a = 1;

function parse(text) {
  const parts = text.split(',');
  return parts.map(Number);
}

function other() {
  return a;
}
`;

/** Where `parse` (lines 2 to 5) and its line 3 are in the later text. */
function placed(now: string) {
  const extent = { name: 'parse', firstLine: line0(2), lastLine: line0(5) };
  const place = placeFunction(mapOf(before, now), extent);
  return place === null ? null : { line: place.line, stale: place.stale, split: place.lineOf(line0(3)) };
}

test('lines before a function move it', () => {
  assert.deepEqual(placed(`// new\n// lines\n${before}`), { line: 4, stale: false, split: 5 });
});

test('lines behind a function leave it where it is', () => {
  assert.deepEqual(placed(`${before}// end\n`), { line: 2, stale: false, split: 3 });
});

test('other white space is no change: formatting leaves the figures', () => {
  const formatted = before.replaceAll('  ', '\t').replaceAll('\n', '\r\n');
  assert.deepEqual(placed(formatted), { line: 2, stale: false, split: 3 });
});

test('comments and line breaks are no change, wherever they are put', () => {
  const commented = before.replace('  return parts', '  // the numbers\n\n  return /* all of them */ parts');
  assert.deepEqual(placed(commented), { line: 2, stale: false, split: 3 });
  const wrapped = before.replace("text.split(',')", "text\n    .split(\n      ','\n    )");
  assert.deepEqual(placed(wrapped), { line: 2, stale: false, split: 3 });
  assert.deepEqual(placed(before.replace('  return parts', '  // return parts')), { line: 2, stale: true, split: 3 });
});

test('a function in front that begins with the same words does not change the one behind it', () => {
  const now = before.replace('function parse', 'function first() {\n  return 1;\n}\n\nfunction parse');
  assert.deepEqual(placed(now), { line: 6, stale: false, split: 7 });
});

test('an edited function whose copy was pasted has its figures at the copy', () => {
  const text = before.split('\n').slice(2, 6).join('\n');
  const now = `${before.replace("split(',')", "split(';')")}\n${text}\n`;
  assert.deepEqual(placed(now), { line: 11, stale: false, split: 12 });
});

test('a changed line makes the function stale, and has no mark itself', () => {
  assert.deepEqual(placed(before.replace("split(',')", "split(';')")), { line: 2, stale: true, split: null });
});

test('a line put in between makes the function stale, and moves its lines', () => {
  const now = before.replace('  const parts', '  check(text);\n  const parts');
  assert.deepEqual(placed(now), { line: 2, stale: true, split: 4 });
});

test('a function whose head was rewritten is found by its name', () => {
  assert.deepEqual(placed(before.replace('parse(text)', 'parse(text, options)')), { line: 2, stale: true, split: 3 });
});

test('a function that is gone has no place, where the code below uses its name, or another function has it', () => {
  const gone = (code: string, below = code): unknown => {
    const [text, ...lines] = [before.replace('function other', `${code}\n\nfunction other`), ...before.split('\n')];
    const now = [...lines.slice(0, 2), below, '', ...lines.slice(7)].join('\n');
    return placeFunction(mapOf(text, now), { name: 'parse', firstLine: line0(2), lastLine: line0(5) });
  };
  for (const use of [
    'exports.parse = parse;',
    'run(parse);',
    'parse();',
    'class Later { parse(text) { return text; } }',
  ])
    assert.equal(gone(use), null, use);
  for (const use of ['exports.parse = other;', 'run(1, parse);', 'if (parse(2)) {}', 'const all = { parse: other };'])
    assert.equal(gone('// none', use), null, `new: ${use}`);
});

test('a function that was written in another way is found by its name', () => {
  for (const head of [
    ...[
      'const parse = (line) => {',
      'parse = line => {',
      'exports.parse = function (line) {',
      'async function parse(l) {',
    ],
    ...[
      'class A { parse(line: string): number[] {',
      'const a = { parse(line) {',
      'const parse =\n  wrap(async () => {',
    ],
  ]) {
    const now = before.replace(/function parse[^}]*/, `${head}\n  read(line);\n`);
    assert.deepEqual(placed(now), { line: 2, stale: true, split: null }, head);
  }
});

test('a line break that ends a statement is a change', () => {
  assert.equal(placed(before.replace('return parts', 'return\n  parts'))?.stale, true);
});

test('a function with another name is where it was, below blank lines too', () => {
  assert.deepEqual(placed(before.replace('function parse', 'function numbers')), { line: 2, stale: true, split: 3 });
  const map = mapOf('a();\n\n\nconst b = 1;\n', 'a();\n\n\nconst other = 1;\n');
  assert.equal(map.nearest(line0(3)), 3);
});

test('a function that was cut and pasted is found by its text', () => {
  const lines = before.split('\n');
  const moved = [...lines.slice(0, 2), ...lines.slice(7), ...lines.slice(2, 6)].join('\n');
  assert.deepEqual(placed(moved), { line: 6, stale: false, split: 7 });
});

test('a function that was deleted is gone', () => {
  const lines = before.split('\n');
  assert.equal(placed([...lines.slice(0, 2), ...lines.slice(7)].join('\n')), null);
});

test('two texts that have nothing in common leave nothing', () => {
  assert.equal(placed(Array.from({ length: 6000 }, (_, line) => `x${line}`).join('\n')), null);
});

test('whatever is edited, a function that is not stale has its code where it is said to be', () => {
  const lines = before.split('\n');
  const line = fc.constantFrom(...lines, '// a comment', '', 'function parse() {', '}', '`${', '/*', '*/ parse');
  const edit = fc.record({ at: fc.nat(lines.length), deleted: fc.nat(3), put: fc.array(line, { maxLength: 5 }) });
  const own = codeText(lines.slice(2, 6).join('\n'), 'a.ts').tokens;
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
      const now = edits.reduce((text, { at, deleted, put }) => text.toSpliced(at, deleted, ...put), lines);
      const place = placed(now.join('\n'));
      if (place === null || place.stale) return;
      const code = codeText(now.join('\n'), 'a.ts');
      const first = code.tokensAbove(place.line);
      assert.deepEqual(code.tokens.slice(first, first + own.length), own);
      assert.equal(now[place.split ?? -1]?.trim(), lines[3]?.trim());
    }),
    { numRuns: 2_000 },
  );
});

test('an import that is gone has no mark', () => {
  const blamed = { line: line0(0), worstUs: microseconds(9), package: null, isOneOf: false };
  const file = {
    text: "import a from 'a';\na();\n",
    functions: [],
    lines: [],
    quiet: [],
    imports: [blamed],
    reached: [],
    changed: null,
    lost: [],
  };
  const linesIn = (now: string) => placeAnnotations(file, mapOf(file.text, now)).imports.map(({ line }) => line);
  assert.deepEqual([linesIn(`// one\n${file.text}`), linesIn('a();\n')], [[1], []]);
});
