import type { Project, Setup } from '../setup.ts';
import { timedBlock } from '../timed-block.ts';

const ts = { language: 'ts' } as const;
const spin = (name: string): string => timedBlock(name, ts);
const parse = (name: string): string => timedBlock(name, { ...ts, work: 'parse' });
/** Decorators of the standard kind and of TypeScript's own: what is decorated is called by what the decorator made. */
const standardDecorator = `function logged<T extends unknown[], R>(method: (...args: T) => R, _context: ClassMethodDecoratorContext) {
  return function called(this: unknown, ...args: T): R { return method.apply(this, args); };
}
`;
const legacyDecorator = `function logged(_target: object, _key: string, descriptor: PropertyDescriptor): void {
  const method = descriptor.value;
  descriptor.value = function called(this: unknown, ...args: unknown[]) { return method.apply(this, args); };
}
`;
const decorated = (decorator: string): string => `import { parseInModule } from './cart';

enum Kind { A, B, C }

${decorator}
${spin('spinInFunction')}
class Shop {
  readonly kind = Kind.B;

  @logged
  total(): number { return spinInFunction().sum + this.kind; }
}

setTimeout(() => { console.log(new Shop().total() > 0); }, 10);
setTimeout(() => { console.log(parseInModule().sum > 0); }, 20);
`;
const cart = `export enum Color { Red, Green }
${parse('parseInModule')}
export { parseInModule };
`;
const programBlocks = (file: string): Setup['blocks'] => [
  { name: 'spinInFunction', file },
  { name: 'parseInModule', file: 'src/cart.ts' },
];
const options = { target: 'es2022', module: 'commonjs', strict: true, sourceMap: true, noCheck: true, types: ['node'] };

const programs: Project = {
  name: 'decorators',
  packages: {
    typescript: '5.9.3',
    'ts-node': '10.9.2',
    '@swc/core': '1.16.22',
    '@types/node': '24.10.1',
    esbuild: '0.28.2',
    tsx: '4.23.15',
  },
  files: {
    'package.json': '{ "private": true }',
    'src/legacy.ts': decorated(legacyDecorator),
    'src/standard.ts': decorated(standardDecorator),
    'src/cart.ts': cart,
    'tsconfig.json': JSON.stringify({ compilerOptions: options, include: ['src'] }),
    'legacy.json': JSON.stringify({
      compilerOptions: { ...options, experimentalDecorators: true, outDir: 'out/legacy' },
      include: ['src/legacy.ts'],
    }),
    'standard.json': JSON.stringify({
      compilerOptions: { ...options, outDir: 'out/standard' },
      include: ['src/standard.ts'],
    }),
    'swc.json': JSON.stringify({
      'ts-node': { swc: true },
      compilerOptions: { ...options, experimentalDecorators: true },
    }),
  },
};

const program = (name: string, tool: string, kind: string, rest: Pick<Setup, 'command' | 'prepare'>): Setup => ({
  name: `${name}, ${kind} decorators`,
  project: programs,
  tool,
  blocks: programBlocks(`src/${kind}.ts`),
  ...rest,
});

const tsc = 'node_modules/typescript/bin/tsc';
const decorators: readonly Setup[] = [
  program('tsc', 'typescript', 'legacy', {
    prepare: [['node', tsc, '-p', 'legacy.json']],
    command: ['node', 'out/legacy/legacy.js'],
  }),
  program('tsc', 'typescript', 'standard', {
    prepare: [['node', tsc, '-p', 'standard.json']],
    command: ['node', 'out/standard/standard.js'],
  }),
  program('ts-node', 'ts-node', 'legacy', {
    command: ['node', 'node_modules/ts-node/dist/bin.js', '--transpile-only', '-P', 'legacy.json', 'src/legacy.ts'],
  }),
  program('ts-node with swc', 'ts-node', 'legacy', {
    command: ['node', 'node_modules/ts-node/dist/bin.js', '-P', 'swc.json', 'src/legacy.ts'],
  }),
  program('tsx', 'tsx', 'standard', { command: ['node', 'node_modules/tsx/dist/cli.mjs', 'src/standard.ts'] }),
  program('esbuild', 'esbuild', 'standard', {
    prepare: [
      [
        'node',
        'node_modules/esbuild/bin/esbuild',
        'src/standard.ts',
        '--bundle',
        '--platform=node',
        '--sourcemap',
        '--outfile=out/esbuild.js',
        '--target=es2022',
      ],
    ],
    command: ['node', 'out/esbuild.js'],
  }),
];

const plainProgram = (extra: string): string => `import { parseInModule } from './cart.ts';
${extra}${spin('spinInFunction')}
setTimeout(() => { console.log(spinInFunction().sum > 0); }, 10);
setTimeout(() => { console.log(parseInModule().sum > 0); }, 20);
`;
const stripped: Project = {
  name: 'type-stripping',
  packages: {},
  files: {
    'src/plain.ts': plainProgram(''),
    'src/enums.ts': plainProgram(
      'enum Kind { A, B, C }\nnamespace Shop { export const kind = Kind.B; }\nconsole.log(Shop.kind);\n',
    ),
    'src/cart.ts': `${parse('parseInModule')}\nexport { parseInModule };\n`,
  },
};
const typeStripping = (file: string, ...flags: readonly string[]): Setup => ({
  name: `node ${flags.join(' ')}`,
  project: stripped,
  tool: `Node ${process.version}`,
  command: ['node', ...flags, '--no-warnings', file],
  blocks: programBlocks(file),
});

/** A module of the person's as text, for a worker that has no file. */
const workers: Project = {
  name: 'worker-urls',
  packages: {},
  files: {
    'src/main.mjs': `import { Blob } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');
const ended = (worker) => new Promise((resolve) => { worker.once('exit', resolve); });
const data = new Worker(new URL('data:text/javascript,' + encodeURIComponent(read('data-worker.mjs'))));
console.log('data', await ended(data));
const text = new Worker(read('text-worker.cjs'), { eval: true });
console.log('text', await ended(text));
const module = await import('data:text/javascript;base64,' + btoa(read('data-module.mjs')));
console.log(module.run() > 0); // HOT spinInImported
const url = URL.createObjectURL(new Blob([read('blob-module.mjs')], { type: 'text/javascript' }));
try {
  const worker = new Worker(new URL(url));
  console.log('blob', await ended(worker));
} catch (error) {
  console.log('blob', error.code);
}
`,
    'src/data-worker.mjs': `${timedBlock('spinInData')}\nspinInData();\n`,
    'src/text-worker.cjs': `${timedBlock('parseInText', { work: 'parse' })}\nparseInText();\n`,
    'src/data-module.mjs': `${timedBlock('spinInImported', { ms: 180 })}\nexport const run = () => spinInImported().sum;\n`,
    'src/blob-module.mjs': `${timedBlock('spinInBlob', { ms: 60 })}\nspinInBlob();\n`,
  },
};

const workerUrls: Setup = {
  name: 'Workers and a module of data: and text',
  project: workers,
  tool: `Node ${process.version}`,
  command: ['node', 'src/main.mjs'],
  blocks: [
    { name: 'spinInData', file: 'src/data-worker.mjs', best: 'not own' },
    { name: 'parseInText', file: 'src/text-worker.cjs', best: 'not own' },
    { name: 'spinInImported', file: 'src/main.mjs' },
  ],
};

const testFile = (head: string, run: string): string => `${head}
import { spinInSource } from '../src/cart${run.includes('t.pass') && !run.includes('t.end') ? '.ts' : '.js'}';
${parse('parseInTest')}
${run}
`;
const cartSource = `${spin('spinInSource')}\nexport { spinInSource };\n`;
const testBlocks = [
  { name: 'parseInTest', file: 'test/cart.test.ts' },
  { name: 'spinInSource', file: 'src/cart.ts' },
];

const ava: Setup = {
  name: 'AVA, TypeScript by tsx',
  project: {
    name: 'ava-typescript',
    packages: { ava: '8.0.1', tsx: '4.23.15' },
    files: {
      'ava.config.js':
        "export default { extensions: ['ts'], nodeArguments: ['--import=tsx'], files: ['test/*.ts'] };\n",
      'src/cart.ts': `enum Kind { A, B }\n${cartSource}export { Kind };\n`,
      'test/cart.test.ts': testFile(
        "import test from 'ava';",
        "test('parses', (t) => { t.true(parseInTest().sum > 0); });\ntest('spins', (t) => { t.true(spinInSource().sum > 0); t.pass(); });",
      ),
    },
  },
  tool: 'ava',
  command: ['node', 'node_modules/ava/entrypoints/cli.js'],
  blocks: testBlocks,
};

const tap: Setup = {
  name: 'tap, TypeScript',
  project: {
    name: 'tap-typescript',
    packages: { tap: '21.8.0', typescript: '5.9.3', '@types/node': '24.10.1' },
    files: {
      'tsconfig.json': JSON.stringify({ compilerOptions: { module: 'nodenext', target: 'es2022', types: ['node'] } }),
      'src/cart.ts': `export enum Kind { A, B }\n${cartSource}`,
      'test/cart.test.ts': testFile(
        "import { test } from 'tap';",
        "test('parses', (t) => { t.ok(parseInTest().sum > 0); t.end(); });\ntest('spins', (t) => { t.ok(spinInSource().sum > 0); t.end(); });",
      ),
    },
  },
  tool: 'tap',
  command: ['node', 'node_modules/tap/dist/esm/run.mjs', '--disable-coverage', 'test/cart.test.ts'],
  blocks: testBlocks,
};

/** What runs TypeScript: compilers, test runners with it, Node itself; and workers without a file. */
export const typescriptSetups: readonly Setup[] = [
  ...decorators,
  typeStripping('src/plain.ts', '--experimental-strip-types'),
  typeStripping('src/enums.ts', '--experimental-transform-types'),
  workerUrls,
  ava,
  tap,
];
