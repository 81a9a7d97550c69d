import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { projectFile } from '../helpers/project.ts';
import { commandOffered } from '../helpers/vscode/commands.ts';
import { activatedExtensions } from '../helpers/vscode/extension-host-log.ts';
import { openVscode } from '../helpers/vscode/open-vscode.ts';

const vscode = await openVscode({ folder: projectFile('examples/shop') });
after(() => vscode.close());

test('the palette offers to profile the tests', async () => {
  await commandOffered(vscode.page, 'Hotspan: Profile Tests');
});

test('nothing of Hotspan runs before somebody asks for it', () => {
  const activated = activatedExtensions(vscode.server);
  assert.ok(activated.size > 0);
  assert.ok(!activated.has('hotspan.hotspan'), [...activated].join(', '));
});
