import type { Project, Setup } from './setup.ts';
import { callAll, expected, sources, testFiles } from './sources.ts';

const every = [20, 22, 24, 26];

/** mocha's tests, run by one tool or another. */
function mochaBy(name: string, packages: Project['packages'], rest: Partial<Project> = {}): Project {
  const script = "mocha --timeout 0 'test/*.test.js'"; // With coverage, on a busy machine.
  const bdd = (title: string, call: string): string => `it('${title}', () => { ${call}; });`;
  const manifest = { name: 'suite', private: true, scripts: { test: script, nested: 'npm run --silent test' } };
  return {
    name,
    packages: { mocha: '^11', ...packages },
    ...rest,
    files: {
      ...sources('cjs'),
      ...testFiles('test', 'cjs', bdd),
      ...rest.files,
      'package.json': JSON.stringify(manifest),
    },
  };
}

const tool = (name: string, project: Project, command: Setup['command'], rest: Partial<Setup> = {}): Setup => ({
  name,
  project,
  command,
  nodes: every,
  expected: expected('cjs'),
  ...rest,
});

const byTools = mochaBy('tools', { c8: '^10', nyc: '^17', pnpm: '^9', yarn: '^1' });
const bin = (name: string): string => `node_modules/${name}`;

function ava(version: number, range: string, entry: string, nodes: readonly number[]): readonly Setup[] {
  const project = {
    name: `ava-${version}`,
    packages: { ava: range },
    files: {
      ...sources('esm'),
      ...testFiles(
        'test',
        'esm',
        (name, call) => `import test from 'ava';\ntest('${name}', (t) => { ${call}; t.pass(); });`,
      ),
    },
  };
  const setup = (name: string, ...options: readonly string[]): Setup =>
    tool(
      `ava ${version}${name}`,
      project,
      (node) => [node, `node_modules/ava/entrypoints/${entry}`, '--timeout=60s', ...options, 'test/*.test.mjs'],
      { nodes, expected: expected('esm') },
    );
  return [setup(' threads'), setup(' processes', '--no-worker-threads')];
}

const tap: Project = {
  name: 'tap-21',
  packages: { tap: '^21' },
  files: {
    // Else tap takes that of the folders above, and the TypeScript beside it.
    'tsconfig.json': JSON.stringify({ compilerOptions: { module: 'nodenext', target: 'es2022', types: ['node'] } }),
    ...sources('cjs'),
    ...testFiles(
      'test',
      'cjs',
      (name, call) => `require('tap').test('${name}', (t) => { ${call}; t.pass(); t.end(); });`,
    ),
  },
};

const jasmine: Project = {
  name: 'jasmine-5',
  packages: { jasmine: '^5' },
  files: {
    ...sources('cjs'),
    ...testFiles('test', 'cjs', (name, call) => `it('${name}', () => { ${call}; expect(1).toBe(1); });`),
  },
};

const uvu: Project = {
  name: 'uvu',
  packages: { uvu: '^0.5' },
  files: {
    ...sources('cjs'),
    ...testFiles(
      'test',
      'cjs',
      (name, call) => `const { test } = require('uvu');\ntest('${name}', () => { ${call}; });\ntest.run();`,
    ),
  },
};

const typescript: Project = {
  name: 'typescript',
  packages: { tsx: '^4', 'ts-node': '^10', typescript: '^5', '@types/node': '^20' },
  files: {
    ...sources('ts'),
    ...testFiles(
      'test',
      'ts',
      (name, call) => `import { test } from 'node:test';\ntest('${name}', () => { ${call}; });`,
    ),
    'program.ts': callAll('ts'),
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        module: 'commonjs',
        target: 'es2022',
        strict: true,
        skipLibCheck: true,
        types: ['node'],
        allowImportingTsExtensions: true,
        noEmit: true,
      },
    }),
  },
};

const berry = (name: string, linker: string): Project =>
  mochaBy(name, {}, { yarn: ['install'], files: { '.yarnrc.yml': `nodeLinker: ${linker}\n`, 'yarn.lock': '' } });

/** One row for each other runner, compiler and package manager. */
export const toolSetups: readonly Setup[] = [
  ...ava(6, '^6', 'cli.mjs', every),
  ...ava(8, '8.0.1', 'cli.js', [22, 24, 26]),
  tool('tap 21', tap, (node) => [
    node,
    bin('tap/dist/esm/run.mjs'),
    '--disable-coverage',
    '--jobs=1', // Its numbers are in the order in which files end.
    'test/a.test.js',
    'test/b.test.js',
    'test/c.test.js',
  ]),
  tool('jasmine 5', jasmine, (node) => [node, bin('jasmine/bin/jasmine.js'), '--random=false', 'test/*.test.js']),
  tool('jasmine 5 --parallel', jasmine, (node) => [
    node,
    bin('jasmine/bin/jasmine.js'),
    '--parallel=2',
    'test/*.test.js',
  ]),
  tool('uvu', uvu, (node) => [node, bin('uvu/bin.js'), 'test']),
  tool('tsx', typescript, (node) => [node, bin('tsx/dist/cli.mjs'), 'program.ts'], { expected: expected('ts') }),
  tool(
    'tsx --test',
    typescript,
    (node) => [node, bin('tsx/dist/cli.mjs'), '--test', 'test/a.test.ts', 'test/b.test.ts', 'test/c.test.ts'],
    { expected: expected('ts') },
  ),
  tool('node --import tsx', typescript, (node) => [node, '--import', 'tsx', 'program.ts'], {
    expected: expected('ts'),
  }),
  tool('ts-node', typescript, (node) => [node, bin('ts-node/dist/bin.js'), '--transpile-only', 'program.ts'], {
    expected: expected('ts'),
  }),
  tool('type stripping', typescript, (node) => [node, 'program.ts'], { expected: expected('ts'), nodes: [24, 26] }),
  tool('c8', byTools, (node) => [node, bin('c8/bin/c8.js'), '--reporter=none', 'npm', 'test']),
  tool('nyc', byTools, (node) => [node, bin('nyc/bin/nyc.js'), '--reporter=none', 'npm', 'test']),
  tool('npm test', byTools, () => ['npm', 'test']),
  tool('npm run, nested', byTools, () => ['npm', 'run', 'nested']),
  tool('npx', byTools, () => ['npx', 'mocha', 'test/*.test.js']),
  tool('pnpm', byTools, (node) => [node, bin('pnpm/bin/pnpm.cjs'), 'test']),
  tool('yarn 1', byTools, (node) => [node, bin('yarn/bin/yarn.js'), '--silent', 'test']),
  tool('yarn 4', berry('yarn-4', 'node-modules'), (node) => [node, '.yarn/releases/yarn.cjs', 'test']),
  tool('yarn 4, PnP', berry('yarn-4-pnp', 'pnp'), (node) => [node, '.yarn/releases/yarn.cjs', 'test']),
];
