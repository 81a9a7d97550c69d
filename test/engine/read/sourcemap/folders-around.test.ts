import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldersAround } from '../../../../engine/read/sourcemap/script-maps.ts';

test('the folders around a script end at the innermost root, and one outside of all has none but the roots', () => {
  assert.deepEqual(foldersAround('/app/dist/lib/a.js', ['/app']), ['/app/dist/lib', '/app/dist', '/app']);
  assert.deepEqual(foldersAround('/opt/tool/dist/a.js', ['/app']), ['/app']);
});
