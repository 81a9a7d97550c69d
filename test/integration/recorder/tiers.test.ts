import assert from 'node:assert/strict';
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { clockMarker, v8LogSuffix } from '../../../protocol/recording.ts';
import { nodeVersions } from '../../helpers/node-versions.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { bare, eventsOfType, filesOf, outerVersions, program, recording } from './recorded.ts';

/** Busy for a while, with a deopt in it, and says what it sees of itself. */
const work = `
  const { busyOnProcessor } = require('./busy');
  function plusOne(o) { return o.x + 1; }
  for (let i = 0; i < 3e5; i++) plusOne(i < 2e5 ? { x: i } : { y: i, x: 1 });
  busyOnProcessor(30);
  const { isMainThread, workerData } = require('worker_threads');
  console.log(isMainThread ? process.argv[2] : workerData, JSON.stringify(process.execArgv));
  if (process.connected) process.disconnect();
`;

/** One after the other, so that the output of two runs is the same. */
const starts = `
  const { exec, execFileSync, fork, spawn, spawnSync } = require('child_process');
  const { Worker } = require('worker_threads');
  const node = process.execPath;
  const env = { PATH: process.env.PATH };
  const steps = [
    () => fork('./work.js', ['fork']),
    () => fork('./work.js', ['fork without flags'], { execArgv: [] }),
    () => spawn(node, ['work.js', 'spawn by path'], { stdio: 'inherit' }),
    () => spawn(node, ['work.js', 'spawn with an environment'], { stdio: 'inherit', env }),
    () => spawn('node', ['work.js', 'spawn by name'], { stdio: 'inherit' }),
    () => spawn('node work.js "spawn in a shell"', { stdio: 'inherit', shell: true }),
    () => { spawnSync(node, ['work.js', 'spawnSync'], { stdio: 'inherit', env }); },
    () => { execFileSync(node, ['work.js', 'execFileSync, empty environment'], { stdio: 'inherit', env: {} }); },
    () => new Worker('./work.js', { workerData: 'worker' }),
    () => new Worker('./work.js', { workerData: 'worker with flags', execArgv: ['--no-warnings'] }),
    () => new Worker('./work.js', { workerData: 'worker with an environment', env: {} }),
    () => require('./work.js'),
    () => { const child = spawn(node, ['-p', '1']); console.log(child.spawnfile === node, child.spawnargs.length); return child; },
  ];
  (async () => {
    for (const step of steps) {
      const started = step();
      if (started?.once) await new Promise((resolve) => started.once('exit', resolve));
    }
  })();
`;

/** The logs in a recording: whose they are, and how many ticks there are in each. */
function logsOf(
  directory: string,
): readonly { readonly isolate: string; readonly ticks: number; readonly text: string }[] {
  return filesOf(directory, v8LogSuffix).map((file) => {
    const text = readFileSync(path.join(directory, file), 'utf8');
    const [, pid, thread] = new RegExp(String.raw`${clockMarker}(\d+):(\d+):`).exec(text) ?? [];
    return { isolate: `${pid}-${thread}`, ticks: text.split('\ntick,').length - 1, text };
  });
}

function isolatesOf(directory: string): readonly string[] {
  return eventsOfType(directory, 'start').map(({ pid, threadId }) => `${pid}-${threadId}`);
}

for (const { node, version } of nodeVersions()) {
  const env = { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env['PATH']}` };

  test(`every process and thread leaves its V8 log, and sees nothing of it (Node ${version})`, async (t) => {
    const folder = program(t, { 'program.js': starts, 'work.js': work });
    const without = await bare(folder, ['env', `PATH=${env.PATH}`, node, 'program.js', 'main']);
    const before = readdirSync(folder);
    const { ended, directory } = recording(folder, [node, 'program.js', 'main'], { env, kind: 'tiers' });
    const { exitCode, stdout, stderr } = await ended;
    assert.deepEqual({ exitCode, stdout, stderr }, { exitCode: 0, stdout: without.stdout, stderr: without.stderr });
    assert.deepEqual(readdirSync(folder).toSorted(), [...before, 'home', 'out'].toSorted());

    const logs = logsOf(directory);
    const isolates = isolatesOf(directory);
    assert.equal(isolates.length, 12);
    assert.deepEqual(logs.map(({ isolate }) => isolate).toSorted(), isolates.toSorted());
    for (const { isolate, ticks } of logs) assert.ok(ticks > 5, `${ticks} ticks in ${isolate}`);
    assert.ok(logs.some(({ text }) => /^code-deopt,/m.test(text)));
    assert.deepEqual(eventsOfType(directory, 'unprofiled'), []);
    assert.deepEqual(filesOf(directory, '.cpuprofile'), []);
    assert.deepEqual(filesOf(directory, '.turns.jsonl').length, isolates.length);
  });
}

for (const { node, version } of outerVersions()) {
  const env = {
    ...process.env,
    PATH: `${path.dirname(node)}${path.delimiter}${process.env['PATH']}`,
    NODE_TEST_CONTEXT: undefined,
  };
  const busy = `require('./busy').busyOnProcessor(60);`;

  test(`npm, a shell and a first line that names node find V8's log switched on (Node ${version})`, async (t) => {
    const scripts = { work: 'echo begin && node work.js && ./bin.js' };
    const folder = program(t, {
      'package.json': JSON.stringify({ scripts }),
      'work.js': busy,
      'bin.js': `#!/usr/bin/env node\n${busy} console.log(process.execArgv, process.argv.length);`,
    });
    chmodSync(path.join(folder, 'bin.js'), 0o755);
    const { ended, directory } = recording(folder, ['npm', 'run', '--silent', 'work'], { env, kind: 'tiers' });
    const { exitCode, stdout, stderr } = await ended;
    assert.deepEqual([exitCode, stdout, stderr], [0, 'begin\n[] 2\n', '']);
    const logs = logsOf(directory);
    assert.deepEqual(logs.map(({ isolate }) => isolate).toSorted(), isolatesOf(directory).toSorted());
    assert.deepEqual(
      logs.map(({ ticks }) => ticks > 20),
      [true, true],
    );
  });

  test(`node --test leaves a log of each file (Node ${version})`, async (t) => {
    const file = `require('node:test')('busy', () => require('./busy').busyOnProcessor(60));`;
    const folder = program(t, { 'one.test.js': file, 'two.test.js': file });
    const { ended, directory } = recording(folder, ['node', '--test', 'one.test.js', 'two.test.js'], {
      env,
      kind: 'tiers',
    });
    const { exitCode, stdout } = await ended;
    assert.equal(exitCode, 0);
    assert.match(stdout, /pass 2/);
    assert.equal(logsOf(directory).filter(({ text }) => text.includes(',busyOnProcessor ')).length, 2);
    assert.equal(filesOf(directory, '.tests.jsonl').length, 2);
  });

  test(`what V8 wrote until a SIGKILL is there (Node ${version})`, async (t) => {
    const folder = program(t, {
      'program.js': `require('./busy').busyOnProcessor(300); process._rawDebug('now'); process.kill(process.pid, 'SIGKILL');`,
    });
    const killer = `const child = require('child_process').fork('./program.js', { silent: true }); child.stderr.once('data', () => child.kill('SIGKILL')); child.on('exit', (_, signal) => console.log(signal));`;
    const { ended, directory } = recording(folder, [node, '-e', killer], { env, kind: 'tiers' });
    assert.equal((await ended).stdout, 'SIGKILL\n');
    const killed = logsOf(directory).find(({ text }) => text.includes(',busyOnProcessor '));
    assert.ok((killed?.ticks ?? 0) > 150, `${killed?.ticks} ticks`);
  });

  test(`a program with a log or profile of its own keeps it, and is named (Node ${version})`, async (t) => {
    for (const flags of [
      ['--prof', '--no-logfile-per-isolate', '--logfile=own.log'],
      ['--cpu-prof', '--cpu-prof-name=own.log'],
    ]) {
      const folder = program(t, { 'program.js': busy });
      const { ended, directory } = recording(folder, ['sh', '-c', `node ${flags.join(' ')} program.js`], {
        env,
        kind: 'tiers',
      });
      assert.equal((await ended).exitCode, 0);
      assert.ok(readdirSync(folder).includes('own.log'));
      assert.deepEqual(logsOf(directory), []);
      const [told] = eventsOfType(directory, 'unprofiled');
      assert.match(told?.reason ?? '', new RegExp(`^it was started with ${flags[0]}, `));
    }
  });

  test(`a process that nothing can give flags to is named, its workers leave logs (Node ${version})`, async (t) => {
    const folder = program(t, {
      'program.js': `${busy} if (require('worker_threads').isMainThread) new (require('worker_threads').Worker)(__filename)`,
    });
    const { ended, directory } = recording(folder, ['sh', '-c', `"${node}" program.js`], { env, kind: 'tiers' });
    const { exitCode, stdout, stderr } = await ended;
    assert.deepEqual([exitCode, stdout, stderr], [0, '', '']);
    const [told] = eventsOfType(directory, 'unprofiled');
    assert.match(told?.reason ?? '', /^V8 kept no log of it/);
    const [log, ...others] = logsOf(directory);
    assert.deepEqual(others, []);
    assert.equal(log?.isolate, `${told?.isolate.split('-')[0]}-1`);
    assert.ok((log?.ticks ?? 0) > 20);
  });

  test(`under Node's permissions a program runs as it is (Node ${version})`, async (t) => {
    const folder = program(t, {
      'program.js': `console.log(process.permission !== undefined, process.execArgv.length)`,
    });
    const flag = version.startsWith('20') ? '--experimental-permission' : '--permission';
    const command = ['node', '--no-warnings', flag, '--allow-fs-read=*', 'program.js'];
    const { ended, directory } = recording(folder, command, { env, kind: 'tiers' });
    const { exitCode, stdout, stderr } = await ended;
    assert.deepEqual([exitCode, stdout, stderr], [0, 'true 3\n', '']);
    assert.deepEqual(logsOf(directory), []);
  });

  test(`a folder that goes away never sends V8's log to stdout, and ends no program (Node ${version})`, async (t) => {
    const text = `
      const { Worker, isMainThread } = require('worker_threads');
      if (isMainThread) require('fs').rmSync('out', { recursive: true });
      function plusOne(o) { return o.x + 1; }
      for (let i = 0; i < 3e5; i++) plusOne(i < 2e5 ? { x: i } : { y: i, x: 1 });
      require('child_process').execFileSync(process.execPath, ['-e', '0'], { stdio: 'inherit' });
      require('child_process').execSync('node -e 0', { stdio: 'inherit' });
      if (isMainThread) new Worker(__filename); else console.log('done');`;
    const folder = program(t, { 'program.js': text });
    const { exitCode, stdout, stderr } = await recording(folder, [node, 'program.js'], { env, kind: 'tiers' }).ended;
    assert.deepEqual([exitCode, stdout, stderr], [0, 'done\n', '']);
  });

  test(`a program that sets V8's flags itself does so, and is named (Node ${version})`, async (t) => {
    const folder = program(t, { 'program.js': `require('v8').setFlagsFromString('--no-opt'); ${busy}` });
    const { ended, directory } = recording(folder, [node, 'program.js'], { env, kind: 'tiers' });
    assert.equal((await ended).exitCode, 0);
    assert.deepEqual(
      eventsOfType(directory, 'flag').map(({ flag }) => flag),
      ['--no-opt'],
    );
    assert.equal(logsOf(directory).length, 1);
  });

  test(`a full recording holds V8's log, and the program goes on (Node ${version})`, async (t) => {
    // A signal that the program handles makes the recorder look at the size, which it else does every 10 s.
    const text = `
      const { readdirSync, statSync } = require('fs');
      const size = () => readdirSync('out').filter((file) => file.endsWith('.v8.log')).map((file) => statSync('out/' + file).size)[0];
      const alive = setInterval(() => {}, 1000);
      process.on('SIGHUP', () => setTimeout(() => {
        const before = size();
        ${busy}
        console.log(size() - before);
        clearInterval(alive);
      }, 50));
      require('child_process').execSync('kill -HUP ' + process.pid);`;
    const folder = program(t, { 'program.js': text });
    const command = ['record', '--tiers', '--quiet', '--out', 'out', '--max-size', '0.001', '--', node, 'program.js'];
    const { code, stdout } = await runCli(command, { cwd: folder });
    assert.deepEqual([code, stdout], [0, '0\n']);
  });
}
