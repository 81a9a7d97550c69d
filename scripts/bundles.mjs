// How every entry point is bundled into dist/.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const watch = process.argv.includes('--watch');

/** Files of bundles that stand as texts in other bundles, by their paths from the root. Complete when all are built. */
const insideTexts = new Set();

/** Code that runs in Node: the person's (20 and later) and VS Code's. */
const node = {
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

/** The recorder itself is a text in the file that is loaded, which gives it to V8 with what V8 knows of it already. */
const recorderText = {
  name: 'recorder-text',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/recorder\/preload\/boot\.ts$/ }, async ({ path: file }) => {
      const inside = {
        ...node,
        target: 'node18',
        keepNames: false,
        // As they were at its start: some programs take them away to look like a browser, or put their own there.
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

/** Any Node that a test run starts may load the recorder: an old one must be able to read it, and then leaves it alone. */
const recorder = {
  ...node,
  target: 'es2015',
  keepNames: false,
  entryPoints: { recorder: 'recorder/preload/boot.ts' },
  plugins: [recorderText],
  banner: { js: 'if (parseInt(process.versions.node, 10) >= 18) try { (function () {' },
  footer: { js: '})() } catch (error) { /* The program goes on without being recorded. */ }' },
};

/** The language client stays out of the extension's bundle, which loads it on first need: it would cost 80 ms at start. */
const clientApart = {
  name: 'client-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/client\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './client.cjs', external: true } : undefined,
    ),
};

const targets = ['find', 'file', 'app', 'script'].map((what) => `recorder/launch/targets/${what}-targets.ts`);

/** What finds tests and apps reads configurations of all runners: the extension and the command load it when something is to be profiled. */
const targetsApart = {
  name: 'targets-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/(find|file|app|script)-targets\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './targets.cjs', external: true } : undefined,
    ),
};

/** Files that are loaded together, as one file, which `textOf` makes of their paths. */
const together = (name, files, textOf = exportsOfAll) => ({
  name,
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: name }));
    onLoad({ filter: /.*/, namespace: name }, async () => ({
      contents: (await Promise.all(files.map(textOf))).join('\n'),
      resolveDir: root,
    }));
  },
});

function exportsOfAll(file) {
  return `export * from ${JSON.stringify(`./${file}`)};`;
}

/** Each file, with what it needs, runs when the first thing is taken out of it: one of many commands is all that is run. */
async function exportsOnDemand(file) {
  const entry = { absWorkingDir: root, entryPoints: [file], format: 'esm', outdir: 'dist' };
  const { metafile } = await esbuild.build({ ...entry, write: false, metafile: true });
  const names = Object.values(metafile.outputs).flatMap((output) => output.exports);
  if (names.length === 0) throw new Error(`${file} exports nothing by name.`);
  const taken = (name) => `{ get: () => require(${JSON.stringify(`./${file}`)}).${name}, enumerable: true }`;
  return names.map((name) => `Object.defineProperty(exports, ${JSON.stringify(name)}, ${taken(name)});`).join('\n');
}

const verify = [
  'extension/run/verify.ts',
  'extension/run/ask-elsewhere.ts',
  'extension/commands/compare-with.ts',
  ...['comparison-view', 'open-compared', 'shown-comparison'].map((file) => `extension/comparison/${file}.ts`),
];

/** What says whether a change has helped is loaded when somebody asks, and so is the question where files from elsewhere are. */
const verifyApart = {
  name: 'verify-apart',
  setup: ({ onResolve }) =>
    onResolve(
      { filter: /\/(run\/verify|ask-elsewhere|compare-with|comparison-view|open-compared|shown-comparison)\.ts$/ },
      ({ kind }) => (kind === 'dynamic-import' ? { path: './verify.cjs', external: true } : undefined),
    ),
};

/** What commands do is loaded with the first one: the editor starts sooner. */
const commandsApart = {
  name: 'commands-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/commands\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './commands.cjs', external: true } : undefined,
    ),
};

/** The parser of sources is a file of its own, for all that load it: the command line does so on first need, and starts sooner. */
const parserApart = {
  name: 'parser-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/parse-source\.ts$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: './parse-source.cjs', external: true } : undefined,
    ),
};

/** The client that sends load is as large as all the rest of the command line, which loads it on first need. */
const loadApart = {
  name: 'load-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/launch\/load\/load\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './load.cjs', external: true } : undefined,
    ),
};

/** Of the manifest, which is a seventh of the command, only the version is used. */
const versionAlone = {
  name: 'version-alone',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/package\.json$/ }, async ({ path: file }) => {
      const { version } = JSON.parse(await readFile(file, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json', watchFiles: [file] };
    }),
};

/** What V8 compiled of the command can be kept only where something else runs before it is loaded. */
const commandApart = {
  name: 'command-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/main\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './command.cjs', external: true } : undefined,
    ),
};

const reading = [
  'after-recording',
  ...[
    'analyze',
    'attach',
    'baseline',
    'check',
    'compare',
    'compare-pairs',
    'histogram',
    'offer-run',
    'recheck',
    'recordings',
  ],
];
const manual = ['help', 'bash-completion', 'zsh-completion', 'fish-completion'];

/** Recording starts sooner without what reads recordings, which is a file of its own. */
const readingApart = {
  name: 'reading-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: new RegExp(`/(${[...reading, ...manual].join('|')})\\.ts$`) }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './reading.cjs', external: true } : undefined,
    ),
};

const extension = {
  ...node,
  entryPoints: { extension: 'extension/main.ts', commands: 'extension/commands/commands.ts' },
  plugins: [clientApart, targetsApart, verifyApart, commandsApart],
  // `require` instead, which VS Code gives its own module to.
  supported: { 'dynamic-import': false },
};

const cli = {
  ...node,
  entryPoints: { cli: 'cli/start.ts' },
  plugins: [commandApart],
  // `require` instead: `import` would load all that modules need first.
  supported: { 'dynamic-import': false },
  banner: { js: '#!/usr/bin/env node' },
};

const command = {
  ...node,
  entryPoints: { command: 'cli/main.ts' },
  plugins: [readingApart, parserApart, loadApart, targetsApart, versionAlone],
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
  extension,
  { ...node, plugins: [together('all-targets', targets)], entryPoints: { targets: 'all-targets' } },
  { ...node, plugins: [together('all-verify', verify)], entryPoints: { verify: 'all-verify' } },
  cli,
  command,
  readingCommands,
  {
    ...node,
    entryPoints: { 'parse-source': 'engine/source-code/parse-source.ts', load: 'recorder/launch/load/load.ts' },
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

/** Files of libraries that nothing of ours asks for: a server of `ws`, a generator of code with a map. They stay empty. */
const withoutUnused = {
  name: 'without-unused',
  setup: ({ onLoad }) =>
    onLoad(
      { filter: /[\\/](ws[\\/]lib[\\/](websocket-server|stream)|source-map[\\/]lib[\\/]source-node)\.js$/ },
      () => ({
        contents: 'module.exports = {};',
      }),
    ),
};

/** Options of esbuild, to be built one after the other. */
export const bundles = entries.map((entry) => ({
  ...entry,
  plugins: [...(entry.plugins ?? []), withoutUnused],
  absWorkingDir: root,
  outdir: 'dist',
  logLevel: 'warning',
}));

/** What all bundles are made of, by paths from the root. */
export function inputsOf(metafiles) {
  return new Set([...insideTexts, ...metafiles.flatMap(({ inputs }) => Object.keys(inputs))]);
}
