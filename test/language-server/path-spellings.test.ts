import assert from 'node:assert/strict';
import path from 'node:path';
import { after, test } from 'node:test';
import { hotspotsRequest } from '../../protocol/requests.ts';
import { startLanguageClient } from '../helpers/language-client.ts';
import { copyFixture } from '../helpers/recording-fixtures.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

const file = 'src/logger.js';

/** What an editor shows that has opened this folder, when a program ran in `ranIn`. */
async function shown(folder: string, ranIn: string) {
  const recording = path.join(temporaryProject({}), 'first');
  copyFixture('shop/first', { recording, ranIn });
  const client = await startLanguageClient(folder);
  after(async () => client.close());
  await client.openRecording(recording);
  const uri = `${folder}/${file}`;
  const lenses = await client.lenses(uri);
  const marks = await client.marks(uri);
  const hotspots = await client.ask(hotspotsRequest, { groupBy: 'file', sortBy: 'worst' });
  const [group] = hotspots[0]?.groups ?? [];
  return {
    lenses: lenses.map(({ range, command }) => ({ range, title: command?.title })),
    marks: marks.map(({ line, text, tone }) => ({ line, text, tone })),
    hovers: await Promise.all(marks.map(async ({ line }) => (await client.hover(uri, line)).split('\n')[0])),
    file: group?.tooltip,
    isOpenedUnasked: group?.items[0]?.location?.inside,
  };
}

const umlaut = 'L%C3%A4den%201';
const expected = await shown(`file:///srv/${umlaut}/shop`, '/srv/Läden 1/shop');

for (const [name, ranIn, folder] of [
  ['as VS Code writes a drive', String.raw`C:\Läden 1\shop`, `file:///c%3A/${umlaut}/shop`],
  ['as other editors write a drive', String.raw`C:\Läden 1\shop`, `file:///C:/${umlaut}/shop`],
  ['whose letters have another case', String.raw`c:\läden 1\Shop`, `file:///c%3A/${umlaut}/shop`],
  ['on a share', String.raw`\\server\share\Läden 1\shop`, `file://server/share/${umlaut}/shop`],
] as const) {
  test(`an editor has the same lenses, marks and rows for a folder of Windows ${name}`, async () => {
    assert.ok(expected.lenses.length > 0 && expected.marks.length > 0);
    assert.equal(expected.file, file);
    assert.equal(expected.isOpenedUnasked, true);
    assert.deepEqual(await shown(folder, ranIn), { ...expected, file: file.replaceAll('/', '\\') });
  });
}
