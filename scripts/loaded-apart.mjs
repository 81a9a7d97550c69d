// Loading on demand: esbuild plugins that replace an import by one of a separate bundle, and the files of these bundles.
import * as esbuild from 'esbuild';
import { fileURLToPath } from 'node:url';
import { readFile } from 'node:fs/promises';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Replaces imports of these paths by an import of the bundle. */
function apart(bundle, filter, kindOfImport = 'dynamic-import') {
  return {
    name: `${bundle}-apart`,
    setup: ({ onResolve }) =>
      onResolve({ filter }, ({ kind }) =>
        kind === kindOfImport ? { path: `./${bundle}.cjs`, external: true } : undefined,
      ),
  };
}

/** The language client would cost the extension 80 ms at start. */
export const clientApart = apart('client', /\/client\.ts$/);

export const targets = ['find', 'file', 'app', 'script'].map((what) => `recorder/launch/targets/${what}-targets.ts`);

/** Finding tests and apps, which reads the configurations of all runners. */
export const targetsApart = apart('targets', /\/(find|file|app|script)-targets\.ts$/);

/** A virtual file for a bundle of these files; `textOf` makes its text from their paths. */
export const together = (name, files, textOf = exportsOfAll) => ({
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

/** Each file runs when the first of its exports is read, because a process runs only one of the commands. */
export async function exportsOnDemand(file) {
  const entry = { absWorkingDir: root, entryPoints: [file], format: 'esm', outdir: 'dist' };
  const { metafile } = await esbuild.build({ ...entry, write: false, metafile: true });
  const names = Object.values(metafile.outputs).flatMap((output) => output.exports);
  if (names.length === 0) throw new Error(`${file} exports nothing by name.`);
  const getter = (name) => `{ get: () => require(${JSON.stringify(`./${file}`)}).${name}, enumerable: true }`;
  return names.map((name) => `Object.defineProperty(exports, ${JSON.stringify(name)}, ${getter(name)});`).join('\n');
}

export const verify = [
  'extension/run/verify.ts',
  'extension/run/ask-elsewhere.ts',
  'extension/commands/compare-with.ts',
  ...['comparison-view', 'shown-comparison'].map((file) => `extension/comparison/${file}.ts`),
];

export const verifyApart = apart(
  'verify',
  /\/(run\/verify|ask-elsewhere|compare-with|comparison-view|shown-comparison)\.ts$/,
);

export const runs = ['can-run', 'ended-run', 'show-running', 'targets'].map((what) => `extension/run/${what}.ts`);

export const runsApart = apart('runs', /\/(can-run|ended-run|show-running|targets)\.ts$/);

/** It brings the tokenizer, which only figures on screen need. */
export const marksApart = apart('tracked-marks', /\/tracked-marks\.ts$/);

export const flamegraphsApart = apart('flamegraphs', /\/flame-page\.ts$/);

export const commandsApart = apart('commands', /\/commands\.ts$/);

/** One parser for all bundles. */
export const parserApart = apart('parse-source', /\/parse-source\.ts$/, 'import-statement');

export const load = ['load', 'read-requests'].map((what) => `recorder/launch/load/${what}.ts`);

/** The HTTP client is as large as all the rest of the command line. */
export const loadApart = apart('load', /\/launch\/load\/(load|read-requests)\.ts$/);

/** Keeps only the version of package.json, which would be a seventh of the command. */
export const versionAlone = {
  name: 'version-alone',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/package\.json$/ }, async ({ path: file }) => {
      const { version } = JSON.parse(await readFile(file, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json', watchFiles: [file] };
    }),
};

/** The start enables the compile cache before it loads the command. */
export const commandApart = apart('command', /\/main\.ts$/);

export const reading = [
  ...[
    'analyze',
    'attach',
    'baseline',
    'check',
    'compare',
    'export',
    'histogram',
    'make-sure',
    'offer-run',
    'recheck',
    'send-load',
    'watch-saves',
  ],
  'recordings',
];
export const manual = ['help', 'completions'];

/** The protocol of agents is larger than all the rest of the command line. */
export const mcpApart = apart('mcp', /\/mcp\/serve\.ts$/);

/** It serves editors; VS Code starts it without the command line. */
export const serverApart = apart('server', /\/language-server\/main\.ts$/);

/** Recording starts sooner without the commands that read recordings. */
export const readingApart = apart('reading', new RegExp(`/(${[...reading, ...manual].join('|')})\\.ts$`));
