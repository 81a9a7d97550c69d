import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { assertEach } from '../../helpers/assert-each.ts';
import { testedVersions } from '../../helpers/node-versions.ts';
import { eventsOfType, profilesWith, program, recorded, recording } from './recorded.ts';

/** `work.js` is busy for 40 ms, wherever it runs. */
const work = `require('./busy').busyTarget(40); console.log(process.argv[2] ?? 'worker');`;

/** What starts a worker, by what becomes of it. */
const workers: Readonly<Record<string, string>> = {
  'ends by itself': `new Worker('./work.js')`,
  'ends by an error': `new Worker('./work.js; throw new Error("w")'.replace('./work.js', 'require("./work.js")'), { eval: true }).on('error', () => {})`,
  'is terminated': `new Worker('require("./work.js"); setInterval(() => {}, 9); parent.postMessage(1)'.replace('parent', 'require("worker_threads").parentPort'), { eval: true }).on('message', function () { this.terminate(); })`,
  'has an empty environment': `new Worker('./work.js', { env: {} })`,
  'has flags of its own': `new Worker('./work.js', { execArgv: ['--no-warnings'] })`,
};

for (const { node, version } of testedVersions()) {
  test(`every child is reached, with a replaced environment too (Node ${version})`, async (t) => {
    const text = `
      const { fork, spawn, spawnSync, execSync, execFileSync } = require('child_process');
      const env = { PATH: process.env.PATH };
      const node = process.execPath;
      fork('./work.js', ['fork']);
      fork('./work.js', ['fork, env'], { env });
      spawn(node, ['work.js', 'spawn, env'], { env, stdio: 'inherit' });
      spawnSync(node, ['work.js', 'spawnSync, env'], { env, stdio: 'inherit' });
      execSync(node + ' work.js execSync', { env, stdio: 'inherit' });
      execFileSync(node, ['work.js', 'execFileSync, env'], { env: {}, stdio: 'inherit' });
    `;
    const folder = program(t, { 'program.js': text, 'work.js': work });
    const { directory, stdout } = await recorded(folder, [node, 'program.js']);
    assert.equal(stdout.trim().split('\n').length, 6);
    assert.equal(profilesWith(directory, 'busyTarget'), 6);
  });

  for (const [name, start] of Object.entries(workers)) {
    test(`a worker that ${name} is recorded, and known as the program's own (Node ${version})`, async (t) => {
      const folder = program(t, {
        'program.js': `const { Worker } = require('worker_threads');\n${start};`,
        'work.js': work,
      });
      const { directory, stdout, stderr } = await recorded(folder, [node, 'program.js']);
      assert.deepEqual([stdout, stderr], ['worker\n', '']);
      assert.equal(profilesWith(directory, 'busyTarget'), 1);
      assertEach(eventsOfType(directory, 'worker'), ({ kind, threadId }) => [kind, threadId], [['background', 1]]);
    });
  }

  test(`a signal that ends the process does not take its workers' profiles along (Node ${version})`, async (t) => {
    const text = `
      const { Worker } = require('worker_threads');
      const worker = new Worker('require("./work.js"); setInterval(() => {}, 9); require("worker_threads").parentPort.postMessage(1)', { eval: true });
      worker.on('message', () => require('child_process').spawn('kill', [String(process.pid)]));
      worker.on('exit', () => console.log('nobody hears of it'));
    `;
    const folder = program(t, { 'program.js': text, 'work.js': work });
    const { ended, directory } = recording(folder, [node, 'program.js']);
    const { signal, stdout } = await ended;
    assert.deepEqual([signal, stdout], ['SIGTERM', 'worker\n']);
    assert.equal(profilesWith(directory, 'busyTarget'), 1);
  });

  test(`the parent of node --test, which has no inspector, is left to its work (Node ${version})`, async (t) => {
    const file = `require('node:test')('busy', () => require('./busy').busyTarget(40));`;
    const folder = program(t, { 'one.test.js': file });
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
    const { directory, stdout } = await recorded(folder, [node, '--test', 'one.test.js'], { env });
    assert.match(stdout, /pass 1/);
    assert.equal(profilesWith(directory, 'busyTarget'), 1);
  });
}

test('a script, or a shell, that replaces NODE_OPTIONS is recorded, but not npm and one-line helpers', async (t) => {
  const files = {
    'package.json': JSON.stringify({ scripts: { work: 'NODE_OPTIONS=--no-warnings node work.js && node -e "0"' } }),
    'work.js': `${work}; process._rawDebug(process.execArgv.length, process.env.NODE_OPTIONS.endsWith(' --no-warnings'));`,
    'spawns.js': `
      const command = 'A=1 NODE_OPTIONS="--no-warnings" node work.js';
      const { spawnSync, exec } = require('child_process');
      process._rawDebug(String(spawnSync(command, { shell: true }).stderr).trim());
      const child = exec(command, (error, out, err) => process._rawDebug(err.trim(), child.spawnargs.at(-1) === command));`,
  };
  for (const [command, said] of [
    [['npm', 'run', '-s', 'work'], ['0 true']],
    [['sh', '-c', 'NODE_OPTIONS=--no-warnings node work.js'], ['0 true']],
    [
      [process.execPath, 'spawns.js'],
      ['0 true', '0 true true'],
    ],
  ] as const) {
    const { ended, directory } = recording(program(t, files), command);
    assert.deepEqual((await ended).stderr.trim().split('\n'), said);
    const seen = eventsOfType(directory, 'start').filter(({ argv }) => argv[1]?.endsWith('spawns.js') !== true);
    assertEach(
      seen,
      ({ argv }) => path.basename(argv[1] ?? ''),
      said.map(() => 'work.js'),
    );
  }
});

test(
  'what is left of our variables by a tool that hands on NODE_OPTIONS alone (turbo) is enough',
  { skip: process.platform !== 'linux' },
  async (t) => {
    const text = `
      new (require('worker_threads').Worker)('./work.js').on('exit', () => require('child_process').fork('./work.js', ['child']));`;
    const folder = program(t, { 'program.js': text, 'work.js': work });
    const cut = 'env -i PATH="$PATH" NODE_OPTIONS="$NODE_OPTIONS" node program.js; true';
    const { ended, directory } = recording(folder, ['sh', '-c', `sh -c '${cut}'; true`]);
    assert.equal((await ended).stdout, 'worker\nchild\n');
    assert.equal(eventsOfType(directory, 'start').length, 3);
  },
);

test('a program given by -e is recorded', async (t) => {
  const folder = program(t, {});
  const { directory } = await recorded(folder, [process.execPath, '-e', 'require("./busy").busyTarget(60)']);
  assert.equal(profilesWith(directory, 'busyTarget'), 1);
});
