import { readFileSync } from 'node:fs';
import { blockingShop, shopFiles, work } from './blocking-shop.ts';
import { projectFile } from './project.ts';
import type { Files } from './temporary-repository.ts';

/** A command that is recorded once: `npm run fixtures` makes a recording of it, `copyFixture` hands it out. */
export interface FixtureRun {
  readonly command: readonly string[];
  /** Options of `hotspan record`. */
  readonly options?: readonly string[];
  /** Files that differ from those of the project; the runs after it have the project's again. */
  readonly changes?: Files;
}

interface FixtureProject {
  /** A folder of this repository, or the files themselves. */
  readonly from: string | Files;
  /** In the order in which they are recorded, so runs of two sides take turns. */
  readonly runs: Readonly<Record<string, FixtureRun>>;
}

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
} as const satisfies Readonly<Record<string, FixtureProject>>;
