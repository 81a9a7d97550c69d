import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, test } from 'node:test';
import { configureRequest, forgetRequest, hotspotsRequest } from '../../protocol/requests.ts';
import { assertEach } from '../helpers/assert-each.ts';
import { quoteLine, recordRun } from '../helpers/shop-recording.ts';
import { openShop, rechecked, showRecheck } from '../helpers/shop-client.ts';

const { shop, client } = await openShop();
beforeEach(async () => {
  await writeFile(shop.file, shop.text);
  await client.ask(forgetRequest, { target: null });
  await client.openDocument(shop.file, shop.text);
});

const runs = new Set<string>();

/** Shows a run of a target in which `quote` took so long, in a folder of its own. */
async function show(target: string, ms: number): Promise<string> {
  const manifest = { command: ['npm', target], cwd: shop.folder, startedAt: '2026-01-01T00:00:00.000Z' };
  const recording = await recordRun(shop, path.join('.recordings', target, String(runs.size)), ms, manifest);
  runs.add(recording);
  const answer = await client.openRecording(recording, target);
  assert.equal(answer.type, 'opened');
  return recording;
}

const marks = async () => (await client.marks(shop.file)).map(({ text }) => text);
const titles = async () => (await client.lenses(shop.file)).map(({ command }) => command?.title ?? '');
const hotspots = async () => client.ask(hotspotsRequest, { groupBy: 'function', sortBy: 'worst' });
const figures = (ms: number): string => `≈${ms} ms · 1× · 1 stack`;
const faster = rechecked('312 → 41 ms');

test('the result of one target stands beside that of another, and the same target replaces its own', async () => {
  const whole = await show('test', 312);
  await show('one', 44);
  await show('one', 41);
  const all = await hotspots();
  assertEach(all, ({ target, groups }) => [target, groups[0]?.items[0]?.worstUs], [
    ['one', 41_000],
    ['test', 312_000],
  ]);
  assert.equal(all[1]?.recording, whole);
});

test('a function that two targets reached has one mark and one lens, with the worst figure of both', async () => {
  const whole = await show('test', 312);
  await show('one', 44);
  assert.deepEqual(await marks(), [figures(312)]);
  const lenses = await client.lenses(shop.file);
  assertEach(lenses, ({ command }) => command?.title, ['≈312 ms', 'flamegraph', 'more…']);
  const references = lenses.map(({ command }) => JSON.stringify(command?.arguments));
  assert.ok(references.every((reference) => reference.includes(JSON.stringify(whole))));
});

test('the hover says of which target the figure is, and what the others say', async () => {
  const whole = await show('test', 312);
  assert.doesNotMatch(await client.hover(shop.file, quoteLine), /npm/);
  await show('one', 44);
  const hover = await client.hover(shop.file, quoteLine);
  assert.match(hover, /^\*\*quote\*\* · ≈312 ms worst/);
  assert.match(
    hover,
    /^From npm test, \d+ days ago {2}\nIn \[npm one\]\(command:[^)]*\): ≈44 ms worst · 1 × >10 ms · 1 stack$/m,
  );
  assert.ok(hover.includes(encodeURIComponent(JSON.stringify(whole))));
});

test('a run of an older text says nothing where another has run the present one', async () => {
  await show('test', 312);
  const changed = shop.text.replace('return copy.length', 'return copy.length + 1');
  await writeFile(shop.file, changed);
  await client.changeDocument(shop.file, changed);
  assert.deepEqual(await marks(), [`was ${figures(312)}`]);

  await show('one', 44);
  assert.deepEqual(await marks(), [figures(44)]);
  await show('one', 4);
  assert.deepEqual(await marks(), [], 'it is no longer slow, as far as anything has run its present text');

  await client.changeDocument(shop.file, shop.text);
  assert.deepEqual(await marks(), [figures(312)], 'undone: now the first run is of the present text');
});

test('of runs of older texts the newer one speaks; of runs of one text the worst', async () => {
  const stale = (ms: number): string => `was ${figures(ms)}`;
  const texts = ['+ 1', '+ 2'].map((more) => shop.text.replace('return copy.length', `return copy.length ${more}`));
  const [second = '', third = ''] = texts;
  await show('test', 312);
  await show('one', 44);
  await client.changeDocument(shop.file, second);
  assert.deepEqual(await marks(), [stale(312)]);

  await writeFile(shop.file, second);
  await show('one', 41);
  await client.changeDocument(shop.file, third);
  assert.deepEqual(await marks(), [stale(41)]);
});

test('by total time the largest total is shown, also of a run in which the function never blocked for long', async () => {
  await show('one', 44);
  await show('test', 312);
  await client.ask(configureRequest, { metric: 'total', codeLens: true, loading: false, diagnosticsUs: null });
  const texts = await marks();
  await client.ask(configureRequest, { metric: 'worst', codeLens: true, loading: false, diagnosticsUs: null });
  assert.deepEqual(texts, ['≈312 ms total · ≈312 ms worst', '≈312 ms total · ≈312 ms worst']);
});

test('what a re-check says stays with the result that it is about', async () => {
  const whole = await show('test', 312);
  await show('one', 44);
  const functionId = (await hotspots())[1]?.groups[0]?.items[0]?.functionId ?? -1;
  await showRecheck(client, { recording: whole, functionId }, faster);
  assert.ok((await titles()).includes('312 → 41 ms'));
  await show('one', 45);
  assert.ok((await titles()).includes('312 → 41 ms'));
  await show('test', 300);
  assert.ok(!(await titles()).includes('312 → 41 ms'));
});

test('what a re-check says takes the place of the figure of the text that was recorded', async () => {
  const recording = await show('test', 312);
  const functionId = (await client.hotItems())[0]?.functionId ?? -1;
  const clone = 'JSON.parse(JSON.stringify(catalogue))';
  const edited = shop.text.replace(clone, 'structuredClone(catalogue)');
  await client.changeDocument(shop.file, edited);
  assert.deepEqual(await titles(), ['was ≈312 ms', 're-check', 'more…']);
  await writeFile(shop.file, edited); // Its tests run what is on the disk.
  await showRecheck(client, { recording, functionId }, faster);
  await writeFile(shop.file, shop.text);
  assert.deepEqual(await titles(), ['312 → 41 ms', 'keep as baseline', 're-check', 'more…']);
  await client.changeDocument(shop.file, shop.text);
});

test('one result is forgotten alone', async () => {
  await show('test', 312);
  await show('one', 44);
  await client.ask(forgetRequest, { target: 'test' });
  assert.deepEqual(await marks(), [figures(44)]);
  assertEach(await hotspots(), ({ target }) => target, ['one']);
});

test('a recording is in one result: opened together with another, it leaves the one of its own', async () => {
  const [first, second] = [await show('test', 44), await show('one', 41)];
  const answer = await client.openRecording(second, 'both', [first]);
  assert.equal(answer.type, 'opened');
  assertEach(await hotspots(), ({ target }) => target, ['both']);
});
