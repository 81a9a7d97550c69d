import { serveScript, served } from '../served.ts';
import type { Project, Setup } from '../setup.ts';
import { timedBlock } from '../timed-block.ts';

const ts = { language: 'ts' } as const;
const spin = (name: string): string => timedBlock(name, ts);
const parse = (name: string): string => timedBlock(name, { ...ts, work: 'parse' });
/** Compiled to many more lines than it has. */
const enums = 'export enum Kind { A, B, C }\nexport enum Color { Red, Green, Blue }\n';

const viteProject: Project = {
  name: 'vite-ssr',
  packages: { vite: '8.3.8' },
  files: {
    'server.mjs': `import { createServer } from 'vite';

const vite = await createServer({ server: { middlewareMode: true, ws: false }, appType: 'custom', logLevel: 'error' });
const { render } = process.argv[2] === 'runner'
  ? await vite.environments.ssr.runner.import('/src/render.ts')
  : await vite.ssrLoadModule('/src/render.ts');
console.log(await render());
await vite.close();
`,
    'src/render.ts': `import { parseInModule } from './cart';
${enums}${spin('spinInRender')}
export async function render(): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 20));
  return JSON.stringify([spinInRender().sum > 0, parseInModule().sum > 0, Kind.B, Color.Red]);
}
`,
    'src/cart.ts': `${enums}${parse('parseInModule')}
export { parseInModule };
`,
  },
};

const viteSsr = (name: string, ...words: readonly string[]): Setup => ({
  name: `Vite 8, ${name}`,
  project: viteProject,
  tool: 'vite',
  command: ['node', 'server.mjs', ...words],
  blocks: [
    { name: 'spinInRender', file: 'src/render.ts' },
    { name: 'parseInModule', file: 'src/cart.ts' },
  ],
});

const routerProject: Project = {
  name: 'react-router',
  packages: {
    '@react-router/dev': '7.18.4',
    '@react-router/node': '7.18.4',
    '@react-router/serve': '7.18.4',
    isbot: '5.2.3',
    react: '19.3.1',
    'react-dom': '19.3.1',
    'react-router': '7.18.4',
    typescript: '5.9.3',
    vite: '7.3.8',
  },
  files: {
    'serve.mjs': serveScript,
    'react-router.config.ts': 'export default { ssr: true };\n',
    'vite.config.ts': `import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';

export default defineConfig({ plugins: [reactRouter()] });
`,
    'app/routes.ts': `import { type RouteConfig, index } from '@react-router/dev/routes';

export default [index('routes/slow.tsx')] satisfies RouteConfig;
`,
    'app/root.tsx': `import { Outlet, Scripts } from 'react-router';

export default function App() {
  return <html><head /><body><Outlet /><Scripts /></body></html>;
}
`,
    'app/routes/slow.tsx': `import { parseInModule } from '../cart';
${spin('spinInPage')}
export async function loader() {
  await new Promise((resolve) => setTimeout(resolve, 20));
  return { isFull: parseInModule().sum > 0 };
}

export default function Slow({ loaderData }: { loaderData: { isFull: boolean } }) {
  const { sum } = spinInPage();
  return <p>{String(loaderData.isFull)} {sum > 0 ? 1 : 0}</p>;
}
`,
    'app/cart.ts': `${enums}${parse('parseInModule')}
export { parseInModule };
`,
    'tsconfig.json': JSON.stringify({
      compilerOptions: { jsx: 'react-jsx', module: 'esnext', moduleResolution: 'bundler', target: 'es2022' },
      include: ['app'],
    }),
  },
};
const routerBin = 'node_modules/@react-router/dev/bin.js';
const routerBlocks = [
  { name: 'spinInPage', file: 'app/routes/slow.tsx' },
  { name: 'parseInModule', file: 'app/cart.ts' },
];

const reactRouter: readonly Setup[] = [
  {
    name: 'React Router, dev',
    project: routerProject,
    tool: '@react-router/dev',
    command: served(47_310, ['/'], [routerBin, 'dev', '--port', '47310']),
    blocks: routerBlocks,
  },
  {
    name: 'React Router, build, then serve',
    project: routerProject,
    tool: '@react-router/dev',
    prepare: [['node', routerBin, 'build', '--sourcemapServer']],
    command: served(47_311, ['/'], ['node_modules/@react-router/serve/bin.js', 'build/server/index.js']),
    blocks: routerBlocks,
  },
];

const astroProject: Project = {
  name: 'astro',
  packages: { astro: '7.3.5' },
  files: {
    'serve.mjs': serveScript,
    'astro.config.mjs': `import { defineConfig } from 'astro/config';

export default defineConfig({ telemetry: false, devToolbar: { enabled: false } });
`,
    'maps.config.mjs': `import { defineConfig } from 'astro/config';

export default defineConfig({ devToolbar: { enabled: false }, vite: { build: { sourcemap: true } }, outDir: 'maps' });
`,
    'src/pages/index.astro': `---
import { parseInModule } from '../cart';
${spin('spinInPage')}
const { sum } = spinInPage();
const isFull = parseInModule().sum > 0;
---

<html lang="en"><body><p>{sum > 0} {isFull}</p></body></html>
`,
    'src/pages/data.json.ts': `${timedBlock('spinInEndpoint', { ...ts, ms: 180 })}
export function GET(): Response {
  return Response.json(spinInEndpoint().sum > 0);
}
`,
    'src/cart.ts': `${enums}${parse('parseInModule')}
export { parseInModule };
`,
  },
};
const astroBin = 'node_modules/astro/bin/astro.mjs';
const astroBlocks = [
  { name: 'spinInPage', file: 'src/pages/index.astro' },
  { name: 'parseInModule', file: 'src/cart.ts' },
  { name: 'spinInEndpoint', file: 'src/pages/data.json.ts' },
];

const astro: readonly Setup[] = [
  {
    name: 'Astro, dev',
    project: astroProject,
    tool: 'astro',
    command: served(47_320, ['/', '/data.json'], [astroBin, 'dev', '--port', '47320']),
    blocks: astroBlocks,
  },
  {
    name: 'Astro, build',
    project: astroProject,
    tool: 'astro',
    command: ['node', astroBin, 'build'],
    blocks: astroBlocks,
  },
  {
    name: 'Astro, build with source maps',
    project: astroProject,
    tool: 'astro',
    command: ['node', astroBin, 'build', '--config', 'maps.config.mjs'],
    blocks: astroBlocks,
  },
];

const svelteProject: Project = {
  name: 'sveltekit',
  packages: {
    '@sveltejs/kit': '3.2.0',
    '@sveltejs/adapter-static': '4.0.1',
    '@sveltejs/vite-plugin-svelte': '7.3.1',
    svelte: '5.57.3',
    typescript: '5.9.3',
    vite: '8.3.8',
  },
  files: {
    'serve.mjs': serveScript,
    'vite.config.ts': `import adapter from '@sveltejs/adapter-static';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';

export default defineConfig({ plugins: [sveltekit({ adapter: adapter() })] });
`,
    'src/app.html': '<!doctype html><html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>\n',
    'src/routes/+page.svelte': `<script lang="ts">
let { data } = $props();
${spin('spinInPage')}
const { sum } = spinInPage();
</script>

<p>{data.isFull} {sum > 0}</p>
`,
    'src/routes/+page.server.ts': `import { parseInModule } from '../cart';

export const prerender = true;

export async function load() {
  await new Promise((resolve) => setTimeout(resolve, 20));
  return { isFull: parseInModule().sum > 0 };
}
`,
    'src/cart.ts': `${enums}${parse('parseInModule')}
export { parseInModule };
`,
  },
};
const viteBin = 'node_modules/vite/bin/vite.js';
const svelteBlocks = [
  { name: 'spinInPage', file: 'src/routes/+page.svelte' },
  { name: 'parseInModule', file: 'src/cart.ts' },
];

const svelte: readonly Setup[] = [
  {
    name: 'SvelteKit, dev',
    project: svelteProject,
    tool: '@sveltejs/kit',
    command: served(47_330, ['/'], [viteBin, 'dev', '--port', '47330']),
    blocks: svelteBlocks,
  },
  {
    name: 'SvelteKit, build',
    project: svelteProject,
    tool: '@sveltejs/kit',
    command: ['node', viteBin, 'build'],
    blocks: svelteBlocks,
  },
];

/** What renders on the server by Vite's module runner, and builds of it. */
export const viteServerSetups: readonly Setup[] = [
  viteSsr('ssrLoadModule'),
  viteSsr('module runner', 'runner'),
  ...reactRouter,
  ...astro,
  ...svelte,
];
