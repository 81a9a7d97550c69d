import assert from 'node:assert/strict';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileMarksRequest } from '../../protocol/requests.ts';
import { startLanguageClient, uriOf } from '../helpers/language-client.ts';
import { type ShopRecording, cloneLine, recordShop } from '../helpers/shop-recording.ts';

const shop = await recordShop();
const client = await startLanguageClient(shop.folder);
after(async () => {
  await client.close();
  await shop.remove();
});

/** A recording of the editor's own. */
async function recorded({ folder, profile }: ShopRecording): Promise<string> {
  const recording = path.join(folder, 'recordings/target/run');
  await mkdir(recording, { recursive: true });
  await writeFile(path.join(recording, 'recording.json'), JSON.stringify({ version: 2, command: ['npm', 'test'] }));
  await cp(profile, path.join(recording, '7-0-a.0.cpuprofile'));
  return recording;
}

const markedLines = async () =>
  (await client.ask(fileMarksRequest, { uri: uriOf(shop.file) })).marks.map((m) => m.line);

test('a recording that is opened again after its files were edited still marks the line that was slow', async () => {
  const recording = await recorded(shop);
  await client.openRecording(recording, path.dirname(recording));
  assert.deepEqual(await markedLines(), [cloneLine]);

  const edited = `// one\n// two\n// three\n${shop.text}`;
  await writeFile(shop.file, edited);
  await client.openRecording(recording, path.dirname(recording));
  await client.openDocument(shop.file, edited);
  assert.deepEqual(await markedLines(), [cloneLine + 3]);
});
