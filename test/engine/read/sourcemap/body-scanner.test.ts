import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBodyScanner } from '../../../../engine/read/sourcemap/bundled-modules.ts';

/** Whether the body that begins at the first `(` is open at `@`. */
function isOpenAt(text: string): boolean {
  const place = (offset: number): { readonly line: number; readonly column: number } => {
    const before = text.slice(0, offset).split('\n');
    return { line: before.length - 1, column: before.at(-1)?.length ?? 0 };
  };
  return createBodyScanner(text)(place(text.indexOf('(')), place(text.indexOf('@')));
}

for (const [what, text, expected] of [
  ['inside', 'function a(x) { if (x) { } @ }', true],
  ['behind its end', 'function a(x) { if (x) { } } @', false],
  ['behind braces in what it is handed', '({ a, b }) => { @ }', true],
  ['of an arrow without a body', '(x) => x + 1; { @ }', false],
  ['behind a brace in a string', 'f(x) { "}"; \'}\'; `}`; @ }', true],
  ['behind a brace in a regular expression', 'f(x) { x = /[/}]\\}/; @ }', true],
  ['behind a division', 'f(x) { x = (x) / 2; y = x / 3; } @', false],
  ['behind a brace in a comment', 'f(x) { // }\n /* } */ @ }', true],
] as const) {
  test(`a body is ${expected ? 'open' : 'closed'} ${what}`, () => {
    assert.equal(isOpenAt(text), expected);
  });
}

test('a text of any length, and one that is made to be slow, is passed once', () => {
  const long = `(x) { "${'a'.repeat(13_000_000)}"; @ }`;
  assert.equal(isOpenAt(long), true);
  for (const part of ['=/[', '"\\', '`\\', '/*', '({', "'"]) {
    const started = process.cpuUsage();
    isOpenAt(`(x) { ${part.repeat(100_000)} @`);
    const { user } = process.cpuUsage(started);
    assert.ok(user < 1_000_000, `${part}: ${user} µs`);
  }
});
