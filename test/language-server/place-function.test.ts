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

const parse = { name: 'parse', firstLine: line0(2), lastLine: line0(5) };
const lines = before.split('\n');

/** Where `parse` (lines 2 to 5) and its line 3 are in the later text: `4 5`, and `stale` where it is another one. */
function placed(now: string, was = before): string {
  const place = placeFunction(mapOf(was, now), parse);
  return place === null ? 'gone' : `${place.line} ${place.lineOf(line0(3)) ?? '–'}${place.stale ? ' stale' : ''}`;
}

for (const [what, now, expected] of [
  ['lines before a function move it', `// new\n// lines\n${before}`, '4 5'],
  ['lines behind a function leave it where it is', `${before}// end\n`, '2 3'],
  ['other white space changes nothing', before.replaceAll('  ', '\t').replaceAll('\n', '\r\n'), '2 3'],
  ['comments change nothing', before.replace('  return parts', '  // the numbers\n\n  return /* all */ parts'), '2 3'],
  ['line breaks change nothing', before.replace("text.split(',')", "text\n    .split(\n      ','\n    )"), '2 3'],
  ['code in a comment is a change', before.replace('  return parts', '  // return parts'), '2 3 stale'],
  [
    'a function in front that begins with the same words does not change the one behind it',
    before.replace('function parse', 'function first() {\n  return 1;\n}\n\nfunction parse'),
    '6 7',
  ],
  [
    'an edited function whose copy was pasted has its figures at the copy',
    `${before.replace("split(',')", "split(';')")}\n${lines.slice(2, 6).join('\n')}\n`,
    '11 12',
  ],
  ['two stray backticks hide no code', before.replace('= 1', '= `1').replace('return a', 'return `a'), '2 3'],
  ['a changed line has no mark itself', before.replace("split(',')", "split(';')"), '2 – stale'],
  ['a line put in between moves its lines', before.replace('  const parts', '  check();\n  const parts'), '2 4 stale'],
  ['a rewritten head leaves the name', before.replace('parse(text)', 'parse(text, options)'), '2 3 stale'],
  ['a line break that ends a statement is a change', before.replace('return parts', 'return\n  parts'), '2 3 stale'],
  ['a function with another name is where it was', before.replace('parse(text)', 'numbers(text)'), '2 3 stale'],
  [
    'a function that was cut and pasted is found by its text',
    [...lines.slice(0, 2), ...lines.slice(7), ...lines.slice(2, 6)].join('\n'),
    '6 7',
  ],
  ['a function that was deleted is gone', [...lines.slice(0, 2), ...lines.slice(7)].join('\n'), 'gone'],
  [
    'two texts that have nothing in common leave nothing',
    Array.from({ length: 6000 }, (_, line) => `x${line}`).join('\n'),
    'gone',
  ],
] as const)
  test(what, () => assert.equal(placed(now), expected));

test('text that only looks like an open comment or template does not hide the code below it', () => {
  for (const text of ['image/*', 'the ` key', '`${', '} of `${a} and ${']) {
    const was = before.replace('= 1', `= <p>${text}</p>`);
    assert.equal(placed(`// new\n${was}`, was), '3 4');
  }
  const closed = before.replace('= 1', '= <p>the ` key</p>').replace("','", '`,`');
  assert.equal(placed(closed, closed), '2 3');
});

test('below blank lines, too, a line is where it was', () => {
  const map = mapOf('a();\n\n\nconst b = 1;\n', 'a();\n\n\nconst other = 1;\n');
  assert.equal(map.nearest(line0(3)), 3);
});

test('a function that is gone has no place, where the code below uses its name, or another function has it', () => {
  const gone = (code: string, below = code): unknown => {
    const text = before.replace('function other', `${code}\n\nfunction other`);
    const now = [...lines.slice(0, 2), below, '', ...lines.slice(7)].join('\n');
    return placeFunction(mapOf(text, now), parse);
  };
  for (const use of ['exports.parse = parse;', 'run(parse);', 'parse();', 'class A { parse(text) { return text; } }'])
    assert.equal(gone(use), null, use);
  for (const use of ['exports.parse = other;', 'run(1, parse);', 'if (parse(2)) {}', 'const all = { parse: other };'])
    assert.equal(gone('// none', use), null, `new: ${use}`);
});

test('a function that was written in another way is found by its name', () => {
  for (const head of [
    ...['const parse = (line) => {', 'parse = line => {', 'exports.parse = function (line) {'],
    ...['class A { parse(line: string): number[] {', 'const a = { parse(line) {', 'async function parse(l) {'],
    'const parse =\n  wrap(async () => {',
  ]) {
    const now = before.replace(/function parse[^}]*/, `${head}\n  read(line);\n`);
    assert.equal(placed(now), '2 – stale', head);
  }
});

test('whatever is edited, a function that is not stale has its code where it is said to be', () => {
  const line = fc.constantFrom(...lines, '// a comment', '', 'function parse() {', '}', '`${', '/*', '*/ parse');
  const edit = fc.record({ at: fc.nat(lines.length), deleted: fc.nat(3), put: fc.array(line, { maxLength: 5 }) });
  const own = codeText(lines.slice(2, 6).join('\n'), 'a.ts').tokens;
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
      const now = edits.reduce((text, { at, deleted, put }) => text.toSpliced(at, deleted, ...put), lines);
      const map = mapOf(before, now.join('\n'));
      const place = placeFunction(map, parse);
      if (place === null || place.stale) return;
      const first = map.now.tokensAbove(place.line);
      assert.deepEqual(map.now.tokens.slice(first, first + own.length), own);
      assert.equal(now[place.lineOf(line0(3)) ?? -1]?.trim(), lines[3]?.trim());
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
