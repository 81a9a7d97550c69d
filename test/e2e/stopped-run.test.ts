import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { openFile, runCommand } from '../helpers/vscode/commands.ts';
import { decorationWith } from '../helpers/vscode/editor.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { toastButton, toasts } from '../helpers/vscode/panels.ts';
import { resultInStatusBar } from '../helpers/vscode/profile-tests.ts';

const folder = temporaryProject({
  'package.json': '{ "name": "endless", "type": "module", "scripts": { "test": "node --test" } }',
  'test/endless.test.js': `import { pbkdf2Sync } from 'node:crypto';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';

test('never ends', async () => {
  for (;;) {
    pbkdf2Sync('secret', 'salt', 100_000, 32, 'sha512');
    await setImmediate();
  }
});
`,
});
const { page } = await vscodeForTests({ folder });

test('a target that is profiled again while it runs goes on, and a sentence says when its result comes', async () => {
  await runCommand(page, 'Hotspan: Profile Tests');
  await toastButton(page, 'Stop and Show').waitFor();
  await runCommand(page, 'Hotspan: Profile Tests');
  await toasts(page)
    .filter({ hasText: '“profile npm test” is running already: its result comes when it ends.' })
    .waitFor();
});

test('Stop and Show ends a run half-way and shows what there is', async () => {
  await toasts(page).filter({ hasText: 'loop held up to' }).waitFor();
  await toastButton(page, 'Stop and Show').click();
  assert.match(await resultInStatusBar(page), /≈?[\d.]+ m?s worst/);
  await openFile(page, 'test/endless.test.js');
  const { text } = await decorationWith(page, 'worst');
  assert.match(text, /worst · \d+ × >10 ms · 1 stack$/);
});
