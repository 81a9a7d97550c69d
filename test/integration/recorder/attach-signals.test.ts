import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import test from 'node:test';
import { projectFile } from '../../helpers/project.ts';
import { sendSignals, waitUntil } from '../../helpers/wait-until.ts';
import { program } from './recorded.ts';

const text = `const { execSync } = require('node:child_process');
process.on('SIGUSR2', () => execSync('sleep 900'));
setInterval(() => {}, 1000);
console.log('ready');`;

const options = { skip: process.platform === 'win32' };
const stillListens = /still listens: it closes when the process is no longer held up/;

test('signals of two kinds count as two', options, async (t) => {
  const { exit, said } = await endedBy(t, ['SIGINT', 'SIGTERM']);
  assert.deepEqual(exit, [2, null]);
  assert.match(said, stillListens);
});

test('before a third signal ends it, it says that the inspector listens', options, async (t) => {
  const { exit, said } = await endedBy(t, ['SIGINT', 'SIGINT', 'SIGINT']);
  // It may end by the second signal before the third comes.
  assert.match(JSON.stringify(exit), /^\[(?:null,"SIGINT"|2,null)\]$/);
  assert.match(said, stillListens);
});

test(String.raw`Ctrl+\ gives up at once, and says that the inspector listens`, options, async (t) => {
  const { exit, said } = await endedBy(t, ['SIGQUIT']);
  assert.deepEqual(exit, [2, null]);
  assert.match(said, stillListens);
});

/** How `hotspan record --attach pid:…` ends, of a process that is held up, after these signals. */
async function endedBy(t: test.TestContext, signals: readonly NodeJS.Signals[]) {
  const folder = program(t, { 'program.js': text });
  const port = ['--inspect-port=127.0.0.1:0', 'program.js'];
  const app = spawn(process.execPath, port, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  t.after(() => app.kill('SIGKILL'));
  await once(app.stdout, 'data');
  const args = [projectFile('dist/cli.cjs'), 'record', '--out', 'out', '--attach', `pid:${app.pid}`];
  const cli = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  t.after(() => cli.kill('SIGKILL'));
  const said: string[] = [];
  cli.stderr.setEncoding('utf8').on('data', (line: string) => said.push(line));
  await waitUntil(() => said.join('').includes('Press Ctrl+C'));
  app.kill('SIGUSR2');
  const exit = once(cli, 'close');
  await sendSignals(cli.pid ?? 0, signals);
  return { exit: await exit, said: said.join('') };
}
