import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { requireOption } from '../../../recorder/command-lines/shell-command.ts';
import { projectFile } from '../../helpers/project.ts';
import { installRecorder } from '../../../recorder/launch/install/recorder-copy.ts';
import { testedVersions } from '../../helpers/node-versions.ts';
import { write } from '../../helpers/temporary-repository.ts';
import { waitUntil } from '../../helpers/wait-until.ts';
import { bare, filesOf, profilesWith, program, recorded, recording } from './recorded.ts';
import { makeFolder } from '../../../recorder/launch/run/recording-folder.ts';

const node = process.execPath;

/** What the preload gets, without `record` around it. */
function variables(directory: string): readonly string[] {
  const options = requireOption(projectFile('dist/recorder.cjs'));
  return [`NODE_OPTIONS=${options}`, `HOTSPAN_DIR=${directory}`, 'HOTSPAN_INTERVAL=1000'];
}

test('a disk that fills up stops the recording, not the program', async (t) => {
  const folder = program(t, {
    'program.js': `require('./busy').busyTarget(50); setTimeout(() => console.log('done'), 50);`,
  });
  // No file may grow over 1 kB: a profile cannot be written, as on a full disk.
  const limited = ['bash', '-c', `ulimit -f 1; exec "${node}" program.js`];
  const { directory, stdout, stderr } = await recorded(folder, limited);
  assert.deepEqual([stdout, stderr], ['done\n', '']);
  assert.deepEqual(filesOf(directory, '.tmp'), []);
  assert.match(readFileSync(path.join(directory, 'events.jsonl'), 'utf8'), /"type":"lost",.*"reason":"EFBIG"/);
});

test('a recording that is deleted meanwhile does not disturb the program', async (t) => {
  const folder = program(t, {
    'program.js': `require('fs').rmSync('out', { recursive: true }); require('./busy').busyTarget(50); console.log('done');`,
  });
  const { exitCode, stdout, stderr } = await recording(folder, [node, 'program.js']).ended;
  assert.deepEqual([exitCode, stdout, stderr], [0, 'done\n', '']);
});

for (const [name, manifest] of Object.entries({
  'that is over': '{ "version": 1, "endedAt": "2026-01-01T00:00:00.000Z" }',
  'whose manifest is damaged': '{ "version": 1, "endedAt":',
  'that is gone': null,
})) {
  test(`nothing is written to a recording ${name}`, async (t) => {
    const folder = program(t, { 'program.js': `require('./busy').busyTarget(20); console.log('done');` });
    const directory = path.join(folder, 'out');
    if (manifest !== null) write(directory, { 'recording.json': manifest });
    const ended = await bare(folder, ['env', ...variables(directory), node, 'program.js']);
    assert.deepEqual([ended.exitCode, ended.stdout, ended.stderr], [0, 'done\n', '']);
    if (manifest !== null) assert.deepEqual(filesOf(directory, ''), ['recording.json']);
  });
}

/** Starts `daemon.js`, and ends. */
const startsDaemon = `
  require('child_process').spawn(process.execPath, ['daemon.js'], { detached: true, stdio: 'ignore' }).unref();`;

test('a daemon that outlives its recording still starts Node', async (t) => {
  const folder = program(t, {
    'daemon.js': `
      const { existsSync, writeFileSync } = require('fs');
      const timer = setInterval(() => {
        if (existsSync('out')) return;
        clearInterval(timer);
        const { status } = require('child_process').spawnSync(process.execPath, ['-p', '1']);
        writeFileSync('status', String(status));
      }, 20);`,
    'program.js': startsDaemon,
  });
  const { directory } = await recorded(folder, [node, 'program.js']);
  rmSync(directory, { recursive: true });
  const status = path.join(folder, 'status');
  await waitUntil(() => readFileSync(status, 'utf8') !== '');
  assert.equal(readFileSync(status, 'utf8'), '0');
});

test('what begins after the end of a recording leaves nothing in it', async (t) => {
  const folder = program(t, {
    'daemon.js': `
      const { readFileSync, readdirSync, writeFileSync } = require('fs');
      const { Worker } = require('worker_threads');
      const timer = setInterval(() => {
        if (!readFileSync('out/recording.json', 'utf8').includes('"exitCode": 0')) return;
        clearInterval(timer);
        new Worker('0', { eval: true }).on('exit', () => writeFileSync('files', readdirSync('out').join(' ')));
      }, 20);`,
    'program.js': startsDaemon,
  });
  await recording(folder, [node, 'program.js']).ended;
  const files = path.join(folder, 'files');
  await waitUntil(() => readFileSync(files, 'utf8') !== '');
  assert.doesNotMatch(readFileSync(files, 'utf8'), /CPU\./);
});

test('a program that has too many files open for a while is recorded all the same', async (t) => {
  const folder = program(t, {
    'program.js': `
      const fs = require('fs');
      const { busyTarget } = require('./busy');
      const open = [];
      try { for (;;) open.push(fs.openSync('/dev/null')); } catch {}
      const timer = setInterval(() => busyTarget(12), 100);
      setTimeout(() => open.forEach((one) => fs.closeSync(one)), 2800);
      setTimeout(() => clearInterval(timer), 3000);`,
  });
  const { ended, directory } = recording(folder, ['bash', '-c', `ulimit -n 60; exec "${node}" program.js`]);
  assert.equal((await ended).stderr, '');
  assert.ok(profilesWith(directory, 'busyTarget') > 0);
});

test('a program that handles a hundred signals a second is not written down at each', async (t) => {
  const folder = program(t, {
    'program.js': `
      let left = 100;
      process.on('SIGHUP', () => { left -= 1; if (left > 0) process.kill(process.pid, 'SIGHUP'); else clearInterval(alive); });
      const alive = setInterval(() => {}, 1000);
      process.kill(process.pid, 'SIGHUP');`,
  });
  const { directory } = await recorded(folder, [node, 'program.js']);
  assert.ok(filesOf(directory, '.cpuprofile').length < 10);
});

test('a folder where none can be made is told or done without, and nothing waits for it', async (t) => {
  const folder = program(t, { 'program.js': `console.log('done')` });
  const nowhere = '/proc/none/hotspan';
  assert.match(
    (await makeFolder(nowhere)) ?? '',
    /^Cannot make the folder .* choose another folder, with --out of "hotspan record" or by HOTSPAN_RECORDINGS\.$/,
  );
  assert.equal(
    await installRecorder(projectFile('dist/recorder.cjs'), [{ folder: nowhere, isShared: false }]),
    projectFile('dist/recorder.cjs'),
  );
  const ended = await bare(folder, ['env', ...variables(nowhere), node, 'program.js']);
  assert.deepEqual([ended.exitCode, ended.stdout, ended.stderr], [0, 'done\n', '']);
});

for (const { node: other, version } of testedVersions()) {
  test(`a program that profiles itself gets its own profile, and we ours (Node ${version})`, async (t) => {
    // Again where no sample fell into it: the thread that takes them may have got no processor.
    const text = `
      const { Session } = require('inspector');
      const { busyTarget } = require('./busy');
      const session = new Session();
      session.connect();
      session.post('Profiler.enable');
      session.post('Profiler.setSamplingInterval', { interval: 500 });
      const isSeen = ({ nodes }) => nodes.some(({ callFrame }) => callFrame.functionName === 'busyTarget');
      const profileOnce = () => {
        session.post('Profiler.start');
        busyTarget(50);
        session.post('Profiler.stop', (error, { profile }) => isSeen(profile) ? console.log(error) : profileOnce());
      };
      profileOnce();
    `;
    const folder = program(t, { 'program.js': text });
    const { ended, directory } = recording(folder, [other, '--cpu-prof', '--cpu-prof-dir=theirs', 'program.js']);
    const { stdout, stderr } = await ended;
    assert.deepEqual([stdout, stderr], ['null\n', '']);
    assert.equal(profilesWith(directory, 'busyTarget'), 1);
    assert.equal(profilesWith(path.join(folder, 'theirs'), 'busyTarget'), 1);
  });
}

test('a suite whose coverage Node counts says what it says without us', async (t) => {
  const tested = `require('node:test')('is busy', () => require('./busy').busyTarget(60));`;
  const folder = program(t, { 'program.test.js': tested });
  const flags = ['--experimental-test-coverage', '--test-coverage-functions=90', '--test-reporter=tap'];
  const command = ['env', '-u', 'NODE_TEST_CONTEXT', node, '--test', ...flags, 'program.test.js'];
  const plain = (said: string): string => said.replaceAll(/ *\d+\.\d+/g, '');
  const without = await bare(folder, command);
  const { directory, stdout, stderr } = await recorded(folder, command);
  assert.deepEqual([plain(stdout), stderr], [plain(without.stdout), '']);
  assert.match(stdout, /busy\.js/);
  assert.equal(profilesWith(directory, 'busyTarget'), 1);
});

test('a command that cannot be started is said in one sentence, and leaves nothing behind', async (t) => {
  const folder = program(t, {});
  const { message } = await recording(folder, ['no-such-command']).ended;
  assert.match(message ?? '', /^Cannot start no-such-command: no such command on the PATH/);
  const { message: ofVariable } = await recording(folder, ['PORT=/x', 'npm', 'test']).ended;
  assert.match(ofVariable ?? '', /^Cannot start PORT=\/x, which sets a variable: write env PORT=\/x/);
  assert.equal(filesOf(folder, 'out').length, 0);
});

test('a recording whose end cannot be written says so', async (t) => {
  const inTheWay = `require('node:fs').mkdirSync(process.env.HOTSPAN_DIR + '/recording.json.tmp');`;
  const { ended } = recording(program(t, { 'program.js': inTheWay }), [node, 'program.js']);
  assert.match((await ended).unfinished ?? '', /^The end of the recording could not be written to .* \(EISDIR\)/);
});

test('a command that ends with 127 itself has a recording', async (t) => {
  const folder = program(t, { 'program.js': `require('./busy').busyTarget(60);` });
  const { ended, directory } = recording(folder, ['sh', '-c', `${node} program.js; no-such-command`]);
  assert.equal((await ended).exitCode, 127);
  assert.equal(profilesWith(directory, 'busyTarget'), 1);
});
