import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, rmdirSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { defaultRecordingFolder, defaultRecordingsFolders, isTemporary } from '../../recordings/default-folder.ts';
import { cacheIn, temporaryProject } from '../helpers/temporary-project.ts';

const startedAt = new Date('2026-01-31T12:00:00Z');
const unusable = path.join(os.devNull, 'cache');
const isRoot = process.geteuid?.() === 0;

test('a recording lies in the cache folder, by project, where no command of the project cleans', async () => {
  const cwd = temporaryProject({ 'my app/node_modules/x': '', cache: '' });
  const [app, cache] = [path.join(cwd, 'my app'), path.join(cwd, 'home')];
  const env = { ...cacheIn(cache), HOME: cache };
  const folder = await defaultRecordingFolder(app, startedAt, env);
  assert.match(path.relative(cache, folder), /hotspan[/\\]recordings[/\\]my-app-\w+[/\\]2026-01-31T12-00-00-000-\d+$/);
  assert.equal(defaultRecordingsFolders(app, env)[0], path.dirname(folder));

  symlinkSync(app, path.join(cwd, 'link'));
  assert.equal(await defaultRecordingFolder(path.join(cwd, 'link'), startedAt, env), folder);
  const elsewhere = await defaultRecordingFolder(app, startedAt, {
    ...env,
    HOTSPAN_RECORDINGS: path.join(cwd, 'mine'),
  });
  assert.equal(path.dirname(path.dirname(elsewhere)), path.join(cwd, 'mine'));
});

test('without a cache folder it lies in the project, and where nothing can be written there, in a temporary folder', async () => {
  const env = { ...cacheIn(unusable), HOME: unusable };
  const cwd = temporaryProject({ 'package.json': '{}' });
  assert.equal(path.dirname(await defaultRecordingFolder(cwd, startedAt, env)), path.join(cwd, '.hotspan'));

  if (process.platform === 'win32') return; // A folder is not made read-only there by its mode.
  const readOnly = isRoot ? '/proc' : path.join(cwd, 'read-only');
  if (!isRoot) mkdirSync(readOnly);
  if (!isRoot) chmodSync(readOnly, 0o555);
  const folder = await defaultRecordingFolder(readOnly, startedAt, env);
  assert.ok(isTemporary(folder));
  assert.ok(defaultRecordingsFolders(readOnly, env).includes(path.dirname(folder)));
  rmdirSync(path.dirname(folder));
});
