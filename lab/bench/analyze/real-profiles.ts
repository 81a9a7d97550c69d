import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const packages = ['typescript@5.9.3', 'express@5.2.1'];
const enoughBytes = 50e6;

/** A profile, and a description of it in words. */
export interface RealProfile {
  readonly name: string;
  readonly file: string;
}

/** Installs packages in a folder of their own, because they are not dependencies of Hotspan. */
export function installPackages(folder: string, wanted: readonly string[] = packages): void {
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }');
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...wanted];
  execFileSync('npm', words, { cwd: folder, shell: process.platform === 'win32', stdio: ['ignore', 2, 2] });
}

/**
 * TypeScript checks its own library, sampled every 50 µs where nothing else is said: the profile has many nodes. How
 * many samples V8 gets depends on what else the machine does, so sources are added until the profile has enough bytes;
 * the last one may be smaller.
 */
export function compilerProfile(folder: string, bytes = enoughBytes, intervalUs = 50): RealProfile {
  const lib = path.join(folder, 'node_modules/typescript/lib');
  const options = ['--allowJs', '--checkJs', '--strict', '--noEmit', '--target', 'es2022'];
  const name = `TypeScript checks its library${intervalUs === 50 ? '' : `, sampled every ${intervalUs} µs`}`;
  const sources = ['typescript.js', '_tsc.js', '_tsserver.js'].map((file) => path.join(lib, file));
  for (let count = 1; ; count++) {
    const file = profileOf(folder, `compiler-${intervalUs}-${count}`, intervalUs, [
      path.join(lib, 'tsc.js'),
      ...options,
      ...sources.slice(0, count),
    ]);
    if (statSync(file).size >= bytes || count === sources.length) return { name, file };
  }
}

/**
 * A few functions run for minutes, sampled as often as V8 can: the profile has mostly samples. They are repeated until
 * there are 60 MB.
 */
export function longProfile(folder: string, seconds: number): RealProfile {
  const program = path.join(folder, 'long-run.cjs');
  writeFileSync(program, longRun(seconds));
  const file = profileOf(folder, 'long-run', 20, [program]);
  return { name: `what a service does for ${seconds} s, ${repeated(file, enoughBytes * 1.2)} times over`, file };
}

/** An Express server that twenty connections keep busy, sampled every 40 µs: short operations on deep stacks; 8 MB and more. */
export function serverProfile(folder: string, seconds: number): RealProfile {
  const program = path.join(folder, 'server.cjs');
  writeFileSync(program, server(seconds));
  const file = profileOf(folder, 'server', 40, [program]);
  return { name: `a server under load for ${seconds} s, ${repeated(file, 8e6)} times over`, file };
}

/** Repeats the samples of a profile until it has so many bytes, and gives how many times they are in it. */
function repeated(file: string, bytes: number): number {
  const text = readFileSync(file, 'utf8');
  const once = listIn(text, 'samples').length + listIn(text, 'timeDeltas').length;
  const times = Math.ceil((bytes - (text.length - once)) / once);
  writeFileSync(file, repeatSamples(text, times));
  return times;
}

/**
 * Bursts of work as services do it between two answers, of 12 to 20 ms each, so that they are long operations on a fast
 * machine, too. In between the loop waits.
 */
function longRun(seconds: number): string {
  return `const { createHash } = require('crypto');
const end = Date.now() + ${seconds * 1000};
const users = (count) => Array.from({ length: count }, (_, id) => ({ id, name: 'user' + id * 7919 % count, tags: ['a', String(id)] }));
const copy = (list) => JSON.parse(JSON.stringify(list));
const sort = (list) => list.sort((a, b) => (a.name < b.name ? -1 : 1));
const hash = (list) => list.reduce((all, { name }) => all.update(name), createHash('sha1')).digest('hex');
const match = (list) => list.filter(({ name }) => /user\\d*7$/.test(name)).map(({ tags }) => tags.join('-'));
const answer = (count) => { const list = sort(copy(users(count))); return hash(list) + match(list); };
let turn = 0;
(function next() {
  const until = performance.now() + 12 + (turn % 9);
  for (let request = 0; performance.now() < until; request++) answer(200 + ((turn + request) % 300));
  turn++;
  if (Date.now() < end) setTimeout(next, 1);
})();
`;
}

/** The load comes from another process, so that it is in no profile. */
function server(seconds: number): string {
  return `const express = require('express');
const items = Array.from({ length: 3000 }, (_, id) => ({ id, name: 'item ' + id, price: id % 97, tags: ['a' + (id % 7)] }));
const app = express().use(express.json());
app.get('/list', (_, response) => response.json(items.filter(({ price }) => price > 40).sort((a, b) => a.price - b.price).slice(0, 200)));
app.get('/item/:id', ({ params }, response) => response.json(items[params.id]));
app.post('/echo', ({ body }, response) => response.json(JSON.parse(JSON.stringify(body))));
const listening = app.listen(0, () => {
  const load = ${JSON.stringify(load(seconds))};
  const words = ['--eval', load, String(listening.address().port)];
  require('child_process').spawn(process.execPath, words, { stdio: 'ignore' }).once('exit', () => process.exit());
});
`;
}

function load(seconds: number): string {
  return `const http = require('http');
const [port, end] = [Number(process.argv[1]), Date.now() + ${seconds * 1000}];
const agent = new http.Agent({ keepAlive: true, maxSockets: 20 });
const body = JSON.stringify(Array.from({ length: 50 }, (_, id) => ({ id, text: 'x'.repeat(id) })));
let count = 0;
function next() {
  if (Date.now() > end) return process.exit();
  const path = ['/list', '/item/' + (count % 3000), '/echo'][count++ % 3];
  const method = path === '/echo' ? 'POST' : 'GET';
  const headers = { 'content-type': 'application/json' };
  const request = http.request({ port, agent, path, method, headers }, (response) => response.resume().once('end', next));
  request.end(path === '/echo' ? body : undefined);
}
for (let connection = 0; connection < 20; connection++) next();`;
}

/** Repeats the same minutes, as text in V8's format, without the brackets of each list. */
function repeatSamples(profile: string, times: number): string {
  const numberOf = (key: string): number => Number(profile.match(new RegExp(`"${key}":(\\d+)`))?.[1]);
  const repeated = (key: string): string =>
    `"${key}":[${Array.from({ length: times }, () => listIn(profile, key)).join(',')}]`;
  const [nodes = ''] = profile.split(/,"startTime":/);
  const start = numberOf('startTime');
  const end = start + (numberOf('endTime') - start) * times;
  return `${nodes},"startTime":${start},"endTime":${end},${repeated('samples')},${repeated('timeDeltas')}}`;
}

/** The numbers of a list of a profile, as text. */
function listIn(profile: string, key: string): string {
  return profile.match(new RegExp(`"${key}":\\[([^\\]]*)\\]`))?.[1] ?? '';
}

/** The program may find faults in what it compiles. */
function profileOf(folder: string, name: string, intervalUs: number, words: readonly string[]): string {
  const profiles = path.join(folder, name);
  mkdirSync(profiles);
  const options = [
    '--stack-size=3900',
    '--cpu-prof',
    `--cpu-prof-interval=${intervalUs}`,
    `--cpu-prof-dir=${profiles}`,
  ];
  try {
    execFileSync(process.execPath, [...options, ...words], { cwd: folder, stdio: 'ignore' });
  } catch {
    // Its exit code says that TypeScript found faults.
  }
  const [file] = readdirSync(profiles).map((entry) => path.join(profiles, entry));
  if (file === undefined) throw new Error(`${words[0]} left no profile.`);
  return file;
}
