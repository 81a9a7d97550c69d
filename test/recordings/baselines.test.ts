import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openBaseline } from '../../recordings/baselines.ts';
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
