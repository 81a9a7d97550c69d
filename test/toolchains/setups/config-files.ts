import type { Setup } from '../setup.ts';
import { timedBlock } from '../timed-block.ts';

const ts = { language: 'ts' } as const;
const spin = timedBlock('spinInConfig', ts);
const ownModule = `${timedBlock('parseInPlugin', { ...ts, work: 'parse' })}
export { parseInPlugin };
`;
const entry = 'export const items: readonly number[] = [1];\n';
const typescript = '5.9.3';

/** A configuration in TypeScript with a plugin as rollup has them, and one that calls a module beside it. */
const bundlerConfig = (head: string, extension: string, config: string): string => `${head}
import { parseInPlugin } from './build/own-plugin${extension}';
${spin}
const plugins = [
  { name: 'config', buildStart() { spinInConfig(); } },
  { name: 'own', buildEnd() { parseInPlugin(); } },
];
export default ${config};
`;
const blocks = (config: string): Setup['blocks'] => [
  { name: 'spinInConfig', file: config },
  { name: 'parseInPlugin', file: 'build/own-plugin.ts' },
];

const rolldown: Setup = {
  name: 'rolldown, rolldown.config.ts',
  project: {
    name: 'rolldown-config',
    packages: { rolldown: '1.3.2' },
    files: {
      'src/index.ts': entry,
      'build/own-plugin.ts': ownModule,
      'rolldown.config.ts': bundlerConfig('', '', "{ input: 'src/index.ts', output: { dir: 'out' }, plugins }"),
    },
  },
  tool: 'rolldown',
  command: ['node', 'node_modules/rolldown/bin/cli.mjs', '--config', 'rolldown.config.ts'],
  blocks: blocks('rolldown.config.ts'),
};

const tsdown: Setup = {
  name: 'tsdown, tsdown.config.ts',
  project: {
    name: 'tsdown-config',
    packages: { tsdown: '0.16.8', typescript },
    files: {
      'src/index.ts': entry,
      'build/own-plugin.ts': ownModule,
      'tsdown.config.ts': bundlerConfig('', '.ts', "{ entry: 'src/index.ts', outDir: 'out', dts: false, plugins }"),
    },
  },
  tool: 'tsdown',
  command: ['node', 'node_modules/tsdown/dist/run.mjs'],
  blocks: blocks('tsdown.config.ts'),
};

const tsup: Setup = {
  name: 'tsup, tsup.config.ts',
  project: {
    name: 'tsup-config',
    packages: { tsup: '9.0.0', typescript },
    files: {
      'src/index.ts': entry,
      'build/own-plugin.ts': ownModule,
      'tsup.config.ts': `import { parseInPlugin } from './build/own-plugin';
${spin}
export default {
  entry: ['src/index.ts'],
  outDir: 'out',
  esbuildPlugins: [{ name: 'config', setup(build: { onStart(call: () => void): void }) { build.onStart(() => { spinInConfig(); }); } }],
  async onSuccess() { await Promise.resolve(); parseInPlugin(); },
};
`,
    },
  },
  tool: 'tsup',
  command: ['node', 'node_modules/tsup/dist/cli-default.js'],
  blocks: blocks('tsup.config.ts'),
};

const next: Setup = {
  name: 'Next, next.config.ts',
  project: {
    name: 'next-config',
    packages: {
      next: '16.4.6',
      react: '19.3.1',
      'react-dom': '19.3.1',
      typescript,
      '@types/node': '24.10.1',
      '@types/react': '19.3.0',
    },
    files: {
      'build/own-plugin.ts': ownModule,
      'next.config.ts': `import type { NextConfig } from 'next';
import { parseInPlugin } from './build/own-plugin';
${spin}
const config: NextConfig = {
  async headers() {
    await Promise.resolve();
    spinInConfig();
    return [];
  },
  async redirects() {
    await Promise.resolve();
    parseInPlugin();
    return [];
  },
};
export default config;
`,
      'app/layout.tsx': `export default function Layout({ children }: { children: React.ReactNode }) {
  return <html lang="en"><body>{children}</body></html>;
}
`,
      'app/page.tsx': 'export default function Page() {\n  return <p>a</p>;\n}\n',
    },
  },
  tool: 'next',
  command: ['node', 'node_modules/next/dist/bin/next', 'build'],
  blocks: blocks('next.config.ts'),
};

const nuxt: Setup = {
  name: 'Nuxt, module in nuxt.config.ts',
  project: {
    name: 'nuxt-config',
    packages: { nuxt: '4.5.2' },
    files: {
      'build/own-plugin.ts': ownModule,
      'nuxt.config.ts': `import { parseInPlugin } from './build/own-plugin';
${spin}
export default defineNuxtConfig({
  compatibilityDate: '2025-07-15',
  telemetry: false,
  modules: [(_options, nuxt) => {
    nuxt.hook('build:before', () => { spinInConfig(); });
    nuxt.hook('build:done', () => { parseInPlugin(); });
  }],
});
`,
      'app/app.vue': '<template><p>a</p></template>\n',
    },
  },
  tool: 'nuxt',
  command: ['node', 'node_modules/nuxt/bin/nuxt.mjs', 'build'],
  blocks: blocks('nuxt.config.ts'),
};

const astro: Setup = {
  name: 'Astro, integration in astro.config.ts',
  project: {
    name: 'astro-config',
    packages: { astro: '7.3.5' },
    files: {
      'build/own-plugin.ts': ownModule,
      'astro.config.ts': `import { defineConfig } from 'astro/config';
import { parseInPlugin } from './build/own-plugin';
${spin}
export default defineConfig({
  integrations: [
    { name: 'own', hooks: { 'astro:build:start': () => { spinInConfig(); }, 'astro:build:done': () => { parseInPlugin(); } } },
  ],
});
`,
      'src/pages/index.astro': '<html lang="en"><body><p>a</p></body></html>\n',
    },
  },
  tool: 'astro',
  command: ['node', 'node_modules/astro/bin/astro.mjs', 'build'],
  blocks: blocks('astro.config.ts'),
};

/** React Router's own configuration is loaded by Vite's module runner, as are its routes. */
const reactRouter: Setup = {
  name: 'React Router, react-router.config.ts and a plugin of Vite',
  project: {
    name: 'react-router-config',
    packages: {
      '@react-router/dev': '7.18.4',
      '@react-router/node': '7.18.4',
      isbot: '5.2.3',
      react: '19.3.1',
      'react-dom': '19.3.1',
      'react-router': '7.18.4',
      typescript,
      vite: '7.3.8',
    },
    files: {
      'own/plugin.ts': ownModule,
      'react-router.config.ts': `${spin}
export default { ssr: true, buildEnd() { spinInConfig(); }, prerender() { return ['/']; } };
`,
      'vite.config.ts': `import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';
import { parseInPlugin } from './own/plugin';

export default defineConfig({ plugins: [reactRouter(), { name: 'own', configResolved() { parseInPlugin(); } }] });
`,
      'app/routes.ts':
        "import { index } from '@react-router/dev/routes';\n\nexport default [index('routes/home.tsx')];\n",
      'app/root.tsx': `import { Outlet, Scripts } from 'react-router';

export default function App() {
  return <html><head /><body><Outlet /><Scripts /></body></html>;
}
`,
      'app/routes/home.tsx': 'export default function Home() {\n  return <p>a</p>;\n}\n',
    },
  },
  tool: '@react-router/dev',
  command: ['node', 'node_modules/@react-router/dev/bin.js', 'build'],
  blocks: [
    { name: 'spinInConfig', file: 'react-router.config.ts' },
    { name: 'parseInPlugin', file: 'own/plugin.ts' },
  ],
};

/** Configurations in TypeScript of bundlers and frameworks that each load in a way of their own. */
export const configFileSetups: readonly Setup[] = [rolldown, tsdown, tsup, next, nuxt, astro, reactRouter];
