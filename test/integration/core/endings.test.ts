import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../helpers/assert-each.ts';
import { installedNode } from '../../helpers/node-versions.ts';
import { eventsOfType, profilesWith, program, recorded, recordedAlike } from '../recorder/recorded.ts';

const { node, version } = installedNode();

/**
 * Programs that hold the loop in `busyTarget`, and end; and what their recording says of the end. On a busy machine the
 * sampler of V8 is tens of ms late.
 */
const endings = {
  'by itself': [`busyTarget(100);`, 'exit'],
  'by process.exit': [`busyTarget(100); process.exit(4);`, 'exit'],
  'by an error that nothing catches': [`busyTarget(100); throw new Error('broken');`, 'exit'],
  'after a listener of exit that emits and listens': [
    `process.on('exit', () => { process.emit('own'); process.on('own', () => {}); busyTarget(150); });`,
    'exit',
  ],
  'by an error, after a listener of exit that throws': [
    `process.on('exit', () => { busyTarget(150); throw new Error('late'); }); throw new Error('broken');`,
    'exit',
  ],
  'by a signal': [
    `busyTarget(100); setInterval(() => {}, 1000); require('node:child_process').spawn('kill', [process.pid]);`,
    'signal',
  ],
  'by a signal that it handles': [
    `busyTarget(100); process.on('SIGTERM', () => process.exit(3)); process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000);`,
    'exit',
  ],
} as const;

for (const [name, [text, reason]] of Object.entries(endings)) {
  test(`a program that ends ${name} ends so under the recorder, and leaves its profile (Node ${version})`, async (t) => {
    const folder = program(t, { 'program.js': `const { busyTarget } = require('./busy');\n${text}` });
    const directory = await recordedAlike(folder, [node, 'program.js']);
    // A signal begins a second part, which V8 gives the samples that it is late with.
    assert.ok(profilesWith(directory, 'busyTarget') >= 1);
    assertEach(eventsOfType(directory, 'end'), (event) => event.reason, [reason]);
  });
}

test(`a child and a worker leave their profiles, too (Node ${version})`, async (t) => {
  const folder = program(t, {
    'program.js': `
      const { Worker } = require('node:worker_threads');
      new Worker('./block.js').on('exit', () => require('node:child_process').fork('./block.js'));`,
    'block.js': `require('./busy').busyTarget(100);`,
  });
  const { directory } = await recorded(folder, [node, 'program.js']);
  assert.equal(profilesWith(directory, 'busyTarget'), 2);
  assert.equal(eventsOfType(directory, 'start').length, 3);
});
