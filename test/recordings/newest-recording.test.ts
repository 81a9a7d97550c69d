import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { newestRecording } from '../../recordings/newest-recording.ts';

const folder = await mkdtemp(path.join(os.tmpdir(), 'hotspan-newest-'));
after(() => rm(folder, { recursive: true }));

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
  assert.deepEqual(await newestRecording(path.join(folder, 'all')), { path: path.join(folder, 'all/a'), count: 3 });
});

test('a recording, a file and what is not there are taken as they are', async () => {
  assert.equal(await newestRecording(path.join(folder, 'all/a')), null);
  assert.equal(await newestRecording(path.join(folder, 'all/a/recording.json')), null);
  assert.equal(await newestRecording(path.join(folder, 'none')), null);
});
