import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { openOutput } from '../../recorder/preload/host/output.ts';
import { insureProfile } from '../../recorder/preload/profile/profiler.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { threadRun } from '../helpers/thread-run.ts';

test('what insures the profile of a worker thread begins late, keeps parts, and leaves none where the thread ends', () => {
  const directory = temporaryProject({});
  const run = threadRun({ directory, isolate: '9-1-x' });
  const insurance = insureProfile(run, openOutput(directory, run.isolate));
  insurance.rotate();
  assert.deepEqual(readdirSync(directory), [], 'a short thread pays nothing');
  insurance.rotate();
  insurance.rotate();
  assert.deepEqual(readdirSync(directory), ['9-1-x.0.cpuprofile', '9-1-x.1.cpuprofile']);
  assert.match(readFileSync(path.join(directory, '9-1-x.0.cpuprofile'), 'utf8'), /"timeDeltas":\[/);
  insurance.stop();
  assert.deepEqual(readdirSync(directory), []);
});
