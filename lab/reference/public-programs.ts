import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A program from npm, at work on what another package from npm holds. */
export interface PublicProgram {
  readonly name: string;
  /** From the folder where all of them are installed: script and arguments. */
  readonly command: readonly string[];
  /** Folders whose code is taken as the person's own, in turn: their culprits are compared. */
  readonly roots: readonly string[];
  /** A function that is on the stack from its first sample to its last. */
  readonly throughout?: string;
  /** In µs; 1000 where it is not said. */
  readonly intervalUs?: number;
}

/** Pinned: the newest that run on all Node versions that Hotspan does. */
const packages = {
  autocannon: '8.0.0',
  express: '5.3.0',
  jest: '30.5.2',
  marked: '16.4.2',
  mocha: '11.8.0',
  rxjs: '7.8.2',
  terser: '5.51.2',
  three: '0.170.0',
  typescript: '5.9.3',
  vitest: '3.2.7',
} as const;

const parseMany = `
function parseMany(text, times) {
  let size = 0;
  for (let i = 0; i < times; i++) size += marked.parse(text.repeat(1 + (i % 3))).length;
  return size;
}
for (let times = 1; times < 40; times++)
  test('parses ' + times, () => { if (parseMany(text, times) === 0) throw new Error('nothing'); });
`;

const commonTests = (test: string, marked: string): string => `
const test = ${test};
const { marked } = require('${marked}');
const text = require('node:fs').readFileSync('node_modules/marked/README.md', 'utf8');
${parseMany}`;

const vitestTests = `
import { marked } from 'marked';
import { readFileSync } from 'node:fs';

const text = readFileSync('node_modules/marked/README.md', 'utf8');
${parseMany}`;

/** Calls in calls, so deep that V8 cuts the compiler's stacks. */
const deepCalls = Array.from({ length: 40 }, (_, number) => {
  const depth = 30 + number;
  return `export const deep${number} = (n: number) => ${'f({ a: ['.repeat(depth)}n${'] })'.repeat(depth)};`;
});

const server = `
const { spawn } = require('node:child_process');
const { marked } = require('marked');
const text = require('node:fs').readFileSync('node_modules/marked/README.md', 'utf8');
function render(times) { return marked.parse(text.repeat(times)); }
function list() { return JSON.stringify(Array.from({ length: 20000 }, (_, id) => ({ id, name: 'item ' + id }))); }
let calls = 0;
const app = require('express')();
app.get('/', (request, response) => { calls++; response.send(calls % 3 === 0 ? list() : render(1 + (calls % 5))); });
const listener = app.listen(0, () => {
  const url = 'http://127.0.0.1:' + listener.address().port + '/';
  const requests = ['--connections', '5', '--duration', '3', url];
  spawn(process.execPath, ['node_modules/autocannon/autocannon.js', ...requests], { stdio: 'ignore' })
    .on('exit', () => process.exit(0));
});
`;

/** What the programs are told to do, by path below the folder. */
const files: Readonly<Record<string, string>> = {
  'own/express.cjs': server,
  'own/mocha.cjs': commonTests('it', 'marked'),
  'own/jest.test.cjs': commonTests('globalThis.it', '../node_modules/marked/lib/marked.umd.js'),
  'own/vitest.test.mjs': vitestTests,
  'own/deep.ts': ['declare function f<T>(x: T): T;', ...deepCalls].join('\n'),
  'own/tsconfig.json': JSON.stringify({
    compilerOptions: { target: 'es2020', module: 'esnext', moduleResolution: 'bundler', types: [] },
    files: ['deep.ts', '../node_modules/rxjs/src/index.ts'],
  }),
  'package.json': JSON.stringify({ private: true, dependencies: packages }),
};

const program = (name: string, command: string, rest: Partial<PublicProgram> = {}): PublicProgram => ({
  name,
  command: `node_modules/${command}`.split(' '),
  roots: ['.'],
  ...rest,
});

/** A compiler, a minifier, a server, and a suite of each runner. */
export const programs: readonly PublicProgram[] = [
  program('tsc', 'typescript/lib/_tsc.js --noEmit -p own', {
    roots: ['.', 'node_modules/typescript'],
    intervalUs: 100,
    throughout: 'executeCommandLine',
  }),
  program('terser', 'terser/bin/terser node_modules/three/build/three.cjs -c -m -o out/three.js', {
    roots: ['.', 'node_modules/terser'],
  }),
  { name: 'express', command: ['own/express.cjs'], roots: ['.'] },
  program('mocha', 'mocha/bin/mocha.js --timeout 0 own/mocha.cjs'),
  program('jest', 'jest/bin/jest.js --runInBand --testMatch **/own/jest.test.cjs --transform {}'),
  program('vitest', 'vitest/vitest.mjs run --pool threads --poolOptions.threads.singleThread own/vitest'),
];

/** Puts the public programs, and what they are told to do, into a folder. */
export function preparePrograms(folder: string): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  if (existsSync(path.join(folder, 'node_modules'))) return;
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', words, { cwd: folder, stdio: ['ignore', 2, 2] });
}
