import type { Setup } from './setup.ts';

/**
 * Each way to start a process or thread, by the name of the function that is busy in it: `child('NAME')` are the words
 * for `node`, `data('NAME')` the options of a worker.
 */
const ways: Readonly<Record<string, string>> = {
  Fork: `fork(file, ['Fork'])`,
  ForkWithEnvironment: `fork(file, ['ForkWithEnvironment'], { env: {} })`,
  ForkWithoutFlags: `fork(file, ['ForkWithoutFlags'], { execArgv: [] })`,
  SpawnByName: `spawn('node', child('SpawnByName'))`,
  SpawnByPath: `spawn(node, child('SpawnByPath'))`,
  SpawnWithEnvironment: `spawn(node, child('SpawnWithEnvironment'), { env: {} })`,
  SpawnInShell: `spawn('node ' + child('SpawnInShell').join(' '), { shell: true })`,
  Exec: `exec('node ' + child('Exec').join(' '))`,
  ExecFile: `execFile(node, child('ExecFile'))`,
  SpawnSync: `spawnSync(node, child('SpawnSync'))`,
  SpawnSyncWithEnvironment: `spawnSync(node, child('SpawnSyncWithEnvironment'), { env: {} })`,
  ExecSync: `execSync('node ' + child('ExecSync').join(' '))`,
  ExecFileSyncWithEnvironment: `execFileSync(node, child('ExecFileSyncWithEnvironment'), { env: {} })`,
  Cluster: `cluster.setupPrimary({ exec: file, args: ['Cluster'] }); cluster.fork()`,
  Worker: `new Worker(file, data('Worker'))`,
  WorkerFromText: `new Worker('require(' + JSON.stringify(file) + ')', { ...data('WorkerFromText'), eval: true })`,
  WorkerSharingEnvironment: `new Worker(file, { ...data('WorkerSharingEnvironment'), env: SHARE_ENV })`,
  WorkerWithEnvironment: `new Worker(file, { ...data('WorkerWithEnvironment'), env: {} })`,
  WorkerWithoutFlags: `new Worker(file, { ...data('WorkerWithoutFlags'), execArgv: [] })`,
  WorkerTerminated: `const worker = new Worker(file, data('WorkerTerminated')); worker.on('message', () => worker.terminate())`,
  WorkerOfWorker: `new Worker('new (require("worker_threads").Worker)(' + JSON.stringify(file) + ', { workerData: "WorkerOfWorker" })', { eval: true })`,
  ForkOfWorker: `new Worker('require("child_process").fork(' + JSON.stringify(file) + ', ["ForkOfWorker"])', { eval: true })`,
  KilledBySigterm: `const term = fork(file, ['KilledBySigterm']); term.on('message', () => term.kill())`,
  KilledBySigint: `const int = fork(file, ['KilledBySigint']); int.on('message', () => int.kill('SIGINT'))`,
  KilledBySigkill: `const killed = fork(file, ['KilledBySigkill']); killed.on('message', () => killed.kill('SIGKILL'))`,
};

const program = `
const { exec, execFile, execFileSync, execSync, fork, spawn, spawnSync } = require('child_process');
const cluster = require('cluster');
const { SHARE_ENV, Worker } = require('worker_threads');
const file = require.resolve('./work.js');
const node = process.execPath;
const child = (name) => [file, name];
const data = (workerData) => ({ workerData });
${Object.values(ways)
  .map((way) => `{ ${way}; }\n`)
  .join('')}`;

/** So much work, not so much time: they share the processor. One that says that it is ready goes on until it is ended. */
const work = `
const { parentPort, workerData } = require('worker_threads');
const name = workerData ?? process.argv[2];
eval('(function via' + name + '() { let sum = 0; for (let i = 0; i < 5e7; i++) sum += i % 7; return sum; })')();
if (name.startsWith('Killed') || name.endsWith('Terminated')) {
  setInterval(() => {}, 1000);
  if (parentPort) parentPort.postMessage('ready'); else process.send('ready');
} else if (process.connected) process.disconnect();
`;

export const spawnSetups: readonly Setup[] = [
  {
    name: `${Object.keys(ways).length} ways to start`,
    project: { name: 'ways', packages: {}, files: { 'program.js': program, 'work.js': work } },
    command: (node) => [node, 'program.js'],
    nodes: [20, 22, 24, 26],
    expected: Object.keys(ways).map((way) => ({ name: `via${way}`, file: '', line: 1 })),
    notes: [
      {
        lost: ['viaKilledBySigkill'],
        said: /^Process \d+ .*killed/,
        why: 'A process that is ended by SIGKILL loses what its last 10 s held; the recording says so.',
      },
    ],
  },
];
