import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import { unzipSync } from 'fflate';
import { vsixFile } from '../../../scripts/setup.mjs';
import { projectRoot } from '../../helpers/project.ts';
import { placedProfile } from '../../helpers/placed-profile.ts';
import { temporaryProject } from '../../helpers/temporary-project.ts';

const source = `interface Row { readonly amount: number }

export function sum(rows: readonly Row[]): number {
  return rows.reduce((total, { amount }) => total + amount, 0);
}
`;

test('the command of the npm package works where it is installed', () => {
  const folder = temporaryProject({ 'package.json': '{ "private": true }' });
  npm(['pack', '--silent', '--pack-destination', folder], projectRoot);
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? 'no tarball';
  npm(['install', '--silent', '--no-audit', '--no-fund', '--offline', path.join(folder, tarball)], folder);
  assertWorks(path.join(folder, 'node_modules/.bin/hotspan'), []);
  assertRecords(folder);
});

test('the command inside the extension works where it is unpacked', () => {
  const folder = temporaryProject({});
  for (const [name, bytes] of Object.entries(unzipSync(readFileSync(vsixFile)))) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), bytes);
  }
  assertWorks(process.execPath, [path.join(folder, 'extension/dist/cli.cjs')]);
});

/** It knows its version, and maps a profile to its source: for that it needs the WebAssembly beside it. */
function assertWorks(program: string, args: readonly string[]): void {
  const [, version] = /"version": "([^"]+)"/.exec(readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) ?? [];
  assert.equal(
    run(program, [...args, '--version'])
      .trim()
      .split(' ')
      .at(-1),
    version,
  );
  const project = compiledProject();
  const table = run(program, [...args, 'analyze', path.join(project, 'sum.cpuprofile'), '--root', project]);
  assert.match(table, /sum {2}.*src\/sum\.ts:[34]/);
}

/** Without the command too, by the name that docs/production.md tells. */
function assertRecords(folder: string): void {
  const env = { ...process.env, HOTSPAN_DIR: path.join(folder, 'recording') };
  execFileSync(process.execPath, ['--require', 'hotspan/recorder', '-e', '1'], { cwd: folder, env });
  assert.ok(readdirSync(env.HOTSPAN_DIR).includes('recording.json'));
}

/** A compiled TypeScript file with its source map, and a profile in which its function takes 50 ms. */
function compiledProject(): string {
  const { code, map } = transformSync(source, { loader: 'ts', sourcemap: 'external', sourcefile: '../src/sum.ts' });
  const folder = temporaryProject({
    'package.json': '{}',
    'src/sum.ts': source,
    'out/sum.js': `${code}//# sourceMappingURL=sum.js.map\n`,
    'out/sum.js.map': map,
  });
  const line = code.split('\n').findIndex((text) => text.includes('function sum'));
  const sum = { url: pathToFileURL(path.join(folder, 'out/sum.js')).href, line, column: 12 };
  const profile = placedProfile(`(idle) ${'sum '.repeat(50)} (idle)`, { functions: { sum }, sampleMs: 1 });
  writeFileSync(path.join(folder, 'sum.cpuprofile'), profile);
  return folder;
}

function run(program: string, args: readonly string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function npm(args: readonly string[], cwd: string): void {
  execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}
