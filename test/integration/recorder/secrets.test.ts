import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import { waitUntil } from '../../helpers/wait-until.ts';
import { keepTexts, keepMarkedBefore } from '../../../recordings/kept-files.ts';
import { eventsFile, recordingFile, recordingVersion } from '../../../protocol/recording.ts';
import { redacted } from '../../../recorder/command-lines/redact.ts';
import { microseconds } from '../../../protocol/units.ts';
import { withoutSecrets } from '../../../recorder/launch/load/record-under-load.ts';
import { watchingWaits } from '../../../recorder/launch/run/watch-waits.ts';
import { openOutput } from '../../../recorder/preload/host/output.ts';
import { projectFile } from '../../helpers/project.ts';
import { temporaryProject } from '../../helpers/temporary-project.ts';
import { makeFolder, writeManifest } from '../../../recorder/launch/run/recording-folder.ts';
import { beginThread } from '../../../recorder/launch/attach/attached-thread.ts';

test('a recording has no secrets of the command line, nor of the processes that it starts', () => {
  const folder = temporaryProject({
    'start.js': `require('child_process').spawnSync(process.execPath, ['child.js', ...process.argv.slice(2)])`,
    'child.js': '',
  });
  const secrets = ['--token', 'abcabc', '--db-password=hunter2', 'postgres://me:hunter2@db/shop'];
  const out = recordedIn(folder, 'start.js', ...secrets);
  for (const name of ['recording.json', 'events.jsonl']) {
    const text = fs.readFileSync(path.join(out, name), 'utf8');
    assert.match(text, /--db-password=\[redacted\]/);
    assert.doesNotMatch(text, /abcabc|hunter2/);
  }
  assert.match(fs.readFileSync(path.join(out, 'events.jsonl'), 'utf8'), /child\.js/);
});

test('nor has it those of Node’s own options', () => {
  const folder = temporaryProject({
    'start.js': `require('child_process').spawnSync(process.execPath, ['--title=postgres://me:hunter2@db/shop', 'child.js'])`,
    'child.js': '',
  });
  const events = fs.readFileSync(path.join(recordedIn(folder, 'start.js'), 'events.jsonl'), 'utf8');
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
    const text = fs.readFileSync(path.join(out, name), 'utf8');
    assert.match(text, /--title=postgres:\/\/\[redacted\]@db/);
    assert.match(text, /--db-password=\[redacted\]/);
    assert.doesNotMatch(text, /abcabc|hunter2/);
  }
});

/** Records a program in its folder; gives the folder of the recording. */
function recordedIn(folder: string, ...words: readonly string[]): string {
  const command = ['record', '--quiet', '--out', 'out', '--', process.execPath, ...words];
  execFileSync(process.execPath, [projectFile('dist/cli.cjs'), ...command], { cwd: folder, stdio: 'pipe' });
  return path.join(folder, 'out');
}

test('no file is written through a link that lies in the folder, and all are their owner’s alone', () => {
  const folder = temporaryProject({ 'program.js': '', victim: 'as it was' });
  const out = path.join(folder, 'out');
  fs.mkdirSync(out, { mode: 0o755 });
  fs.symlinkSync(path.join(folder, 'victim'), path.join(out, 'recording.json.tmp'));
  recordedIn(folder, 'program.js');
  assert.equal(fs.readFileSync(path.join(folder, 'victim'), 'utf8'), 'as it was');
  const names = fs.readdirSync(out);
  assert.ok(names.includes('recording.json') && names.includes('events.jsonl'));
  for (const name of names) assert.equal(fs.lstatSync(path.join(out, name)).mode & 0o777, 0o600, name);
});

test('a folder that holds a recording already, or no more than its events, is refused', async () => {
  for (const file of ['events.jsonl', 'recording.json'])
    assert.match((await makeFolder(temporaryProject({ [file]: '' }))) ?? '', /holds a recording already/, file);
});

test('what a reader adds to a recording that somebody else has packed goes through no link', async () => {
  const folder = temporaryProject({ victim: 'as it was' });
  for (const name of ['marked-before.json', 'marked-before.json.tmp', 'read.texts.jsonl.tmp'])
    fs.symlinkSync(path.join(folder, 'victim'), path.join(folder, name));
  await keepMarkedBefore(folder, []);
  await keepTexts(folder, new Map(), { kept: async () => null, analysis: { changed: { outdated: [] } } });
  assert.equal(fs.readFileSync(path.join(folder, 'victim'), 'utf8'), 'as it was');
  for (const name of ['marked-before.json', 'read.texts.jsonl'])
    assert.equal(fs.lstatSync(path.join(folder, name)).mode, 0o100600, name);
});

test('of a load the url is kept without what is secret in it', () => {
  const secret = ['q8Zt3LmX0v', 'Rk7YbN2sWc', '5HdJ1pGf'].join('');
  assert.equal(
    withoutSecrets(`http://me:hunter2@localhost:3000/orders/${secret}/7?token=abc#key`),
    `http://localhost:3000/orders/${redacted}/7`,
  );
});

/** A folder in which somebody puts links to a file of the person. */
function plantedFolder() {
  const folder = temporaryProject({ victim: 'as it was', 'out/events.jsonl': '' });
  const [out, victim] = [path.join(folder, 'out'), path.join(folder, 'victim')];
  return {
    out,
    plant: (name: string) => fs.symlinkSync(victim, path.join(out, name)),
    plantHard: (name: string) => fs.linkSync(victim, path.join(out, name)),
    assertUntouched: () => assert.equal(fs.readFileSync(victim, 'utf8'), 'as it was'),
  };
}

test('a manifest is not written through a link that is put there once the last one was taken away', async (t) => {
  const { out, plant, assertUntouched } = plantedFolder();
  const racing = t.mock.method(fs, 'unlinkSync', (file: string) => {
    fs.rmSync(file, { force: true });
    plant(path.basename(file));
  });
  syncBuiltinESMExports();
  const reason = await writeManifest(out, {
    ...{ version: recordingVersion, hotspanVersion: '0.0.0', command: ['node'], cwd: out, startedAt: '' },
    ...{ endedAt: null, exitCode: null, signal: null, intervalUs: microseconds(1000), mostBytes: null },
    ...{ evaluated: false, notes: [], environment: { NODE_ENV: null, coverage: false } },
  });
  racing.mock.restore();
  syncBuiltinESMExports();
  assert.equal(reason, 'EEXIST');
  assertUntouched();
  assert.ok(!fs.existsSync(path.join(out, recordingFile)));
});

test(
  'neither a part of an attached process nor what is told of it goes through a link',
  { skip: process.platform === 'win32' },
  async () => {
    const { out, plant, assertUntouched } = plantedFolder();
    const send = async () => ({ profile: { nodes: [], startTime: 1, endTime: 2 } });
    const thread = { send, onBinding: () => {} };
    const options = { directory: out, intervalUs: microseconds(1000), recorderText: null };
    const parts = await beginThread(thread, null, { pid: 7, version: 'v24.0.0', argv: ['node'] }, options);
    await parts.write(true);
    const first = fs.readdirSync(out).find((name) => name.endsWith('.0.cpuprofile')) ?? assert.fail('no part');
    plant(first.replace('.0.', '.1.'));
    await assert.rejects(parts.write(true), { code: 'EEXIST' });
    fs.rmSync(path.join(out, eventsFile));
    plant(eventsFile);
    await assert.rejects(parts.end(), { code: 'ELOOP' });
    assertUntouched();
  },
);

test('what threads wait is not written through a link', { skip: process.platform !== 'linux' }, async () => {
  const { out, plant, assertUntouched } = plantedFolder();
  const started = ['mine', 'linked'].map((isolate) => ({ type: 'start', isolate, pid: process.pid, tid: process.pid }));
  fs.writeFileSync(path.join(out, eventsFile), started.map((event) => `${JSON.stringify(event)}\n`).join(''));
  plant('linked.waits.jsonl');
  const mine = path.join(out, 'mine.waits.jsonl');
  await watchingWaits(out, async () => waitUntil(() => fs.readFileSync(mine, 'utf8') !== ''));
  assertUntouched();
});

test('what the recorder writes anew goes into no file that was there, and is written the next time', () => {
  const { out, plantHard, assertUntouched } = plantedFolder();
  const output = openOutput(out, '7-0-a');
  plantHard('1.cpuprofile.tmp');
  output.write('1.cpuprofile', 'a profile');
  assertUntouched();
  output.write('2.cpuprofile', 'the next');
  assert.equal(fs.readFileSync(path.join(out, '1.cpuprofile'), 'utf8'), 'a profile');
  assertUntouched();
});

test('a folder of somebody else that is not empty is refused', { skip: process.geteuid?.() !== 0 }, async () => {
  const folder = temporaryProject({ 'theirs/file': '' });
  const theirs = path.join(folder, 'theirs');
  assert.equal(await makeFolder(theirs), null);
  fs.chownSync(theirs, 65_534, 65_534);
  assert.match((await makeFolder(theirs)) ?? '', /belongs to another user and is not empty: choose another folder/);
  const empty = path.join(folder, 'empty');
  fs.mkdirSync(empty);
  fs.chownSync(empty, 65_534, 65_534);
  assert.equal(await makeFolder(empty), null);
});
