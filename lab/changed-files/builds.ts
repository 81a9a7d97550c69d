/** How the program is built and started. */
export interface Build {
  readonly name: string;
  /** Words after `node`, one command after the other; none: the sources run. */
  readonly build: readonly string[];
  readonly start: string;
  /** Types are taken away from the sources first. */
  readonly isPlain?: boolean;
}

export const packages = {
  typescript: '5.9.3',
  esbuild: '0.28.2',
  rolldown: '1.3.2',
  webpack: '5.112.2',
  'webpack-cli': '7.3.1',
  'esbuild-loader': '4.5.0',
  vite: '8.3.8',
  tsx: '4.20.6',
};

const tsc =
  'node_modules/typescript/bin/tsc src/main.ts --target es2022 --module nodenext --rewriteRelativeImportExtensions --outDir out --types node --skipLibCheck --noCheck';
const esbuild =
  'node_modules/esbuild/bin/esbuild src/main.ts --platform=node --format=esm --bundle --outfile=out/main.mjs';

export const builds: readonly Build[] = [
  { name: 'none', build: [], start: 'src/main.js', isPlain: true },
  { name: 'type stripping', build: [], start: 'src/main.ts' },
  { name: 'tsx', build: [], start: '--import tsx src/main.ts' },
  { name: 'tsc', build: [tsc], start: 'out/main.js' },
  { name: 'tsc, maps', build: [`${tsc} --sourceMap`], start: 'out/main.js' },
  { name: 'tsc, inline', build: [`${tsc} --inlineSourceMap --inlineSources`], start: 'out/main.js' },
  { name: 'esbuild', build: [`${esbuild} --sourcemap`], start: 'out/main.mjs' },
  { name: 'esbuild, minified', build: [`${esbuild} --sourcemap --minify`], start: 'out/main.mjs' },
  {
    name: 'esbuild, external, no sources',
    build: [`${esbuild} --sourcemap=external --sources-content=false`],
    start: 'out/main.mjs',
  },
  { name: 'esbuild, no map', build: [esbuild], start: 'out/main.mjs' },
  {
    name: 'rolldown',
    build: [
      'node_modules/rolldown/bin/cli.mjs src/main.ts --platform node --format esm --sourcemap --file out/main.mjs',
    ],
    start: 'out/main.mjs',
  },
  { name: 'webpack', build: ['node_modules/webpack/bin/webpack.js'], start: 'out/main.js' },
  {
    name: 'webpack, eval',
    build: ['node_modules/webpack/bin/webpack.js --mode development --devtool eval-source-map'],
    start: 'out/main.js',
  },
  {
    name: 'vite',
    build: ['node_modules/vite/bin/vite.js build --ssr src/main.ts --outDir out --sourcemap --logLevel error'],
    start: 'out/main.js',
  },
];

export const webpackConfig = `module.exports = {
  mode: 'production', target: 'node', entry: './src/main.ts', devtool: 'source-map',
  experiments: { outputModule: true }, output: { path: __dirname + '/out', filename: 'main.js', module: true },
  module: { rules: [{ test: /ts$/, loader: 'esbuild-loader' }] },
};
`;
