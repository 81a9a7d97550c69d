import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { lineOf } from '../helpers/source-line.ts';
import { hashModule, temporaryProject } from '../helpers/temporary-project.ts';
import { openFile, runCommand } from '../helpers/vscode/commands.ts';
import { decorationWith } from '../helpers/vscode/editor.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { toastButton, toasts } from '../helpers/vscode/panels.ts';
import { clearResults, profileTests, resultInStatusBar } from '../helpers/vscode/profile-tests.ts';
import { recordingsHaveEnded } from '../helpers/vscode/stored-recordings.ts';

/** Its test blocks and fails; while there is a file `endless` it blocks again and again. */
const folder = temporaryProject({
  'package.json': '{ "name": "ends", "type": "module", "scripts": { "test": "node --test test/failing.test.js" } }',
  'src/hash.js': hashModule,
  'test/failing.test.js': `import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { hash } from '../src/hash.js';

test('fails after it has blocked', async () => {
  do {
    hash();
    await setImmediate();
  } while (existsSync('endless'));
  throw new Error('as it should');
});
`,
});
const { page, server } = await vscodeForTests({ folder });

test('tests that fail keep their profile', async () => {
  await profileTests(page);
  await openFile(page, 'src/hash.js');
  const { line, text } = await decorationWith(page, 'stack');
  assert.match(text, / · 1× · 1 stack$/);
  assert.equal(line, lineOf(`${folder}/src/hash.js`, 'return pbkdf2Sync('));
});

test('a target that is profiled again while it runs goes on, and a sentence says when its result comes', async () => {
  await clearResults(page);
  writeFileSync(`${folder}/endless`, '');
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
