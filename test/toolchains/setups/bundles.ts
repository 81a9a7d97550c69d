import { serveScript, served } from '../served.ts';
import type { Project, Setup } from '../setup.ts';
import { timedBlock, timedBody } from '../timed-block.ts';

const ts = { language: 'ts' } as const;

/** An application of express with work in the bodies of two modules, in a route and in a module that it calls. */
const app = {
  'src/app.ts': `import express from 'express';
import { parseInModule } from './cart';
import { bodyOfTable } from './table';
${timedBody('bodyOfApp', 60)}
${timedBlock('spinInRoute', { ...ts, ms: 180 })}
const app = express();
app.get('/', (_request, response) => {
  response.json({ isFull: spinInRoute().sum + parseInModule().sum > bodyOfTable.id });
});
app.listen(Number(process.env.PORT), () => {
  console.log('listening');
});
`,
  'src/table.ts': `export enum Kind { A, B, C }\n${timedBody('bodyOfTable', 120)}`,
  'src/cart.ts': `export enum Kind { A, B, C }\n${timedBlock('parseInModule', { ...ts, work: 'parse' })}export { parseInModule };\n`,
};

const typescript = JSON.stringify({
  compilerOptions: {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    sourceMap: true,
    esModuleInterop: true,
    noCheck: true,
  },
  include: ['src'],
});

const project: Project = {
  name: 'bundles',
  packages: {
    express: '5.3.0',
    typescript: '5.9.3',
    tslib: '2.9.1',
    esbuild: '0.28.2',
    rollup: '4.68.7',
    '@rollup/plugin-commonjs': '29.0.3',
    '@rollup/plugin-json': '6.1.0',
    '@rollup/plugin-node-resolve': '16.0.3',
    '@rollup/plugin-typescript': '12.3.1',
    rolldown: '1.3.2',
    webpack: '5.112.2',
    'webpack-cli': '7.3.1',
    'ts-loader': '9.6.2',
    vite: '8.3.8',
    '@vercel/ncc': '0.45.0',
    tsup: '9.0.0',
    parcel: '2.16.4',
  },
  files: {
    ...app,
    'package.json': JSON.stringify({
      private: true,
      targets: { app: { context: 'node', includeNodeModules: true, distDir: 'out/parcel', optimize: false } },
    }),
    'serve.mjs': serveScript,
    'tsconfig.json': typescript,
    'rollup.config.mjs': `import commonjs from '@rollup/plugin-commonjs';
import json from '@rollup/plugin-json';
import resolve from '@rollup/plugin-node-resolve';
import typescript from '@rollup/plugin-typescript';

export default {
  input: 'src/app.ts',
  output: { file: 'out/rollup/app.cjs', format: 'cjs', sourcemap: true },
  plugins: [resolve({ preferBuiltins: true }), commonjs(), json(), typescript()],
};
`,
    'webpack.config.cjs': `module.exports = {
  mode: 'production',
  devtool: 'source-map',
  target: 'node',
  entry: './src/app.ts',
  output: { path: __dirname + '/out/webpack', filename: 'app.cjs' },
  optimization: { minimize: false },
  resolve: { extensions: ['.ts', '.js'] },
  module: { rules: [{ test: /\\.ts$/, loader: 'ts-loader', options: { transpileOnly: true } }] },
};
`,
    'vite.config.mjs': `export default {
  build: { ssr: 'src/app.ts', outDir: 'out/vite', sourcemap: true },
  ssr: { noExternal: true },
};
`,
  },
};

const blocks = [
  { name: 'bodyOfTable', file: 'src/table.ts' },
  { name: 'bodyOfApp', file: 'src/app.ts' },
  { name: 'spinInRoute', file: 'src/app.ts' },
  { name: 'parseInModule', file: 'src/cart.ts' },
];

const bundle = (port: number, name: string, tool: string, out: string, ...build: readonly string[]): Setup => ({
  name: `Bundle, ${name}`,
  project,
  tool,
  prepare: [['node', ...build]],
  command: served(port, ['/'], [out]),
  blocks,
});

const esbuild = (port: number, name: string, out: string, ...options: readonly string[]): Setup =>
  bundle(
    port,
    name,
    'esbuild',
    out,
    ...['node_modules/esbuild/bin/esbuild', 'src/app.ts', '--bundle', '--platform=node', '--sourcemap'],
    ...[`--outfile=${out}`, ...options],
  );

/** Applications in one file with a source map: their modules' bodies, a route and a function. */
export const bundleSetups: readonly Setup[] = [
  esbuild(47_410, 'esbuild', 'out/esbuild/app.cjs'),
  esbuild(
    47_411,
    'esbuild to ES modules, packages outside',
    'out/esbuild/app.mjs',
    '--format=esm',
    '--packages=external',
  ),
  {
    ...esbuild(47_412, 'esbuild, minified', 'out/esbuild/min.cjs', '--minify'),
    // One line of it is many of the source.
    blocks: blocks.map((block) => (block.name.startsWith('body') ? { ...block, best: 'nothing' } : block)),
  },
  bundle(
    47_413,
    'rollup',
    'rollup',
    'out/rollup/app.cjs',
    'node_modules/rollup/dist/bin/rollup',
    '--config',
    '--silent',
  ),
  bundle(
    47_414,
    'rolldown',
    'rolldown',
    'out/rolldown/app.cjs',
    ...['node_modules/rolldown/bin/cli.mjs', 'src/app.ts', '--platform', 'node', '--format', 'cjs', '--sourcemap'],
    ...['--file', 'out/rolldown/app.cjs'],
  ),
  bundle(47_415, 'webpack', 'webpack', 'out/webpack/app.cjs', 'node_modules/webpack/bin/webpack.js'),
  bundle(
    47_416,
    'webpack, eval',
    'webpack',
    'out/webpack-eval/app.cjs',
    ...['node_modules/webpack/bin/webpack.js', '--mode', 'development', '--devtool', 'eval-source-map'],
    ...['--output-path', 'out/webpack-eval'],
  ),
  bundle(47_417, 'Vite for servers', 'vite', 'out/vite/app.mjs', 'node_modules/vite/bin/vite.js', 'build'),
  bundle(
    47_418,
    'ncc',
    '@vercel/ncc',
    'dist/index.js',
    ...['node_modules/@vercel/ncc/dist/ncc/cli.js', 'build', 'src/app.ts', '--source-map', '--out', 'dist'],
  ),
  bundle(
    47_419,
    'tsup',
    'tsup',
    'out/tsup/app.js',
    ...['node_modules/tsup/dist/cli-default.js', 'src/app.ts', '--sourcemap', '--out-dir', 'out/tsup'],
  ),
  bundle(
    47_420,
    'Parcel',
    'parcel',
    'out/parcel/app.js',
    ...['node_modules/parcel/lib/bin.js', 'build', 'src/app.ts', '--target', 'app', '--no-cache'],
  ),
];
