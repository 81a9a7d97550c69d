import path from 'node:path';
import { esbuilds, rollups, webpacks } from './bundlers.ts';
import { type Bin, type Toolchain, common, tsconfig } from './toolchain.ts';

/** All toolchains, in the order of the table. `tools` is the folder in whose `node_modules` the compilers are. */
export function toolchains(tools: string): readonly Toolchain[] {
  const bin = (script: string): string => path.join(tools, 'node_modules', script);
  return [
    ...tscs(bin),
    ...esbuilds(bin),
    ...others(bin),
    ...inMemory(bin),
    ...webpacks(bin),
    ...rollups(bin),
    ...nodes(),
  ];
}

/** What the table needs from npm. */
export const packages = [
  'typescript@5.9.3',
  'esbuild@0.25.12',
  '@swc/core@1.15.3',
  '@babel/core@7.28.5',
  '@babel/cli@7.28.3',
  '@babel/preset-env@7.28.5',
  '@babel/preset-typescript@7.28.5',
  '@babel/plugin-transform-react-jsx@7.27.1',
  '@babel/plugin-proposal-decorators@7.28.0',
  'ts-node@10.9.2',
  'tsx@4.20.6',
  'vite-node@3.2.4',
  'vitest@3.2.4',
  'webpack@5.103.0',
  'ts-loader@9.5.4',
  'rollup@4.53.3',
  '@rollup/plugin-typescript@12.3.0',
  '@rollup/plugin-terser@0.4.4',
  'tslib@2.8.1',
  '@types/node@24.10.1',
];

function tscs(bin: Bin): readonly Toolchain[] {
  const tsc = (name: string, options: object, rest: Partial<Toolchain> = {}): Toolchain => ({
    ...common,
    name,
    files: { 'tsconfig.json': tsconfig(options) },
    build: [[bin('typescript/bin/tsc'), '-p', '.']],
    run: ['dist/main.js'],
    ...rest,
  });
  const esm = { extension: '.js', type: 'module' } as const;
  return [
    tsc('tsc, ES5, CommonJS', { target: 'es5', module: 'commonjs', ignoreDeprecations: '5.0' }),
    tsc('tsc, ES2015, CommonJS', { target: 'es2015', module: 'commonjs' }),
    tsc('tsc, ES2022, ESM', { target: 'es2022', module: 'nodenext' }, esm),
    tsc(
      'tsc, ES2022, inline map',
      { target: 'es2022', module: 'nodenext', sourceMap: false, inlineSourceMap: true, inlineSources: true },
      esm,
    ),
    tsc('tsc, ES2022, sourceRoot', { target: 'es2022', module: 'nodenext', sourceRoot: '../src' }, esm),
  ];
}

function others(bin: Bin): readonly Toolchain[] {
  const swc = {
    jsc: {
      parser: { syntax: 'typescript', tsx: true, decorators: true },
      transform: { legacyDecorator: true, react: { pragma: 'h' } },
    },
    sourceMaps: true,
  };
  const swcBuild = (options: object): string => `
const { transformFileSync } = require(${JSON.stringify(bin('@swc/core'))});
const fs = require('node:fs');
fs.mkdirSync('dist');
for (const name of fs.readdirSync('src')) {
  const out = name.replace(/\\.tsx?$/, '.js');
  const options = ${JSON.stringify(options)};
  options.jsc.parser.tsx = name.endsWith('x');
  const { code, map } = transformFileSync('src/' + name, { ...options, swcrc: false, configFile: false, filename: 'src/' + name, outputPath: 'dist/' + out });
  const sources = JSON.parse(map);
  sources.sources = ['../src/' + name];
  fs.writeFileSync('dist/' + out + '.map', JSON.stringify(sources));
  fs.writeFileSync('dist/' + out, code + '\\n//# sourceMappingURL=' + out + '.map\\n');
}
`;
  const swcOf = (name: string, jsc: object, options: object = {}): Toolchain => ({
    ...common,
    name,
    files: { 'build.cjs': swcBuild({ ...swc, module: { type: 'commonjs' }, ...options, jsc: { ...swc.jsc, ...jsc } }) },
    build: [['build.cjs']],
    run: ['dist/main.js'],
  });
  const babel = (name: string, targets: object, plugins: readonly unknown[] = []): Toolchain => ({
    ...common,
    name,
    files: {
      'babel.config.json': JSON.stringify({
        presets: [
          [bin('@babel/preset-env'), { targets }],
          [bin('@babel/preset-typescript'), { jsxPragma: 'h', allowDeclareFields: true }],
        ],
        plugins: [
          [bin('@babel/plugin-proposal-decorators'), { legacy: true }],
          bin('@babel/plugin-transform-react-jsx'),
          ...plugins,
        ],
      }),
    },
    build: [
      [bin('@babel/cli/bin/babel.js'), 'src', '--out-dir', 'dist', '--extensions', '.ts,.tsx', '--source-maps', 'true'],
    ],
    run: ['dist/main.js'],
  });
  return [
    swcOf('swc, ES2022', { target: 'es2022' }),
    swcOf('swc, ES5', { target: 'es5' }),
    swcOf('swc, ES2022, minified', { target: 'es2022', minify: { compress: true, mangle: true } }, { minify: true }),
    babel('Babel, current Node', { node: 'current' }),
    babel('Babel, ES5', { ie: '11' }),
  ];
}

function inMemory(bin: Bin): readonly Toolchain[] {
  const config = { 'tsconfig.json': tsconfig({ target: 'es2022', module: 'commonjs' }) };
  const vitest = {
    'src/all.test.ts':
      "import { test } from 'vitest';\ntest('all', async () => { const { done } = await import('./main'); await done; }, 120_000);\n",
    'vitest.config.mjs': 'export default { test: { pool: "forks" }, oxc: undefined };\n',
  };
  return [
    {
      ...common,
      name: 'TypeScript in memory, no map',
      files: { 'run.cjs': withoutMap(bin('typescript')) },
      extension: '.ts',
      run: ['run.cjs'],
    },
    {
      ...common,
      name: 'ts-node, transpile only',
      files: config,
      run: [bin('ts-node/dist/bin.js'), '--transpile-only', 'src/main.ts'],
    },
    { ...common, name: 'tsx, CommonJS', files: config, run: [bin('tsx/dist/cli.mjs'), 'src/main.ts'] },
    {
      ...common,
      name: 'tsx, ESM',
      files: config,
      type: 'module',
      extension: '.js',
      run: [bin('tsx/dist/cli.mjs'), 'src/main.ts'],
    },
    {
      ...common,
      name: 'vite-node',
      files: config,
      type: 'module',
      run: [bin('vite-node/vite-node.mjs'), 'src/main.ts'],
    },
    {
      ...common,
      name: 'Vitest',
      files: { ...config, ...vitest },
      type: 'module',
      run: [bin('vitest/vitest.mjs'), 'run'],
    },
  ];
}

/** Compiles as ts-jest does where it is told to make no maps. */
function withoutMap(typescript: string): string {
  return `
const ts = require(${JSON.stringify(typescript)});
const fs = require('node:fs');
const vm = require('node:vm');
for (const extension of ['.ts', '.tsx']) require.extensions[extension] = (module, filename) => {
  const compilerOptions = { target: 'es2017', module: 'commonjs', experimentalDecorators: true, jsx: 'react', jsxFactory: 'h' };
  const { outputText } = ts.transpileModule(fs.readFileSync(filename, 'utf8'), { fileName: filename, compilerOptions });
  const script = new vm.Script('(function (exports, require, module) {' + outputText + '})', { filename });
  script.runInThisContext()(module.exports, (name) => require(name.startsWith('.') ? require('node:path').resolve('src', name.replace('page.ts', 'page.tsx')) : name), module);
};
require('./src/main.ts');
`;
}

function nodes(): readonly Toolchain[] {
  const plain: Partial<Toolchain> = { type: 'module', extension: '.ts', projects: ['ledger'] };
  return [{ ...common, ...plain, name: 'Node, types stripped', run: ['--no-warnings', 'src/main.ts'] }];
}
