import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { microseconds } from '../../../protocol/units.ts';
import { record } from '../../../recorder/launch/run/record.ts';
import { projectFile } from '../../helpers/project.ts';
import { program } from './recorded.ts';

test('what fails beside the command is noted, and the recording ends as the command does', async (t) => {
  const folder = program(t, { 'program.js': 'setTimeout(() => process.exit(3), 300);' });
  const out = path.join(folder, 'out');
  const outcome = await record({
    ...{ command: [process.execPath, 'program.js'], kind: 'profile', cwd: folder, env: process.env, out },
    ...{ intervalUs: microseconds(1000), mostBytes: null, hotspanVersion: '0.0.0', notes: [] },
    ...{ recorderFile: projectFile('dist/recorder.cjs'), recorderHomes: [] },
    during: async () => {
      throw new Error('no client');
    },
  });
  assert.equal(outcome.type === 'ended' && outcome.exitCode, 3);
  const text = readFileSync(path.join(out, 'recording.json'), 'utf8');
  assert.match(text, /"endedAt": "/);
  assert.match(text, /beside the command failed: Error: no client/);
});
