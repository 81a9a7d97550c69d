import assert from 'node:assert/strict';
import { test } from 'node:test';
import { locate, textBefore } from '../../language-server/queries/locate.ts';
import { column0, line1 } from '../../protocol/units.ts';
import { fileKey } from '../../engine/read/files/file-path.ts';
import { diffOf } from '../helpers/drawn-diff.ts';
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

test('the text that a function had is found on a share, however the recording writes its path', async () => {
  const { diff, idOf } = await diffOf(['parse parse'], ['parse']);
  const kept = { path: '//server/share/a.js', text: 'function parse() {}' };
  const texts = { ...diff.texts, base: new Map([[fileKey(kept.path), kept]]) };
  const id = idOf('parse');
  const at = (url: string) =>
    textBefore(
      { ...diff, texts, functions: diff.functions.with(id, { ...fn, was: { label: 'parse', url, line: line1(1) } }) },
      id,
    );
  const fn = diff.functions[id] ?? assert.fail('no parse');
  for (const url of ['file://server/share/a.js', String.raw`\\server\share\a.js`, 'file://SERVER/share/A.js'])
    assert.deepEqual(at(url), { ...kept, line: 0 }, url);
  assert.equal(at('file://other/share/a.js'), null);
});
