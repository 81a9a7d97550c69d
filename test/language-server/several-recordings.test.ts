import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { assertEach } from '../helpers/assert-each.ts';
import { quoteLine, recordRun } from '../helpers/shop-recording.ts';
import { openShop } from '../helpers/shop-client.ts';

const { shop, client } = await openShop();

/** Records the shop with `quote` taking so long each time, and opens all together. */
async function openAll(
  name: string,
  times: readonly number[],
  command: (number: number) => readonly string[] = () => ['npm', 'test'],
) {
  const recordings: string[] = [];
  for (const [number, ms] of times.entries()) {
    const startedAt = `2026-01-01T00:0${number}:00.000Z`;
    const manifest = { command: command(number), cwd: shop.folder, startedAt };
    recordings.push(await recordRun(shop, path.join(name, String(number)), ms, manifest));
  }
  const [first = '', ...more] = recordings;
  return { first, more, answer: await client.openRecording(first, null, more) };
}

test('runs show their range on the line, in the hover and in the tree', async () => {
  const { first, more, answer } = await openAll('runs', [44, 41, 43]);
  if (answer.type !== 'opened') assert.fail(JSON.stringify(answer));
  const { summary } = answer;
  assert.deepEqual([summary.title, summary.recording, summary.more], ['npm test, 3 runs', first, more]);
  assert.match(summary.verdict, /^≈41–44 ms worst in quote, /);
  assert.match(
    summary.warnings[0] ?? '',
    /^3 recordings are runs of one thing: the command is the same\. Figures are medians/,
  );
  assertEach(await client.marks(shop.file), ({ text }) => text, ['≈41–44 ms · 1× · 1 stack']);
  await client.openDocument(shop.file, shop.text);
  assert.match(await client.hover(shop.file, quoteLine), /≈41–44 ms worst, 3 runs/);
  const [item] = await client.hotItems();
  assert.equal(item?.figure, '≈41–44 ms');
  assert.match(item.description, /^3 runs · /);
  assert.match(item.tooltip, /\n≈41–44 ms worst, 3 runs · /);
});

test('parts of one thing are counted together', async () => {
  const { answer } = await openAll('shards', [44, 41], (number) => ['npm', 'test', '--', `--shard=${number + 1}/2`]);
  if (answer.type !== 'opened') assert.fail(JSON.stringify(answer));
  assert.match(
    answer.summary.warnings[0] ?? '',
    /^2 recordings count together: their commands ran different shards\.$/,
  );
  const marks = await client.marks(shop.file);
  assert.match(marks[0]?.text ?? '', /^≈44 ms · 2× · /);
});
