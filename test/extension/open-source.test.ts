import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { line0 } from '../../protocol/units.ts';
import { fakeVscode } from '../helpers/fake-vscode.ts';
import { fake, workspace } from '../helpers/fake-vscode-module.ts';

fakeVscode();
const { openSourceAt } = await import('../../extension/ui/open-source.ts');

beforeEach(() => {
  Object.assign(fake, { missing: false, opened: [], warnings: [], errors: [], choice: async () => 'Open' });
});

const log = { error: (text: unknown) => assert.fail(String(text)) };

/** A place that a profile names. */
async function open(uri: string, inside: boolean): Promise<void> {
  await openSourceAt({ uri, inside, line: line0(3), character: 0 }, log);
}

test('a file of the workspace is opened at once', async () => {
  await open('file:///app/a.js', true);
  assert.deepEqual([fake.opened, fake.warnings], [['/app/a.js'], []]);
});

test('a file outside the workspace is opened only when the person says so', async () => {
  for (const answer of [undefined, 'Cancel']) {
    fake.choice = async () => answer;
    await open('file:///etc/passwd', false);
  }
  assert.deepEqual([fake.opened, fake.warnings.length], [[], 2]);
  fake.choice = async () => 'Open';
  await open('file:///etc/passwd', false);
  assert.deepEqual(fake.opened, ['/etc/passwd']);
});

test('what is on another machine is not even asked about, as the look alone would tell it who looks', async () => {
  const uris = ['file://server/share/a.js', 'file:///%5C%5Cserver/share/a.js', 'other:///a.js'];
  for (const uri of uris) await open(uri, false);
  assert.deepEqual([fake.opened, fake.warnings, fake.errors.length], [[], [], uris.length]);
});

test('a file that is not here leads to the folder that has it, where a folder is open', async () => {
  const asked: (readonly unknown[])[] = [];
  fake.missing = true;
  fake.choice = async () => (fake.errors.length === 0 ? 'Open' : 'Choose Its Folder…');
  fake.execute = async (...call: readonly unknown[]) => void asked.push(call);
  workspace.workspaceFolders.push({});
  await open('file:///elsewhere/src/x.js', false);
  await turn();
  assert.deepEqual(asked, [['hotspan.chooseFolder', '/elsewhere/src/x.js']]);
  assert.match(fake.errors.at(-1) ?? '', /cannot be opened: it is not on this machine\.$/);
});

test('a file of the workspace that was renamed since leads to no other folder', async () => {
  fake.missing = true;
  await open('file:///app/src/x.js', true);
  assert.deepEqual(fake.errors, [
    'src/x.js is not there any more: it was moved, renamed or deleted. Profile again to see where its code is now.',
  ]);
});
