import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import test from 'node:test';
import { testedVersions } from '../../helpers/node-versions.ts';
import { eventsOfType, profilesWith, program, recordedAlike } from './recorded.ts';

/** What it sees of itself, without what all that root starts have alike. */
const looks = `
  console.log(process.getuid(), process.execArgv, Object.keys(require.cache).length, module.children.length);
  new (require('worker_threads').Worker)('console.log("in a worker")', { eval: true });`;

const setpriv = ['setpriv', '--reuid', '65534', '--clear-groups'];
const options = { skip: process.getuid?.() !== 0 || process.platform !== 'linux' };

/** A program that everybody may read; the recorder's copy lies below it. */
function readable(t: test.TestContext, files: Readonly<Record<string, string>>): string {
  const folder = program(t, files);
  chmodSync(folder, 0o755);
  return folder;
}

for (const { node, version } of testedVersions())
  for (const kind of ['profile', 'tiers'] as const) {
    const what = `in a recording of ${kind} (Node ${version})`;

    test(`a program of another user runs as without us, ${what}`, options, async (t) => {
      const folder = readable(t, { 'program.js': looks });
      const command = [...setpriv, node, 'program.js'];
      await recordedAlike(folder, command, { kind });
    });

    test(`a child of another user runs as without us, and is told of, ${what}`, options, async (t) => {
      const folder = readable(t, {
        'looks.js': `console.log(process.env.NODE_OPTIONS, process.env.HOTSPAN_DIR); ${looks}`,
        'program.js': `
          const { fork, spawnSync } = require('child_process');
          process.stdout.write(String(spawnSync(process.execPath, ['looks.js'], { uid: 65534 }).stdout));
          fork('looks.js', { uid: 65534 });`,
      });
      const directory = await recordedAlike(folder, [node, 'program.js'], { kind });
      assert.equal(eventsOfType(directory, 'otherUser')[0]?.uid, 65_534);
    });
  }

test('a program that gives up being root keeps what it did until then, and goes on undisturbed', options, async (t) => {
  const folder = readable(t, {
    'program.js': `
      const { busyTarget } = require('./busy');
      busyTarget(50);
      process.setuid(65534);
      setTimeout(() => {
        busyTarget(60);
        new (require('worker_threads').Worker)('console.log("in a worker")', { eval: true }).on('exit', () => {
          require('child_process').fork('busy.js').on('exit', (code) => console.log(code));
        });
      }, 20);`,
  });
  const directory = await recordedAlike(folder, [process.execPath, 'program.js']);
  assert.equal(profilesWith(directory, 'busyTarget'), 1);
  assert.equal(eventsOfType(directory, 'leaves')[0]?.by, 'setuid');
});
