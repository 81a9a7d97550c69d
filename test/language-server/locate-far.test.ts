import assert from 'node:assert/strict';
import { test } from 'node:test';
import { locate } from '../../language-server/answers/locate.ts';
import { hotspotsOf } from '../helpers/drawn-hotspots.ts';

test('no editor is sent to a line that no file can have', async () => {
  const { analysis } = await hotspotsOf('parse parse parse');
  for (const line of [2 ** 31 + 1, 2 ** 53, Infinity])
    assert.equal(locate(analysis, ['/app'], { url: '/app/a.js', line })?.line, 2 ** 31 - 1);
});
