import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { busyFor } from '../../helpers/busy-for.ts';
import { testedVersions } from '../../helpers/node-versions.ts';
import { eventsOfType, filesOf, profilesWith, program, recorded, recordedAlike } from './recorded.ts';

/** Each way in which a program can end by itself. Recorded, it is busy for 60 ms before that, in `busyTarget`. */
const endings: Readonly<Record<string, string>> = {
  'by itself': `console.log('out'); console.error('err');`,
  'with process.exit': `process.on('exit', (code) => console.log('exit', code)); setTimeout(() => process.exit(5), 1);`,
  'with process.exit at once': `process.exit(4);`,
  'with an uncaught error': `setTimeout(() => { throw new Error('boom'); }, 1);`,
  'with an uncaught error at its top': `throw new Error('boom');`,
  'with an unhandled rejection': `Promise.reject(new Error('boom'));`,
  'by SIGTERM from outside': `setInterval(() => {}, 1000); kill('TERM');`,
  'by SIGINT from outside': `setInterval(() => {}, 1000); kill('INT');`,
  'by SIGHUP from outside': `setInterval(() => {}, 1000); kill('HUP');`,
  'by SIGUSR2 from outside, as nodemon restarts': `setInterval(() => {}, 1000); kill('USR2');`,
  'by a signal to itself': `process.kill(process.pid, 'SIGTERM'); console.log('not reached');`,
  'by SIGKILL to itself': `process.kill(process.pid, 'SIGKILL');`,
  'in its own handler of SIGTERM': `
    setInterval(() => {}, 1000); kill('TERM');
    process.on('SIGTERM', (...args) => { console.log(args, process.listenerCount('SIGTERM')); process.exit(42); });`,
  'in a handler that it hides, as tsx does': `
    setInterval(() => {}, 1000); kill('TERM'); process.on('SIGTERM', () => process.exit(42));
    const { listenerCount } = process; process.listenerCount = (name) => name === 'SIGTERM' ? 0 : listenerCount.call(process, name);`,
  'in a handler that passes the signal on': `
    setInterval(() => {}, 1000); kill('INT');
    process.once('SIGINT', (signal) => { console.log('once'); process.kill(process.pid, signal); });`,
  'by a signal whose handler it took back': `
    const never = () => console.log('never'); process.on('SIGTERM', never); process.off('SIGTERM', never);
    setInterval(() => {}, 1000); kill('TERM');`,
  'with an error in a listener of its end': `
    for (const name of ['a', 'b']) process.on('exit', (code) => { console.log(name, code); if (name === 'b') throw new Error('boom'); });`,
  'with an error in a listener of its end, at process.exit': `
    for (const name of ['a', 'b']) process.on('exit', () => { if (name === 'b') throw new Error('boom'); });
    setTimeout(() => process.exit(3), 1);`,
  'with an error in a listener of its end, after an uncaught one': `
    for (const name of ['a', 'b']) process.on('exit', (code) => { console.log(name, code); if (name === 'b') throw new Error('lost'); });
    setTimeout(() => { throw new Error('boom'); }, 1);`,
  'after it has replaced process.emit, and deleted it': `
    const { emit } = process; process.emit = (...args) => emit.apply(process, args); setImmediate(() => delete process.emit);`,
  'by a signal to itself, after it has removed all listeners': `process.removeAllListeners(); process.kill(process.pid, 'SIGTERM');`,
  'after an error that it handles': `
    process.on('uncaughtException', (error) => console.log(error.message));
    setTimeout(() => { throw new Error('handled'); }, 1); setTimeout(() => console.log('later'), 20);`,
};

const head = `
if (process.env.HOTSPAN_DIR) require('./busy').busyTarget(60);
const kill = (name) => setTimeout(() => require('child_process').spawn('kill', ['-s', name, String(process.pid)]), 5);
`;

for (const { node, version } of testedVersions()) {
  for (const [name, text] of Object.entries(endings)) {
    test(`a program that ends ${name} ends and says the same, and leaves a profile that others cannot read (Node ${version})`, async (t) => {
      const folder = program(t, { 'program.js': head + text });
      const directory = await recordedAlike(folder, [node, 'program.js']);
      assert.equal(profilesWith(directory, 'busyTarget'), 1);
      assert.equal(eventsOfType(directory, 'end').length, 1);
      assert.deepEqual(filesOf(directory, '.tmp'), []);
      const modeOf = (file: string): string => (statSync(path.join(directory, file)).mode & 0o777).toString(8);
      assert.equal(modeOf('.'), '700');
      assert.deepEqual(new Set(filesOf(directory, '').map(modeOf)), new Set(['600']));
    });
  }
}

/** The first process of a container, as `unshare` makes one. */
const asFirst = ['unshare', '--fork', '--pid', '--mount-proc'];
const canBeFirst = spawnSync(asFirst[0] ?? '', [...asFirst.slice(1), 'true']).status === 0;

for (const { node, version } of testedVersions()) {
  test(
    `the first process of a container goes on after signals, and is recorded (Node ${version})`,
    { skip: !canBeFirst },
    async (t) => {
      const folder = program(t, {
        'late.js': `exports.late = function late() { ${busyFor(60)} };`,
        'program.js': `
        const { execFileSync } = require('child_process');
        for (const name of ['TERM', 'INT', 'HUP']) execFileSync('kill', ['-s', name, '1']);
        process.kill(1, 'SIGTERM');
        setTimeout(() => { require('./late').late(); console.log('done', process.pid); }, 300);`,
      });
      const { directory, stdout, stderr } = await recorded(folder, [...asFirst, node, 'program.js']);
      assert.deepEqual([stdout, stderr], ['done 1\n', '']);
      assert.ok(profilesWith(directory, 'late') > 0);
      assert.equal(eventsOfType(directory, 'end')[0]?.reason, 'exit');
    },
  );
}
