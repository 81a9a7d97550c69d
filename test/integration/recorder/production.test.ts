import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { addUp, readHistogramLog } from '../../../engine/cut/event-loop/compare-histograms.ts';
import { assertNone } from '../../helpers/assert-each.ts';
import { projectFile } from '../../helpers/project.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { temporaryProject } from '../../helpers/temporary-project.ts';

const folder = temporaryProject({
  'package.json': '{}',
  'app.js': `const { pbkdf2Sync } = require('node:crypto');
function block() { pbkdf2Sync('secret', 'salt', 100_000, 32, 'sha512'); }
let left = 3;
const timer = setInterval(() => { block(); left -= 1; if (left === 0) clearInterval(timer); }, 1);
console.log('started');`,
});

/** Runs the program with the recorder required by hand, as in production. */
async function runByHand(env: NodeJS.ProcessEnv): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const args = ['--require', projectFile('dist/recorder.cjs'), 'app.js'];
  return promisify(execFile)(process.execPath, args, { cwd: folder, env: { PATH: process.env['PATH'], ...env } });
}

test('HOTSPAN_DIR alone makes a recording that can be analysed, and that only its owner can read', async () => {
  const out = path.join(folder, 'deep/out');
  const { stdout, stderr } = await runByHand({ HOTSPAN_DIR: out });
  assert.deepEqual([stdout, stderr], ['started\n', '']);
  for (const name of readdirSync(out)) assert.equal(statSync(path.join(out, name)).mode & 0o077, 0, name);
  assert.equal(statSync(out).mode & 0o077, 0);
  assert.match((await runCli(['analyze', out], { cwd: folder })).stdout, /3 × >10 ms.* block {2}app\.js:2/);
});

test('a relative HOTSPAN_DIR is seen from where the program began, whatever folder it changes to', async () => {
  const away = temporaryProject({ 'away.js': `process.chdir('/');` });
  const args = ['--require', projectFile('dist/recorder.cjs'), 'away.js'];
  const env = { PATH: process.env['PATH'], HOTSPAN_DIR: 'out' };
  await promisify(execFile)(process.execPath, args, { cwd: away, env });
  assert.equal(readdirSync(path.join(away, 'out')).filter((name) => name.endsWith('.cpuprofile')).length, 1);
});

test('HOTSPAN_MODE=histogram logs turns by their length, to stderr or a file, and nothing else', async () => {
  const log = path.join(folder, 'turns.log');
  const toStderr = await runByHand({ HOTSPAN_MODE: 'histogram' });
  const toFile = await runByHand({ HOTSPAN_MODE: 'histogram', HOTSPAN_LOG: log });
  assert.deepEqual([toStderr.stdout, toFile.stdout, toFile.stderr], ['started\n', 'started\n', '']);
  for (const text of [toStderr.stderr, readFileSync(log, 'utf8')]) {
    assert.equal(text.trim().split('\n').length, 1);
    const long = addUp(readHistogramLog(text).periods).filter(({ below }) => below === null || below > 10_000);
    assert.ok(long.reduce((sum, { count }) => sum + count, 0) >= 3, text);
  }
  assertNone(readdirSync(folder), (name) => name.endsWith('.cpuprofile'));
});

test('hotspan histogram compares that log with a recording of the same program', async () => {
  await runByHand({ HOTSPAN_MODE: 'histogram', HOTSPAN_LOG: path.join(folder, 'same.log') });
  await runCli(['record', '--quiet', '--out', 'same', '--', 'node', 'app.js'], { cwd: folder });
  const { code, stdout } = await runCli(['histogram', 'same.log', 'same'], { cwd: folder });
  assert.equal(code, 0);
  assert.match(stdout, /^turns of +production +recording\n/);
  const strange = await runCli(['histogram', 'package.json', 'same'], { cwd: folder });
  assert.equal(strange.code, 2);
  assert.match(strange.stderr, /has no line of HOTSPAN_MODE=histogram/);
});
