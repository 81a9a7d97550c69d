import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { growthOf, linear } from '../helpers/count-steps.ts';
import { globMatcher } from '../../recorder/launch/packages/glob.ts';

/** Which of these paths match; null where the pattern is not understood. */
function matching(pattern: string, paths: string): string | null {
  const matches = globMatcher(pattern);
  return matches === null
    ? null
    : paths
        .split(' ')
        .filter((path) => matches(path))
        .join(' ');
}

describe('a pattern for paths', () => {
  for (const [pattern, paths, expected] of [
    ['src/*.ts', 'src/a.ts src/b/a.ts src/a.tsx', 'src/a.ts'],
    ['./src//?.ts', 'src/a.ts src/ab.ts', 'src/a.ts'],
    ['**/a.ts', 'a.ts b/a.ts b/c/a.ts ba.ts', 'a.ts b/a.ts b/c/a.ts'],
    ['src/**', 'src/a src/b/c src', 'src/a src/b/c'],
    ['packages/{a,b*}/x', 'packages/a/x packages/bc/x packages/c/x', 'packages/a/x packages/bc/x'],
    ['+(a|b).js', 'a.js ab.js c.js .js', 'a.js ab.js'],
    ['*(a).?(m)js', 'aa.js .mjs b.js', 'aa.js .mjs'],
    ['@(a|{b,c}).[jt]s', 'a.js c.ts d.ts', 'a.js c.ts'],
    ['[!a].js', 'a.js b.js', 'b.js'],
    [String.raw`\*.js`, '*.js a.js', '*.js'],
    ['a,b}.js', 'a,b}.js', 'a,b}.js'],
    ['!(a).js', 'b.js', null],
    ['{a,b.js', 'b.js', null],
    ['[b-a].js', 'b.js', null],
    ['src/[', 'src/[', null],
  ] as const) {
    test(`${pattern} is ${expected ?? 'not understood'}`, () => {
      assert.equal(matching(pattern, paths), expected);
    });
  }

  for (const [pattern, part] of [
    [`${'**/*/'.repeat(6)}b`, 'a/'],
    [`${'*a'.repeat(12)}b`, 'a'],
    ['+(+(+(a)))b', 'a'],
  ] as const)
    test(`${pattern} goes through a path once`, async () => {
      assert.equal(matching(pattern, part.repeat(60)), '');
      assert.ok(
        (await growthOf(
          60,
          (size) => part.repeat(size),
          (path) => matching(pattern, path),
        )) <= linear,
      );
    });
});
