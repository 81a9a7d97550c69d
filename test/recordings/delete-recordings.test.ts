import assert from 'node:assert/strict';
import { existsSync, lstatSync, mkdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import test from 'node:test';
import { listRecordings, newRecordingFolder } from '../../recordings/recording-folders.ts';
import { deleteRecording, keepRecording, pruneRecordings } from '../../recordings/delete-recordings.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

/** Files of a recording of 10 kB and a little. */
function recording(folder: string, day: number, endedAt: string | null = 'then'): Readonly<Record<string, string>> {
  const manifest = { version: 2, command: ['npm', 'test'], startedAt: `2026-01-0${day}T00:00:00Z`, endedAt };
  return {
    [`${folder}/recording.json`]: JSON.stringify(manifest),
    [`${folder}/1-0-a.0.cpuprofile`]: 'x'.repeat(10_000),
  };
}

const together = (all: readonly Readonly<Record<string, string>>[]): Readonly<Record<string, string>> =>
  Object.fromEntries(all.flatMap((files) => Object.entries(files)));

const names = (list: readonly { readonly folder: string }[]): readonly string[] =>
  list.map(({ folder }) => path.basename(folder));

/** As `hotspan record` names it. */
const named = (day: number): string => `2026-01-0${day}T00-00-00-000-1`;

const pruned = async (root: string, mostBytes: number, kept = ''): Promise<readonly string[]> =>
  names((await pruneRecordings(root, mostBytes, path.join(root, kept))).deleted);

test('the oldest go until the rest fits, but neither the newest one nor one that goes on', async () => {
  const files = [1, 2, 3, 4].map((day) => recording(named(day), day, day === 1 ? null : 'then'));
  const root = temporaryProject(together(files));
  assert.deepEqual(await pruned(root, 35_000, named(4)), [named(2)]);
  assert.deepEqual(await pruned(root, 0, named(4)), [named(3)]);
  assert.deepEqual(names(await listRecordings(root)), [named(4), named(1)]);
});

test('one that was cut off goes when nothing was written to it for a day', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1e12 });
  const root = temporaryProject({ ...recording(named(1), 1, null), ...recording(named(2), 2, null) });
  const hoursAgo = (hours: number): number => 1e9 - hours * 3600;
  for (const [folder, hours] of [
    [named(1), 25],
    [named(2), 23],
  ] as const)
    for (const name of ['recording.json', '1-0-a.0.cpuprofile', ''])
      utimesSync(path.join(root, folder, name), hoursAgo(hours), hoursAgo(hours));
  assert.deepEqual(await pruned(root, 0), [named(1)]);
});

test('what is named otherwise is never deleted, nor the root, nor what lies deeper', async () => {
  const files = ['', 'mine', `mine/${named(1)}`, `${named(2)}x`, `0123456789abcdef/a/${named(3)}`];
  const all = files.map((folder) => recording(path.join('root', folder), 1));
  const root = path.join(temporaryProject(together(all)), 'root');
  assert.deepEqual(await pruned(root, 0), []);
  for (const folder of files) {
    assert.equal((await deleteRecording(root, path.join(root, folder))).type, 'left');
    assert.ok(existsSync(path.join(root, folder, 'recording.json')), folder);
  }
  const inTarget = path.join(root, '0123456789abcdef', '2026-01-01T00-00-00-000Z.ended');
  mkdirSync(inTarget);
  writeFileSync(path.join(inTarget, 'recording.json'), '{}');
  assert.deepEqual(await deleteRecording(root, inTarget), { type: 'deleted' });
});

test('a folder that holds no recording is never deleted', async () => {
  const root = temporaryProject({ [`${named(1)}/index.js`]: '' });
  assert.equal((await deleteRecording(root, path.join(root, named(1)))).type, 'left');
  assert.ok(existsSync(path.join(root, named(1), 'index.js')));
});

test('in a recording what is not of it stays, and is said', async () => {
  const [folder, theirs] = [named(1), ['notes.md', 'data/1-0-a.0.cpuprofile', 'my.cpuprofile']];
  const root = temporaryProject({
    ...recording(folder, 1),
    ...Object.fromEntries(theirs.map((name) => [`${folder}/${name}`, ''])),
  });
  const { deleted, left } = await pruneRecordings(root, 0, '');
  assert.deepEqual(deleted, []);
  assert.match(left.join(), /^Not all of .*, which has data and 2 more, could be deleted \(ENOTEMPTY\)\.$/);
  assert.ok(theirs.every((name) => existsSync(path.join(root, folder, name))));
  assert.ok(!existsSync(path.join(root, folder, '1-0-a.0.cpuprofile')));
});

test('nothing is deleted through a link', { skip: process.platform === 'win32' }, async () => {
  const [one, other] = [named(1), named(2)];
  const root = temporaryProject({
    ...recording(`theirs/${one}`, 1),
    ...recording(`folder/0123456789abcdef/${one}`, 1),
    'root/readme': '',
  });
  const linked = path.join(root, 'linked');
  symlinkSync(path.join(root, 'theirs'), linked);
  symlinkSync(path.join(root, 'theirs', one), path.join(root, 'root', other));
  renameSync(path.join(root, 'folder', '0123456789abcdef'), path.join(root, 'target'));
  symlinkSync(path.join(root, 'target'), path.join(root, 'folder', '0123456789abcdef'));
  const { deleted, left } = await pruneRecordings(linked, 0, '');
  assert.deepEqual([deleted.length, left.length], [0, 1]);
  assert.match(left.join(), /linked is a link or no folder/);
  assert.deepEqual(await pruned(path.join(root, 'root'), 0), []);
  for (const [base, folder] of [
    ['root', other],
    ['folder', `0123456789abcdef/${one}`],
  ] as const)
    assert.equal((await deleteRecording(path.join(root, base), path.join(root, base, folder))).type, 'left');
  assert.ok(['theirs', 'target'].every((folder) => existsSync(path.join(root, folder, one, 'recording.json'))));
});

test(
  'a link in a recording stays, and one in place of its manifest makes it none',
  { skip: process.platform === 'win32' },
  async () => {
    const [one, other] = [named(1), named(2)];
    const root = temporaryProject({ ...recording(one, 1), ...recording(other, 2), theirs: '{}' });
    const link = path.join(root, one, '1-0-b.0.cpuprofile');
    const manifest = path.join(root, other, 'recording.json');
    for (const file of [link, `${manifest}.new`]) symlinkSync(path.join(root, 'theirs'), file);
    renameSync(`${manifest}.new`, manifest);
    assert.equal((await deleteRecording(root, path.join(root, one))).type, 'left');
    assert.ok(lstatSync(link).isSymbolicLink());
    assert.equal((await deleteRecording(root, path.join(root, other))).type, 'left');
    assert.ok(existsSync(path.join(root, other, '1-0-a.0.cpuprofile')));
  },
);

test('what could be deleted in part alone is still listed', async (t) => {
  const root = temporaryProject({ ...recording(named(1), 1), [`${named(1)}/stop`]: '' });
  const { unlink } = promises;
  const deleting = t.mock.method(promises, 'unlink', async (file: string) => {
    if (path.basename(file) === 'stop') throw Object.assign(new Error('busy'), { code: 'EBUSY' });
    return unlink(file);
  });
  syncBuiltinESMExports();
  const { left } = await pruneRecordings(root, 0, '');
  deleting.mock.restore();
  syncBuiltinESMExports();
  assert.match(left.join(), /could be deleted \(EBUSY\)\.$/);
  assert.deepEqual(names(await listRecordings(root)), [named(1)]);
});

test('each file of a real recording is known as one of it', async () => {
  const files = [
    ...['events.jsonl', 'maps.keys', 'stop', 'marked-before.json', 'read.texts.jsonl', 'recording.json.12.tmp'],
    ...['12-3-mabc1.turns.jsonl', '12-3-mabc1.waits.jsonl', '12-0-m.tests.jsonl', '12-0-m.requests.jsonl'],
    ...['12-0-m.maps.jsonl', '12-0-m.texts.jsonl', '12-0-m.0.cpuprofile.tmp', '1f-zk3a.text.gz', '1f-0a.text.gz.7.tmp'],
    ...['CPU.20260101.120000.12.3.001.cpuprofile', 'isolate-0x55a-12-12-1700000000000.v8.log'],
  ];
  const root = temporaryProject({
    ...recording(named(1), 1),
    ...Object.fromEntries(files.map((name) => [`${named(1)}/${name}`, ''])),
  });
  assert.deepEqual(await pruned(root, 0), [named(1)]);
  assert.ok(!existsSync(path.join(root, named(1))));
});

test('of each target the last two recordings are kept, and a run that goes on is left alone', async () => {
  const root = temporaryProject({});
  const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
  const running = newRecordingFolder(root, 'npm test', at(0));
  mkdirSync(running, { recursive: true });
  const kept: string[] = [];
  for (const second of [1, 2, 3]) {
    const ended = newRecordingFolder(root, 'npm test', at(second));
    mkdirSync(ended, { recursive: true });
    writeFileSync(path.join(ended, 'recording.json'), '{}');
    kept.push((await keepRecording(ended, at(second), 2)).kept);
  }
  const left = await promises.readdir(path.dirname(running));
  assert.deepEqual(new Set(left), new Set([running, kept[1], kept[2]].map((folder) => path.basename(folder ?? ''))));
});
