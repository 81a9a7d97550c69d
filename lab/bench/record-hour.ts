// Measures whether an hour of recording needs more and more memory. A server that asks itself runs under the recorder,
// with parts of 50 ms in place of ten seconds, so that 360 of them stand for an hour. Its memory after a collection is
// compared with that of the same server without a recorder.
// `node lab/bench/record-hour.ts [NODE'S FILE]`.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build, type PluginBuild } from 'esbuild';
import { profileSuffix } from '../../protocol/recording.ts';
import { figure } from '../figure.mjs';
import { hourly } from './overhead/programs.ts';
import { bare, variantsIn } from './overhead/variants.ts';

const [given = process.execPath] = process.argv.slice(2);
const node = path.resolve(given);
const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-bench-'));
const recorder = path.join(folder, 'recorder.cjs');
await build({
  entryPoints: [path.join(import.meta.dirname, '../../recorder/preload/main.ts')],
  ...{ bundle: true, platform: 'node', format: 'cjs', target: 'es2015', minify: true },
  outfile: recorder,
  plugins: [{ name: 'hurry', setup: hurry }],
});
const program = path.join(folder, 'program.js');
writeFileSync(program, hourly);

console.log(`Node ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}: MB (resident; heap)`);
for (const { name, options, env } of variantsIn(folder, recorder)) {
  if (name !== bare && name !== 'recorder') continue;
  const output = execFileSync(node, [...options, '--expose-gc', program], { env, encoding: 'utf8' });
  const out = env['HOTSPAN_DIR'];
  const parts = out === undefined ? 0 : readdirSync(out).filter((file) => file.endsWith(profileSuffix)).length;
  const resident = output
    .trim()
    .split('\n')
    .map((line) => Number(line.split(/[; ]/)[0]));
  if (name === 'recorder')
    figure('memory after 30 s to that after 12 s', (resident.at(-1) ?? Number.NaN) / (resident[3] ?? Number.NaN));
  console.log(`${name}, ${parts} parts: ${output.trim().split('\n').join(', ')}`);
}
rmSync(folder, { recursive: true });

/** Makes the recorder's parts two hundred times as short. */
function hurry(build: PluginBuild): void {
  build.onLoad({ filter: /[\\/]profiler\.ts$/ }, ({ path: file }) => ({
    contents: readFileSync(file, 'utf8').replaceAll(/(MAX_PART_MS|FIRST_PART_MS|MIN_PART_MS) = [\d_]+/g, '$1 = 50'),
    loader: 'ts',
  }));
}
