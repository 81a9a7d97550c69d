import { type Bin, type Toolchain, common, tsconfig } from './toolchain.ts';

export function esbuilds(bin: Bin): readonly Toolchain[] {
  const always = {
    entryPoints: ['src/main.ts'],
    platform: 'node',
    outdir: 'dist',
    logLevel: 'error',
    bundle: true,
    sourcemap: true,
  };
  const esbuild = (name: string, options: object = {}): Toolchain => ({
    ...common,
    name,
    files: {
      'tsconfig.json': tsconfig({ target: 'es2022' }),
      'build.cjs': `require(${JSON.stringify(bin('esbuild'))}).buildSync(${JSON.stringify({ ...always, ...options })});`,
    },
    build: [['build.cjs']],
    run: ['dist/main.js'],
  });
  return [
    esbuild('esbuild, bundle'),
    esbuild('esbuild, bundle, async lowered', {
      supported: { 'async-await': false, 'async-generator': false, 'for-await': false },
    }),
    esbuild('esbuild, bundle, inline map', { sourcemap: 'inline' }),
    esbuild('esbuild, bundle, map without sources', { sourcesContent: false }),
    esbuild('esbuild, bundle, minified', { minify: true }),
    esbuild('esbuild, bundle, minified, names kept', { minify: true, keepNames: true }),
  ];
}

export function webpacks(bin: Bin): readonly Toolchain[] {
  const webpack = (devtool: string, mode = 'development'): Toolchain => ({
    ...common,
    name: `webpack, ${devtool}${mode === 'production' ? ', minified' : ''}`,
    files: {
      'tsconfig.json': tsconfig({ target: 'es2022', module: 'esnext', moduleResolution: 'bundler' }),
      'build.cjs': `
const webpack = require(${JSON.stringify(bin('webpack'))});
webpack({
  mode: '${mode}', devtool: '${devtool}', target: 'node', entry: './src/main.ts',
  output: { path: process.cwd() + '/dist', filename: 'main.js' },
  resolve: { extensions: ['.ts', '.tsx', '.js'], extensionAlias: { '.js': ['.ts', '.tsx', '.js'] } },
  module: { rules: [{ test: /\\.tsx?$/, loader: ${JSON.stringify(bin('ts-loader'))}, options: { transpileOnly: true } }] },
}, (error, stats) => { if (error || stats.hasErrors()) { console.error(error ?? stats.toString()); process.exit(1); } });
`,
    },
    build: [['build.cjs']],
    run: ['dist/main.js'],
  });
  return [
    webpack('eval'),
    webpack('eval-source-map'),
    webpack('eval-cheap-module-source-map'),
    webpack('source-map'),
    webpack('cheap-module-source-map'),
    webpack('source-map', 'production'),
  ];
}

export function rollups(bin: Bin): readonly Toolchain[] {
  const rollup = (name: string, plugins: string, output: string): Toolchain => ({
    ...common,
    name,
    files: {
      'tsconfig.json': tsconfig({ target: 'es2022', module: 'esnext', moduleResolution: 'bundler' }),
      'build.cjs': `
const { rollup } = require(${JSON.stringify(bin('rollup'))});
const typescript = require(${JSON.stringify(bin('@rollup/plugin-typescript'))});
const terser = require(${JSON.stringify(bin('@rollup/plugin-terser'))});
rollup({ input: 'src/main.ts', external: ['forced'], plugins: [typescript(), ${plugins}] })
  .then((bundle) => bundle.write({ file: 'dist/main.js', format: 'cjs', sourcemap: true, ${output} }));
`,
    },
    build: [['build.cjs']],
    run: ['dist/main.js'],
  });
  return [
    rollup('rollup, tsc', '', ''),
    rollup('rollup, tsc, terser', 'terser()', ''),
    rollup('rollup, tsc, inline map', '', "sourcemap: 'inline'"),
  ];
}
