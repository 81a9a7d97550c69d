import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { busyFor } from '../../helpers/busy-for.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { temporaryProject } from '../../helpers/temporary-project.ts';

test('at its limit a recording stops, says so, and the program goes on', async () => {
  const cwd = temporaryProject({
    'package.json': '{}',
    // A signal that the program handles makes the recorder write what it has, which it else does every 10 s.
    'app.js': `const { execSync } = require('node:child_process');
process.on('SIGHUP', () => setTimeout(later, 50));
function block() { ${busyFor(60)} }
function later() { ${busyFor(90)} console.log('to its end'); clearInterval(alive); }
const alive = setInterval(() => {}, 1000);
block();
execSync('kill -HUP ' + process.pid);`,
  });
  const { code, stdout, stderr } = await runCli(
    ['record', '--out', 'out', '--max-size', '0.001', '--', 'node', 'app.js'],
    { cwd },
  );
  assert.deepEqual([code, stdout], [0, 'to its end\n'], stderr);
  assert.match(stderr, /reached its limit of 0.001 MB, and what process \d+ did after that is not in it/);
  assert.doesNotMatch(stderr, /was killed/);
  // On a busy machine a function that was long once is uncertain: only the list of all shows it.
  const all = await runCli(['analyze', 'out', '--all'], { cwd });
  assert.match(all.stdout, / block {2}app\.js:3/);
  assert.doesNotMatch(all.stdout, / later {2}/);
  const list = await runCli(['recordings', '.'], { cwd });
  assert.match(list.stdout, /^\d{4}-\d\d-\d\d \d\d:\d\d +\d+ kB {2}out {2}node app\.js\n$/);
});

test('--keep deletes the oldest recordings of the default folder, and the oldest comparisons', async () => {
  const cwd = temporaryProject({ 'package.json': '{}', 'app.js': '' });
  const home = temporaryProject({});
  const env = { ...process.env, HOTSPAN_RECORDINGS: home };
  const record = async () => runCli(['record', '--keep', '0.001', '--', 'node', 'app.js'], { cwd, env });
  await record();
  const [project = ''] = readdirSync(home);
  const old = path.join(home, project, '2026-01-01T00-00-00-000-7-compare');
  mkdirSync(path.join(old, 'base-1'), { recursive: true });
  writeFileSync(path.join(old, 'base-1/recording.json'), '{}'.padEnd(2000));
  for (const one of [path.join(old, 'base-1/recording.json'), path.join(old, 'base-1'), old]) utimesSync(one, 1, 1);
  assert.match((await record()).stderr, /^hotspan: 1 old recording deleted \(\d+ kB\), by --keep\.$/m);
  assert.equal((await runCli(['recordings'], { cwd, env })).stdout.split('\n').length, 2);
  assert.ok(!existsSync(old));
});
