import { readFileSync } from 'node:fs';
import { blockingShop, shopFiles, work } from './blocking-shop.ts';
import { plantedPrograms } from './planted-culprits.ts';
import { projectFile } from './project.ts';
import type { Files } from './temporary-repository.ts';

/** A command that is recorded once: `npm run fixtures` makes a recording of it, `copyFixture` hands it out. */
export interface FixtureRun {
  readonly command: readonly string[];
  /** Options of `hotspan record`. */
  readonly options?: readonly string[];
  /** Tests assert whose frames and processes there are, no figure: the machine may be busy meanwhile. */
  readonly mayBeBusy?: true;
  /** Files that differ from those of the project; the runs after it have the project's again. */
  readonly changes?: Files;
}

interface FixtureProject {
  /** A folder of this repository, or the files themselves. */
  readonly from: string | Files;
  /** In the order in which they are recorded, so runs of two sides take turns. */
  readonly runs: Readonly<Record<string, FixtureRun>>;
}

/** A tool of this repository: a project of bare files has no packages of its own. */
const tool = (file: string): string => projectFile('node_modules', file);
const vitest = ['node', tool('vitest/vitest.mjs'), 'run', '--globals', '--root', '.'];
const jest = ['node', tool('jest/bin/jest.js'), '--rootDir', '.'];

const busy = { mayBeBusy: true } as const;
/** A module of a bank, and tests of it in files of two kinds: one is slow, the others are not. */
const slowTest = "test('pays interest', () => void accrue());\ntest('rounds', () => void round());\n";
const quickTest = "test('transfers', () => void transfer());\n";
const [forVitest, forOthers] = [
  "import { accrue, round, transfer } from './bank.mjs';\n",
  "const { accrue, round, transfer } = require('./bank.cjs');\n",
];
const bank = `${work('round', 12)}${work('transfer', 8)}${work('accrue', 60).replace('return sum', 'return sum + round()')}`;

const npmTest: FixtureRun = { command: ['npm', 'test'] };
const small: FixtureRun = { command: ['node', '--test', 'shop.test.js'] };
const changed = (shop: string): FixtureRun => ({ ...small, changes: { 'shop.js': shop } });
const [faster, slower] = [changed(blockingShop(15)), changed(blockingShop(280))];
const renamed = changed(
  blockingShop(70).replace('function quote', 'function price').replace('{ quote,', '{ quote: price,'),
);
const halves = [
  work('quote', 35).replace('return sum', 'return sum + discount()'),
  work('discount', 35),
  work('rank', 40),
];
const split = changed(`${halves.join('')}module.exports = { quote, rank };\n`);

const program = (name: string): FixtureRun => ({ command: ['node', `${name}.cjs`] });

/** The catalogue hands out flat copies, so `snapshot` no longer blocks. `npm run fixtures` checks that it differs. */
const fixed: FixtureRun = {
  ...npmTest,
  changes: {
    'src/catalogue/catalogue.js': readFileSync(projectFile('examples/shop/src/catalogue/catalogue.js'), 'utf8').replace(
      'JSON.parse(JSON.stringify(products))',
      'products.map((product) => ({ ...product }))',
    ),
  },
};

/** Every recording that tests share, by project and run. `examples/shop` is the project that a person sees. */
export const fixtureProjects = {
  shop: {
    from: 'examples/shop',
    runs: {
      first: npmTest,
      'fixed-1': fixed,
      second: npmTest,
      'fixed-2': fixed,
      third: npmTest,
      'fixed-3': fixed,
      accounts: { command: ['npx', 'mocha', '--no-package', '--timeout', '20000', 'test/accounts.test.js'] },
      orders: { command: ['npx', 'mocha', '--no-package', '--timeout', '20000', 'test/orders.test.js'] },
    },
  },
  reports: { from: 'examples/reports-ts', runs: { first: npmTest } },
  healthy: { from: 'examples/healthy', runs: { first: npmTest } },
  runners: {
    from: {
      'package.json': '{ "name": "bank" }\n',
      'bank.mjs': `${bank}export { accrue, round, transfer };\n`,
      'bank.cjs': `${bank}module.exports = { accrue, round, transfer };\n`,
      'accounts.vitest.test.mjs': forVitest + slowTest,
      'transfers.vitest.test.mjs': forVitest + quickTest,
      'accounts.jest.test.cjs': forOthers + slowTest,
      'transfers.jest.test.cjs': forOthers + quickTest,
      'accounts.mocha.cjs': forOthers + slowTest.replaceAll('test(', 'it('),
      'accounts.node.cjs': `const { test } = require('node:test');\n${forOthers}${slowTest}`,
      'transfers.node.cjs': `const { test } = require('node:test');\n${forOthers}${quickTest}`,
      'server.cjs': `
const { createServer } = require('node:http');
const { accrue, transfer } = require('./bank.cjs');
createServer(function answer(request, response) {
  if (request.url === '/interest') accrue();
  else transfer();
  response.end();
}).listen(process.env.PORT);
`,
    },
    runs: {
      vitest: { ...busy, command: [...vitest, '--pool', 'forks', '--poolOptions.forks.maxForks', '2', 'vitest'] },
      'vitest-threads': {
        ...busy,
        command: [...vitest, '--pool', 'threads', '--poolOptions.threads.maxThreads', '2', 'vitest'],
      },
      jest: { ...busy, command: [...jest, '--maxWorkers', '2', '--testMatch', '**/*.jest.test.cjs'] },
      'jest-one-test': {
        ...busy,
        command: [...jest, '--testMatch', '**/*.jest.test.cjs', 'accounts.jest.test.cjs', '-t', '^pays interest$'],
      },
      mocha: { ...busy, command: ['node', tool('mocha/bin/mocha.js'), 'accounts.mocha.cjs'] },
      node: { ...busy, command: ['node', '--test', 'accounts.node.cjs', 'transfers.node.cjs'] },
      server: {
        ...busy,
        command: ['node', 'server.cjs'],
        options: ['--after-ready', 'http://localhost:3977/', '--load', '-c 2 -a 20 /interest'],
      },
    },
  },
  small: {
    from: {
      ...shopFiles,
      'other.test.js': "require('node:test').test('other', () => require('./shop.js').rank());\n",
      'fails.js': "require('./shop.js').quote();\nprocess.exitCode = 1;\n",
      'server.js': `
const { createServer } = require('node:http');
const { quote, rank } = require('./shop.js');
createServer(function answer(request, response) {
  if (request.url === '/price') quote();
  if (request.url === '/rank') rank();
  response.end();
}).listen(process.env.PORT);
`,
      'killed.js': `
const { execSync } = require('node:child_process');
const { quote } = require('./shop.js');
let calls = 0;
setInterval(() => (calls++ < 30 ? quote() : execSync('kill -9 ' + process.pid)), 10);
`,
    },
    runs: {
      'run-1': small,
      'faster-1': faster,
      'slower-1': slower,
      'renamed-1': renamed,
      'split-1': split,
      'run-2': small,
      'faster-2': faster,
      'slower-2': slower,
      'renamed-2': renamed,
      'split-2': split,
      'run-3': small,
      'faster-3': faster,
      'slower-3': slower,
      'renamed-3': renamed,
      'split-3': split,
      other: { command: ['node', '--test', 'other.test.js'] },
      failed: { command: ['node', 'fails.js'] },
      killed: { command: ['node', 'killed.js'] },
      server: {
        command: ['node', 'server.js'],
        options: ['--after-ready', 'http://localhost:3977/rank', '--load', '-c 4 -a 20 /price'],
      },
      tiers: { ...small, options: ['--tiers'] },
    },
  },
  planted: {
    from: plantedPrograms(),
    runs: {
      regex: program('regex'),
      json: program('json'),
      sort: program('sort'),
      'read-files': program('read-files'),
      command: program('command'),
      password: program('password'),
      package: program('package'),
      recursion: program('recursion'),
      allocation: program('allocation'),
      wait: program('wait'),
      'many-calls': program('many-calls'),
      loop: program('loop'),
      text: program('text'),
      copies: program('copies'),
      formats: program('formats'),
      hash: program('hash'),
      buffers: program('buffers'),
      helpers: program('helpers'),
      turns: program('turns'),
      logging: program('logging'),
    },
  },
} as const satisfies Readonly<Record<string, FixtureProject>>;
