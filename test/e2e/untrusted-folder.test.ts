import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertNone } from '../helpers/assert-each.ts';
import { projectFile } from '../helpers/project.ts';
import { recordShop } from '../helpers/shop-recording.ts';
import { closeAllEditors, commandOffered, paletteTitles, runCommand } from '../helpers/vscode/commands.ts';
import { openProfile } from '../helpers/vscode/open-profile.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { statusBarEntry, toasts, webviewPage, welcome } from '../helpers/vscode/panels.ts';

const { page } = await vscodeForTests({
  folder: projectFile('examples/shop'),
  trust: true,
  settings: { 'security.workspace.trust.startupPrompt': 'never', 'security.workspace.trust.banner': 'never' },
  keybindings: [{ key: 'ctrl+alt+h', command: 'hotspan.profileTests' }],
});

test('a folder that is not trusted is in Restricted Mode', async () => {
  await statusBarEntry(page, 'Restricted Mode').waitFor();
});

test('there a profile can be opened, and nothing can be run', async () => {
  await commandOffered(page, 'Hotspan: Open Profile…');
  const titles = await paletteTitles(page, 'Hotspan');
  assertNone(titles, (title) => title.startsWith('Hotspan: Profile'));
});

test('a profile opens there, as its flamegraph, with nothing run', async () => {
  const shop = await recordShop();
  after(() => shop.remove());
  await openProfile(page, shop.profile);
  await webviewPage(page).locator('g.frame[name="quote"]').first().waitFor();
  await closeAllEditors(page);
  await runCommand(page, 'Hotspan: Clear');
});

test('the empty view says why', async () => {
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  await welcome(page, 'Hotspots', 'Hotspan runs nothing in a folder that you have not trusted.').waitFor();
});

test('a command that is asked for by a key all the same is refused', async () => {
  await page.keyboard.press('Control+Alt+H');
  await toasts(page).filter({ hasText: 'Hotspan runs nothing in a folder that you have not trusted.' }).waitFor();
  assert.equal(await page.locator('.terminal-wrapper').count(), 0);
});
