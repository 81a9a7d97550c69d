// Measures whether *Send Load* (`hotspan load`) says of a server what autocannon says of it without us: requests per
// second, and p99. A server of Node's own `http` that does nothing, and one whose slow line was fixed (3 ms of work), get
// the same ten connections: bare by autocannon, recorded by autocannon, and recorded by `hotspan load`, in turn.
// `npm run bench -- load [ROUNDS]` (5).
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { isRecord, numberOf, parseJson } from '../../protocol/json-value.ts';
import { median } from '../../protocol/figures.ts';
import { loadFile } from '../../protocol/recording.ts';
import { requestStop } from '../../recordings/recording-folders.ts';
import { projectFile } from '../../test/helpers/project.ts';
import { figure } from '../figure.mjs';
import { printTable } from './busy/table.ts';

const rounds = Number(process.argv[2] ?? 5);
const cli = projectFile('dist/cli.cjs');
const autocannon = projectFile('node_modules/autocannon/autocannon.js');
const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-load-'));
const seconds = 4;

/** `steps` of work for each request; writes its port. */
const serving = (steps: number): string => `
  const server = require('node:http').createServer((_, response) => {
    let sum = 0;
    for (let step = 0; step < ${steps}; step++) sum += Math.sqrt(step);
    response.end(String(sum));
  }).listen(0, () => console.log('port ' + server.address().port));`;

interface Figures {
  readonly perSecond: number;
  readonly p99Ms: number;
}

const variants = ['bare', 'recorded', 'hotspan load'] as const;
type Variant = (typeof variants)[number];

try {
  const rows = [
    ...(await measure('a server that does nothing', 0)),
    ...(await measure('a server after a fix', 1_200_000)),
  ];
  console.log(`Medians of ${rounds} rounds on ${os.cpus().length} cores at a load of ${os.loadavg()[0]?.toFixed(1)}:`);
  printTable([['', 'requests/s', 'to bare', 'to autocannon, recorded', 'p99 ms', 'beyond bare'], ...rows]);
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(title: string, steps: number): Promise<readonly (readonly string[])[]> {
  const file = path.join(folder, 'server.js');
  writeFileSync(file, serving(steps));
  const found: ReadonlyMap<Variant, Figures>[] = [];
  for (let round = 0; round < rounds; round++) {
    const turn = round % 2 === 0 ? variants : variants.toReversed();
    const figures = new Map<Variant, Figures>();
    for (const variant of turn) figures.set(variant, await runOnce(file, variant));
    found.push(figures);
  }
  return variants.map((variant) => row(title, variant, found));
}

/** Ratios and differences compare runs of the same round. */
function row(title: string, variant: Variant, all: readonly ReadonlyMap<Variant, Figures>[]): readonly string[] {
  const valuesOf = (other: Variant, value: (own: Figures, other: Figures) => number): readonly number[] =>
    all.flatMap((round) => {
      const [own, than] = [round.get(variant), round.get(other)];
      return own === undefined || than === undefined ? [] : [value(own, than)];
    });
  const ratiosTo = (other: Variant): readonly number[] =>
    valuesOf(other, (own, than) => own.perSecond / than.perSecond);
  const beyond = median(valuesOf('bare', (own, bare) => own.p99Ms - bare.p99Ms));
  figure(`${title}, ${variant}: requests per second to bare`, median(ratiosTo('bare')));
  figure(`${title}, ${variant}: p99 beyond bare`, beyond);
  return [
    `${title}, ${variant}`,
    median(valuesOf('bare', (own) => own.perSecond)).toFixed(0),
    ratioText(ratiosTo('bare')),
    variant === 'bare' ? '' : ratioText(ratiosTo('recorded')),
    median(valuesOf('bare', (own) => own.p99Ms)).toFixed(1),
    `${beyond.toFixed(1)} ms`,
  ];
}

function ratioText(ratios: readonly number[]): string {
  return `${median(ratios).toFixed(2)} × [${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}]`;
}

async function runOnce(file: string, variant: Variant): Promise<Figures> {
  const out = mkdtempSync(path.join(folder, 'out-'));
  const recorded = [cli, 'record', '--quiet', '--out', path.join(out, 'run'), '--', process.execPath, file];
  const server = spawn(process.execPath, variant === 'bare' ? [file] : recorded, {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const port = await portOf(server);
  const figures = variant === 'hotspan load' ? await sentByUs(path.join(out, 'run')) : await sentByAutocannon(port);
  const ended = once(server, 'exit');
  if (variant === 'bare') server.kill();
  else await requestStop(path.join(out, 'run'));
  await ended;
  return figures;
}

async function portOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) return '';
  for await (const line of createInterface(stdout)) if (line.startsWith('port ')) return line.slice('port '.length);
  return '';
}

/** After a warm-up of a second, as ours. */
async function sentByAutocannon(port: string): Promise<Figures> {
  const send = async (duration: number): Promise<string> => {
    const words = [autocannon, '--json', '-c', '10', '-d', String(duration), `http://localhost:${port}/`];
    return (await promisify(execFile)(process.execPath, words)).stdout;
  };
  await send(1);
  const json = parseJson(await send(seconds));
  const { latency, duration, ...result } = isRecord(json) ? json : {};
  return {
    perSecond: numberOf(result['2xx'], Number.NaN) / numberOf(duration, Number.NaN),
    p99Ms: isRecord(latency) ? numberOf(latency['p99'], Number.NaN) : Number.NaN,
  };
}

async function sentByUs(recording: string): Promise<Figures> {
  const words = [cli, 'load', recording, '--warm-up', '1s', '--load', `-c 10 -d ${seconds} /`];
  await promisify(execFile)(process.execPath, words);
  const json = parseJson(readFileSync(path.join(recording, loadFile), 'utf8'));
  const recorded = isRecord(json) && isRecord(json['recorded']) ? json['recorded'] : {};
  const latency = isRecord(recorded['latencyUs']) ? recorded['latencyUs'] : {};
  return {
    perSecond: numberOf(recorded['requestsPerSecond'], Number.NaN),
    p99Ms: numberOf(latency['p99'], Number.NaN) / 1000,
  };
}
