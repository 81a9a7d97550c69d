import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { projectFile } from '../helpers/project.ts';
import { lineOf } from '../helpers/source-line.ts';
import { hashModule, temporaryProject } from '../helpers/temporary-project.ts';
import {
  clearMessages,
  openFile,
  pickExactRow,
  quickInputRows,
  runCommand,
  closeAllEditors,
  filterPick,
} from '../helpers/vscode/commands.ts';
import { decorationWith } from '../helpers/vscode/editor.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { statusBarEntry, toastButton, toasts } from '../helpers/vscode/panels.ts';
import { resultInStatusBar, clearResults } from '../helpers/vscode/profile-tests.ts';
import { endedRecordings, recordingsHaveEnded } from '../helpers/vscode/stored-recordings.ts';

const packages = Array.from({ length: 50 }, (_, number) => `p${String(number).padStart(2, '0')}`);
/** More than the three messages that VS Code shows. */
const atOnce = packages.slice(0, 4);

/**
 * The programs that run at once begin together: each waits until all have begun. The last one, whose mark is looked at, holds
 * the loop for longer than V8's sampler mostly waits for a processor on a busy machine.
 */
const packageFiles = (name: string) => ({
  [`mono/packages/${name}/package.json`]: JSON.stringify({ name, type: 'module', scripts: { test: 'node --test' } }),
  [`mono/packages/${name}/${name}.js`]: `import { pbkdf2Sync } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
writeFileSync('begun', '');
while (!${JSON.stringify(atOnce)}.every((name) => existsSync('../' + name + '/begun'))) await setTimeout(50);
const ${name} = () => pbkdf2Sync('', '', ${name === atOnce.at(-1) ? 700_000 : 100_000}, 32, 'sha512');
${name}();
`,
});

const task = (name: string) => ({
  ...{ label: name, type: 'hotspan', problemMatcher: [] },
  ...{ command: ['node', `${name}.js`], cwd: `packages/${name}` },
});
const compound = { label: 'four at once', dependsOn: atOnce, dependsOrder: 'parallel', problemMatcher: [] };

/** The test of the second folder blocks and fails; while there is a file `endless` it blocks again and again. */
const folder = temporaryProject({
  'many.code-workspace': JSON.stringify({ folders: [{ path: 'mono' }, { path: 'two' }] }),
  'mono/package.json': JSON.stringify({ name: 'mono', private: true, workspaces: ['packages/*'] }),
  'mono/.vscode/tasks.json': JSON.stringify({ version: '2.0.0', tasks: [...atOnce.map(task), compound] }),
  ...Object.fromEntries(packages.flatMap((name) => Object.entries(packageFiles(name)))),
  'two/package.json': JSON.stringify({
    name: 'two',
    type: 'module',
    scripts: { test: 'mocha test/mocha.js', 'test:node': 'node --test test/node.test.js' },
  }),
  'two/hash.js': hashModule,
  'two/test/mocha.js': `import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { hash } from '../hash.js';

it('fails after it has blocked', async () => {
  do {
    hash();
    await setImmediate();
  } while (existsSync('endless'));
  throw new Error('as it should');
}).timeout(0);
`,
});
symlinkSync(projectFile('examples/shop/node_modules'), `${folder}/two/node_modules`);
const { page, server } = await vscodeForTests({ folder: `${folder}/many.code-workspace` });

const profileTests = 'Hotspan: Profile Tests';
/** In its pick, the targets of the second folder alone. */
const ofTwo = { prompt: 'What to profile', text: 'two', without: 'mono' };

/** The first rows of the pick of targets, as `label description`. */
async function firstTargets(count: number): Promise<readonly string[]> {
  await runCommand(page, profileTests);
  const rows = quickInputRows(page);
  await rows.nth(count - 1).waitFor();
  return (await targetTexts()).slice(0, count);
}

async function targetTexts(): Promise<readonly string[]> {
  // The line below a label, with the command, is built of the same parts.
  const first = '.quick-input-list-row:not(:has(.quick-input-list-label-meta))';
  const labels = await quickInputRows(page).locator(`${first} .label-name`).allInnerTexts();
  const descriptions = await quickInputRows(page).locator(`${first} .label-description`).allInnerTexts();
  return labels.map((label, row) => `${label} ${descriptions[row]}`.replaceAll(/\s+/g, ' ').trim());
}

async function dismissPick(): Promise<void> {
  await page.keyboard.press('Escape');
  await quickInputRows(page).first().waitFor({ state: 'detached' });
}

test('of 52 targets in two folders those of the open file’s package come first', async () => {
  await openFile(page, 'p17.js');
  await statusBarEntry(page, /^Ln 1, Col 1$/).waitFor();
  const [first = '', second = ''] = await firstTargets(2);
  assert.equal(first, 'npm test mono · packages/p17 · node:test');
  assert.equal(second, 'npm test mono · packages/p00 · node:test');
  await dismissPick();
  await filterPick(page, profileTests, ofTwo);
  assert.deepEqual(await targetTexts(), ['npm test two · mocha', 'npm run test:node two · node:test']);
  await dismissPick();
});

test('a target of the second folder marks its line, and tests that fail keep their profile', async () => {
  await filterPick(page, profileTests, ofTwo);
  await quickInputRows(page).filter({ hasText: 'mocha' }).click();
  await resultInStatusBar(page);
  await openFile(page, 'hash.js');
  const { line, text } = await decorationWith(page, 'stack');
  assert.match(text, / · 1× · 1 stack$/);
  assert.equal(line, lineOf(`${folder}/two/hash.js`, 'return pbkdf2Sync('));
});

test('a target that is profiled again while it runs goes on, and a sentence says when its result comes', async () => {
  await clearResults(page);
  writeFileSync(`${folder}/two/endless`, '');
  await runCommand(page, 'Hotspan: Profile Last Target Again');
  await toastButton(page, 'Stop and Show').waitFor();
  await runCommand(page, 'Hotspan: Profile Last Target Again');
  await toasts(page).filter({ hasText: 'is running already: its result comes when it ends.' }).waitFor();
});

test('Stop and Show ends a run half-way and shows what there is', async () => {
  await toasts(page).filter({ hasText: 'so far, in any thread, loading included' }).waitFor();
  await toastButton(page, 'Stop and Show').click();
  await resultInStatusBar(page);
  const { text } = await decorationWith(page, 'stack');
  assert.match(text, / · \d+× · 1 stack$/);
});

test('the same is run once more by one command, and both recordings are kept', async () => {
  await recordingsHaveEnded(server, 2);
});

test('a target that was run comes first from then on, without those of that name elsewhere', async () => {
  await closeAllEditors(page);
  const [first = '', second = ''] = await firstTargets(2);
  assert.equal(first, 'npm test two · mocha');
  assert.equal(second, 'npm test mono · packages/p00 · node:test');
  await dismissPick();
  await clearResults(page);
  await clearMessages(page);
});

test('four runs at once: each is kept, the last one is shown, and all progress ends', async () => {
  const before = endedRecordings(server);
  await runCommand(page, 'Tasks: Run Task');
  await pickExactRow(page, 'four at once');
  await toastButton(page, 'Stop and Show').first().waitFor();
  await recordingsHaveEnded(server, before + atOnce.length);
  await resultInStatusBar(page);
  await toasts(page).first().waitFor({ state: 'detached' });
  await runCommand(page, 'Notifications: Show Notifications');
  const notifications = page.locator('.notifications-center .notification-list-item');
  await notifications.first().waitFor({ state: 'detached' }); // The last recordings may still be read.
  await page.keyboard.press('Escape');
  await runCommand(page, 'Hotspan: Open Recording…');
  for (const name of atOnce) {
    await page.locator('.quick-input-widget:visible input.input').fill(name);
    await quickInputRows(page).filter({ hasText: name }).first().waitFor();
  }
  await quickInputRows(page).filter({ hasText: 'p03' }).first().click();
  await openFile(page, 'p03.js');
  await decorationWith(page, 'stack');
});
