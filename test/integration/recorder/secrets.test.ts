import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chownSync, lstatSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { keepMarkedBefore } from '../../../node-world/kept-marked.ts';
import { keepTexts } from '../../../node-world/kept-texts.ts';
import { redacted } from '../../../protocol/redact.ts';
import { withoutSecrets } from '../../../recorder/launch/record-under-load.ts';
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

test('nor has it those of Node’s own options', () => {
  const folder = temporaryProject({
    'start.js': `require('child_process').spawnSync(process.execPath, ['--title=postgres://me:hunter2@db/shop', 'child.js'])`,
    'child.js': '',
  });
  const out = path.join(folder, 'recording');
  const command = ['record', '--quiet', '--out', out, '--', process.execPath, 'start.js'];
  execFileSync(process.execPath, [projectFile('dist/cli.cjs'), ...command], { cwd: folder });
  const events = readFileSync(path.join(out, 'events.jsonl'), 'utf8');
  assert.match(events, /"execArgv":\["--title=postgres:\/\/\[redacted\]@db\/shop"/);
  assert.doesNotMatch(events, /hunter2/);
});

test('a recording that HOTSPAN_DIR makes has no secrets of the command line', () => {
  const folder = temporaryProject({ 'program.js': '' });
  const out = path.join(folder, 'recording');
  const options = ['--require', projectFile('dist/recorder.cjs'), '--title=postgres://me:hunter2@db/shop'];
  execFileSync(process.execPath, [...options, 'program.js', '--token', 'abcabc', '--db-password=hunter2'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOTSPAN_DIR: out },
  });
  for (const name of ['recording.json', 'events.jsonl']) {
    const text = readFileSync(path.join(out, name), 'utf8');
    assert.match(text, /--title=postgres:\/\/\[redacted\]@db/);
    assert.match(text, /--db-password=\[redacted\]/);
    assert.doesNotMatch(text, /abcabc|hunter2/);
  }
});

test('no file is written through a link that lies in the folder, and all are their owner’s alone', () => {
  const folder = temporaryProject({ 'program.js': '', victim: 'as it was' });
  const out = path.join(folder, 'out');
  mkdirSync(out, { mode: 0o755 });
  symlinkSync(path.join(folder, 'victim'), path.join(out, 'recording.json.tmp'));
  const command = ['record', '--quiet', '--out', out, '--', process.execPath, 'program.js'];
  execFileSync(process.execPath, [projectFile('dist/cli.cjs'), ...command], { cwd: folder, stdio: 'ignore' });
  assert.equal(readFileSync(path.join(folder, 'victim'), 'utf8'), 'as it was');
  const names = readdirSync(out);
  assert.ok(names.includes('recording.json') && names.includes('events.jsonl'));
  for (const name of names) assert.equal(lstatSync(path.join(out, name)).mode & 0o777, 0o600, name);
});

test('a folder with the events of a recording, or a link of that name, is refused', async () => {
  const folder = temporaryProject({ 'out/events.jsonl': '' });
  assert.match((await makeFolder(path.join(folder, 'out'))) ?? '', /holds a recording already/);
});

test('what a reader adds to a recording that somebody else has packed goes through no link', async () => {
  const folder = temporaryProject({ victim: 'as it was' });
  for (const name of ['marked-before.json', 'marked-before.json.tmp', 'read.texts.jsonl.tmp'])
    symlinkSync(path.join(folder, 'victim'), path.join(folder, name));
  await keepMarkedBefore(folder, []);
  await keepTexts(folder, new Map(), async () => null);
  assert.equal(readFileSync(path.join(folder, 'victim'), 'utf8'), 'as it was');
  for (const name of ['marked-before.json', 'read.texts.jsonl'])
    assert.equal(lstatSync(path.join(folder, name)).mode, 0o100600, name);
});

test('of a load the url is kept without what is secret in it', () => {
  const secret = ['q8Zt3LmX0v', 'Rk7YbN2sWc', '5HdJ1pGf'].join('');
  assert.equal(
    withoutSecrets(`http://me:hunter2@localhost:3000/orders/${secret}/7?token=abc#key`),
    `http://localhost:3000/orders/${redacted}/7`,
  );
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
