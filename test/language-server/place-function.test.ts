import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapLines, trimmedLines } from '../../language-server/placement/line-map.ts';
import { placeAnnotations } from '../../language-server/features/placed-file.ts';
import { placeFunction } from '../../language-server/placement/place-function.ts';
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
  const place = placeFunction(mapLines(before, now), trimmedLines(before), extent);
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

test('an import that is gone has no mark', () => {
  const blamed = { line: line0(0), worstUs: microseconds(9), package: null, isOneOf: false };
  const file = { text: "import a from 'a';\na();\n", functions: [], lines: [], quiet: [], imports: [blamed] };
  const linesIn = (now: string) => placeAnnotations(file, now).imports.map(({ line }) => line);
  assert.deepEqual([linesIn(`// one\n${file.text}`), linesIn('a();\n')], [[1], []]);
});
