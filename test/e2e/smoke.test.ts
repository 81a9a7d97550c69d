import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { projectFile } from '../helpers/project.ts';
import { commandOffered } from '../helpers/vscode/commands.ts';
import { activatedExtensions } from '../helpers/vscode/extension-host-log.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';

const vscode = await vscodeForTests({ folder: projectFile('examples/shop') });

test('the palette offers to profile the tests', async () => {
  await commandOffered(vscode.page, 'Hotspan: Profile Tests');
});

test('Hotspan is activated once the editor has started, and starts no process before somebody asks for it', () => {
  const activated = activatedExtensions(vscode.server);
  assert.equal(activated.get('hotspan.hotspan'), 'onStartupFinished');
  const processes = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n');
  assert.deepEqual(
    processes.filter(
      (line) => line.includes(vscode.server.folder) && line.includes('hotspan') && line.includes('server.cjs'),
    ),
    [],
  );
});
