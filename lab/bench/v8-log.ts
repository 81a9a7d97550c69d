// Measures time and memory of decoding a real V8 log that is made here (TypeScript checks its own library), as
// a ratio to V8's own tick processor on the same log. Processor time and peak memory are taken above those of an empty
// process. They are medians of processes that run in turn, with the bundled code. Writes the table in
// lab/docs/performance.md.
// `node lab/bench/v8-log.ts [FILE]`.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { keepYoungGenerationSmall, setCompilers } from '../../cli/v8-flags.ts';
import { v8LogImporter } from '../../engine/read/import/v8-log-importer.ts';
import { openFile } from '../../engine/read/files/opened-file.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { figure } from '../figure.mjs';
import { replaceBetween } from '../replace-between.ts';
import { compare } from './analyze/processes.ts';
import { installPackages } from './analyze/real-profiles.ts';

/** The memory that is measured is mostly the same for any log, so the log must be as large as that of the goal. */
const enoughBytes = 120e6;
const [, , given, way] = process.argv;
if (given !== undefined && way === 'decode') await decode(given);
else await measure();

/** In a process of its own, with the flags of the command. */
async function decode(log: string): Promise<void> {
  setCompilers();
  keepYoungGenerationSmall();
  const file = await openFile(log, diskWorld);
  const loaded =
    file === undefined
      ? undefined
      : await v8LogImporter.read(file, { world: diskWorld, plain: null, signal: undefined });
  if (loaded?.type !== 'profile') process.exitCode = 1;
}

async function measure(): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-bench-'));
  const log = path.resolve(given ?? compilerLog(folder));
  const bundle = path.join(folder, 'decode.mjs');
  const { build } = await import('esbuild'); // Not in the bundle.
  await build({
    entryPoints: [import.meta.filename],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['esbuild'],
  });
  const ways = [
    { name: 'empty process', words: ['-e', '0'] },
    { name: 'V8', words: ['--prof-process', '--preprocess', log] },
    { name: 'Hotspan', words: [bundle, log, 'decode'] },
  ];
  const figures = compare(ways, 3, folder);
  const megabytes = statSync(log).size / 1e6;
  const empty = figures.get('empty process')?.peakMb ?? 0;
  const base = figures.get('V8')?.cpuMs ?? 0;
  const rows = [...figures]
    .filter(([name]) => name !== 'empty process')
    .map(([name, { cpuMs, peakMb, isGood }]) => {
      const memory = ((peakMb - empty) * 2 ** 20) / 1e6;
      if (name === 'Hotspan' && isGood) {
        figure('CPU time to V8’s', cpuMs / base);
        figure('memory to the file', memory / megabytes);
      }
      const time = `${cpuMs.toFixed(0)} ms | ${(cpuMs / base).toFixed(2)} ×`;
      const file = `${memory.toFixed(0)} MB | ${(memory / megabytes).toFixed(2)} ×`;
      return `| ${name}${isGood ? '' : ' (failed)'} | ${time} | ${file} |`;
    });
  replaceBetween(
    'lab/docs/performance.md',
    ['V8 log', 'end of V8 log'],
    [
      `${megabytes.toFixed(0)} MB, Node.js ${process.versions.node}`,
      '',
      '| read by | CPU time | to V8 | memory at most | to the file |',
      '|---|---|---|---|---|',
      ...rows,
    ],
  );
  console.log(rows.join('\n'));
  rmSync(folder, { recursive: true });
}

/**
 * TypeScript checks its own library. How many ticks V8 gets depends on how fast the machine is, so it ticks more and more
 * often until the log is as large as that of the goal.
 */
function compilerLog(folder: string): string {
  installPackages(folder);
  for (let intervalUs = 100; ; intervalUs = Math.floor(intervalUs / 2)) {
    const log = logOf(folder, intervalUs);
    if (statSync(log).size >= enoughBytes || intervalUs < 20) return log;
  }
}

/** TypeScript finds faults in itself, and its exit code says so. */
function logOf(folder: string, intervalUs: number): string {
  const lib = path.join(folder, 'node_modules/typescript/lib');
  const logs = path.join(folder, `logs-${intervalUs}`);
  mkdirSync(logs);
  const flags = ['--prof', '--no-node-snapshot', '--no-log-source-code', `--prof-sampling-interval=${intervalUs}`];
  const options = ['--allowJs', '--checkJs', '--strict', '--noEmit', '--target', 'es2022'];
  const words = [path.join(lib, '_tsc.js'), ...options, path.join(lib, 'typescript.js')];
  try {
    execFileSync(process.execPath, ['--stack-size=3900', ...flags, `--logfile=${logs}/%p-%t.v8.log`, ...words], {
      stdio: 'ignore',
    });
  } catch {
    // As said.
  }
  const files = readdirSync(logs).map((name) => path.join(logs, name));
  return files.toSorted((a, b) => statSync(b).size - statSync(a).size)[0] ?? '';
}
