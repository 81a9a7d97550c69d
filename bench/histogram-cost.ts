// Measures what HOTSPAN_MODE=histogram costs a server. The same server runs without it and with it, in turn, under
// autocannon; the result is the median of the ratios within each round, with their range. The server is Node's own
// http, or express, which is installed from npm in a temporary folder.
// `node bench/histogram-cost.ts [ROUNDS] [NODE'S FILE]`, after a build.
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import autocannon from 'autocannon';

const [rounds = '9', given = process.execPath] = process.argv.slice(2);
const connections = 10;
const warmUp = 2000;
/** Duration of a round, in s. Autocannon is precise only to a tenth of a second. */
const duration = 3;
const node = path.resolve(given);
const recorder = path.join(import.meta.dirname, '../dist/recorder.cjs');
const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-bench-'));
execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, 'express@5.1.0'], { stdio: 'ignore' });

const answering = `
  process.on('message', (wish) => {
    const { user, system } = process.cpuUsage();
    if (wish === 'end') process.exit();
    process.send(wish === 'cpu' ? user + system : process.memoryUsage().rss);
  });
`;
/** A server with hardly any work besides Node's own: the share of the hooks is as large as it gets. */
const plain = `
  const server = require('http').createServer((_, response) => response.end('ok'));
  server.listen(0, () => process.send(server.address().port));
`;
/** A server that reads the facts of a file and sends a JSON of fifty objects. */
const express = `
  const app = require('express')();
  const list = () => Array.from({ length: 50 }, (_, id) => ({ id, name: 'item ' + id }));
  app.get('/', (_, response) => require('fs').stat(__filename, () => response.json(list())));
  const server = app.listen(0, () => process.send(server.address().port));
`;

for (const [name, text] of Object.entries({ 'plain http': plain, express })) {
  const file = path.join(folder, 'server.js');
  writeFileSync(file, text + answering);
  const found: { readonly without: Served; readonly with: Served }[] = [];
  for (let round = 0; round < Number(rounds); round += 1) {
    found.push({ without: await serve(file, false), with: await serve(file, true) });
  }
  console.log(`${name}, Node.js ${execFileSync(node, ['-v'], { encoding: 'utf8' }).trim()}`);
  for (const figure of ['perSecond', 'cpuUs', 'megabytes'] as const) {
    const ratios = found.map((one) => one.with[figure] / one.without[figure]).toSorted((a, b) => a - b);
    const values = found.map((one) => one.without[figure]).toSorted((a, b) => a - b);
    const extra = found.map((one) => one.with[figure] - one.without[figure]).toSorted((a, b) => a - b);
    console.log(
      `  ${figure.padEnd(10)} ${median(values).toFixed(1).padStart(8)}  × ${median(ratios).toFixed(3)} [${ratios.at(0)?.toFixed(2)}..${ratios.at(-1)?.toFixed(2)}], ${median(extra).toFixed(1)} more`,
    );
  }
}
rmSync(folder, { recursive: true });

interface Served {
  readonly perSecond: number;
  /** CPU time of the server for each request, in µs. */
  readonly cpuUs: number;
  /** Resident set of the server after the load. */
  readonly megabytes: number;
}

async function serve(file: string, isLogged: boolean): Promise<Served> {
  const env = isLogged
    ? { ...process.env, HOTSPAN_MODE: 'histogram', HOTSPAN_LOG: path.join(folder, 'turns.log') }
    : process.env;
  const server = fork(file, [], { execPath: node, execArgv: isLogged ? ['--require', recorder] : [], env });
  const url = `http://127.0.0.1:${await answerOf(server)}`;
  const figure = async (name: 'cpu' | 'memory'): Promise<number> => {
    server.send(name);
    return answerOf(server);
  };
  await autocannon({ url, connections, amount: warmUp });
  const before = await figure('cpu');
  const { requests, duration: time } = await autocannon({ url, connections, duration, sampleInt: 100 });
  const cpu = (await figure('cpu')) - before;
  const memory = await figure('memory');
  server.send('end');
  await once(server, 'exit');
  return {
    perSecond: requests.total / time,
    cpuUs: cpu / requests.total,
    megabytes: memory / 1e6,
  };
}

async function answerOf(server: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    server.once('message', (answer) => resolve(Number(answer)));
  });
}

function median(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
