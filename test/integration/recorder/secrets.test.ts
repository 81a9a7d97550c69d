import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chownSync, lstatSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makeFolder } from '../../../recorder/launch/record.ts';
import { projectFile } from '../../helpers/project.ts';
import { temporaryProject } from '../../helpers/temporary-project.ts';

test('a recording has no secrets of the command line, nor of the processes that it starts', () => {
  const folder = temporaryProject({
    'start.js': `require('child_process').spawnSync(process.execPath, ['child.js', ...process.argv.slice(2)])`,
    'child.js': '',
  });
  const out = path.join(folder, 'recording');
  const secrets = ['--token', 'abcabc', '--db-password=hunter2', 'postgres://me:hunter2@db/shop'];
  const command = ['record', '--quiet', '--out', out, '--', process.execPath, 'start.js', ...secrets];
  execFileSync(process.execPath, [projectFile('dist/cli.cjs'), ...command], { cwd: folder });
  for (const name of ['recording.json', 'events.jsonl']) {
    const text = readFileSync(path.join(out, name), 'utf8');
    assert.match(text, /--db-password=\[redacted\]/);
    assert.doesNotMatch(text, /abcabc|hunter2/);
  }
  assert.match(readFileSync(path.join(out, 'events.jsonl'), 'utf8'), /child\.js/);
});

test('no file is written through a link that lies in the folder, and all are their owner’s alone', () => {
  const folder = temporaryProject({ 'program.js': '', victim: 'as it was' });
  const out = path.join(folder, 'out');
  mkdirSync(out, { mode: 0o755 });
  for (const name of ['events.jsonl', 'recording.json.tmp'])
    symlinkSync(path.join(folder, 'victim'), path.join(out, name));
  const command = ['record', '--quiet', '--out', out, '--', process.execPath, 'program.js'];
  execFileSync(process.execPath, [projectFile('dist/cli.cjs'), ...command], { cwd: folder, stdio: 'ignore' });
  assert.equal(readFileSync(path.join(folder, 'victim'), 'utf8'), 'as it was');
  const own = readdirSync(out).filter((name) => name !== 'events.jsonl');
  assert.ok(own.includes('recording.json'));
  for (const name of own) assert.equal(lstatSync(path.join(out, name)).mode & 0o777, 0o600, name);
});

test('a folder of somebody else that is not empty is refused', { skip: process.geteuid?.() !== 0 }, async () => {
  const folder = temporaryProject({ 'theirs/file': '' });
  const theirs = path.join(folder, 'theirs');
  assert.equal(await makeFolder(theirs), null);
  chownSync(theirs, 65_534, 65_534);
  assert.match((await makeFolder(theirs)) ?? '', /belongs to another user and is not empty: choose another folder/);
  const empty = path.join(folder, 'empty');
  mkdirSync(empty);
  chownSync(empty, 65_534, 65_534);
  assert.equal(await makeFolder(empty), null);
});
