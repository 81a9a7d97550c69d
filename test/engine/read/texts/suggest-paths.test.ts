import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SameNamed, sameNamed, suggestPaths } from '../../../../engine/read/texts/find-elsewhere.ts';

/** Pairs of files drawn as `there = here` (their texts fit), `there ? here` (nothing is known), `there ! here` (they do not). */
function suggested(drawing: string, folders: readonly string[] = ['/ws']): readonly string[] {
  const pairs = drawing
    .trim()
    .split('\n')
    .map((line): SameNamed => {
      const [, there = '', sign = '', here = ''] = /^\s*(\S+) ([=?!]) (\S+)$/.exec(line) ?? [];
      return { there, here, text: sign === '=' ? 'like' : sign === '?' ? 'unknown' : 'unlike' };
    });
  const found = suggestPaths(pairs, new Set(pairs.map(({ there }) => there)).size, folders);
  if (found === null) return [];
  const rules = found.rules.map(({ from, to }) => `${from} → ${to}`);
  return [`${found.found} of ${found.files}`, ...rules, ...found.others.map((to) => `or ${to}`)];
}

test('the rule that finds the most files counts, with the shortest folders that it may have', () => {
  const found = suggested(`
      /app/src/a.js = /ws/packages/api/src/a.js
      /app/src/b.js ? /ws/packages/api/src/b.js
      /app/lib/c.js = /ws/packages/api/lib/c.js
      /app/made.js ! /ws/packages/api/made.js
  `);
  assert.deepEqual(found, ['3 of 4', '/app → /ws/packages/api']);
});

test('of two packages with files of the same name the texts tell', () => {
  const found = suggested(`
      /app/src/index.js = /ws/packages/api/src/index.js
      /app/src/index.js ! /ws/packages/web/src/index.js
  `);
  assert.deepEqual(found, ['1 of 1', '/app → /ws/packages/api']);
});

test('where the texts are the same, too, both are named', () => {
  const found = suggested(`
      /app/src/index.js = /ws/packages/api/src/index.js
      /app/src/index.js = /ws/packages/web/src/index.js
  `);
  assert.deepEqual(found, ['1 of 1', '/app → /ws/packages/api', 'or /ws/packages/web']);
});

test('CI machines, Windows and other workspaces come to the open folder', () => {
  const ruleOf = (drawing: string, folder = '/ws') => suggested(drawing, [folder]).join(': ');
  assert.equal(ruleOf('/ci/shop/shop/src/x.js = /ws/src/x.js'), '1 of 1: /ci/shop/shop → /ws');
  const windows = String.raw`C:\agent\_work\1\s`;
  assert.equal(ruleOf(String.raw`${windows}\Src\x.js = /ws/src/x.js`), `1 of 1: ${windows} → /ws`);
  const home = '/home/me/shop';
  assert.equal(ruleOf(`/workspaces/shop/x.js = ${home}/x.js`, home), `1 of 1: /workspaces/shop → ${home}`);
});

test('files of several folders need several rules', () => {
  const found = suggested(`
      /srv/api/src/a.js = /ws/packages/api/src/a.js
      /srv/api/src/b.js = /ws/packages/api/src/b.js
      /opt/lib/c.js = /ws/lib/c.js
  `);
  assert.deepEqual(found, ['3 of 3', '/srv → /ws/packages', '/opt → /ws']);
});

test('no rule leads out of the open folders, is about a whole disk, or goes by names alone', () => {
  assert.deepEqual(suggested('/app/src/x.js = /etc/src/x.js'), []);
  assert.deepEqual(suggested('/x.js = /ws/x.js'), []);
  assert.deepEqual(suggested(String.raw`C:\x.js = /ws/x.js`), []);
  assert.deepEqual(suggested('/app/src/x.js ? /ws/src/x.js'), []);
  assert.deepEqual(suggested('/app/src/x.js = /workspace/src/x.js'), []);
});

test('of many files with one name those with the most of the path in common are looked at', () => {
  const here = ['/ws/a/index.js', '/ws/b/src/index.js', '/ws/c/api/src/index.js', '/ws/other.js'];
  assert.deepEqual(
    sameNamed(['/app/api/src/index.js'], here, 2).map((pair) => pair.here),
    ['/ws/c/api/src/index.js', '/ws/b/src/index.js'],
  );
});
