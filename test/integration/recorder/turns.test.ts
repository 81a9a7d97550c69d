import assert from 'node:assert/strict';
import test from 'node:test';
import { nodeVersions } from '../../helpers/node-versions.ts';
import { outerVersions, program, recording, turnLinesOf, turnsOf } from './recorded.ts';

/** The turns of at least `least` ms of a program, longest first, in ms. */
async function turns(t: test.TestContext, node: string, text: string, least: number): Promise<readonly number[]> {
  const folder = program(t, { 'program.js': `const { busyTarget } = require('./busy');\n${text}` });
  const { ended, directory } = recording(folder, [node, 'program.js']);
  assert.equal((await ended).exitCode, 0);
  return turnsOf(directory, least);
}

for (const { node, version } of outerVersions()) {
  test(`a hundred timers of 1 ms are a hundred turns (real clock) (Node ${version})`, async (t) => {
    const found = await turns(
      t,
      node,
      'setTimeout(() => { for (let i = 0; i < 100; i++) setTimeout(() => busyTarget(1.05), 5); }, 50);',
      1,
    );
    assert.ok(found.length >= 100, `${found.length} turns`);
  });

  test(`a chain of a hundred microtasks of 1 ms is one turn of 100 ms (real clock) (Node ${version})`, async (t) => {
    const chains = {
      awaits: '(async () => { for (let i = 0; i < 100; i++) { await null; busyTarget(1); } })()',
      promises: 'let chain = Promise.resolve(); for (let i = 0; i < 100; i++) chain = chain.then(() => busyTarget(1))',
      ticks:
        'let i = 0; const next = () => { busyTarget(1); if (++i < 100) process.nextTick(next); }; process.nextTick(next)',
      microtasks:
        'let i = 0; const next = () => { busyTarget(1); if (++i < 100) queueMicrotask(next); }; queueMicrotask(next)',
    };
    for (const [name, chain] of Object.entries(chains)) {
      const found = (await turns(t, node, `setTimeout(() => { ${chain} }, 50);`, 90)).map(Math.round);
      assert.equal(found.length, 1, `${name}: ${found.join(', ')}`);
      assert.ok(Number(found[0]) >= 100, `${name}: ${found.join(', ')}`);
    }
  });

  test(`a turn says how much of it had the processor (real clock) (Node ${version})`, async (t) => {
    const text = `
      const { busyOnProcessor } = require('./busy');
      const cell = new Int32Array(new SharedArrayBuffer(4));
      async function inTurn() {
        const before = process.cpuUsage();
        for (let i = 0; i < 5; i++) { await null; busyOnProcessor(20); await null; Atomics.wait(cell, 0, 0, 100); }
        const { user, system } = process.cpuUsage(before);
        console.log((user + system) / 1000);
      }
      setTimeout(inTurn, 50);
      setTimeout(() => {}, 1000);
    `;
    const folder = program(t, { 'program.js': text });
    const { ended, directory } = recording(folder, [node, 'program.js']);
    const { stdout } = await ended;
    const [longest] = turnLinesOf(directory).toSorted((a, b) => b[2] - b[1] - (a[2] - a[1]));
    const cpuMs = Number(longest?.[3]) / 1000;
    assert.ok(Math.abs(cpuMs / Number(stdout) - 1) < 0.2, `${cpuMs} ms of ${stdout}`);
  });

  test(`the entry script is one turn, and work after an error that was handled is one each (Node ${version})`, async (t) => {
    const text = `
      process.on('uncaughtException', () => {});
      setTimeout(() => { busyTarget(30); throw new Error('handled'); }, 100);
      setTimeout(() => busyTarget(40), 200);
      setTimeout(() => busyTarget(50), 300);
      busyTarget(60);
    `;
    const found = await turns(t, node, text, 25);
    assert.equal(found.length, 4);
  });

  test(`answers of the disk and the network, and of waits that no hook sees, do not run into one turn (Node ${version})`, async (t) => {
    const text = `
      const net = require('net'), fs = require('fs');
      const server = net.createServer((socket) => socket.on('data', () => { busyTarget(30); socket.end('x'); server.close(); }));
      server.listen(0, () => net.connect(server.address().port, function () { this.write('x'); }).resume());
      setTimeout(() => fs.readFile(__filename, () => busyTarget(30)), 150);
      const cell = new Int32Array(new SharedArrayBuffer(4));
      setTimeout(() => Atomics.waitAsync(cell, 0, 0, 100).value.then(() => busyTarget(30)), 300);
      setTimeout(() => fs.promises.readFile(__filename).then(() => busyTarget(30)), 600);
    `;
    const found = await turns(t, node, text, 29);
    assert.ok(found.filter((ms) => ms < 100).length >= 4, found.join(', '));
    assert.deepEqual(
      found.filter((ms) => ms >= 120),
      [],
    );
  });

  test(`a worker's entry is a turn, with the microtasks after it; its timers are others (Node ${version})`, async (t) => {
    const worker = (load: string): string => `
      ${load}
      const scope = new AsyncResource('scope');
      busyTarget(40);
      scope.runInAsyncScope(() => busyTarget(10));
      Promise.resolve().then(() => busyTarget(50));
      setTimeout(() => busyTarget(60), 5);`;
    const load = ['async_hooks', './busy.js'].map((name, i) => [name, ['AsyncResource', 'busyTarget'][i]]);
    const folder = program(t, {
      'program.js': `const { Worker } = require('worker_threads'); new Worker('./common.js').on('exit', () => new Worker('./module.mjs'));`,
      'common.js': worker(load.map(([name, key]) => `const { ${key} } = require('${name}');`).join('')),
      'module.mjs': worker(load.map(([name, key]) => `import { ${key} } from '${name}';`).join('')),
    });
    const { ended, directory } = recording(folder, [node, 'program.js']);
    assert.equal((await ended).exitCode, 0);
    const found = turnsOf(directory, 59);
    assert.ok(found.length >= 4, found.join(', '));
    assert.ok(Number(found[1]) >= 99, found.join(', '));
  });
}

for (const { node, version } of nodeVersions()) {
  test(`a million awaits are one turn, of which the recorder took little (Node ${version})`, async (t) => {
    const text = `
      setTimeout(async () => { for (let i = 0; i < 1e6; i++) await null; }, 50);
      setTimeout(async () => { const next = () => { if (++i < 1e6) process.nextTick(next); }; let i = 0; next(); }, 1000);
    `;
    const folder = program(t, { 'program.js': text });
    const { ended, directory } = recording(folder, [node, 'program.js']);
    assert.equal((await ended).exitCode, 0);
    const long = turnLinesOf(directory).toSorted((a, b) => b[2] - b[1] - (a[2] - a[1]));
    for (const [, start, end, , own = 0] of long.slice(0, 2))
      assert.ok(own * 3 < end - start, `${own} of ${end - start} µs`);
  });

  test(`five hundred promises or ticks at once come to an end (Node ${version})`, { timeout: 60_000 }, async (t) => {
    const text = `
      for (let i = 0; i < 500; i++) Promise.resolve().then(() => {});
      setTimeout(() => { for (let i = 0; i < 500; i++) Promise.resolve().then(() => {}); }, 20);
      setTimeout(() => { for (let i = 0; i < 500; i++) process.nextTick(() => Promise.resolve().then(() => {})); }, 40);
    `;
    await turns(t, node, text, 1);
  });
}
