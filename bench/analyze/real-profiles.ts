import { execFileSync } from 'node:child_process';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const packages = ['typescript@5.9.3', 'acorn@8.15.0', 'cpupro@0.7.0', '0x@6.0.0'];

/** Into a folder of their own: they are no dependencies of ours. */
export function installPackages(folder: string): void {
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }');
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...packages];
  execFileSync('npm', words, { cwd: folder, shell: process.platform === 'win32', stdio: ['ignore', 2, 2] });
}

/** TypeScript checks its own library of 9 MB, sampled every 50 µs: nearly all nodes, over 400 calls deep. */
export function compilerProfile(folder: string): string {
  const lib = path.join(folder, 'node_modules/typescript/lib');
  const options = ['--allowJs', '--checkJs', '--strict', '--noEmit', '--target', 'es2022'];
  return profileOf(folder, 50, [path.join(lib, 'tsc.js'), ...options, path.join(lib, 'typescript.js')]);
}

/** Acorn parses itself over and over for minutes, sampled as often as V8 can: nearly all samples. */
export function longProfile(folder: string, seconds: number): string {
  const program = path.join(folder, 'long-run.cjs');
  writeFileSync(
    program,
    `const { parse } = require('acorn');
const text = require('fs').readFileSync(require.resolve('acorn'), 'utf8');
const end = Date.now() + ${seconds * 1000};
(function next() { parse(text, { ecmaVersion: 'latest' }); if (Date.now() < end) setTimeout(next, 1); })();
`,
  );
  return profileOf(folder, 20, [program]);
}

/** The program may find faults in what it compiles. */
function profileOf(folder: string, intervalUs: number, words: readonly string[]): string {
  const name = `${path.basename(words[0] ?? '')}-profile`;
  const options = ['--stack-size=3900', '--cpu-prof', `--cpu-prof-interval=${intervalUs}`, `--cpu-prof-dir=${name}`];
  try {
    execFileSync(process.execPath, [...options, ...words], { cwd: folder, stdio: 'ignore' });
  } catch {
    // Its exit code says that there are faults.
  }
  const files = readdirSync(path.join(folder, name)).map((file) => path.join(folder, name, file));
  return files.toSorted((a, b) => statSync(b).size - statSync(a).size)[0] ?? '';
}
