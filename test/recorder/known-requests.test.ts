import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { requestFiles } from '../../recorder/launch/load/known-requests.ts';
import { assertEach } from '../helpers/assert-each.ts';
import { asDrawn } from '../helpers/drawn-root.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

test('request files are found, the nearest first, and not in installed or hidden folders', async () => {
  const folder = temporaryProject({
    'api/shop.http': '',
    'api/openapi.v1.json': '{}',
    'package.json': '{}',
    'z.rest': '',
    'node_modules/a/a.http': '',
    '.idea/b.http': '',
  });
  const found = await requestFiles(folder);
  assertEach(found, (file) => asDrawn(path.relative(folder, file)), ['z.rest', 'api/openapi.v1.json', 'api/shop.http']);
  assert.deepEqual(await requestFiles(`${folder}/missing`), []);
});
