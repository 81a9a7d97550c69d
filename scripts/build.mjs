// Bundles every entry point into dist/, and writes ThirdPartyNotices.txt. `--watch` rebuilds on change.
import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { bundles, inputsOf } from './bundles.mjs';
import { noticesFile, noticesOf, packagesOf } from './notices.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const watch = process.argv.includes('--watch');

// Replaces files one by one without deleting them first: a run or an editor may be using them.
await mkdir(path.join(root, 'dist'), { recursive: true });
// `source-map` reads its WebAssembly from the folder of the bundle.
const sourceMap = path.dirname(createRequire(import.meta.url).resolve('source-map/package.json'));
await copyFile(path.join(sourceMap, 'lib/mappings.wasm'), path.join(root, 'dist/mappings.wasm'));
await copyFile(path.join(root, 'recorder/preload/registries/metrics.d.cts'), path.join(root, 'dist/metrics.d.cts'));

const metafiles = [];
for (const options of bundles) {
  if (watch) await (await esbuild.context(options)).watch();
  else metafiles.push((await esbuild.build({ ...options, metafile: true })).metafile);
}
if (!watch) {
  await chmod(path.join(root, 'dist/cli.cjs'), 0o755);
  await writeFile(path.join(root, noticesFile), noticesOf(packagesOf(inputsOf(metafiles), root)));
}
