import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { closeBaseline, deleteBaseline, listBaselines, openBaseline } from '../../recordings/baselines.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

test('what a stopped baseline has left goes with the next one of its name, and what another process makes stays', async () => {
  const project = temporaryProject({});
  const home = path.join(project, '.hotspan/baselines');
  const { pid: ended } = spawnSync(process.execPath, ['-e', '0']);
  const kept = [`main.new-${process.ppid}`, `other.new-${ended}`, 'main'];
  for (const name of [...kept, `main.new-${ended}`]) mkdirSync(path.join(home, name), { recursive: true });
  const folder = await openBaseline(project, 'main');
  assert.deepEqual(readdirSync(home).toSorted(), [...kept, path.basename(folder)].toSorted());
});

test('a baseline counts until the one that replaces it has its place', async () => {
  const project = temporaryProject({});
  const home = path.join(project, '.hotspan/baselines');
  const set = async (createdAt: string): Promise<unknown> => {
    const folder = await openBaseline(project, 'main');
    return closeBaseline({ name: 'main', folder, createdAt, command: [], commit: null, recordings: [] });
  };
  await set('2026-01-01');
  renameSync(path.join(home, 'main'), path.join(home, 'main.old')); // Here it was killed.
  assert.deepEqual(
    (await listBaselines(project)).map(({ name }) => name),
    ['main'],
  );
  await set('2026-01-02');
  const [now, ...others] = await listBaselines(project);
  assert.deepEqual([now?.createdAt.slice(0, 10), others, readdirSync(home)], ['2026-01-02', [], ['main']]);
  if (now !== undefined) await deleteBaseline(now);
  assert.deepEqual(readdirSync(home), []);
});
