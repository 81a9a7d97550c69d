import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { forgetRequest } from '../../protocol/requests.ts';
import { assertEach } from '../helpers/assert-each.ts';
import { startLanguageClient } from '../helpers/language-client.ts';
import { openShop } from '../helpers/shop-client.ts';
import { recordRun } from '../helpers/shop-recording.ts';

const { shop, client } = await openShop();

/** What `shop.js` says after a run of this target in which `quote` took so long, at a threshold of 10 ms. */
async function marksAfterRun(target: string, run: number, ms: number): Promise<readonly string[]> {
  const recording = await recordRun(shop, path.join(target, String(run)), ms);
  await client.openRecording(recording, path.dirname(recording));
  return (await client.marks(shop.file)).map(({ text, tone }) => `${text} (${tone})`);
}

test('between runs a mark comes above the threshold and goes below 0.8 of it', async () => {
  const over = ['≈12 ms · 1× · 1 stack (plain)'];
  const below = ['now ≈9 ms (dim)'];
  assert.deepEqual(await marksAfterRun('tests', 1, 9), []);
  assert.deepEqual(await marksAfterRun('tests', 2, 12), over);
  assert.deepEqual(await marksAfterRun('tests', 3, 9), below);
  assert.deepEqual(await marksAfterRun('tests', 3, 9), below, 'the same recording read again is not another run');
  assert.deepEqual(await marksAfterRun('tests', 4, 9), below);
  assert.deepEqual(await marksAfterRun('tests', 5, 7), []);
  assert.deepEqual(await marksAfterRun('tests', 6, 9), []);
});

test('after a reload of the window, which starts the server anew, a mark that stayed is still there', async () => {
  await marksAfterRun('again', 1, 12);
  const stayed = await marksAfterRun('again', 2, 9);
  const recording = path.join(shop.folder, 'again/2');
  const second = await startLanguageClient(shop.folder);
  await second.openRecording(recording, path.dirname(recording));
  const marks = await second.marks(shop.file);
  await second.close();
  assertEach(marks, ({ text, tone }) => `${text} (${tone})`, stayed);
});

test('runs of another target keep nothing', async () => {
  await marksAfterRun('a', 1, 12);
  await client.ask(forgetRequest, { target: null });
  assert.deepEqual(await marksAfterRun('b', 1, 9), []);
});
