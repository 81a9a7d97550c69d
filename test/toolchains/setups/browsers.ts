import type { Setup } from '../setup.ts';
import { timedBlock } from '../timed-block.ts';

const ts = { language: 'ts' } as const;
/** One that is installed: none is downloaded. */
const launchOptions = "{ executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium', args: ['--no-sandbox'] }";

const vitest: Setup = {
  name: 'Vitest in a browser',
  project: {
    name: 'vitest-browser',
    packages: {
      vitest: '5.1.1',
      '@vitest/browser': '5.1.1',
      '@vitest/browser-playwright': '5.1.1',
      playwright: '1.65.1',
      vite: '8.3.8',
    },
    files: {
      'vitest.config.ts': `import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
${timedBlock('spinInConfig', ts)}
export default defineConfig({
  plugins: [{ name: 'own', configResolved() { spinInConfig(); } }],
  test: {
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions: ${launchOptions} }),
      instances: [{ browser: 'chromium' }],
    },
  },
});
`,
      'src/cart.test.ts': `import { expect, test } from 'vitest';

function spinInBrowser(): number {
  const start = performance.now();
  let sum = 0;
  while (performance.now() - start < 200) sum += Math.sqrt(sum + 1);
  return sum;
}

test('spins', () => { expect(spinInBrowser()).toBeGreaterThan(0); });
`,
    },
  },
  tool: 'vitest',
  command: ['node', 'node_modules/vitest/vitest.mjs', 'run', '--slowTestThreshold=100000'],
  blocks: [{ name: 'spinInConfig', file: 'vitest.config.ts' }],
  says: /in (a|the) browser/,
};

const storybookFiles = {
  '.storybook/main.ts': `import type { StorybookConfig } from '@storybook/html-vite';
import { ownPlugin } from '../build/own-plugin';
${timedBlock('spinInConfig', ts)}
const config: StorybookConfig = {
  framework: '@storybook/html-vite',
  stories: ['../src/*.stories.ts'],
  core: { disableTelemetry: true, disableWhatsNewNotifications: true },
  viteFinal(config) {
    spinInConfig();
    return { ...config, plugins: [...(config.plugins ?? []), ownPlugin()] };
  },
};
export default config;
`,
  'build/own-plugin.ts': `${timedBlock('parseInPlugin', { ...ts, work: 'parse' })}
export function ownPlugin() {
  return { name: 'own', transform(_code: string, id: string) { if (id.endsWith('button.stories.ts')) parseInPlugin(); return null; } };
}
`,
  'src/button.stories.ts': `export default { title: 'Button' };
export const Plain = { render: () => '<button>a</button>' };
`,
};

const storybook: Setup = {
  name: 'Storybook, build with .storybook/main.ts',
  project: {
    name: 'storybook',
    packages: { storybook: '10.6.0', '@storybook/html-vite': '10.6.0', vite: '7.3.8', typescript: '5.9.3' },
    files: storybookFiles,
  },
  tool: 'storybook',
  command: ['node', 'node_modules/storybook/dist/bin/dispatcher.js', 'build', '--quiet', '--output-dir', 'out'],
  blocks: [
    { name: 'spinInConfig', file: '.storybook/main.ts' },
    { name: 'parseInPlugin', file: 'build/own-plugin.ts' },
  ],
};

const storybookTests: Setup = {
  name: "Storybook's test runner, own hooks",
  project: {
    name: 'storybook-tests',
    packages: {
      storybook: '10.6.0',
      '@storybook/html-vite': '10.6.0',
      '@storybook/test-runner': '0.24.5',
      playwright: '1.65.1',
      vite: '7.3.8',
      typescript: '5.9.3',
    },
    files: {
      ...storybookFiles,
      // Later ones refuse what Storybook does in them.
      'package.json': JSON.stringify({ private: true, type: 'module', overrides: { 'jest-runtime': '30.2.0' } }),
      'files.mjs': `import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';

const types = { '.html': 'text/html', '.js': 'text/javascript', '.json': 'application/json', '.css': 'text/css' };
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  const file = path.join('out', pathname.endsWith('/') ? pathname + 'index.html' : pathname);
  if (!existsSync(file)) return response.writeHead(404).end();
  response.setHeader('content-type', types[path.extname(file)] ?? 'application/octet-stream');
  createReadStream(file).pipe(response);
});
server.listen(47_510, async () => {
  const { spawn } = await import('node:child_process');
  const words = ['node_modules/@storybook/test-runner/dist/test-storybook.js', '--url', 'http://localhost:47510', '--maxWorkers=1'];
  const child = spawn(process.execPath, words, { stdio: 'inherit' });
  child.once('exit', (code) => { process.exitCode = code; server.close(); server.closeAllConnections(); });
});
`,
      'test-runner-jest.config.js': `import { getJestConfig } from '@storybook/test-runner';

const config = getJestConfig();
export default {
  ...config,
  testEnvironmentOptions: { 'jest-playwright': { ...config.testEnvironmentOptions['jest-playwright'], launchOptions: ${launchOptions} } },
};
`,
      '.storybook/test-runner.ts': `${timedBlock('spinInHook', ts)}
export default { async postVisit() { await Promise.resolve(); spinInHook(); } };
`,
    },
  },
  tool: '@storybook/test-runner',
  prepare: [['node', 'node_modules/storybook/dist/bin/dispatcher.js', 'build', '--quiet', '--output-dir', 'out']],
  command: ['node', 'files.mjs'],
  blocks: [{ name: 'spinInHook', file: '.storybook/test-runner.ts' }],
};

/** What runs in a browser is not recorded; what runs beside it is. */
export const browserSetups: readonly Setup[] = [vitest, storybook, storybookTests];
