import assert from 'node:assert/strict';
import { rm, utimes, writeFile } from 'node:fs/promises';
import { beforeEach, test } from 'node:test';
import { configureRequest, forgetRequest, functionAtRequest } from '../../protocol/requests.ts';
import { type Microseconds, line0, milliseconds } from '../../protocol/units.ts';
import { uriOf } from '../helpers/language-client.ts';
import { openShop, rechecked, showRecheck } from '../helpers/shop-client.ts';
import { cloneLine } from '../helpers/shop-recording.ts';

const { shop, client } = await openShop();

const limit = async (diagnosticsUs: Microseconds | null): Promise<null> =>
  client.ask(configureRequest, { metric: 'worst', codeLens: true, loading: false, diagnosticsUs });

/** Its lines would be unknown if it was written after the profile. */
async function restore(): Promise<void> {
  await writeFile(shop.file, shop.text);
  await utimes(shop.file, 0, 0);
}

beforeEach(async () => {
  await restore();
  await limit(milliseconds(100));
  await client.openRecording(shop.profile);
  assert.equal((await client.diagnostics(shop.file, 1)).length, 1);
});

test('a file that is not open has a diagnostic on the marked line, with the figures of the mark', async () => {
  const [mark] = await client.marks(shop.file);
  const [{ range, message, source, code, severity } = assert.fail()] = await client.diagnostics(shop.file, 1);
  assert.equal(message, `quote: ${mark?.text} (holds the event loop)`);
  assert.deepEqual(range, { start: { line: cloneLine, character: 2 }, end: { line: cloneLine, character: 53 } });
  assert.equal(source, 'hotspan');
  assert.equal(severity, 3);
  assert.equal(code, 'json-clone');
});

test('the code of a line with a remedy leads to its page', async () => {
  const [found] = await client.diagnostics(shop.file, 1);
  const link = decodeURIComponent(found?.codeDescription?.href ?? '');
  assert.equal(link, 'command:hotspan.openRemedy?[{"page":"json-clone"}]');
});

test('only what is over the limit has one, and without a limit nothing has', async () => {
  await limit(milliseconds(400));
  assert.deepEqual(await client.diagnostics(shop.file, 0), []);
  await limit(milliseconds(300));
  assert.equal((await client.diagnostics(shop.file, 1)).length, 1);
  await limit(null);
  assert.deepEqual(await client.diagnostics(shop.file, 0), []);
});

test('Clear takes all of them away', async () => {
  await client.ask(forgetRequest, { target: null });
  assert.deepEqual(await client.diagnostics(shop.file, 0), []);
});

test('one moves with its line, goes when its function changes, comes back by undo, and by closing without saving', async () => {
  await client.openDocument(shop.file, shop.text);
  await client.changeDocument(shop.file, `${shop.text}\n// at the end\n`);
  await client.changeDocument(shop.file, shop.text.replace('return copy.length', 'return copy.length + 1'));
  assert.deepEqual(await client.diagnostics(shop.file, 0), []);
  await client.changeDocument(shop.file, `\n\n${shop.text}`.replaceAll('\n', '\r'));
  const [moved] = await client.diagnostics(shop.file, 1);
  assert.deepEqual(moved?.range.start, { line: cloneLine + 2, character: 2 });
  await client.changeDocument(shop.file, '');
  assert.deepEqual(await client.diagnostics(shop.file, 0), []);
  await client.closeDocument(shop.file);
  const [closed] = await client.diagnostics(shop.file, 1);
  assert.equal(closed?.range.start.line, cloneLine);
});

test('a file that is changed or deleted by another program has those of what is there now', async () => {
  await writeFile(shop.file, shop.text.replace('return copy.length', 'return copy.length + 1'));
  await client.changeOnDisk(shop.file);
  assert.deepEqual(await client.diagnostics(shop.file, 0), []);
  await restore();
  await client.changeOnDisk(shop.file);
  assert.equal((await client.diagnostics(shop.file, 1)).length, 1);
  await rm(shop.file);
  await client.changeOnDisk(shop.file);
  assert.deepEqual(await client.diagnostics(shop.file, 0), []);
});

test('one goes by a re-check that fixed it', async () => {
  const at = await client.ask(functionAtRequest, { uri: uriOf(shop.file), line: line0(cloneLine) });
  await showRecheck(client, at ?? assert.fail(), rechecked('312 → 9 ms', { isFixed: true }));
  assert.deepEqual(await client.diagnostics(shop.file, 0), []);
});
