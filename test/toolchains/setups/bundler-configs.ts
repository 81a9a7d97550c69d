import type { Block, Setup } from '../setup.ts';
import { timedBlock } from '../timed-block.ts';

const ts = { language: 'ts' } as const;
const entry = `interface Item {
  readonly id: number;
}

export const items: readonly Item[] = [{ id: 1 }];
`;

/** A block in the configuration itself, and one in a module that it imports. */
const blocks = (config: string, plugin: string): readonly Block[] => [
  { name: 'spinInConfig', file: config },
  { name: 'parseInPlugin', file: plugin },
];

/** An object with the hook \`transform\`, as Vite and rollup take it. */
const plugin = (name: string, call: string): string =>
  `{ name: '${name}', transform(_code, id) { if (id.endsWith('index.ts')) ${call}(); return null; } }`;
const ownPlugin = {
  js: `${timedBlock('parseInPlugin', { work: 'parse' })}
export function ownPlugin() {
  return ${plugin('own', 'parseInPlugin')};
}
`,
  ts: `import type { Plugin } from 'rollup';
${timedBlock('parseInPlugin', { ...ts, work: 'parse' })}
export function ownPlugin(): Plugin {
  return ${plugin('own', 'parseInPlugin')};
}
`,
};

function viteConfig(language: 'js' | 'ts'): string {
  return `import { defineConfig } from 'vite';
import { ownPlugin } from './build/own-plugin${language === 'js' ? '.mjs' : '.ts'}';
${timedBlock('spinInConfig', { language })}
export default defineConfig({
  plugins: [${plugin('config', 'spinInConfig')}, ownPlugin()],
  build: { lib: { entry: 'src/index.ts', formats: ['es'], fileName: 'index' } },
});
`;
}

function vite(version: string): readonly Setup[] {
  const project = {
    name: `vite-${version}`,
    packages: { vite: version },
    files: {
      'src/index.ts': entry,
      'vite.config.mjs': viteConfig('js'),
      'config.ts': viteConfig('ts'),
      'build/own-plugin.mjs': ownPlugin.js,
      'build/own-plugin.ts': ownPlugin.ts.replace("'rollup'", "'vite'"),
    },
  };
  const setup = (name: string, config: string, ...options: readonly string[]): Setup => ({
    name: `Vite ${Number.parseInt(version)}, ${name}`,
    project,
    tool: 'vite',
    command: ['node', 'node_modules/vite/bin/vite.js', 'build', '--config', config, ...options],
    blocks: blocks(config, config.endsWith('.ts') ? 'build/own-plugin.ts' : 'build/own-plugin.mjs'),
  });
  return [
    setup('vite.config.mjs', 'vite.config.mjs'),
    setup('vite.config.ts', 'config.ts'),
    setup('vite.config.ts by its runner', 'config.ts', '--configLoader', 'runner'),
    setup('vite.config.ts by Node', 'config.ts', '--configLoader', 'native'),
  ];
}

function webpackConfig(language: 'js' | 'ts'): string {
  const compiler = language === 'ts' ? ": import('webpack').Compiler" : '';
  return `import path from 'node:path';
${timedBlock('spinInConfig', { language })}
const config = {
  mode: 'development',
  devtool: 'source-map',
  target: 'node',
  entry: './src/index.js',
  output: { path: path.resolve('out') },
  module: { rules: [{ test: /index\\.js$/, use: [path.resolve('build/own-loader.cjs')] }] },
  plugins: [{ apply(compiler${compiler}) { compiler.hooks.emit.tap('own', () => { spinInConfig(); }); } }],
};
export default config;
`;
}

const webpackProject = {
  name: 'webpack',
  packages: { webpack: '5.112.2', 'webpack-cli': '7.3.1', typescript: '5.9.3', 'ts-node': '10.9.2' },
  files: {
    'src/index.js': 'export const items = [{ id: 1 }];\n',
    'webpack.config.mjs': webpackConfig('js'),
    'webpack.config.ts': webpackConfig('ts'),
    'tsconfig.json': JSON.stringify({ compilerOptions: { module: 'esnext', moduleResolution: 'bundler' } }),
    'build/own-loader.cjs': `${timedBlock('parseInPlugin', { work: 'parse' })}
module.exports = function ownLoader(source) {
  parseInPlugin();
  return source;
};
`,
  },
};

const webpack = (config: string): Setup => ({
  name: `webpack, ${config}`,
  project: webpackProject,
  tool: 'webpack',
  command: ['node', 'node_modules/webpack/bin/webpack.js', '--config', config],
  blocks: blocks(config, 'build/own-loader.cjs'),
});

function rollupConfig(language: 'js' | 'ts'): string {
  return `import typescript from '@rollup/plugin-typescript';
import { ownPlugin } from './build/own-plugin${language === 'js' ? '.mjs' : ''}';
${timedBlock('spinInConfig', { language })}
export default {
  input: 'src/index.ts',
  output: { file: 'out/index.js', sourcemap: true },
  plugins: [typescript(), ${plugin('config', 'spinInConfig').replace('(_code, id)', language === 'js' ? '(_code, id)' : '(_code: string, id: string)')}, ownPlugin()],
};
`;
}

const rollupProject = {
  name: 'rollup',
  packages: { rollup: '4.68.7', '@rollup/plugin-typescript': '12.3.1', tslib: '2.9.1', typescript: '5.9.3' },
  files: {
    'src/index.ts': entry,
    'rollup.config.mjs': rollupConfig('js'),
    'rollup.config.ts': rollupConfig('ts'),
    'build/own-plugin.mjs': ownPlugin.js,
    'build/own-plugin.ts': ownPlugin.ts,
    'tsconfig.json': JSON.stringify({
      compilerOptions: { target: 'es2022', module: 'esnext', moduleResolution: 'bundler', noCheck: true },
    }),
  },
};

const rollup = (config: string, file: string, ...options: readonly string[]): Setup => ({
  name: `rollup, ${config}`,
  project: rollupProject,
  tool: 'rollup',
  command: ['node', 'node_modules/rollup/dist/bin/rollup', '--config', config, ...options],
  blocks: blocks(config, file),
});

const esbuildScript = (language: 'js' | 'ts'): string => `import { build } from 'esbuild';
${timedBlock('spinInConfig', { language })}${timedBlock('parseInPlugin', { language, work: 'parse' })}
await build({
  entryPoints: ['src/index.ts'],
  bundle: true,
  outfile: 'out/index.js',
  plugins: [
    {
      name: 'own',
      setup(build) {
        build.onStart(() => { spinInConfig(); });
        build.onLoad({ filter: /index\\.ts$/ }, () => { parseInPlugin(); return null; });
      },
    },
  ],
});
`;

const esbuildProject = {
  name: 'esbuild',
  packages: { esbuild: '0.28.2', tsx: '4.23.15' },
  files: { 'src/index.ts': entry, 'build.mjs': esbuildScript('js'), 'build.ts': esbuildScript('ts') },
};

const esbuild = (name: string, file: string, ...words: readonly string[]): Setup => ({
  name: `esbuild, ${name}`,
  project: esbuildProject,
  tool: 'esbuild',
  command: ['node', ...words, file],
  blocks: blocks(file, file),
});

/** Bundlers with a plugin of the person's. */
export const bundlerSetups: readonly Setup[] = [
  ...vite('8.3.8'),
  ...vite('7.3.8'),
  webpack('webpack.config.mjs'),
  webpack('webpack.config.ts'),
  rollup('rollup.config.mjs', 'build/own-plugin.mjs'),
  rollup('rollup.config.ts', 'build/own-plugin.ts', '--configPlugin', 'typescript'),
  esbuild('build.mjs', 'build.mjs'),
  esbuild('build.ts by tsx', 'build.ts', 'node_modules/tsx/dist/cli.mjs'),
];
