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
export const packages = {
  '@babel/cli': '7.29.7',
  '@babel/core': '7.29.13',
  '@babel/preset-env': '7.29.14',
  autocannon: '8.0.0',
  bootstrap: '5.3.9',
  eslint: '9.39.5',
  express: '5.3.0',
  fastify: '5.12.8',
  jest: '30.5.2',
  lodash: '4.18.1',
  marked: '16.4.2',
  mocha: '11.8.0',
  prettier: '3.10.1',
  rollup: '4.68.7',
  rxjs: '7.8.2',
  sass: '1.108.2',
  stylelint: '16.26.1',
  terser: '5.51.2',
  three: '0.170.0',
  typescript: '5.9.3',
  vite: '6.4.6',
  vitest: '3.2.7',
  webpack: '5.112.2',
  'webpack-cli': '6.0.1',
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

const server = (create: string): string => `
const { spawn } = require('node:child_process');
const { marked } = require('marked');
const text = require('node:fs').readFileSync('node_modules/marked/README.md', 'utf8');
function render(times) { return marked.parse(text.repeat(times)); }
function list() { return JSON.stringify(Array.from({ length: 20000 }, (_, id) => ({ id, name: 'item ' + id }))); }
${create}
function load(port) {
  const url = 'http://127.0.0.1:' + port + '/';
  const requests = ['--connections', '5', '--duration', '3', url];
  spawn(process.execPath, ['node_modules/autocannon/autocannon.js', ...requests], { stdio: 'ignore' })
    .on('exit', () => process.exit(0));
}
`;

const expressServer = server(`
const express = require('express');
const app = express();
let calls = 0;
app.get('/', (request, response) => { calls++; response.send(calls % 3 === 0 ? list() : render(1 + (calls % 5))); });
const listener = app.listen(0, () => load(listener.address().port));
`);

const fastifyServer = server(`
const fastify = require('fastify')();
let calls = 0;
fastify.get('/', async () => { calls++; return calls % 3 === 0 ? list() : render(1 + (calls % 5)); });
fastify.listen({ port: 0 }).then(() => load(fastify.server.address().port));
`);

/** What the programs are told to do, by path below the folder. */
export const files: Readonly<Record<string, string>> = {
  'own/express.cjs': expressServer,
  'own/fastify.cjs': fastifyServer,
  'own/mocha.cjs': commonTests('it', 'marked'),
  'own/jest.test.cjs': commonTests('globalThis.it', '../node_modules/marked/lib/marked.umd.js'),
  'own/vitest.test.mjs': vitestTests,
  'own/scene.js': "import * as three from 'three'; globalThis.three = three;",
  'own/deep.ts': ['declare function f<T>(x: T): T;', ...deepCalls].join('\n'),
  'own/tsconfig.json': JSON.stringify({
    compilerOptions: { target: 'es2020', module: 'esnext', moduleResolution: 'bundler', types: [] },
    files: ['deep.ts', '../node_modules/rxjs/src/index.ts'],
  }),
  'index.html': '<script type="module" src="own/scene.js"></script>',
  'eslint.config.js': `module.exports = [{ ignores: ['!**/node_modules/**'] }, { rules: Object.fromEntries(['no-unused-vars', 'no-undef', 'complexity',
    'indent', 'no-shadow', 'prefer-const', 'no-fallthrough', 'no-unreachable', 'eqeqeq'].map((rule) => [rule, 'warn'])) }];`,
  'stylelint.json': JSON.stringify({
    rules: {
      'declaration-block-no-duplicate-properties': true,
      'no-descending-specificity': true,
      'no-duplicate-selectors': true,
      'selector-max-id': 0,
      'property-no-unknown': true,
    },
  }),
};

const inPackage = (name: string): readonly string[] => ['.', `node_modules/${name}`];

export const programs: readonly PublicProgram[] = [
  {
    name: 'tsc',
    command: ['node_modules/typescript/lib/_tsc.js', '--noEmit', '-p', 'own'],
    roots: inPackage('typescript'),
    intervalUs: 100,
    throughout: 'executeCommandLine',
  },
  {
    name: 'babel',
    command: [
      ...['node_modules/@babel/cli/bin/babel.js', 'node_modules/three/src', '--out-dir', 'out/babel'],
      ...['--presets', '@babel/preset-env'],
    ],
    roots: inPackage('@babel'),
  },
  {
    name: 'terser',
    command: ['node_modules/terser/bin/terser', 'node_modules/three/build/three.cjs', '-c', '-m', '-o', 'out/three.js'],
    roots: inPackage('terser'),
  },
  {
    name: 'sass',
    command: [
      'node_modules/sass/sass.js',
      '--quiet',
      'node_modules/bootstrap/scss/bootstrap.scss',
      'out/bootstrap.css',
    ],
    roots: inPackage('sass'),
  },
  {
    name: 'rollup',
    command: [
      ...['node_modules/rollup/dist/bin/rollup', 'node_modules/three/src/Three.js'],
      ...['--format', 'es', '--file', 'out/rollup.js'],
    ],
    roots: inPackage('rollup'),
  },
  {
    name: 'webpack',
    command: [
      ...['node_modules/webpack-cli/bin/cli.js', '--mode', 'development', '--entry', './own/scene.js'],
      ...['--output-path', './out/webpack'],
    ],
    roots: inPackage('webpack'),
  },
  {
    name: 'vite build',
    command: ['node_modules/vite/bin/vite.js', 'build', '--outDir', 'out/vite'],
    roots: inPackage('vite'),
  },
  {
    name: 'eslint',
    command: ['node_modules/eslint/bin/eslint.js', 'node_modules/three/build/three.cjs', '--quiet'],
    roots: inPackage('eslint'),
  },
  {
    name: 'stylelint',
    command: [
      ...['node_modules/stylelint/bin/stylelint.mjs', '--config', 'stylelint.json', '--disable-default-ignores'],
      ...['--quiet', 'node_modules/bootstrap/dist/css/bootstrap.css'],
    ],
    roots: inPackage('stylelint'),
  },
  {
    name: 'prettier',
    command: [
      'node_modules/prettier/bin/prettier.cjs',
      '--ignore-path',
      'none',
      '--check',
      '--with-node-modules',
      'node_modules/three/src/math',
    ],
    roots: inPackage('prettier'),
  },
  { name: 'express', command: ['own/express.cjs'], roots: ['.'] },
  { name: 'fastify', command: ['own/fastify.cjs'], roots: ['.'] },
  { name: 'mocha', command: ['node_modules/mocha/bin/mocha.js', '--timeout', '0', 'own/mocha.cjs'], roots: ['.'] },
  {
    name: 'jest',
    command: [
      'node_modules/jest/bin/jest.js',
      '--runInBand',
      '--testMatch',
      '**/own/jest.test.cjs',
      '--transform',
      '{}',
    ],
    roots: ['.'],
  },
  {
    name: 'vitest',
    command: [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--pool',
      'threads',
      '--poolOptions.threads.singleThread',
      'own/vitest',
    ],
    roots: ['.'],
  },
];
