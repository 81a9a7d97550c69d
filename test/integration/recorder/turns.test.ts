import assert from 'node:assert/strict';
import test from 'node:test';
import { testedVersions } from '../../helpers/node-versions.ts';
import { program, recorded, turnLinesOf, turnsOf } from './recorded.ts';

/** Records a program. */
async function recordingOf(t: test.TestContext, node: string, text: string): Promise<string> {
  const folder = program(t, { 'program.js': `const { busyTarget } = require('./busy');\n${text}` });
  return (await recorded(folder, [node, 'program.js'])).directory;
}

/** The turns of at least `least` ms of a program, longest first, in ms. */
async function turns(t: test.TestContext, node: string, text: string, least: number): Promise<readonly number[]> {
  return turnsOf(await recordingOf(t, node, text), least);
}

/** For how many ms each turn after the entry script ran, in their order, if it was 15 ms or more. */
async function ranAfterEntry(t: test.TestContext, node: string, text: string): Promise<readonly number[]> {
  const [, ...after] = turnLinesOf(await recordingOf(t, node, text)).toSorted((a, b) => a[1] - b[1]);
  return after.map(([, , , run]) => run / 1000).filter((ms) => ms >= 15);
}

for (const { node, version } of testedVersions()) {
  test(`a hundred timers of 1 ms are a hundred turns (Node ${version})`, async (t) => {
    const found = await turns(
      t,
      node,
      'setTimeout(() => { for (let i = 0; i < 100; i++) setTimeout(() => busyTarget(1.05), 5); }, 50);',
      1,
    );
    assert.ok(found.length >= 100, `${found.length} turns`);
  });

  test(`a chain of a hundred microtasks of 1 ms is one turn of 100 ms (Node ${version})`, async (t) => {
    const chains = {
      awaits: '(async () => { for (let i = 0; i < 100; i++) { await null; busyTarget(1); } })()',
      promises: 'let chain = Promise.resolve(); for (let i = 0; i < 100; i++) chain = chain.then(() => busyTarget(1))',
      ticks:
        'let i = 0; const next = () => { busyTarget(1); if (++i < 100) process.nextTick(next); }; process.nextTick(next)',
      microtasks:
        'let i = 0; const next = () => { busyTarget(1); if (++i < 100) queueMicrotask(next); }; queueMicrotask(next)',
    };
    for (const [name, chain] of Object.entries(chains)) {
      const [longest = 0] = await turns(t, node, `setTimeout(() => { ${chain} }, 50);`, 1);
      assert.ok(longest >= 100, `${name}: ${longest}`);
    }
  });

  test(`a turn says how much of it had the processor (Node ${version})`, async (t) => {
    const text = `
      const cell = new Int32Array(new SharedArrayBuffer(4));
      async function inTurn() {
        for (let i = 0; i < 5; i++) { await null; busyTarget(20); await null; Atomics.wait(cell, 0, 0, 100); }
      }
      setTimeout(inTurn, 50);
    `;
    const directory = await recordingOf(t, node, text);
    const [longest = assert.fail()] = turnLinesOf(directory).toSorted((a, b) => b[2] - b[1] - (a[2] - a[1]));
    const [, start, end, run] = longest;
    assert.ok(run >= 95_000, `ran ${run} µs of 100 ms`);
    assert.ok(run <= end - start - 450_000, `ran ${run} µs of a turn that slept for 500 ms`);
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
    assert.ok(found.length >= 4, found.join(', '));
  });

  test(`what listens to the end of the loop and of the process is a turn each, to a rejection a part of one (Node ${version})`, async (t) => {
    const text = `
      let rounds = 2;
      process.on('beforeExit', () => { if (rounds-- > 0) { busyTarget(40); setTimeout(() => {}, 1); } });
      process.on('exit', () => busyTarget(50));
      process.on('unhandledRejection', () => busyTarget(60));
      setTimeout(() => { busyTarget(30); Promise.reject(new Error('not handled')); }, 5);
    `;
    const ran = await ranAfterEntry(t, node, text);
    // Before Node 22.19 a little of the processor's time may be that of other threads.
    const least = [60, 25, 25, 30];
    assert.deepEqual([ran.length, ran.findIndex((ms, turn) => ms < (least[turn] ?? 0))], [4, -1], ran.join(', '));
  });

  test(`the work behind an await that began in a flood belongs to its turn, also at the very end (Node ${version})`, async (t) => {
    const text = `
      const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      const resume = async (ms, work) => { for (let i = 0; i < 200; i++) await null; await sleep(ms); work(); };
      setTimeout(() => {
        resume(20, () => busyTarget(30));
        resume(60, () => process.nextTick(() => busyTarget(40)));
        resume(110, () => { busyTarget(50); process.exit(); });
      }, 20);
    `;
    const ran = await ranAfterEntry(t, node, text);
    assert.deepEqual([ran.length, ran.findIndex((ms) => ms < 20)], [3, -1], ran.join(', '));
  });

  test(`answers of the disk and the network, and of waits that no hook sees, do not run into one turn (Node ${version})`, async (t) => {
    const text = `
      const net = require('net'), fs = require('fs');
      const cell = new Int32Array(new SharedArrayBuffer(4));
      let answered;
      const server = net.createServer((socket) => socket.on('data', () => { socket.end('x'); answered(); }));
      const ofNetwork = (done) => {
        answered = done;
        net.connect(server.address().port, function () { this.write('x'); }).resume();
      };
      const ofDisk = (done) => fs.readFile(__filename, done);
      const ofNoHook = (done) => Atomics.waitAsync(cell, 0, 0, 100).value.then(done);
      // What wakes it is done while the loop is busy.
      const ofNotified = (done) => { Atomics.waitAsync(cell, 0, 0).value.then(done); Atomics.notify(cell, 0); };
      const ofPromise = (done) => fs.promises.readFile(__filename).then(done);
      require('v8').setFlagsFromString('--expose-gc');
      const ofCleanUp = (done) => {
        globalThis.registry = new FinalizationRegistry(done);
        registry.register({}, 1);
        setImmediate(require('vm').runInNewContext('gc'));
      };
      // One after the other, with work before and after each.
      const steps = [ofNetwork, ofDisk, ofNoHook, ofNotified, ofPromise, ofCleanUp];
      const next = () => {
        if (steps.length === 0) return server.close();
        busyTarget(30);
        steps.shift()(() => { busyTarget(30); setImmediate(next); });
      };
      server.listen(0, () => setImmediate(next));
    `;
    const ran = await ranAfterEntry(t, node, text);
    assert.equal(ran.length, 12, ran.join(', '));
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
    const { directory } = await recorded(folder, [node, 'program.js']);
    const found = turnsOf(directory, 59);
    assert.ok(found.length >= 4, found.join(', '));
    assert.ok(Number(found[1]) >= 99, found.join(', '));
  });

  test(`five hundred promises or ticks at once come to an end (Node ${version})`, async (t) => {
    const text = `
      for (let i = 0; i < 500; i++) Promise.resolve().then(() => {});
      setTimeout(() => { for (let i = 0; i < 500; i++) Promise.resolve().then(() => {}); }, 20);
      setTimeout(() => { for (let i = 0; i < 500; i++) process.nextTick(() => Promise.resolve().then(() => {})); }, 40);
    `;
    await turns(t, node, text, 1);
  });
}
