import assert from 'node:assert/strict';
import { existsSync, utimesSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { deleteRecording, listRecordings, pruneRecordings, sizeText } from '../../recorder/launch/recordings.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

/** Files of a recording of 10 kB and a little. */
function recording(folder: string, day: number, endedAt: string | null = 'then'): Readonly<Record<string, string>> {
  const manifest = { version: 2, command: ['npm', 'test'], startedAt: `2026-01-0${day}T00:00:00Z`, endedAt };
  return {
    [`${folder}/recording.json`]: JSON.stringify(manifest),
    [`${folder}/1-0-a.0.cpuprofile`]: 'x'.repeat(10_000),
  };
}

const names = (list: readonly { readonly folder: string }[]): readonly string[] =>
  list.map(({ folder }) => path.basename(folder));

test('recordings are listed with their sizes, the newest first, and nothing else is', async () => {
  const root = temporaryProject({ ...recording('a', 1), ...recording('target/b', 2), 'other/x.json': '{}' });
  const list = await listRecordings(root);
  assert.deepEqual(names(list), ['b', 'a']);
  assert.deepEqual(list.map(({ command, bytes }) => [command, sizeText(bytes)])[0], ['npm test', '11 kB']);
  assert.deepEqual(await listRecordings(path.join(root, 'nowhere')), []);
});

test('the oldest go until the rest fits, but neither the newest one nor one that goes on', async () => {
  const files = {
    ...recording('running', 1, null),
    ...recording('old', 2),
    ...recording('new', 3),
    ...recording('now', 4),
  };
  const root = temporaryProject(files);
  assert.deepEqual(names(await pruneRecordings(root, 35_000, path.join(root, 'now'))), ['old']);
  assert.deepEqual(names(await pruneRecordings(root, 0, path.join(root, 'now'))), ['new']);
  assert.deepEqual(names(await listRecordings(root)), ['now', 'running']);
});

test('one that was cut off goes when nothing was written to it for a day', async () => {
  const root = temporaryProject({ ...recording('cut-off', 1, null), ...recording('quiet', 2, null) });
  const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);
  for (const [folder, hours] of [
    ['cut-off', 25],
    ['quiet', 23],
  ] as const)
    for (const name of ['recording.json', '1-0-a.0.cpuprofile', ''])
      utimesSync(path.join(root, folder, name), hoursAgo(hours), hoursAgo(hours));
  assert.deepEqual(names(await pruneRecordings(root, 0, '')), ['cut-off']);
});

test('a folder that holds no recording is never deleted', async () => {
  const root = temporaryProject({ 'src/index.js': '' });
  assert.equal(await deleteRecording(path.join(root, 'src')), false);
  assert.ok(existsSync(path.join(root, 'src/index.js')));
});

test('sizes read as people say them', () => {
  assert.deepEqual([900, 12_400_000, 1_440_000_000].map(sizeText), ['1 kB', '12 MB', '1.4 GB']);
});
