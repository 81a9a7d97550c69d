import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineOf } from '../helpers/source-line.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { openFile } from '../helpers/vscode/commands.ts';
import { cursorOnLine, decorationWith, lenses } from '../helpers/vscode/editor.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { activeTab, webviewPage } from '../helpers/vscode/panels.ts';
import { showRecording } from '../helpers/vscode/profile-tests.ts';
import { storeFixtures } from '../helpers/vscode/stored-recordings.ts';

const reports = temporaryProject({});
const { page, server } = await vscodeForTests({ folder: reports });

test('the figures stand on the line of the TypeScript that was written', async () => {
  storeFixtures(server, reports, ['reports/first']);
  await showRecording(page);
  await openFile(page, 'src/archive.ts');
  await lenses(page).filter({ hasText: 'flamegraph' }).last().waitFor();
  const { line, text } = await decorationWith(page, 'stack', { fromBottom: true });
  assert.match(text, /^≈?[\d.]+ m?s · \d+× · \d+ stacks?$/);
  assert.equal(line, lineOf(`${reports}/src/archive.ts`, 'return gzipSync('));
});

test('the flamegraph of its lens leads back to the TypeScript', async () => {
  await lenses(page).filter({ hasText: 'flamegraph' }).last().click();
  const graph = webviewPage(page);
  await graph.locator('.around-line', { hasText: 'compressed' }).waitFor();
  await graph
    .locator('g.frame[name="archiveOf"]')
    .first()
    .click({ modifiers: ['ControlOrMeta'] });
  await activeTab(page, 'archive.ts').waitFor();
  await cursorOnLine(page, lineOf(`${reports}/src/archive.ts`, 'export function archiveOf('));
});
