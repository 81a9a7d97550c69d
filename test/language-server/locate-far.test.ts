import assert from 'node:assert/strict';
import { test } from 'node:test';
import { locate } from '../../language-server/queries/locate.ts';
import { column0 } from '../../protocol/units.ts';
import { hotspotsOf } from '../helpers/drawn-hotspots.ts';

test('no editor is sent to a line that no file can have', async () => {
  const { analysis } = await hotspotsOf('parse parse parse');
  for (const line of [2 ** 31 + 1, 2 ** 53, Infinity])
    assert.equal(locate(analysis, ['/app'], { url: '/app/a.js', line })?.line, 2 ** 31 - 1);
});

test('nor to a column that no line can have, nor before the first', async () => {
  const { analysis } = await hotspotsOf('parse parse parse');
  const characterOf = (column: number): number | undefined => {
    const functions = analysis.functions.functions.map((fn) => ({ ...fn, column: column0(column) }));
    const functionId = functions.find(({ name }) => name === 'parse')?.id ?? assert.fail('no parse');
    const moved = { ...analysis, functions: { ...analysis.functions, functions } };
    return locate(moved, ['/app'], { functionId })?.character;
  };
  assert.deepEqual([2 ** 31, Infinity, -1].map(characterOf), [2 ** 31 - 1, 2 ** 31 - 1, 0]);
});
