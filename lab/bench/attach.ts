// Measures what an attached recorder says of a server under load: the worst of a function, and how often it held the
// loop, next to the server's own clock (CPU time of its thread), and which other lines it marks. With 1, 8 and 32
// clients, each for five seconds. `npm run bench -- attach`.
import { execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isRecord, numberOf, parseJson } from '../../protocol/json-value.ts';
import { projectFile } from '../../test/helpers/project.ts';
import { parseReport } from '../../test/helpers/report-schema.ts';
import { figure } from '../figure.mjs';
import { printTable } from './busy/table.ts';

const cli = projectFile('dist/cli.cjs');
const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-attach-'));
const file = path.join(folder, 'server.js');
const seconds = 5;

/** `hashPassword` takes 40 to 70 ms. V8 inlines `report`. The server knows what its calls took, and tells at /figures. */
writeFileSync(
  file,
  `const { pbkdf2Sync } = require('node:crypto');
let calls = [];
function hashPassword(iterations) {
  const before = process.threadCpuUsage();
  pbkdf2Sync('secret', 'salt', iterations, 32, 'sha512');
  const { user, system } = process.threadCpuUsage(before);
  calls.push(user + system);
}
function report(rows) {
  let sum = 0;
  for (let row = 0; row < rows; row++) sum += Math.sqrt(row) % 7;
  return sum;
}
let requests = 0;
require('node:http').createServer((request, response) => {
  if (request.url === '/figures') {
    response.end(JSON.stringify({ calls: calls.length, worst: Math.max(0, ...calls) }));
    calls = [];
    return;
  }
  requests++;
  if (requests % 4 === 0) hashPassword(45_000 + (requests % 3) * 15_000);
  else report(60_000);
  response.end('ok');
}).listen(0, function () { process.send(this.address().port); });
`,
);

try {
  const rows: (readonly string[])[] = [];
  for (const clients of [1, 8, 32]) rows.push(await measure(clients));
  console.log(`On ${os.cpus().length} cores at a load of ${os.loadavg()[0]?.toFixed(1)}:`);
  printTable([
    ['clients', 'worst, own clock', 'worst, Hotspan', 'ratio', 'calls', 'long', 'marked lines (5 is right)'],
    ...rows,
  ]);
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(clients: number): Promise<readonly string[]> {
  const server = fork(file, { cwd: folder });
  const answer: readonly unknown[] = await once(server, 'message');
  const port = String(answer[0]);
  const autocannon = projectFile('node_modules/autocannon/autocannon.js');
  const load = spawn(process.execPath, [autocannon, '-c', String(clients), '-d', '600', `http://127.0.0.1:${port}/`], {
    stdio: 'ignore',
  });
  await setTimeout(2000);
  const out = path.join(folder, `out-${clients}`);
  const recorder = spawn(process.execPath, [cli, 'record', '--out', out, '--attach', `pid:${server.pid}`], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await once(recorder.stderr, 'data'); // It says that it records.
  await setTimeout(500);
  await figuresOf(port);
  await setTimeout(seconds * 1000);
  const own = await figuresOf(port);
  const ended = once(recorder, 'exit');
  recorder.kill('SIGINT');
  await ended;
  load.kill();
  server.kill();
  return row(clients, own, await reportOf(out));
}

function row(
  clients: number,
  own: { readonly calls: number; readonly worstMs: number },
  { functions, lines }: ReturnType<typeof parseReport>,
): readonly string[] {
  const culprit = functions.find(({ name }) => name === 'hashPassword')?.culprit ?? null;
  const worstMs = (culprit?.worstUs ?? 0) / 1000;
  figure(`${clients} clients: worst of an attached server to its own clock`, worstMs / own.worstMs);
  return [
    String(clients),
    `${own.worstMs.toFixed(1)} ms`,
    `${worstMs.toFixed(1)} ms`,
    `${(worstMs / own.worstMs).toFixed(2)} ×`,
    String(own.calls),
    String(culprit?.longCount ?? 0),
    lines.flatMap(({ line, longCount }) => (longCount > 0 ? [line] : [])).join(', '),
  ];
}

async function reportOf(out: string): Promise<ReturnType<typeof parseReport>> {
  const words = [cli, 'analyze', '--json', out];
  return parseReport((await promisify(execFile)(process.execPath, words, { maxBuffer: 2 ** 28, cwd: folder })).stdout);
}

async function figuresOf(port: string): Promise<{ readonly calls: number; readonly worstMs: number }> {
  const json = parseJson(await (await fetch(`http://127.0.0.1:${port}/figures`)).text());
  const { calls, worst } = isRecord(json) ? json : {};
  return { calls: numberOf(calls, Number.NaN), worstMs: numberOf(worst, Number.NaN) / 1000 };
}
