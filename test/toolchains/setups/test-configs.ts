import type { Setup } from '../setup.ts';
import { timedBlock } from '../timed-block.ts';

const ts = { language: 'ts' } as const;

const playwright: Setup = {
  name: 'Playwright, configuration, set-up and test',
  project: {
    name: 'playwright',
    packages: { '@playwright/test': '1.65.1' },
    files: {
      'playwright.config.ts': `import { defineConfig } from '@playwright/test';
${timedBlock('spinInConfig', ts)}
if (process.env['TEST_WORKER_INDEX'] === undefined) spinInConfig();
export default defineConfig({ testDir: 'tests', globalSetup: './global-setup.ts', reporter: 'list' });
`,
      'global-setup.ts': `${timedBlock('parseInSetup', { ...ts, work: 'parse' })}
export default async function globalSetup(): Promise<void> {
  await Promise.resolve();
  parseInSetup();
}
`,
      'tests/cart.spec.ts': `import { expect, test } from '@playwright/test';
import { spinInSource } from '../src/cart';
${timedBlock('parseInTest', { ...ts, work: 'parse' })}
test('parses', () => { expect(parseInTest().sum).toBeGreaterThan(0); });
test('spins', async () => { await Promise.resolve(); expect(spinInSource().sum).toBeGreaterThan(0); });
`,
      'src/cart.ts': `export enum Kind { A, B }\n${timedBlock('spinInSource', ts)}\nexport { spinInSource };\n`,
    },
  },
  tool: '@playwright/test',
  command: ['node', 'node_modules/@playwright/test/cli.js', 'test'],
  blocks: [
    { name: 'spinInConfig', file: 'playwright.config.ts' },
    { name: 'parseInSetup', file: 'global-setup.ts' },
    { name: 'parseInTest', file: 'tests/cart.spec.ts' },
    { name: 'spinInSource', file: 'src/cart.ts' },
  ],
};

const vitest: Setup = {
  name: 'Vitest, vitest.config.ts',
  project: {
    name: 'vitest',
    packages: { vitest: '5.1.1', vite: '8.3.8' },
    files: {
      'vitest.config.ts': `import { defineConfig } from 'vitest/config';
${timedBlock('spinInConfig', ts)}
export default defineConfig({
  plugins: [{ name: 'own', configResolved() { spinInConfig(); } }],
  test: { globalSetup: './global-setup.ts' },
});
`,
      'global-setup.ts': `${timedBlock('parseInSetup', { ...ts, work: 'parse' })}
export default function setup(): void {
  parseInSetup();
}
`,
      'src/cart.ts': 'export enum Kind { A, B }\nexport const items: readonly number[] = [1];\n',
      'src/cart.test.ts': `import { expect, test } from 'vitest';
import { items } from './cart';
${timedBlock('parseInTest', { ...ts, work: 'parse' })}
test('parses', () => { expect(parseInTest().sum).toBeGreaterThan(items.length); });
`,
    },
  },
  tool: 'vitest',
  command: ['node', 'node_modules/vitest/vitest.mjs', 'run', '--slowTestThreshold=100000'],
  blocks: [
    { name: 'spinInConfig', file: 'vitest.config.ts' },
    { name: 'parseInSetup', file: 'global-setup.ts' },
    { name: 'parseInTest', file: 'src/cart.test.ts' },
  ],
};

const jest: Setup = {
  name: 'Jest, own transform',
  project: {
    name: 'jest',
    packages: { jest: '30.5.2', esbuild: '0.28.2' },
    files: {
      'package.json': '{ "private": true }',
      'jest.config.js': `${timedBlock('spinInConfig')}
spinInConfig();
module.exports = { testEnvironment: 'node', cache: false, transform: { '\\\\.ts$': './build/own-transform.js' } };
`,
      'build/own-transform.js': `const { transformSync } = require('esbuild');
${timedBlock('parseInPlugin', { work: 'parse' })}
exports.process = (text, file) => {
  parseInPlugin();
  return transformSync(text, { loader: 'ts', format: 'cjs', sourcemap: 'inline', sourcefile: file });
};
`,
      'src/cart.test.ts': `interface Cart {
  readonly total: number;
}
${timedBlock('spinInTest', ts)}
test('spins', () => { const cart: Cart = { total: spinInTest().sum }; expect(cart.total).toBeGreaterThan(0); });
`,
    },
  },
  tool: 'jest',
  command: ['node', 'node_modules/jest/bin/jest.js', '--ci'],
  blocks: [
    { name: 'spinInConfig', file: 'jest.config.js' },
    { name: 'parseInPlugin', file: 'build/own-transform.js' },
    { name: 'spinInTest', file: 'src/cart.test.ts' },
  ],
};

/** Test runners: their configuration, what they run before, and the tests. */
export const testSetups: readonly Setup[] = [playwright, vitest, jest];
