import assert from 'node:assert/strict';
import test from 'node:test';
import { profilesWith, program, recorded } from './recorded.ts';

const node = process.execPath;

test('who starts a worker may have made up its own file name, or frozen Error', async (t) => {
  const folder = program(t, {
    'program.js': `
      const { Worker } = require('worker_threads');
      const start = \`(Worker) => new Worker('0', { eval: true }).on('exit', () => console.log('worked'))\`;
      require('vm').runInThisContext(start, { filename: 'file://host/made-up.js' })(Worker);
      Object.freeze(Error);
      new Worker('0', { eval: true }).on('exit', () => console.log('worked'));`,
  });
  const { stdout, stderr } = await recorded(folder, [node, 'program.js']);
  assert.deepEqual([stdout, stderr], ['worked\nworked\n', '']);
});

test('a program that replaces timers, the clock and the file system is recorded all the same', async (t) => {
  const text = `
    const fs = require('fs');
    for (const name of ['writeSync', 'openSync', 'writeFileSync', 'appendFileSync', 'renameSync']) fs[name] = () => { throw new Error('mocked'); };
    globalThis.setTimeout = globalThis.setInterval = () => { throw new Error('mocked'); };
    const now = performance.now.bind(performance);
    performance.now = () => 0; Date.now = () => 0; process.hrtime.bigint = () => 0n;
    (function busyTarget() { const end = now() + 50; while (now() < end); })();
  `;
  const folder = program(t, { 'program.js': text });
  const { directory, stderr } = await recorded(folder, [node, 'program.js']);
  assert.equal(stderr, '');
  assert.equal(profilesWith(directory, 'busyTarget'), 1);
});

test('a spy on what everybody uses hears the program alone', async (t) => {
  const text = `
    const calls = { stringify: 0, parse: 0, from: 0 };
    for (const [target, name] of [[JSON, 'stringify'], [JSON, 'parse'], [Buffer, 'from']])
      target[name] = () => { calls[name] += 1; throw new Error('mocked'); };
    setTimeout(() => {
      require('./busy').busyTarget(50);
      setTimeout(() => process._rawDebug(Object.values(calls).join()));
    });
  `;
  const folder = program(t, { 'program.js': text });
  const { directory, stderr } = await recorded(folder, [node, 'program.js']);
  assert.equal(stderr, '0,0,0\n');
  assert.equal(profilesWith(directory, 'busyTarget'), 1);
});

test('a program without the globals of Node goes on as without us', async (t) => {
  const text = `
    const { setTimeout, setImmediate, console } = globalThis;
    for (const name of ['Object', 'Reflect', 'Math', 'JSON', 'Promise', 'Error', 'process', 'Buffer', 'performance', 'setTimeout']) globalThis[name] = undefined;
    setTimeout(() => { console.log('later'); setImmediate(() => console.log('last')); }, 20);
  `;
  const folder = program(t, { 'program.js': text });
  const { stdout, stderr } = await recorded(folder, [node, 'program.js']);
  assert.deepEqual([stdout, stderr], ['later\nlast\n', '']);
});
