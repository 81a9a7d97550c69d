import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyHere, placeKey } from '../../../../engine/read/import/importer.ts';
import { pathMapOf } from '../../../../engine/read/files/file-path.ts';
import { readTests } from '../../../../engine/read/sidecars/read-sidecars.ts';

const { toHere } = pathMapOf([{ from: '/app', to: '/ws/packages/api' }], ['/ws']);

test('the file of a test that ran elsewhere is the one here', () => {
  const { running } = readTests(
    [
      ['begin', 1000, 1, '/app/test/a.test.js', ['sum', 'adds'], -1],
      ['end', 2000, 1],
    ],
    toHere,
  );
  assert.deepEqual(running[0], { name: 'sum > adds', file: '/ws/packages/api/test/a.test.js' });
});

test('so is the script of a place that a debugger noted', () => {
  assert.equal(keyHere(placeKey('file:///app/a.js', 3, 0), toHere), placeKey('/ws/packages/api/a.js', 3, 0));
});
