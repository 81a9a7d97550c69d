import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { isAlive } from '../../../recordings/run-processes.ts';
import { reportOf } from '../../helpers/report-schema.ts';
import { testedVersions } from '../../helpers/node-versions.ts';
import { waitUntil } from '../../helpers/wait-until.ts';
import { bare, eventsOfType, program, recorded, recording } from './recorded.ts';

/** 60 ms in `busyTarget`; then, when the recorder has written its first part, `then`. */
const afterFirstPart = (then: string): string => `
const { busyTarget } = require('./busy');
busyTarget(60);
setInterval(() => {}, 1000);
// A signal that the program handles makes the recorder write what it has, which it else does every 10 s.
process.on('SIGHUP', () => setTimeout(() => { ${then} }, 10));
require('child_process').execSync('kill -HUP ' + process.pid);
`;

const kill = "require('child_process').spawn('sh', ['-c', 'sleep 0.2; kill -KILL ' + process.pid]);";
const endings: Readonly<Record<string, string>> = {
  'by SIGKILL while it waits': kill,
  'by SIGKILL while it is busy': `${kill} busyTarget(20_000);`,
  'because its heap is full': 'const all = []; for (;;) all.push(new Array(1000).fill(all.length + 0.5));',
};

for (const { node, version } of testedVersions()) {
  for (const [name, text] of Object.entries(endings)) {
    test(`a program that ends ${name} leaves what was written before, and is said to have been killed (Node ${version})`, async (t) => {
      const folder = program(t, { 'program.js': afterFirstPart(text) });
      const command = [node, '--max-old-space-size=32', 'program.js'];
      const without = await bare(folder, command);
      const { ended, directory } = recording(folder, command);
      const { exitCode, signal } = await ended;

      assert.deepEqual([exitCode, signal], [without.exitCode, without.signal]);
      const { functions, ends, warnings } = await found(directory);
      assert.ok(functions.includes('busyTarget'));
      assert.deepEqual(ends, ['killed']);
      assert.match(warnings, /^Process \d+ was killed, or crashed: its last 10 s may be missing/m);
    });
  }

  test(`a daemon is recorded while the command lives, and not said to have been killed (Node ${version})`, async (t) => {
    const folder = program(t, {
      'daemon.js': `
        ${afterFirstPart("require('fs').writeFileSync('ready', '');")}
        setInterval(() => { if (require('fs').existsSync('go')) process.exit(); }, 20);`,
      'program.js': `
        require('child_process').spawn(process.execPath, ['daemon.js'], { detached: true, stdio: 'ignore' }).unref();
        const timer = setInterval(() => { if (require('fs').existsSync('ready')) clearInterval(timer); }, 20);`,
    });
    const { directory } = await recorded(folder, [node, 'program.js']);
    const { functions, ends, warnings } = await found(directory);
    const [daemon] = eventsOfType(directory, 'outlives');
    assert.ok(functions.includes('busyTarget'));
    assert.deepEqual(ends.toSorted(), ['exit', 'outlived']);
    assert.match(warnings, new RegExp(`^Process ${daemon?.isolate.split('-')[0]} went on after the command`, 'm'));

    writeFileSync(path.join(folder, 'go'), '');
    await waitUntil(() => !isAlive(Number(daemon?.isolate.split('-')[0])));
    assert.equal(eventsOfType(directory, 'end').length, 1, 'it has written to a recording that is over');
  });
}

/** What `hotspan analyze` finds in a recording. */
async function found(directory: string) {
  assert.ok(existsSync(directory));
  const { recording, functions, warnings } = await reportOf(directory);
  return {
    functions: functions.map(({ name }) => name),
    ends: recording.files.map(({ ended }) => ended),
    warnings: warnings.join('\n'),
  };
}
