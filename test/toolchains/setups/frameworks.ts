import { serveScript, served } from '../served.ts';
import type { Project, Setup } from '../setup.ts';
import { timedBlock } from '../timed-block.ts';

const ts = { language: 'ts' } as const;
const spin = (name: string): string => timedBlock(name, ts);
const parse = (name: string): string => timedBlock(name, { ...ts, work: 'parse' });
const cart = `export enum Kind { A, B, C }
${parse('parseInModule')}
export { parseInModule };
`;

const nuxtProject: Project = {
  name: 'nuxt',
  packages: { nuxt: '4.5.2' },
  hasScripts: false,
  files: {
    'serve.mjs': serveScript,
    'nuxt.config.ts': `export default defineNuxtConfig({
  compatibilityDate: '2025-07-15',
  telemetry: false,
  devtools: { enabled: false },
  sourcemap: { server: true, client: false },
});
`,
    'app/app.vue': `<script setup lang="ts">
${spin('spinInPage')}
const { sum } = spinInPage();
</script>

<template><p>{{ sum > 0 }}</p></template>
`,
    'server/utils/cart.ts': cart,
    'server/api/data.ts': `import { parseInModule } from '../utils/cart';
${timedBlock('spinInRoute', { ...ts, ms: 180 })}
export default defineEventHandler(async () => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  return { isFull: spinInRoute().sum + parseInModule().sum > 0 };
});
`,
  },
};
const nuxtBin = 'node_modules/nuxt/bin/nuxt.mjs';
const nuxtBlocks = [
  { name: 'spinInPage', file: 'app/app.vue' },
  { name: 'parseInModule', file: 'server/utils/cart.ts' },
  { name: 'spinInRoute', file: 'server/api/data.ts' },
];

const nuxt: readonly Setup[] = [
  {
    name: 'Nuxt, dev',
    project: nuxtProject,
    tool: 'nuxt',
    command: served(47_340, ['/', '/api/data'], [nuxtBin, 'dev', '--port', '47340']),
    blocks: nuxtBlocks,
  },
  {
    name: 'Nuxt, build, then start',
    project: nuxtProject,
    tool: 'nuxt',
    prepare: [['node', nuxtBin, 'build']],
    command: served(47_341, ['/', '/api/data'], ['.output/server/index.mjs']),
    blocks: nuxtBlocks,
  },
];

const nextProject: Project = {
  name: 'next',
  packages: {
    next: '16.4.6',
    react: '19.3.1',
    'react-dom': '19.3.1',
    typescript: '5.9.3',
    '@types/node': '24.10.1',
    '@types/react': '19.3.0',
  },
  files: {
    'serve.mjs': serveScript,
    'app/layout.tsx': `export default function Layout({ children }: { children: React.ReactNode }) {
  return <html lang="en"><body>{children}</body></html>;
}
`,
    'app/page.tsx': `export const dynamic = 'force-dynamic';
${spin('spinInPage')}
export default async function Page() {
  await new Promise((resolve) => setTimeout(resolve, 20));
  const { sum } = spinInPage();
  return <p>{sum > 0 ? 1 : 0}</p>;
}
`,
    'lib/cart.ts': cart,
    'next.config.mjs':
      "export default process.env.WITH_MAPS === '1' ? { experimental: { serverSourceMaps: true } } : {};\n",
    'maps.mjs':
      "process.env.WITH_MAPS = '1';\nprocess.argv.push('build', '--webpack');\nawait import('./node_modules/next/dist/bin/next');\n",
    'app/api/data/route.ts': `import { parseInModule } from '../../../lib/cart';

export const dynamic = 'force-dynamic';
${timedBlock('spinInRoute', { ...ts, ms: 180 })}
export async function GET() {
  await new Promise((resolve) => setTimeout(resolve, 20));
  return Response.json({ isFull: spinInRoute().sum + parseInModule().sum > 0 });
}
`,
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        target: 'ES2022',
        lib: ['dom', 'esnext'],
        jsx: 'react-jsx',
        module: 'esnext',
        moduleResolution: 'bundler',
        strict: true,
        noEmit: true,
        esModuleInterop: true,
        isolatedModules: true,
        resolveJsonModule: true,
        skipLibCheck: true,
        incremental: true,
        allowJs: true,
        plugins: [{ name: 'next' }],
      },
      include: ['next-env.d.ts', '**/*.ts', '**/*.tsx', '.next/types/**/*.ts', '.next/dev/types/**/*.ts'],
      exclude: ['node_modules'],
    }),
  },
};
const nextBin = 'node_modules/next/dist/bin/next';
const nextBlocks = [
  { name: 'spinInPage', file: 'app/page.tsx' },
  { name: 'parseInModule', file: 'lib/cart.ts' },
  { name: 'spinInRoute', file: 'app/api/data/route.ts' },
];

const next: readonly Setup[] = [
  {
    name: 'Next, dev by Turbopack',
    project: nextProject,
    tool: 'next',
    command: served(47_350, ['/', '/api/data'], [nextBin, 'dev', '--port', '47350']),
    blocks: nextBlocks,
  },
  {
    name: 'Next, build by Turbopack, then start',
    project: nextProject,
    tool: 'next',
    prepare: [['node', nextBin, 'build']],
    command: served(47_351, ['/', '/api/data'], [nextBin, 'start', '--port', '47351']),
    blocks: nextBlocks,
  },
  {
    name: 'Next, build by webpack, then start',
    project: nextProject,
    tool: 'next',
    prepare: [['node', nextBin, 'build', '--webpack']],
    command: served(47_352, ['/', '/api/data'], [nextBin, 'start', '--port', '47352']),
    blocks: nextBlocks,
  },
  {
    name: 'Next, build by webpack with source maps, then start',
    project: nextProject,
    tool: 'next',
    prepare: [['node', 'maps.mjs']],
    command: served(47_353, ['/', '/api/data'], [nextBin, 'start', '--port', '47353']),
    blocks: nextBlocks,
  },
];

/** Frameworks with a server of their own. */
export const frameworkSetups: readonly Setup[] = [...nuxt, ...next];
