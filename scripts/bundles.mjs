// How every entry point is bundled into dist/.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import {
  clientApart,
  targets,
  targetsApart,
  together,
  exportsOnDemand,
  verify,
  verifyApart,
  runs,
  runsApart,
  marksApart,
  flamegraphsApart,
  commandsApart,
  parserApart,
  load,
  loadApart,
  mcpApart,
  serverApart,
  versionAlone,
  commandApart,
  reading,
  manual,
  readingApart,
} from './loaded-apart.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const watch = process.argv.includes('--watch');

/** Paths from the root of files that are bundled as a text in another bundle. Complete when all are built. */
const insideTexts = new Set();

/** Changes with every change of how sources are indexed, and of what that uses: what an older version kept is not read. */
function indexerHash() {
  const hash = createHash('sha256').update(readFileSync(path.join(root, 'node_modules/@babel/parser/package.json')));
  const folder = 'engine/read/source-code';
  const entryPoints = readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`);
  const all = { absWorkingDir: root, bundle: true, packages: 'external', outdir: 'dist', write: false, metafile: true };
  const { metafile } = esbuild.buildSync({ ...all, entryPoints });
  for (const file of Object.keys(metafile.inputs).toSorted()) hash.update(readFileSync(path.join(root, file)));
  return hash.digest('hex').slice(0, 16);
}

/** Code for Node: the user's (20 and later) and VS Code's. */
const node = {
  define: watch ? {} : { 'process.env.HOTSPAN_INDEXER': JSON.stringify(indexerHash()) },
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  outExtension: { '.js': '.cjs' },
  external: ['vscode'],
  minify: !watch,
  keepNames: true,
  sourcemap: watch ? 'linked' : false,
  legalComments: 'none',
};

const recorderGlobals =
  'process,Object,Reflect,Math,JSON,String,Number,Array,Map,Set,WeakMap,WeakRef,WeakSet,Proxy,Promise,Error,Date,Atomics,Int32Array,SharedArrayBuffer,Buffer,URL';

/** The recorder is a text in `boot.ts`, which compiles it with V8's code cache. */
const recorderText = {
  name: 'recorder-text',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/recorder\/preload\/boot\.ts$/ }, async ({ path: file }) => {
      const inside = {
        ...node,
        target: 'node18',
        keepNames: false,
        // Captured at the start: some programs delete or replace these globals.
        banner: { js: `"use strict";const {${recorderGlobals}} = globalThis;` },
        absWorkingDir: root,
        entryPoints: ['recorder/preload/main.ts'],
      };
      const { outputFiles, metafile } = await esbuild.build({ ...inside, write: false, metafile: true });
      for (const input of Object.keys(metafile.inputs)) insideTexts.add(input);
      const text = JSON.stringify(outputFiles[0].text);
      return {
        contents: `const recorderText = ${text};\n${await readFile(file, 'utf8')}`,
        loader: 'ts',
        watchFiles: Object.keys(metafile.inputs).map((input) => path.join(root, input)),
      };
    }),
};

/** Any Node that a test run starts may load the recorder, so an old one must be able to parse it. */
const recorder = {
  ...node,
  target: 'es2015',
  keepNames: false,
  entryPoints: { recorder: 'recorder/preload/boot.ts' },
  plugins: [recorderText],
  banner: { js: 'if (parseInt(process.versions.node, 10) >= 18) try { (function () {' },
  footer: { js: '})() } catch (error) { /* The program goes on without being recorded. */ }' },
};

/** The module `hotspan/metrics`. */
const metrics = {
  ...node,
  keepNames: false,
  banner: { js: `"use strict";const {${recorderGlobals}} = globalThis;` },
  entryPoints: { metrics: 'recorder/preload/registries/main.ts' },
};

/** A function as a text, which `recorder/launch/attach` evaluates in a running thread. */
const attached = {
  ...node,
  target: 'node18',
  keepNames: false,
  format: 'iife',
  globalName: 'hotspanAttached',
  entryPoints: { attached: 'recorder/preload/attached.ts' },
  banner: { js: `(function (require, emit, isolate) { "use strict";const {${recorderGlobals}} = globalThis;` },
  footer: { js: 'return hotspanAttached.begin(emit, isolate);})\n//# sourceURL=/hotspan/recorder-attached.cjs' },
};

const extension = {
  ...node,
  entryPoints: { extension: 'extension/main.ts', commands: 'extension/commands/commands.ts' },
  plugins: [clientApart, targetsApart, verifyApart, runsApart, marksApart, flamegraphsApart, commandsApart],
  // `require` instead, for which VS Code provides its own module.
  supported: { 'dynamic-import': false },
};

const cli = {
  ...node,
  entryPoints: { cli: 'cli/start.ts' },
  plugins: [commandApart],
  // `require` instead: `import` would first load what ES modules need.
  supported: { 'dynamic-import': false },
  banner: { js: '#!/usr/bin/env node' },
};

const command = {
  ...node,
  entryPoints: { command: 'cli/main.ts' },
  plugins: [readingApart, parserApart, loadApart, targetsApart, mcpApart, serverApart, versionAlone],
  supported: { 'dynamic-import': false },
};

const readingFiles = [
  ...reading.map((file) => `cli/commands/${file}.ts`),
  ...manual.map((file) => `cli/manual/${file}.ts`),
];
const readingCommands = {
  ...node,
  entryPoints: { reading: 'all-reading' },
  plugins: [together('all-reading', readingFiles, exportsOnDemand), parserApart, loadApart, targetsApart],
  supported: { 'dynamic-import': false },
};

const entries = [
  recorder,
  attached,
  metrics,
  extension,
  { ...node, plugins: [together('all-targets', targets)], entryPoints: { targets: 'all-targets' } },
  { ...node, plugins: [together('all-verify', verify)], entryPoints: { verify: 'all-verify' } },
  {
    ...node,
    plugins: [together('all-runs', runs), targetsApart, verifyApart],
    entryPoints: { runs: 'all-runs' },
    supported: { 'dynamic-import': false },
  },
  { ...node, entryPoints: { flamegraphs: 'extension/flamegraph/flame-page.ts' } },
  { ...node, entryPoints: { 'tracked-marks': 'extension/marks/tracked-marks.ts' } },
  cli,
  command,
  readingCommands,
  { ...command, entryPoints: { thread: 'cli/thread.ts' } },
  { ...node, entryPoints: { 'parse-source': 'engine/read/source-code/parse-source.ts' } },
  { ...node, plugins: [together('all-load', load)], entryPoints: { load: 'all-load' } },
  {
    ...node,
    plugins: [parserApart, loadApart, targetsApart],
    entryPoints: { mcp: 'cli/mcp/serve.ts' },
    supported: { 'dynamic-import': false },
  },
  {
    ...node,
    plugins: [parserApart],
    entryPoints: {
      client: 'extension/results/client.ts',
      server: 'language-server/main.ts',
      'analysis-worker': 'language-server/recordings/worker.ts',
    },
  },
  {
    bundle: true,
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    entryPoints: { flamegraph: 'webview/main.ts' },
    alias: { 'd3-transition': './webview/quick-selections.ts' },
    absWorkingDir: root,
    minify: !watch,
    sourcemap: watch ? 'inline' : false,
    legalComments: 'none',
  },
];

/** Empties unused files of libraries: the server of `ws`, the code generator of `source-map`. */
const withoutUnused = {
  name: 'without-unused',
  setup: ({ onLoad }) =>
    onLoad(
      { filter: /[\\/](ws[\\/]lib[\\/](websocket-server|stream)|source-map[\\/]lib[\\/]source-node)\.js$/ },
      () => ({ contents: 'module.exports = {};' }),
    ),
};

/** Options of esbuild. Build them one after the other. */
export const bundles = entries.map((entry) => ({
  ...entry,
  plugins: [...(entry.plugins ?? []), withoutUnused],
  absWorkingDir: root,
  outdir: 'dist',
  logLevel: 'warning',
}));

/** The sources of all bundles, by paths from the root. */
export function inputsOf(metafiles) {
  return new Set([...insideTexts, ...metafiles.flatMap(({ inputs }) => Object.keys(inputs))]);
}
