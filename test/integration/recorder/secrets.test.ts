import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { projectFile } from '../../helpers/project.ts';
import { temporaryProject } from '../../helpers/temporary-project.ts';

test('a recording has no secrets of the command line, nor of the processes that it starts', () => {
  const folder = temporaryProject({
    'start.js': `require('child_process').spawnSync(process.execPath, ['child.js', ...process.argv.slice(2)])`,
    'child.js': '',
  });
  const out = path.join(folder, 'recording');
  const secrets = ['--token', 'abcabc', '--db-password=hunter2', 'postgres://me:hunter2@db/shop'];
  const command = ['record', '--quiet', '--out', out, '--', process.execPath, 'start.js', ...secrets];
  execFileSync(process.execPath, [projectFile('dist/cli.cjs'), ...command], { cwd: folder });
  for (const name of ['recording.json', 'events.jsonl']) {
    const text = readFileSync(path.join(out, name), 'utf8');
    assert.match(text, /--db-password=\[redacted\]/);
    assert.doesNotMatch(text, /abcabc|hunter2/);
  }
  assert.match(readFileSync(path.join(out, 'events.jsonl'), 'utf8'), /child\.js/);
});
