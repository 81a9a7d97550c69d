/** The tests of a public project, which nobody here wrote. */
export interface PublicSuite {
  /** Name of the suite, and of the checkout's folder. */
  readonly name: string;
  /** On GitHub. */
  readonly repository: string;
  /** Its tag or commit. */
  readonly version: string;
  readonly runner: string;
  /** Words after `node`. */
  readonly command: readonly string[];
  /** What the runner says of the number of tests: the sum of its groups. */
  readonly tests: RegExp;
  /** About the checkout, or why two runs differ without the recorder too. */
  readonly note?: string;
}

const nodeTest = /^ℹ tests (\d+)$/m;
const jest = /^Tests: .* (\d+) total$/m;
const vitest = /^ +Tests .*\((\d+)\)$/m;

/** vitest names each test that took over 0.3 s. */
const steady = ['--slowTestThreshold=1000000'];

export const publicSuites: readonly PublicSuite[] = [
  {
    name: 'express',
    repository: 'expressjs/express',
    version: 'a3714473',
    runner: 'mocha 11',
    command: [
      'node_modules/mocha/bin/mocha.js',
      ...['--require', 'test/support/env', '--reporter', 'spec', '--check-leaks', 'test/', 'test/acceptance/'],
    ],
    tests: /^ +(\d+) passing/m,
  },
  {
    name: 'find-my-way',
    repository: 'delvedor/find-my-way',
    version: 'v9.9.0',
    runner: 'node:test',
    command: ['--test', '--test-reporter=spec', 'test/*.test.js'],
    tests: nodeTest,
  },
  {
    name: 'fast-json-stringify',
    repository: 'fastify/fast-json-stringify',
    version: 'v7.0.0',
    runner: 'node:test',
    command: ['--test', '--test-reporter=spec', 'test/*.test.js'],
    tests: nodeTest,
  },
  {
    name: 'class-validator',
    repository: 'typestack/class-validator',
    version: '0853341',
    runner: 'jest 29, ts-jest',
    command: ['node_modules/jest/bin/jest.js', '--ci', '--runInBand', '--verbose'],
    tests: jest,
  },
  {
    name: 'stylelint',
    repository: 'stylelint/stylelint',
    version: '28cff8899',
    runner: 'jest 30, 2 workers, ES modules',
    command: ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--ci', '--maxWorkers=2', 'lib/rules/[af]'],
    tests: jest,
    note: 'the rules that begin with a and f',
  },
  {
    name: 'h3',
    repository: 'unjs/h3',
    version: 'ac609aa',
    runner: 'vitest 3, forks',
    command: ['node_modules/vitest/vitest.mjs', 'run', '--pool=forks', '--typecheck.enabled=false', ...steady],
    tests: vitest,
    note: 'without type checks',
  },
  {
    name: 'yup',
    repository: 'jquense/yup',
    version: 'ff31eee',
    runner: 'vitest 3, threads',
    command: ['node_modules/vitest/vitest.mjs', 'run', '--pool=threads', ...steady],
    tests: vitest,
  },
  {
    name: 'normalize-url',
    repository: 'sindresorhus/normalize-url',
    version: 'v8.0.2',
    runner: 'ava 5, threads',
    command: ['node_modules/ava/entrypoints/cli.mjs'],
    tests: /(\d+) tests? passed/,
  },
  {
    name: 'query-string',
    repository: 'sindresorhus/query-string',
    version: 'v9.4.0',
    runner: 'ava 6, processes',
    command: ['node_modules/ava/entrypoints/cli.mjs', '--no-worker-threads'],
    tests: /(\d+) tests? passed/,
  },
  {
    name: 'minimatch',
    repository: 'isaacs/minimatch',
    version: 'v10.2.6',
    runner: 'tap 21',
    command: [
      'node_modules/tap/dist/esm/run.mjs',
      '--disable-coverage',
      '--jobs=1', // Its numbers are in the order in which files end.
      ...['basic.js', 'brace-expand.js', 'defaults.js', 'escaping.js', 'optimization-level-2.ts', 'patterns.js'].map(
        (file) => `test/${file}`,
      ),
    ],
    tests: /^# \{ total: (\d+)/m,
    note: 'built before; six of 25 files',
  },
];
