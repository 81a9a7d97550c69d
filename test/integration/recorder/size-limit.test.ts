import assert from 'node:assert/strict';
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

test('--keep deletes the oldest recordings of the default folder', async () => {
  const cwd = temporaryProject({ 'package.json': '{}', 'app.js': '' });
  const record = async () => runCli(['record', '--keep', '0.001', '--', 'node', 'app.js'], { cwd });
  await record();
  assert.match((await record()).stderr, /^hotspan: 1 old recording deleted \(\d+ kB\), by --keep\.$/m);
  assert.equal((await runCli(['recordings'], { cwd })).stdout.split('\n').length, 2);
});
