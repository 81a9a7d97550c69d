import assert from 'node:assert/strict';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { listRecordings, newestRecording, sizeText } from '../../recordings/recording-folders.ts';
import { assertEach } from '../helpers/assert-each.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

const manifest = {
  version: 2,
  command: ['npm', 'test'],
  cwd: '/app',
  startedAt: '2026-01-01T00:00:00Z',
  endedAt: 'then',
};

test('recordings are listed with their sizes, the newest first, and nothing else is', async () => {
  const root = temporaryProject({
    'a/recording.json': JSON.stringify({ ...manifest, endedAt: null }),
    'target/b/recording.json': JSON.stringify({ ...manifest, startedAt: '2026-01-02T00:00:00Z' }),
    'target/b/1-0-a.0.cpuprofile': 'x'.repeat(10_000),
    'app/2026-01-01T00-00-00-000-1-compare/run-1/recording.json': JSON.stringify({ ...manifest, startedAt: '2025' }),
    'app/another/run-1/recording.json': JSON.stringify(manifest),
    'other/x.json': '{}',
  });
  const list = await listRecordings(root);
  assertEach(
    list,
    ({ folder: one, command, cwd, isEnded, bytes }) => [path.basename(one), command, cwd, isEnded, sizeText(bytes)],
    [
      ['b', 'npm test', '/app', true, '11 kB'],
      ['a', 'npm test', '/app', false, '1 kB'],
      ['run-1', 'npm test', '/app', true, '1 kB'],
    ],
  );
  assert.deepEqual(await listRecordings(path.join(root, 'nowhere')), []);
});

test('a folder is listed by what its recording.json tells, of whatever version', async () => {
  const texts = {
    newer: JSON.stringify({ ...manifest, version: 9 }),
    damaged: JSON.stringify({ ...manifest, cwd: 7, endedAt: {} }),
    cut: JSON.stringify(manifest).slice(0, -2),
    foreign: '{"name":"x"}',
    list: '[]',
    'no-command': JSON.stringify({ ...manifest, command: 'npm test' }),
    'no-start': JSON.stringify({ ...manifest, startedAt: 1 }),
    'no-date': JSON.stringify({ ...manifest, startedAt: 'zzzz' }),
  };
  const files = Object.entries(texts).map(([name, text]) => [`${name}/recording.json`, text] as const);
  const list = await listRecordings(temporaryProject(Object.fromEntries<string>(files)));
  const shown = list.map(({ folder: one, cwd, isEnded }) => [path.basename(one), cwd, isEnded]);
  assert.deepEqual(new Set(shown.map((row) => row.join())), new Set(['newer,/app,true', 'damaged,,false']));
});

test('sizes read as people say them', () => {
  assert.deepEqual([900, 12_400_000, 1_440_000_000].map(sizeText), ['1 kB', '12 MB', '1.4 GB']);
});

const folder = temporaryProject({});

test('of recordings side by side the one that was written last is taken', async () => {
  for (const [name, seconds] of [
    ['b', 300],
    ['a', 400],
    ['c', 200],
  ] as const) {
    await mkdir(path.join(folder, 'all', name), { recursive: true });
    const file = path.join(folder, 'all', name, 'recording.json');
    await writeFile(file, '{}');
    await utimes(file, seconds, seconds);
  }
  await mkdir(path.join(folder, 'all/unrelated'));
  const newest = await newestRecording(path.join(folder, 'all'));
  assert.deepEqual([newest?.path, newest?.count], [path.join(folder, 'all/a'), 3]);
});

test('a recording, a file and what is not there are taken as they are', async () => {
  assert.equal(await newestRecording(path.join(folder, 'all/a')), null);
  assert.equal(await newestRecording(path.join(folder, 'all/a/recording.json')), null);
  assert.equal(await newestRecording(path.join(folder, 'none')), null);
});
