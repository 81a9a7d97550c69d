import assert from 'node:assert/strict';
import { utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, after, beforeEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { locateRequest, markdownRequest } from '../../protocol/requests.ts';
import { assertEach } from '../helpers/assert-each.ts';
import { type LanguageClient, startLanguageClient } from '../helpers/language-client.ts';
import { changedFileLens } from '../../words/editor/lens-texts.ts';
import { cloneLine, quoteLine, recordRun, recordShop, shopProfile } from '../helpers/shop-recording.ts';
import type { HotspotItem } from '../../protocol/list-rows.ts';

const shop = await recordShop();
after(async () => shop.remove());

/** A recording of the editor's own; `kept` as the process that was recorded has kept it. */
async function recorded(name: string, kept?: string): Promise<string> {
  const recording = await recordRun(shop, path.join('recordings/target', name), 312);
  if (kept !== undefined) {
    const line = { url: pathToFileURL(shop.file).href, text: '7e-a1' };
    await writeFile(path.join(recording, '7-0-a.texts.jsonl'), `${JSON.stringify(line)}\n`);
    await writeFile(path.join(recording, '7e-a1.text.gz'), gzipSync(kept));
  }
  return recording;
}

beforeEach(async () => writeFile(shop.file, shop.text));

/** With no document open. */
async function started(t: TestContext): Promise<LanguageClient> {
  const client = await startLanguageClient(shop.folder);
  t.after(async () => client.close());
  return client;
}

const markedLines = async (client: LanguageClient) => (await client.marks(shop.file)).map(({ line }) => line);

test('a recording that is opened again after its files were edited still marks the line that was slow', async (t) => {
  const client = await started(t);
  const recording = await recorded('run');
  await client.openRecording(recording, path.dirname(recording));
  assert.deepEqual(await markedLines(client), [cloneLine]);

  const edited = `// one\n// two\n// three\n${shop.text}`;
  await writeFile(shop.file, edited);
  await client.openRecording(recording, path.dirname(recording));
  await client.openDocument(shop.file, edited);
  assert.deepEqual(await markedLines(client), [cloneLine + 3]);
});

test('the first time, too, marks stand where the text that ran stands now, whether or not the file is open', async (t) => {
  const client = await started(t);
  const recording = await recorded('moved', shop.text);
  await writeFile(shop.file, `// one\n// two\n${shop.text}`);
  await client.openRecording(recording);
  assert.deepEqual(await markedLines(client), [cloneLine + 2]);
  const location = await client.ask(locateRequest, {
    recording,
    url: pathToFileURL(shop.file).href,
    line: cloneLine + 1,
  });
  assert.equal('line' in location && location.line, cloneLine + 2);
});

test('a function whose text is another one now is told on every surface, and nothing of it is certain', async (t) => {
  const client = await started(t);
  const recording = await recorded('edited', shop.text);
  const edited = shop.text.replace('return copy.length', 'return copy.size');
  await writeFile(shop.file, edited);
  await client.openRecording(recording);
  await client.openDocument(shop.file, edited);
  const marks = await client.marks(shop.file);
  const told = /changed since it was recorded/;
  assertEach(marks, ({ text, tone }) => [text.startsWith('was '), tone], [[true, 'dim']]);
  assert.match(await client.hover(shop.file, cloneLine), told);
  const [item] = await client.hotItems();
  assert.match(item?.description ?? '', /^was ≈?312 ms/);
  assert.equal(item?.location?.line, cloneLine);
  assert.match(await client.ask(markdownRequest, { recording, functionId: item?.functionId ?? -1 }), told);
});

test('what an older text had leads to the function of its name in the text that ran last', async (t) => {
  const client = await started(t);
  const now = `// one\n// two\n${shop.text.replace('copy.length', 'copy.size')}`;
  const recording = await recorded('twice', shop.text);
  await writeFile(path.join(recording, '8-0-b.0.cpuprofile'), shopProfile(shop, 20, 2));
  const line = { url: pathToFileURL(shop.file).href, text: '7f-b2' };
  await writeFile(path.join(recording, '8-0-b.texts.jsonl'), JSON.stringify(line));
  await writeFile(path.join(recording, '7f-b2.text.gz'), gzipSync(now));
  await writeFile(shop.file, now);
  await client.openRecording(recording);
  const changes = ({ label, location, description }: HotspotItem) => [
    label,
    location?.line,
    description.includes('changed'),
  ];
  assertEach(await client.hotItems(), changes, [
    ['quote', quoteLine + 2, true],
    ['quote', cloneLine + 2, false],
  ]);
  assert.deepEqual(await markedLines(client), [cloneLine + 2]);
});

test('a function that is gone has no mark, and is listed', async (t) => {
  const client = await started(t);
  const recording = await recorded('gone', shop.text);
  const now = shop.text.split('\n').toSpliced(quoteLine, 4).join('\n');
  await writeFile(shop.file, now);
  await client.openRecording(recording);
  assert.deepEqual(await markedLines(client), []);
  assert.match((await client.hotItems())[0]?.description ?? '', /^was ≈?312 ms/);
});

test('over a file that was edited after a plain profile stands what of it was found again, and what has no line', async (t) => {
  const client = await started(t);
  const topTitles = async () =>
    (await client.lenses(shop.file)).filter(({ range }) => range.start.line === 0).map(({ command }) => command?.title);
  const opened = async (text: string) => {
    await writeFile(shop.file, text);
    await utimes(shop.file, 0, 0); // As after a checkout: nothing is told by its time.
    await client.openRecording(shop.profile);
    await client.openDocument(shop.file, text);
    const [item] = await client.hotItems();
    return { titles: await topTitles(), marked: await markedLines(client), item };
  };
  const differs = 'shop.js has another text than ran: ';
  const moved = await opened(`// one\n// two\n${shop.text}`);
  assert.deepEqual(moved.titles, [`${differs}its functions were found again, lines inside of them are unknown`]);
  assert.deepEqual([moved.marked, moved.item?.location?.line], [[quoteLine + 2], quoteLine + 2]);
  const { titles, marked, item } = await opened(`// one\n${shop.text.replace('function quote', 'function price')}`);
  assert.deepEqual(titles, [
    `${differs}1 of its 2 functions was not found again, lines inside of the other are unknown`,
    '≈312 ms quote: line unknown',
  ]);
  assert.deepEqual([marked, item?.location], [[], null]);
  const why = 'shop.js has another text than ran, and this function was not found in it.';
  assert.ok(item?.tooltip.includes(`\n${why}\n`), item?.tooltip);
  const asked = { recording: shop.profile, functionId: item?.functionId ?? -1, hottest: true } as const;
  assert.deepEqual(await client.ask(locateRequest, asked), { why });
  await client.openRecording(await recorded('again', shop.text), 'again');
  // Where the newer result has a line for the function, nothing is left to say.
  await client.changeDocument(shop.file, shop.text);
  assert.deepEqual(await topTitles(), []);
  assert.deepEqual((await opened(shop.text)).titles, []);
  const ofBody = { file: 'shop.js', found: 0, lost: 0, hasLines: false, times: null };
  assert.equal(changedFileLens(ofBody), `${differs}which of its lines took the time is not known`);
  const again = 'its function was found again, lines inside of it are unknown';
  assert.equal(changedFileLens({ ...ofBody, found: 1 }), differs + again);
});
