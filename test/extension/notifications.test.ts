import assert from 'node:assert/strict';
import path from 'node:path';
import { beforeEach, test } from 'node:test';
import { fakeVscode } from '../helpers/fake-vscode.ts';
import { fake, window, workspace } from '../helpers/fake-vscode-module.ts';
import { is, lateServices } from '../helpers/late-services.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

fakeVscode();
const { profileTests } = await import('../../extension/commands/profile.ts');
const { sayNoTestRan } = await import('../../extension/run/show-result.ts');
const { registerCommand } = await import('../../extension/ui/failures.ts');

const link = '[run me](command:workbench.action.quit)';
const noLink = '[run me]\u200B(command:workbench.action.quit)';

beforeEach(() => Object.assign(fake, { warnings: [], errors: [] }));

test('a run without a reported test shows its name as text, not as a link', () => {
  sayNoTestRan(lateServices().services, { name: `profile ${link}`, file: null, exitCode: 1 }, null);
  assert.deepEqual(fake.warnings, [`No test was reported (profile ${noLink}). The terminal says what ran.`]);
});

test('the name of a folder without tests is not a link', async (t) => {
  const folder = path.join(temporaryProject({ [`${link}/index.js`]: '' }), link);
  t.after(() => workspace.workspaceFolders.splice(0));
  workspace.workspaceFolders.push({ uri: { scheme: 'file', fsPath: folder }, name: 'links', index: 0 });
  const { services, logged } = lateServices();
  const log = { ...services.log, debug: () => undefined };
  const host = { services: { ...services, log }, runs: { remembered: [] } };
  assert.ok(is<Parameters<typeof profileTests>[0]>(host));
  await profileTests(host, undefined);
  assert.deepEqual([fake.errors.length, logged.length], [1, 1]);
  assert.match(fake.errors[0] ?? '', /^There is no package\.json in /);
  assert.ok(fake.errors[0]?.includes(noLink));
});

test('a command that fails ends before its failure was read', async (t) => {
  t.mock.method(window, 'showErrorMessage', async () => new Promise(() => {}));
  registerCommand('fails', lateServices().services.log, async () => assert.fail('It cannot be done.'));
  await fake.commands.get('fails')?.();
});
