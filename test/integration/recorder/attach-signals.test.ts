import assert from 'node:assert/strict';
import { once } from 'node:events';
import test from 'node:test';
import { sendSignals } from '../../helpers/wait-until.ts';
import { attachedByCli, running } from './attached.ts';

const text = `const { execSync } = require('node:child_process');
process.on('SIGUSR2', () => execSync('sleep 900'));
setInterval(() => {}, 1000);
console.log('ready');`;

const options = { skip: process.platform === 'win32' };
const stillListens = /still listens: it closes when the process is no longer held up/;

for (const [name, signals] of Object.entries({ 'two signals': ['SIGINT', 'SIGTERM'], 'Ctrl+\\': ['SIGQUIT'] } as const))
  test(`${name} end it at once, and it says that the inspector listens`, options, async (t) => {
    const { exit, said } = await endedBy(t, signals);
    assert.deepEqual(exit, [2, null]);
    assert.match(said, stillListens);
  });

test('before a third signal ends it, it says that the inspector listens', options, async (t) => {
  const { exit, said } = await endedBy(t, ['SIGINT', 'SIGINT', 'SIGINT']);
  // It may end by the second signal before the third comes.
  assert.match(JSON.stringify(exit), /^\[(?:null,"SIGINT"|2,null)\]$/);
  assert.match(said, stillListens);
});

/** How `hotspan record --attach pid:…` ends, of a process that is held up, after these signals. */
async function endedBy(t: test.TestContext, signals: readonly NodeJS.Signals[]) {
  const { app, folder } = await running(t, process.execPath, text);
  const { cli, said } = await attachedByCli(t, folder, app.pid);
  app.kill('SIGUSR2');
  const exit = once(cli, 'close');
  await sendSignals(cli.pid ?? 0, signals);
  return { exit: await exit, said: said() };
}
