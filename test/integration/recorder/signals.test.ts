import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { diskWorld } from '../../../recordings/disk-world.ts';
import { assertEach } from '../../helpers/assert-each.ts';
import { analyzedIn } from '../../helpers/analyzed.ts';
import { sendSignals, waitUntil } from '../../helpers/wait-until.ts';
import type { Recording } from './recorded.ts';
import { eventsOfType, mapsOf, profilesWith, program, recorded, recording } from './recorded.ts';

/** Resolves when the program has written its file `ready`; fails where it ends before. */
async function ready(folder: string, child: ChildProcess): Promise<void> {
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  await waitUntil(() => existsSync(path.join(folder, 'ready')) || hasEnded());
  assert.ok(!hasEnded(), 'The program ended before it was ready.');
}

const head = `require('./busy').busyTarget(60); const ready = () => require('fs').writeFileSync('ready', '');\n`;
const waiting = `${head} setInterval(() => {}, 1000); setTimeout(ready, 10);`;
const counting = `${head}
  let count = 0;
  process.on('SIGINT', () => { count += 1; setTimeout(() => { console.log(count); process.exit(7); }, 600); });
  setInterval(() => {}, 1000); setTimeout(ready, 10);`;
/** Holds the event loop as a computation does, without the processor. */
const hold = (ms: number): string => `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms})`;
const stuck = `${head} setTimeout(() => { ready(); ${hold(60_000)}; }, 10);`;

/** The recording of `program.js` with other files, or of the file that starts it, once the program is ready. */
async function started(
  t: test.TestContext,
  text: string,
  others: Readonly<Record<string, string>> = {},
  file = 'program.js',
): Promise<Recording> {
  const folder = program(t, { 'program.js': text, ...others });
  const run = recording(folder, [process.execPath, file], { detached: true });
  t.after(() => run.recorder.kill('SIGKILL'));
  await ready(folder, run.recorder);
  return run;
}

/** As a terminal does: to record and all that it has started. */
async function pressCtrlC({ recorder }: Recording, times = 1): Promise<void> {
  await sendSignals(
    -(recorder.pid ?? assert.fail()),
    Array.from({ length: times }, () => 'SIGINT' as const),
  );
}

test('a signal that reaches record alone is passed on to the command, and its profile is kept', async (t) => {
  const run = await started(t, waiting);
  run.recorder.kill('SIGTERM');
  assert.equal((await run.ended).signal, 'SIGTERM');
  assert.equal(profilesWith(run.directory, 'busyTarget'), 1);
});

test('a signal that reached the whole group comes to the program once', async (t) => {
  const run = await started(t, counting);
  await pressCtrlC(run);
  const { exitCode, stdout } = await run.ended;
  assert.deepEqual([exitCode, stdout], [7, '1\n']);
  // The signal begins a second part. V8 adds samples to it that it is late with, on a busy machine.
  assert.ok(profilesWith(run.directory, 'busyTarget') >= 1);
});

test('a signal that reached the whole group comes once to a program that is busy, too', async (t) => {
  const busy = `setTimeout(() => { ready(); ${hold(800)}; }, 10)`;
  const run = await started(t, counting.replace('setTimeout(ready, 10)', busy));
  await pressCtrlC(run);
  const { exitCode, stdout } = await run.ended;
  assert.deepEqual([exitCode, stdout], [7, '1\n']);
});

/** Runs a command in a terminal of its own. */
const terminalProgram = 'script';
const hasTerminals = spawnSync(terminalProgram, ['-qec', 'true', '/dev/null']).status === 0;

test('in a terminal, a signal to record alone is passed on, and Ctrl+C is not', { skip: !hasTerminals }, async (t) => {
  const folder = program(t, {
    'program.js': `require('fs').writeFileSync('parent', String(process.ppid)); ${counting} process.on('SIGINT', () => require('fs').writeFileSync('count', String(count)));`,
  });
  for (const how of ['kill', 'Ctrl+C']) {
    const record = [fileURLToPath(import.meta.resolve('./run-record.ts')), path.join(folder, how), folder, 'profile'];
    const command = [process.execPath, ...record, process.execPath, 'program.js'].join(' ');
    const terminal = spawn(terminalProgram, ['-qec', command, '/dev/null'], {
      cwd: folder,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    t.after(() => terminal.kill('SIGKILL'));
    await ready(folder, terminal);
    if (how === 'kill') process.kill(Number(readFileSync(path.join(folder, 'parent'), 'utf8')), 'SIGINT');
    else terminal.stdin.write('\u0003');
    await once(terminal, 'exit');
    assert.equal(readFileSync(path.join(folder, 'count'), 'utf8'), '1', how);
    rmSync(path.join(folder, 'ready'));
    rmSync(path.join(folder, 'count'));
  }
});

test('a busy program that would have died of the signal is not waited for', async (t) => {
  const run = await started(t, stuck);
  await pressCtrlC(run, 2);
  assert.equal((await run.ended).signal, 'SIGINT');
});

test('the stop file ends the command, with its profile', async (t) => {
  const run = await started(t, waiting);
  writeFileSync(path.join(run.directory, 'stop'), '');
  assert.equal((await run.ended).signal, 'SIGINT');
  assert.equal(profilesWith(run.directory, 'busyTarget'), 1);
});

test('the handlers of a signal answer before the recording is saved, which may take as long as a launcher waits', async (t) => {
  const handled = `process.on('SIGTERM', () => {
    console.log(require('fs').readdirSync(process.env.HOTSPAN_DIR).some((name) => name.endsWith('.cpuprofile')));
    process.exit();
  });`;
  const run = await started(t, `${waiting} ${handled}`);
  run.recorder.kill('SIGTERM');
  assert.equal((await run.ended).stdout, 'false\n');
  assert.equal(profilesWith(run.directory, 'busyTarget'), 1);
});

test('the stop file ends a busy program too', async (t) => {
  const run = await started(t, stuck);
  writeFileSync(path.join(run.directory, 'stop'), '');
  assert.equal((await run.ended).signal, 'SIGKILL');
});

test('the stop file is for a program before its launcher, which may kill it', async (t) => {
  const launcher = `
    const child = require('child_process').spawn(process.execPath, ['program.js']);
    process.on('SIGINT', () => child.kill('SIGKILL'));
    child.once('exit', () => process.exit(3));`;
  const { ended, directory } = await started(t, waiting, { 'launcher.js': launcher }, 'launcher.js');
  writeFileSync(path.join(directory, 'stop'), '');
  assert.equal((await ended).exitCode, 3);
  assert.equal(eventsOfType(directory, 'end').length, 2);
  assert.equal(profilesWith(directory, 'busyTarget'), 1);
});

test('a program that is killed after a part was written has the source maps of that part', async (t) => {
  const map = 'data:application/json,%7B%22version%22%3A3%7D';
  const text = `
    const text = require('fs').readFileSync('busy.js', 'utf8') + '//# source' + 'MappingURL=${map}';
    require.extensions['.ts'] = (made, file) => made._compile(text, file);
    require('./made.ts').busyTarget(60);
    process.on('SIGINT', () => setImmediate(() => require('child_process').spawnSync('kill', ['-9', process.pid])));
    setInterval(() => {}, 1000);
    setTimeout(() => require('fs').writeFileSync('ready', ''), 10);`;
  const { ended, directory, recorder } = await started(t, text, { 'made.ts': '' });
  recorder.kill('SIGINT');
  assert.equal((await ended).signal, 'SIGKILL');
  assertEach(mapsOf(directory), ({ url }) => path.basename(url), ['made.ts']);
});

test('a child that is told to end while the command ends is waited for', async (t) => {
  const text = `
    const child = require('child_process').fork('./program.js', ['child']);
    child.on('message', () => { child.kill(); process.exit(0); });`;
  const folder = program(t, {
    'program.js': `${head} if (process.argv[2] === 'child') { setInterval(() => {}, 9); process.send(1); } else {${text}}`,
  });
  const { directory } = await recorded(folder, [process.execPath, 'program.js']);
  assert.equal(profilesWith(directory, 'busyTarget'), 2);
  assert.equal(eventsOfType(directory, 'end').length, 2);
});

test('of a program that was stopped in the middle of a function, what the function computed is found', async (t) => {
  const text = `
    const { spawn } = require('node:child_process');
    const stop = 'sleep 0.03; kill -STOP ' + process.pid + '; sleep 0.6; kill -CONT ' + process.pid;
    setTimeout(() => {
      spawn('sh', ['-c', stop], { stdio: 'ignore' });
      require('./busy').busyTarget(150);
    }, 50);`;
  const folder = program(t, { 'program.js': text });
  const { directory } = await recorded(folder, [process.execPath, 'program.js']);
  const { analysis } = await analyzedIn(diskWorld, { roots: [folder] }, [directory]);
  const fn = analysis.functions.functions.find(({ name }) => name === 'busyTarget') ?? assert.fail('not seen');
  const { worst = 0 } = analysis.figures[fn.id]?.culprit ?? {};
  assert.ok(worst >= 30_000 && worst < 500_000, `${worst} µs`);
});
