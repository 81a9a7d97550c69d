import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startLanguageClient } from '../helpers/language-client.ts';
import { cloneLine, recordShop } from '../helpers/shop-recording.ts';

test('a name from a profile is plain text in a hover: no link, no HTML, no command of its own', async (t) => {
  const shop = await recordShop('[x](command:workbench.action.terminal.new) <img src=x> **b**');
  const client = await startLanguageClient(shop.folder);
  t.after(async () => {
    await client.close();
    await shop.remove();
  });
  await client.openRecording(shop.profile);
  const hover = await client.hover(shop.file, cloneLine);
  const commands = [...hover.matchAll(/(?<!\\)\]\((command:[^?)]*)/g)].map(([, command]) => command);
  assert.ok(commands.length > 0);
  assert.deepEqual(
    new Set(commands),
    new Set([
      'command:hotspan.openSource',
      'command:hotspan.openFunction',
      'command:hotspan.openRemedy',
      'command:hotspan.recheck',
      'command:hotspan.openWorst',
      'command:hotspan.moreActions',
    ]),
  );
  assert.doesNotMatch(hover, /(?<!\\)</);
});
