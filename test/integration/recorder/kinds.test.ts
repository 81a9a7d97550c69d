import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { diskWorld } from '../../../recordings/disk-world.ts';
import { assertEach } from '../../helpers/assert-each.ts';
import { testedVersions } from '../../helpers/node-versions.ts';
import { program, recorded } from './recorded.ts';
import { analyzedIn } from '../../helpers/analyzed.ts';
import { threadNames } from '../../../words/thread-names.ts';

/** Sorted: what a process or thread that was busy was started with, and its kind. */
async function kinds(directory: string): Promise<readonly string[]> {
  const { analysis } = await analyzedIn(diskWorld, { roots: [path.dirname(directory)] }, [directory]);
  const { streams, functions } = analysis;
  const found = streams.flatMap(({ isolate, tree }) => {
    const names = new Set([...tree.functionId].map((id) => functions.functions[id]?.name ?? ''));
    return [...names].filter((name) => /^at[A-Z]/.test(name)).map((name) => `${name}: ${isolate.threadKind}`);
  });
  return found.toSorted();
}

/** `work.js NAME` is busy in a function `atNAME`. */
const work = `
  const name = process.argv[2] ?? require('worker_threads').workerData;
  const at = eval('(function at' + name + '() { require("./busy").busyTarget(80); })');
  at();
  if (name === 'Server') {
    const server = require('http').createServer((_, response) => { at(); response.end(); });
    server.listen(0, () => require('http').get({ port: server.address().port }, () => process.exit()));
  }
`;

for (const { node, version } of testedVersions()) {
  test(`what the program starts for itself blocks no loop that is waited for; servers and runners do (Node ${version})`, async (t) => {
    const text = `
      const { fork, spawn, spawnSync } = require('child_process');
      const { Worker } = require('worker_threads');
      const node = process.execPath;
      fork('./work.js', ['Fork']);
      fork('./work.js', ['ForkWithEnv'], { env: {} });
      spawn(node, ['work.js', 'Piped']);
      spawn('sh', ['-c', '"$0" work.js Shell; true', node]);
      spawn(node, ['work.js', 'NextStep'], { stdio: 'inherit' });
      spawnSync(node, ['work.js', 'Waited']);
      fork('./work.js', ['Server']);
      fork('./tool.js');
      spawn(node, ['node_modules/mocha/bin.js']);
      require('./test/helper.js');
      new Worker('./work.js', { workerData: 'Worker' });
      require('tinypool');
    `;
    const folder = program(t, {
      'program.js': text,
      'work.js': work,
      'tool.js': `require('child_process').spawnSync(process.execPath, ['work.js', 'Nested'])`,
      'test/helper.js': `require('child_process').fork('./work.js', ['Tested'])`,
      'node_modules/mocha/bin.js': `require('child_process').fork('./work.js', ['Runner'])`,
      'node_modules/tinypool/index.js': `require('child_process').fork('./work.js', ['Pool'])`,
    });
    const { directory, stderr } = await recorded(folder, [node, 'program.js']);
    assert.equal(stderr, '');
    assert.deepEqual(await kinds(directory), [
      'atFork: background',
      'atForkWithEnv: background',
      'atNested: background',
      'atNextStep: main',
      'atPiped: background',
      'atPool: main',
      'atRunner: main',
      'atServer: main',
      'atShell: background',
      'atTested: main',
      'atWaited: main',
      'atWorker: background',
    ]);
  });

  test(`the workers of a cluster are event loops like any other (Node ${version})`, async (t) => {
    const text = `
      const cluster = require('cluster');
      if (cluster.isPrimary) cluster.fork();
      else (function atCluster() { require('./busy').busyTarget(80); process.exit(); })();
    `;
    const folder = program(t, { 'program.js': text });
    const { directory } = await recorded(folder, [node, 'program.js']);
    assert.deepEqual(await kinds(directory), ['atCluster: main']);
  });
}

test('an app that pm2 runs is named by its own script', async (t) => {
  const start = 'node_modules/pm2/lib/ProcessContainerFork.js';
  const folder = program(t, {
    'server.js': `(function atServer() { require('./busy').busyTarget(80); })()`,
    [start]: 'require(process.env.pm_exec_path);',
  });
  const env = { ...process.env, pm_exec_path: path.join(folder, 'server.js') };
  const { directory } = await recorded(folder, [process.execPath, path.join(folder, start)], { env });
  const { analysis } = await analyzedIn(diskWorld, { roots: [folder] }, [directory]);
  assertEach(threadNames(analysis.streams), ({ name }) => name, ['server.js']);
});
