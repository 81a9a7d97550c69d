import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectFile } from '../../../test/helpers/project.ts';
import { checkoutFault } from '../../public-suites/checkout.ts';
import { keptSuites } from '../../public-suites/kept-suites.ts';
import { publicSuites } from '../../public-suites/public-suite.ts';
import { installPackages } from '../analyze/real-profiles.ts';

/** What is analyzed: a recording or a profile, and the folder in which that is done. */
export interface Input {
  readonly name: string;
  readonly recording: string;
  readonly folder: string;
}

const suites = [
  { name: 'mathjs', ...keptSuites.mathjs, words: ['node_modules/mocha/bin/mocha.js', 'test/unit-tests'] },
  {
    ...{ name: 'zod', ...keptSuites.zod },
    words: ['node_modules/vitest/vitest.mjs', 'run', '--project', 'zod', '--typecheck.enabled=false'],
  },
  ...publicSuites.flatMap((suite) => (suite.name === 'class-validator' ? [{ ...suite, words: suite.command }] : [])),
];

/**
 * Records the suites whose checkouts are in a folder at their commits, and a service under load; makes the projects of many
 * hot files. What is there is not made again; a checkout that is missing is said and left out.
 */
export function layOut(folder: string): readonly Input[] {
  const ofSuites = suites.flatMap(({ name, words, ...suite }): readonly Input[] => {
    const fault = checkoutFault({ name, ...suite }, folder);
    if (fault !== null) console.error(fault);
    return fault === null ? [recorded(name, path.join(folder, name), words, folder)] : [];
  });
  const service = path.join(folder, 'service');
  if (!existsSync(service)) writeService(service);
  return [
    ...ofSuites,
    recorded('service', service, ['server.cjs'], folder),
    manyFiles(folder, 375),
    manyFiles(folder, 3000),
  ];
}

function recorded(name: string, project: string, words: readonly string[], folder: string): Input {
  const recording = path.join(folder, 'recordings', name);
  mkdirSync(path.dirname(recording), { recursive: true });
  if (!existsSync(recording)) {
    const command = [projectFile('dist/cli.cjs'), 'record', '--quiet', '--out', recording, '--', 'node', ...words];
    spawnSync(process.execPath, command, { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  return { name, recording, folder: project };
}

/** An Express server that copies and sorts for some milliseconds, and ends after a minute of load by another process. */
function writeService(folder: string): void {
  mkdirSync(folder, { recursive: true });
  installPackages(folder, ['express@5.2.1']);
  writeFileSync(
    path.join(folder, 'server.cjs'),
    `const express = require('express');
const items = Array.from({ length: 4000 }, (_, id) => ({ id, name: 'item ' + ((id * 7919) % 4000), tags: ['a' + (id % 7)] }));
const copyOf = (list) => JSON.parse(JSON.stringify(list));
const sorted = (list) => list.sort((a, b) => a.name.localeCompare(b.name));
const app = express();
app.get('/items', (_, response) => response.json(sorted(copyOf(items)).slice(0, 20)));
app.get('/items/:id', ({ params }, response) => response.json(items[params.id]));
const listening = app.listen(0, () => {
  const words = ['--eval', ${JSON.stringify(load)}, String(listening.address().port)];
  require('child_process').spawn(process.execPath, words, { stdio: 'ignore' }).once('exit', () => process.exit());
});
`,
  );
}

const load = `const http = require('http');
const [port, end] = [Number(process.argv[1]), Date.now() + 60000];
const agent = new http.Agent({ keepAlive: true, maxSockets: 10 });
let count = 0;
function next() {
  if (Date.now() > end) return process.exit();
  const path = count++ % 2 === 0 ? '/items' : '/items/' + (count % 4000);
  http.request({ port, agent, path }, (response) => response.resume().once('end', next)).end();
}
for (let connection = 0; connection < 10; connection++) next();`;

/** A project with so many files of 100 lines, and a plain profile in which each has a hot line. */
function manyFiles(folder: string, count: number): Input {
  const name = `${count} hot files`;
  const project = path.join(folder, `many-${count}`);
  const recording = path.join(project, 'many.cpuprofile');
  if (existsSync(recording)) return { name, recording, folder: project };
  mkdirSync(path.join(project, 'src'), { recursive: true });
  writeFileSync(path.join(project, 'package.json'), '{ "type": "module" }');
  const files = Array.from({ length: count }, (_, number) => path.join(project, 'src', `file${number}.js`));
  for (const [number, file] of files.entries()) writeFileSync(file, textOf(number));
  writeFileSync(recording, JSON.stringify(profileOf(files)));
  return { name, recording, folder: project };
}

function textOf(number: number): string {
  const functions = Array.from({ length: 10 }, (_, at) => [
    `export function ${at === 0 ? 'work' : `part${at}`}(items, limit = ${number}) {`,
    `  const found = items.filter(({ id, name }) => id > limit && name !== 'x${at}');`,
    '  let sum = 0;',
    `  for (const { id } of found) sum += id * ${at} + found.length;`,
    '  if (sum > limit) {',
    `    return found.map((item) => ({ ...item, rank: item.id / ${number + 1} })).sort((a, b) => a.rank - b.rank);`,
    ...['  }', '  return sum;', '}', ''],
  ]);
  return functions.flat().join('\n');
}

/** Each file holds the loop for 20 ms. */
function profileOf(files: readonly string[]) {
  const node = (id: number, functionName: string, url: string, line: number) => ({
    id,
    callFrame: { functionName, scriptId: String(id), url, lineNumber: line, columnNumber: line < 0 ? -1 : 20 },
  });
  const hot = files.map((file, number) => ({
    ...node(3 + number, 'work', pathToFileURL(file).href, 0),
    positionTicks: [
      { line: 4, ticks: 15 },
      { line: 6, ticks: 5 },
    ],
  }));
  const root = { ...node(1, '(root)', '', -1), children: [2, ...hot.map(({ id }) => id)] };
  const samples = hot.flatMap(({ id }) => [...Array.from({ length: 20 }, () => id), 2]);
  const timeDeltas = samples.map(() => 1000);
  return {
    nodes: [root, node(2, '(idle)', '', -1), ...hot],
    startTime: 1,
    endTime: 1000 * samples.length,
    samples,
    timeDeltas,
  };
}
