import type { Project, Setup } from './setup.ts';
import { expected, sources, testFiles } from './sources.ts';

const every = [20, 22, 24, 26];
/** On a busy machine a worker may get no processor for a minute; each row has a limit of its own. */
const patience = ['--timeout', '0'];

const plainTest = (name: string, call: string): string => `test('${name}', () => { ${call}; });`;
const bddTest = (name: string, call: string): string =>
  `describe('suite', () => { it('${name}', () => { ${call}; }); });`;

const nodeTest: Project = {
  name: 'node-test',
  packages: {},
  files: {
    ...sources('cjs'),
    ...testFiles('test', 'cjs', (name, call) => `require('node:test')('${name}', () => { ${call}; });`),
  },
};
const nodeTests = ['test/a.test.js', 'test/b.test.js', 'test/c.test.js'];

function mocha(version: number): readonly Setup[] {
  const project = {
    name: `mocha-${version}`,
    packages: { mocha: `^${version}` },
    files: { ...sources('cjs'), ...testFiles('test', 'cjs', bddTest) },
  };
  const setup = (name: string, ...options: readonly string[]): Setup => ({
    name: `mocha ${version}${name}`,
    project,
    command: (node) => [node, 'node_modules/mocha/bin/mocha.js', ...patience, ...options, 'test/*.test.js'],
    nodes: every,
    expected: expected('cjs'),
  });
  return [setup(''), setup(' --parallel', '--parallel', '--jobs', '2')];
}

function jest(version: number): readonly Setup[] {
  const project = {
    name: `jest-${version}`,
    packages: {
      jest: `^${version}`,
      '@babel/core': '^7',
      '@babel/preset-typescript': '^7',
      '@babel/plugin-transform-modules-commonjs': '^7',
    },
    files: {
      ...sources('ts'),
      ...testFiles('test', 'ts', plainTest),
      'babel.config.json': JSON.stringify({
        presets: ['@babel/preset-typescript'],
        plugins: ['@babel/plugin-transform-modules-commonjs'],
      }),
    },
  };
  const setup = (name: string, ...options: readonly string[]): Setup => ({
    name: `jest ${version} ${name}`,
    project,
    command: (node) => [node, 'node_modules/jest/bin/jest.js', '--ci', '--testTimeout=60000', ...options],
    nodes: every,
    expected: expected('ts'),
  });
  return [
    setup('in band', '--runInBand'),
    setup('workers', '--maxWorkers=2'),
    setup('worker threads', '--maxWorkers=2', '--workerThreads'),
  ];
}

function vitest(version: number, nodes: readonly number[]): readonly Setup[] {
  const project = {
    name: `vitest-${version}`,
    packages: { vitest: `^${version}` },
    files: {
      ...sources('ts'),
      ...testFiles('test', 'ts', (name, call) => `import { test } from 'vitest';\n${plainTest(name, call)}`),
    },
  };
  return ['forks', 'threads', 'vmThreads', 'vmForks'].map((pool) => ({
    name: `vitest ${version} ${pool}`,
    project,
    command: (node) => [
      node,
      'node_modules/vitest/vitest.mjs',
      'run',
      `--pool=${pool}`,
      '--testTimeout=60000',
      '--slowTestThreshold=100000',
    ],
    nodes,
    expected: expected('ts'),
  }));
}

/** The big four, in each way that they run tests. */
export const runnerSetups: readonly Setup[] = [
  {
    name: 'node --test',
    project: nodeTest,
    command: (node) => [node, '--test', ...nodeTests],
    nodes: every,
    expected: expected('cjs'),
  },
  {
    name: 'node --test, no isolation',
    project: nodeTest,
    command: (node, major) => [
      node,
      '--test',
      major < 24 ? '--experimental-test-isolation=none' : '--test-isolation=none',
      ...nodeTests,
    ],
    nodes: [22, 24, 26],
    expected: expected('cjs'),
  },
  ...mocha(11),
  ...mocha(12),
  ...jest(29),
  ...jest(30),
  ...vitest(3, every),
  ...vitest(4, every),
  ...vitest(5, [22, 24, 26]),
];
