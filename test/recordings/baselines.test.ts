import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { openBaseline } from '../../recordings/baselines.ts';

test('what a stopped baseline has left goes with the next one of its name, and what another process makes stays', async (context) => {
  const project = mkdtempSync(path.join(tmpdir(), 'hotspan-baselines-'));
  context.after(() => rmSync(project, { recursive: true }));
  const home = path.join(project, '.hotspan/baselines');
  const { pid: ended } = spawnSync(process.execPath, ['-e', '0']);
  const kept = [`main.new-${process.ppid}`, `other.new-${ended}`, 'main'];
  for (const name of [...kept, `main.new-${ended}`]) mkdirSync(path.join(home, name), { recursive: true });
  const folder = await openBaseline(project, 'main');
  assert.deepEqual(readdirSync(home).toSorted(), [...kept, path.basename(folder)].toSorted());
});
