import assert from 'node:assert/strict';
import { chmodSync, readdirSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { assertEach } from '../../helpers/assert-each.ts';
import { testedVersions } from '../../helpers/node-versions.ts';
import {
  bare,
  eventsOfType,
  filesOf,
  isolatesOf,
  program,
  recorded,
  recording,
  tiersWith,
  v8LogsOf,
} from './recorded.ts';

/** Busy for a while, with a deopt in it, and says what it sees of itself. */
const work = `
  const { busyTarget } = require('./busy');
  function plusOne(o) { return o.x + 1; }
  for (let i = 0; i < 3e5; i++) plusOne(i < 2e5 ? { x: i } : { y: i, x: 1 });
  busyTarget(60);
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

for (const { node, version } of testedVersions()) {
  const tiers = tiersWith(node);
  const busy = `require('./busy').busyTarget(20);`;

  test(`every process and thread leaves its V8 log, and sees nothing of it (Node ${version})`, async (t) => {
    const folder = program(t, { 'program.js': starts, 'work.js': work });
    const without = await bare(folder, ['env', `PATH=${tiers.env?.['PATH']}`, node, 'program.js', 'main']);
    const before = readdirSync(folder);
    const { ended, directory } = recording(folder, [node, 'program.js', 'main'], tiers);
    const { exitCode, stdout, stderr } = await ended;
    assert.deepEqual({ exitCode, stdout, stderr }, { exitCode: 0, stdout: without.stdout, stderr: without.stderr });
    assert.deepEqual(readdirSync(folder).toSorted(), [...before, 'home', 'out'].toSorted());

    const logs = v8LogsOf(directory);
    const isolates = isolatesOf(directory);
    assert.equal(isolates.length, 12);
    assert.deepEqual(logs.map(({ isolate }) => isolate).toSorted(), isolates.toSorted());
    for (const { isolate, text } of logs) assert.ok(text.includes(',busyTarget '), isolate);
    // Where V8's sampler gets no processor for long, it misses a process.
    assert.ok(logs.filter(({ ticks }) => ticks > 5).length > 9, logs.map(({ ticks }) => ticks).join());
    assert.ok(logs.some(({ text }) => /^code-deopt,/m.test(text)));
    assert.deepEqual(eventsOfType(directory, 'unprofiled'), []);
    assert.deepEqual(filesOf(directory, '.cpuprofile'), []);
    assert.deepEqual(filesOf(directory, '.turns.jsonl').length, isolates.length);
  });

  test(`npm, a shell and a first line that names node find V8's log switched on (Node ${version})`, async (t) => {
    const scripts = { work: 'echo begin && node work.js && ./bin.js' };
    const folder = program(t, {
      'package.json': JSON.stringify({ scripts }),
      'work.js': busy,
      'bin.js': `#!/usr/bin/env node\n${busy} console.log(process.execArgv, process.argv.length);`,
    });
    chmodSync(path.join(folder, 'bin.js'), 0o755);
    const { directory, stdout, stderr } = await recorded(folder, ['npm', 'run', '--silent', 'work'], tiers);
    assert.deepEqual([stdout, stderr], ['begin\n[] 2\n', '']);
    const logs = v8LogsOf(directory);
    assert.deepEqual(logs.map(({ isolate }) => isolate).toSorted(), isolatesOf(directory).toSorted());
    assertEach(logs, ({ text }) => text.includes(',busyTarget '), [true, true]);
  });

  test(`a script that names Node by its path, as Yarn makes them, finds V8's log switched on (Node ${version})`, async (t) => {
    const folder = program(t, {
      'yarn.js': `
        const bin = process.cwd();
        const env = { ...process.env, BERRY_BIN_FOLDER: bin, PATH: bin + ':' + process.env.PATH, PWD: '/' };
        const child = require('child_process').spawn('tool', ['one'], { env, stdio: 'inherit' });
        console.log(child.spawnfile, child.spawnargs.join(' '));`,
      'tool.js': `${busy} console.log(process.argv0, process.argv[2], process.execArgv, process.env.PWD);`,
      tool: `#!/bin/sh\nexec "${node}" './tool.js' "$@"\n`,
    });
    chmodSync(path.join(folder, 'tool'), 0o755);
    const without = await bare(folder, [node, 'yarn.js']);
    const { ended, directory } = recording(folder, ['node', 'yarn.js'], tiers);
    const { exitCode, stdout, stderr } = await ended;
    assert.deepEqual({ exitCode, stdout, stderr }, { exitCode: 0, stdout: without.stdout, stderr: '' });
    assert.match(stdout, /tool tool one/);
    assert.deepEqual(eventsOfType(directory, 'unprofiled'), []);
    assert.deepEqual(v8LogsOf(directory).filter(({ text }) => text.includes(',busyTarget ')).length, 1);
  });

  test(`node --test leaves a log of each file (Node ${version})`, async (t) => {
    const file = `require('node:test')('busy', () => require('./busy').busyTarget(20));`;
    const folder = program(t, { 'one.test.js': file, 'two.test.js': file });
    const { ended, directory } = recording(folder, ['node', '--test', 'one.test.js', 'two.test.js'], tiers);
    const { exitCode, stdout } = await ended;
    assert.equal(exitCode, 0);
    assert.match(stdout, /pass 2/);
    assert.equal(v8LogsOf(directory).filter(({ text }) => text.includes(',busyTarget ')).length, 2);
    assert.equal(filesOf(directory, '.tests.jsonl').length, 2);
  });

  test(`a process that nothing can give flags to is named, its workers leave logs (Node ${version})`, async (t) => {
    const folder = program(t, {
      'program.js': `
        const { isMainThread, Worker } = require('worker_threads');
        if (isMainThread) new Worker(__filename);
        else require('./busy').busyTarget(400);`,
    });
    const { directory, stdout, stderr } = await recorded(folder, ['sh', '-c', `"${node}" program.js`], tiers);
    assert.deepEqual([stdout, stderr], ['', '']);
    const [told] = eventsOfType(directory, 'unprofiled');
    assert.match(told?.reason ?? '', /^V8 kept no log of it/);
    const [log, ...others] = v8LogsOf(directory);
    assert.deepEqual(others, []);
    assert.equal(log?.isolate, `${told?.isolate.split('-')[0]}-1`);
    assert.ok((log?.ticks ?? 0) > 5);
  });
}
