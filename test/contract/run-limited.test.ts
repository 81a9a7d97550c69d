import assert from 'node:assert/strict';
import test from 'node:test';
import { runLimited } from '../helpers/run-limited.ts';

const node = (program: string, limitSeconds = 60) =>
  runLimited([process.execPath, '-e', program], { cwd: '.', env: process.env, limitSeconds });

test('how a command ended and what it said', async () => {
  const { exit, stdout, stderr } = await node('console.log("out"); console.error("err"); process.exitCode = 7');
  assert.deepEqual({ exit, stdout, stderr }, { exit: '7', stdout: 'out\n', stderr: 'err\n' });
});

test('a command that hangs is ended with all that it started, and what it said is kept', async () => {
  const hanging = `
    require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'inherit' });
    console.log('so far');
  `;
  const { exit, stdout } = await node(hanging, 2);
  assert.deepEqual({ exit, stdout }, { exit: 'no end after 2 s', stdout: 'so far\n' });
});

test('a command that leaves something running with its output open holds nobody up', async () => {
  const leaving = `
    const child = require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'inherit' });
    child.unref();
  `;
  assert.equal((await node(leaving)).exit, '0');
});

test('a command that is not there', async () => {
  const options = { cwd: '.', env: process.env, limitSeconds: 9 };
  assert.equal((await runLimited(['no-such-command'], options)).exit, 'ENOENT');
});
