import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileMarksRequest } from '../../protocol/requests.ts';
import { assertEach } from '../helpers/assert-each.ts';
import { startLanguageClient, uriOf } from '../helpers/language-client.ts';
import { projectFile } from '../helpers/project.ts';
import { hashModule, temporaryProject } from '../helpers/temporary-project.ts';
import { as, skip, stranger } from './recorder/two-users.ts';

/** What a user of a Dev Container may not write: all of it belongs to root. */
const files = {
  'workspaces/app/package.json': '{ "name": "app", "type": "module", "scripts": { "test": "node --test" } }',
  'workspaces/app/hash.js': hashModule,
  'workspaces/app/hash.test.js': `import { test } from 'node:test';
import { hash } from './hash.js';
test('hashes', () => { hash(); });
`,
};

test(
  'in a Dev Container only the storage of the extension and temporary files have to be writable',
  { skip },
  async () => {
    const root = temporaryProject(files);
    chmodSync(root, 0o755);
    const [workspace, home] = ['workspaces/app', 'home'].map((name) => path.join(root, name));
    assert.ok(workspace !== undefined && home !== undefined);
    const server = path.join(home, '.vscode-server');
    const extension = path.join(server, 'extensions/hotspan.hotspan-0.1.0');
    cpSync(projectFile('dist'), path.join(extension, 'dist'), { recursive: true });
    const storage = path.join(server, 'data/User/workspaceStorage/1b2c/hotspan.hotspan');
    for (const folder of [storage, path.join(root, 'tmp')]) {
      mkdirSync(folder, { recursive: true });
      chownSync(folder, stranger, stranger);
    }
    const recording = path.join(storage, '0123456789abcdef/2026-01-31T12-00-00-000Z');
    const before = readdirSync(workspace);
    const record = ['record', '--quiet', '--out', recording, '--', process.execPath, '--test', 'hash.test.js'];
    const [command, ...words] = as(stranger, [process.execPath, path.join(extension, 'dist/cli.cjs'), ...record]);
    const env = { PATH: process.env['PATH'], HOME: home, TMPDIR: path.join(root, 'tmp') };
    const { status, stdout, stderr } = spawnSync(command, words, { cwd: workspace, env, encoding: 'utf8' });
    assert.equal(stderr, '');
    assert.equal(status, 0, stdout);
    assert.match(stdout, /pass 1/);
    assert.deepEqual(readdirSync(workspace), before);

    const client = await startLanguageClient(workspace);
    const answer = await client.openRecording(recording, path.dirname(recording));
    assert.ok(answer.type === 'opened');
    assert.deepEqual([answer.summary.worst?.label, answer.summary.worst?.place], ['hash', 'hash.js:4']);
    const { marks } = await client.ask(fileMarksRequest, { uri: uriOf(path.join(workspace, 'hash.js')) });
    assertEach(marks, ({ line }) => line, [3]);
    await client.close();
  },
);

test('a project that is mounted read-only is recorded, and the folder is named', { skip }, () => {
  const root = temporaryProject(files);
  chmodSync(root, 0o755);
  writeFileSync(path.join(root, 'quick.js'), '');
  const run = [process.execPath, projectFile('dist/cli.cjs'), 'record', '--', process.execPath, 'quick.js'];
  const [command, ...words] = as(stranger, run);
  const { status, stderr } = spawnSync(command, words, { cwd: root, encoding: 'utf8' });
  assert.equal(status, 0);
  assert.match(
    stderr,
    /^hotspan: The recording is in \S+: neither your cache folder nor this project can be written to\./m,
  );
});
