import assert from 'node:assert/strict';
import test from 'node:test';
import { waitsSuffix } from '../../../protocol/recording.ts';
import { testedVersions } from '../../helpers/node-versions.ts';
import { linesOf, program, recorded, turnLinesOf } from './recorded.ts';

/** Turns of 30 ms and more of a program that ends well: what of their time its thread slept, ran and waited, in ms. */
async function longTurns(t: test.TestContext, node: string, text: string) {
  const folder = program(t, { 'program.js': `const { busyTarget } = require('./busy');\n${text}` });
  const { directory, stdout } = await recorded(folder, [node, 'program.js']);
  const turns = turnLinesOf(directory)
    .filter(([, start, end]) => end - start >= 30_000)
    .map(([, start, end, run, own = 0, wait = -1]) => {
      const slept = end - start - own - Math.max(0, wait) - run;
      return { slept: slept / 1000, run: run / 1000, wait: wait / 1000 };
    });
  return { turns, stdout, directory };
}

for (const { node, version } of testedVersions()) {
  test(`a turn says how long its thread ran, waited for a processor and slept (Node ${version})`, async (t) => {
    const { turns } = await longTurns(
      t,
      node,
      `setTimeout(() => {
        busyTarget(60);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 80);
      }, 50);`,
    );
    const { slept, run, wait } = turns.toSorted((a, b) => b.run - a.run)[0] ?? assert.fail('no turn');
    assert.ok(run >= 50, `ran ${run} ms`);
    // What wakes it late is a wait for a processor.
    assert.ok(slept > 20 && slept + wait > 75, `slept ${slept} ms, waited ${wait} ms`);
  });

  test(`threads are asked each for itself, and close what they have opened (Node ${version})`, async (t) => {
    const { turns, stdout } = await longTurns(
      t,
      node,
      `const { Worker, isMainThread } = require('node:worker_threads');
      const fs = require('node:fs');
      const opened = () => fs.readdirSync('/proc/self/fd').filter((fd) => {
        try { return fs.readlinkSync('/proc/self/fd/' + fd).endsWith('schedstat'); } catch { return false; }
      }).length;
      const work = (count) => {
        if (count === 0) return console.log(opened());
        new Worker('const { busyTarget } = require("./busy"); setTimeout(() => busyTarget(40), 5);', { eval: true })
          .on('exit', () => work(count - 1));
      };
      work(12);`,
    );
    assert.equal(stdout.trim(), '1');
    const known = turns.filter(({ wait, run }) => wait >= 0 && run >= 30);
    assert.ok(known.length >= 12, `${known.length} of ${JSON.stringify(turns)}`);
  });

  test(`a program that closes our file, and gets its number for its own, keeps its own (Node ${version})`, async (t) => {
    const { turns, stdout } = await longTurns(
      t,
      node,
      `const fs = require('node:fs');
      setTimeout(() => busyTarget(40), 20);
      setTimeout(() => {
        const ours = fs.readdirSync('/proc/self/fd').map(Number).filter((fd) => {
          try { return fs.readlinkSync('/proc/self/fd/' + fd).endsWith('schedstat'); } catch { return false; }
        });
        for (const fd of ours) fs.closeSync(fd);
        const own = ours.map(() => fs.openSync('own.txt', 'w+'));
        setTimeout(() => busyTarget(40), 20);
        setTimeout(() => {
          busyTarget(40);
          for (const fd of own) fs.writeSync(fd, 'mine ');
          console.log(own.sort().join() === ours.sort().join(), fs.readFileSync('own.txt', 'utf8').length > 0);
        }, 120);
      }, 200);`,
    );
    assert.equal(stdout.trim(), 'true true');
    const [first, ...rest] = turns;
    assert.ok((first?.wait ?? -1) >= 0);
    assert.ok(
      rest.some(({ wait }) => wait >= 0),
      'it is opened again',
    );
  });

  test(`what a thread waits in a long turn is read from outside (Node ${version})`, async (t) => {
    const { directory } = await longTurns(t, node, 'setTimeout(() => busyTarget(600), 50);');
    const isReading = (line: unknown): line is readonly number[] => Array.isArray(line);
    const readings = linesOf(directory, waitsSuffix).filter(isReading);
    assert.ok(readings.length >= 2);
    for (const [index, [before = 0, at = 0, wait = 0]] of readings.entries()) {
      const [, lastAt = 0, lastWait = 0] = readings[index - 1] ?? [];
      assert.ok(at >= before && at >= lastAt && wait >= lastWait, `reading ${index}`);
    }
  });
}
