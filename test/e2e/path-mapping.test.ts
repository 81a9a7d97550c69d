import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { cloneLine, recordShop } from '../helpers/shop-recording.ts';
import { openFile, quickInputRows, runCommand, closeAllEditors, clearMessages } from '../helpers/vscode/commands.ts';
import { decorationWith } from '../helpers/vscode/editor.ts';
import { logSays } from '../helpers/vscode/hotspan-log.ts';
import { openProfile } from '../helpers/vscode/open-profile.ts';
import { resultPattern } from '../helpers/vscode/profile-tests.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { activeTab, statusBarEntry, toastButton, toasts, treeRows, webviewPage } from '../helpers/vscode/panels.ts';

/** A monorepo in which two packages have a `src/shop.js`, and a profile of one of them from a container. */
const shop = await recordShop();
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'hotspan-elsewhere-')));
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await shop.remove();
});
write('package.json', '{ "name": "monorepo", "workspaces": ["packages/*"] }');
write('packages/api/src/shop.js', shop.text);
write('packages/web/src/shop.js', "export const page = '<h1>Shop</h1>';\n");
const profile = readFileSync(shop.profile, 'utf8');
write('container.cpuprofile', profile.replaceAll(pathToFileURL(shop.file).href, 'file:///app/src/shop.js'));
write('agent.cpuprofile', profile.replaceAll(pathToFileURL(shop.file).href, String.raw`C:\\agent\\s\\src\\shop.js`));

function write(name: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), text);
}

const vscode = await vscodeForTests({ folder });
const { page, server } = vscode;

function settings(): unknown {
  return JSON.parse(readFileSync(path.join(folder, '.vscode/settings.json'), 'utf8'));
}

// VS Code shows no more than three messages in 0.8 s, and drops others: what is slow here may meet that.
const question = 'The file of this recording is in this folder under another path: /app → packages/api. Use it?';

test('a profile of a container asks where its files are, by their texts, until it is answered', async () => {
  await openProfile(page, 'container.cpuprofile');
  await toasts(page).filter({ hasText: question }).waitFor();
  for (const label of ['Yes', 'Choose…', 'No']) await toastButton(page, label).waitFor();
  await clearMessages(page);
  assert.equal(await statusBarEntry(page, resultPattern).count(), 0);
});

test('Yes marks the lines, in the editor, the tree, and from the flamegraph', async () => {
  await openProfile(page, 'container.cpuprofile');
  await toastButton(page, 'Yes').click();
  await statusBarEntry(page, '≈312 ms').waitFor();
  assert.deepEqual(settings(), { 'hotspan.pathMappings': { '/app': '${workspaceFolder}/packages/api' } });
  const frame = webviewPage(page).locator('g.frame[name="quote"]').first();
  await frame.click({ modifiers: ['Control'] });
  await activeTab(page, 'shop.js').waitFor();
  await closeAllEditors(page); // Beside the flamegraph the line leaves no room for its figures.
  await openFile(page, 'packages/api/src/shop.js');
  assert.equal((await decorationWith(page, 'stack')).line, cloneLine + 1);
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  await treeRows(page, 'Hotspots')
    .filter({ hasText: /shop\.js.*packages\/api\/src/ })
    .first()
    .waitFor();
});

test('No is kept: the same folder is not asked about again', async () => {
  await closeAllEditors(page); // The dialog begins in the folder of the open file.
  await openProfile(page, 'agent.cpuprofile');
  await toasts(page)
    .filter({ hasText: String.raw`C:\agent\s → packages/api. Use it?` })
    .waitFor();
  await toastButton(page, 'No').click();
  await toasts(page).first().waitFor({ state: 'detached' });
  await openProfile(page, 'agent.cpuprofile');
  await toasts(page).filter({ hasText: 'No file of this profile is in this workspace.' }).waitFor();
  assert.equal(await toasts(page).filter({ hasText: 'under another path' }).count(), 0);
  await clearMessages(page);
});

test('where two folders have the same files, the person chooses', async () => {
  write('packages/copy/src/shop.js', shop.text);
  write('twin.cpuprofile', profile.replaceAll(pathToFileURL(shop.file).href, '/twin/src/shop.js'));
  await closeAllEditors(page);
  await openProfile(page, 'twin.cpuprofile');
  await toasts(page).filter({ hasText: '/twin may be 2 folders here. Which is it?' }).waitFor();
  assert.equal(await toastButton(page, 'Yes').count(), 0);
  await toastButton(page, 'Choose…').click();
  const row = quickInputRows(page).filter({ hasText: '/twin → packages/copy' });
  await row.waitFor();
  await page.locator('.tab', { hasText: 'twin.cpuprofile' }).click(); // The page takes the focus, too, once it is there.
  await row.click();
  await statusBarEntry(page, '≈312 ms').waitFor();
  await openFile(page, 'packages/copy/src/shop.js');
  assert.equal((await decorationWith(page, 'stack')).line, cloneLine + 1);
});

test('a rule that leads out of the workspace is refused in one sentence', async () => {
  write('.vscode/settings.json', '{ "hotspan.pathMappings": { "/app": "/etc" } }');
  await toasts(page)
    .filter({ hasText: 'The rule "/app" of hotspan.pathMappings is not used: /etc is in no folder that is open.' })
    .waitFor();
});

test('so is one of another form, and the setting itself, each with its reason', async () => {
  for (const [setting, reason, others] of [
    [
      '{ "app": "${workspaceFolder}", "/app": 7, "/srv": "${workspaceFolder:other}" }',
      'its name is not an absolute path below the root, such as "/app".',
      [/"\/app" .* its value is neither a folder, /, /"\/srv" .* no open folder has the name "other"\./],
    ],
    [
      '["/app"], "hotspan.recordings.keep": 0',
      'The setting hotspan.pathMappings is not used: it is not an object that gives each folder there',
      [/The setting hotspan\.recordings\.keep is not used: give a whole number from/],
    ],
  ] as const) {
    await clearMessages(page);
    write('.vscode/settings.json', `{ "hotspan.pathMappings": ${setting} }`);
    await toasts(page).filter({ hasText: reason }).waitFor();
    for (const other of others) await logSays(server, other);
  }
});

test('no request has left the machine', () => {
  assert.deepEqual([...vscode.foreignHosts], []);
});
