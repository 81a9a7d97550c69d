import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Variant } from './variants.ts';

/** A suite of 40 test files in TypeScript, each with a module that sorts and parses a little. */
export interface Suite {
  readonly title: string;
  readonly packages: readonly string[];
  /** Path of the runner below `node_modules`, and its arguments. */
  readonly command: readonly [file: string, ...args: readonly string[]];
  readonly manifest: object;
  /** Text at the beginning of each test file. */
  readonly head: string;
}

export const suites: readonly Suite[] = [
  {
    title: 'jest, 40 files, two workers',
    packages: ['jest@30.2.0', '@swc/jest@0.2.39', '@swc/core@1.13.5', 'acorn@8.15.0'],
    command: ['jest/bin/jest.js', '-w', '2', '--silent'],
    manifest: { private: true, jest: { transform: { '\\.ts$': '@swc/jest' } } },
    head: '',
  },
  {
    title: 'vitest, 40 files, forks',
    packages: ['vitest@3.2.4', 'acorn@8.15.0'],
    command: ['vitest/vitest.mjs', 'run', '--silent', '--pool', 'forks'],
    manifest: { private: true, type: 'module' },
    head: `import { test, expect } from 'vitest';\n`,
  },
];

const files = 40;

/** Makes the suite in `folder` and installs its runner. */
export function makeSuite(folder: string, { packages, manifest, head }: Suite): void {
  mkdirSync(path.join(folder, 'src'), { recursive: true });
  mkdirSync(path.join(folder, 'test'));
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  for (let file = 0; file < files; file += 1) {
    writeFileSync(path.join(folder, `src/m${file}.ts`), moduleText(file));
    writeFileSync(path.join(folder, `test/m${file}.test.ts`), `${head}${testText(file)}`);
  }
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, ...packages], { stdio: 'ignore' });
}

/**
 * Wall time and CPU time of all processes of a suite, in ms. The shell's `times` gives the CPU time of the processes
 * that it has waited for.
 */
export function runSuite(node: string, folder: string, { command }: Suite, { options, env }: Variant) {
  const [file, ...args] = command;
  const start = performance.now();
  const script = '"$@" > /dev/null 2>&1 || exit 1; times';
  const main = path.join(folder, 'node_modules', file);
  const output = execFileSync('sh', ['-c', script, 'sh', node, ...options, main, ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  const wall = performance.now() - start;
  const [, children = ''] = output.trim().split('\n');
  const cpu = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds),
  );
  return { wall, cpu: cpu.reduce((sum, part) => sum + part * 1000, 0) };
}

function moduleText(file: number): string {
  return `import { parse } from 'acorn';
export interface Item { readonly id: number; readonly name: string }
export function items(count: number): readonly Item[] {
  return Array.from({ length: count }, (_, id) => ({ id, name: 'item ' + ((id * 7919 + ${file}) % count) }));
}
export const sorted = (all: readonly Item[]): readonly Item[] => [...all].sort((a, b) => a.name.localeCompare(b.name));
export const size = (text: string): number => JSON.stringify(parse(text, { ecmaVersion: 2022 })).length;
`;
}

function testText(file: number): string {
  return `import { items, size, sorted } from '../src/m${file}';
for (let round = 0; round < 10; round += 1) {
  test('sorts, time ' + round, async () => {
    const all = sorted(items(300));
    await null;
    expect(all.length).toBe(300);
  });
}
test('parses', () => {
  expect(size(Array.from({ length: 200 }, (_, i) => 'const x' + i + ' = (a, b) => a + b * ' + i + ';').join('\\n'))).toBeGreaterThan(100);
});
`;
}
