import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vsixFile } from '../../scripts/setup.mjs';
import { projectFile } from '../helpers/project.ts';
import { lineOf } from '../helpers/source-line.ts';
import { openFile } from '../helpers/vscode/commands.ts';
import { decorationWith, hoverWith, lenses } from '../helpers/vscode/editor.ts';
import { activatedExtensions } from '../helpers/vscode/extension-host-log.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { webviewPage } from '../helpers/vscode/panels.ts';
import { languageServer, processesOf } from '../helpers/vscode/processes.ts';
import { profileTests } from '../helpers/vscode/profile-tests.ts';

// As a person has it: with all of VS Code's own extensions, and a real run.
const shop = projectFile('examples/shop');
const vscode = await vscodeForTests({ folder: shop, extensions: [vsixFile], builtins: undefined });
const { page, server } = vscode;

test('Hotspan is activated once the editor has started, and starts no process before somebody asks for it', () => {
  assert.equal(activatedExtensions(server).get('hotspan.hotspan'), 'onStartupFinished');
  assert.deepEqual(processesOf(server, languageServer), []);
});

test('Profile Tests marks the line that blocks, and its hover and flamegraph are of it', async () => {
  assert.match(await profileTests(page), /≈?[\d.]+ m?s/);
  await openFile(page, 'src/accounts/email.js');
  const { text, line } = await decorationWith(page, 'stack');
  assert.match(text, /≈?[\d.]+ m?s · \d+× · \d+ stacks?$/);
  assert.equal(line, lineOf(`${shop}/src/accounts/email.js`, 'pattern.test(text)'));
  const [worst = ''] = text.replace('≈', '').split(' · ');
  await hoverWith(page, 'isEmail', new RegExp(`^isEmail · ≈?${worst} worst`));
  await lenses(page).filter({ hasText: 'flamegraph' }).first().click();
  await webviewPage(page).locator('g.frame[name="isEmail"]').first().waitFor();
});

test('no request has left the machine', () => {
  assert.deepEqual([...vscode.foreignHosts], []);
});
