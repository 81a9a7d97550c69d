import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { runCli } from '../helpers/run-cli.ts';
import { recordShop } from '../helpers/shop-recording.ts';

const shop = await recordShop();
after(() => shop.remove());

test('without WebAssembly a report is the same, byte by byte', async () => {
  const words = ['analyze', '--json', '--operations', 'all', shop.profile];
  const usual = await runCli(words, { cwd: shop.folder });
  const without = await runCli(words, { cwd: shop.folder, env: { ...process.env, NODE_OPTIONS: '--jitless' } });
  assert.match(usual.stdout, /"name": "quote"/);
  assert.equal(without.stdout, usual.stdout);
});
