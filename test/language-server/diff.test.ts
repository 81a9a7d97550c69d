import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';
import { nameOfDiff } from '../../protocol/diff.ts';
import { internalCommands } from '../../protocol/ids.ts';
import { locateRequest, openDiffRequest } from '../../protocol/requests.ts';
import type { DiffReference } from '../../protocol/rechecks.ts';
import { line1, milliseconds } from '../../protocol/units.ts';
import { quoteLine, shopProfile } from '../helpers/shop-recording.ts';
import { frameNamed } from '../show/flame/frames.ts';
import { openShop, rechecked, showRecheck } from '../helpers/shop-client.ts';

const { shop, client } = await openShop();
const now = path.join(shop.folder, 'now.cpuprofile');
await writeFile(now, shopProfile(shop, 41));

const sides = { base: [[shop.profile]], head: [[now]] };
const recording = nameOfDiff(sides);
const options = { thresholdUs: milliseconds(10), testPatterns: [] };
const url = pathToFileURL(shop.file).href;

test('a diff is opened by its sides, and answers as a recording does', async () => {
  const answer = await client.ask(openDiffRequest, { ...sides, options });
  assert.ok(answer.type === 'opened');
  assert.match(answer.summary.verdict, /^1 run before and 1 run now, one side recorded after the other$/);
  const flame = await client.about(recording, 'flame', { leastShare: 0 });
  const { diff } = frameNamed(flame, 'quote');
  assert.deepEqual([diff?.was.totalUs, diff?.is.totalUs, diff?.change], [312_000, 41_000, 'faster']);
  const found = await client.about(recording, 'search', { pattern: 'quote', isRegex: false, side: 'before' });
  assert.deepEqual(found.type === 'found' && [found.matches, found.matchedUs], [1, 312_000]);
  await assert.rejects(client.about(recording, 'waits', null), /is not open/, 'a diff has no waits');
  await writeFile(now, shopProfile(shop, 60)); // Made again.
  await client.ask(openDiffRequest, { ...sides, options });
  const { diff: next } = frameNamed(await client.about(recording, 'flame', { leastShare: 0 }), 'quote');
  assert.equal(next?.is.totalUs, 60_000);
});

test('the function of a comparison is found in it, and its place in the source as it is now', async () => {
  await client.ask(openDiffRequest, { ...sides, options });
  const place = { url, line: quoteLine + 1, name: 'quote' };
  const found = await client.about(recording, 'find', place);
  assert.equal(found?.side, 'now');
  const query = { leastShare: 0, functionId: found?.functionId ?? -1, perOperationOf: found?.functionId ?? -1 };
  const { diff } = await client.about(recording, 'flame', query);
  assert.equal(diff?.of?.name, 'quote');
  assert.equal(await client.about(recording, 'find', { ...place, name: 'other', line: 99 }), null);
  const location = await client.ask(locateRequest, { recording, url, line: line1(quoteLine + 1) });
  assert.ok('line' in location && location.inside);
  assert.equal(location.line, quoteLine);
  const kept = await client.about(recording, 'textBefore', found?.functionId ?? -1);
  assert.equal(kept, null, 'a plain profile keeps no text');
});

test('a recording that was deleted meanwhile is said, in one sentence', async () => {
  const gone = path.join(shop.folder, 'gone.cpuprofile');
  await rm(gone, { force: true });
  const answer = await client.ask(openDiffRequest, { base: [[gone]], head: [[now]], options });
  assert.ok(answer.type === 'failed');
  assert.match(answer.message, /gone\.cpuprofile is not there/);
});

test('what a re-check says leads to its diff, where there is one', async () => {
  await client.openRecording(shop.profile);
  const text = '312 → 41 ms';
  const say = async (functionId: number, diff: DiffReference | null) =>
    showRecheck(client, { recording: shop.profile, functionId }, rechecked(text, { diff }));
  const commands = async () =>
    (await client.lenses(shop.file)).flatMap(({ command }) => (command?.title === text ? [command] : []));
  const ids = [0, 1, 2, 3];
  const diff = { ...sides, place: { url, line: quoteLine + 1, name: 'quote' } };
  for (const functionId of ids) await say(functionId, diff);
  const opening = { title: text, command: internalCommands.openDiffFlamegraph, arguments: [diff] };
  assert.deepEqual(await commands(), [opening]);
  for (const functionId of ids) await say(functionId, null);
  assert.equal((await commands())[0]?.command, internalCommands.openFunction);
});
