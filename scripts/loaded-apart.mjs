// What is loaded on demand: plugins of esbuild that leave a file out of a bundle, which asks for a bundle of its own
// instead, and what stands in these.
import * as esbuild from 'esbuild';
import { fileURLToPath } from 'node:url';
import { readFile } from 'node:fs/promises';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A plugin that leaves the files of these paths out of a bundle, which asks for another one instead. */
function apart(bundle, filter, kindOfImport = 'dynamic-import') {
  return {
    name: `${bundle}-apart`,
    setup: ({ onResolve }) =>
      onResolve({ filter }, ({ kind }) =>
        kind === kindOfImport ? { path: `./${bundle}.cjs`, external: true } : undefined,
      ),
  };
}

/** The language client stays out of the extension's bundle, which loads it on first need: it would cost 80 ms at start. */
export const clientApart = apart('client', /\/client\.ts$/);

export const targets = ['find', 'file', 'app', 'script'].map((what) => `recorder/launch/targets/${what}-targets.ts`);

/** What finds tests and apps reads configurations of all runners: the extension and the command load it when something is to be profiled. */
export const targetsApart = apart('targets', /\/(find|file|app|script)-targets\.ts$/);

/** Files that are loaded together, as one file, which `textOf` makes of their paths. */
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

/** Each file, with what it needs, runs when the first thing is taken out of it: one of many commands is all that is run. */
export async function exportsOnDemand(file) {
  const entry = { absWorkingDir: root, entryPoints: [file], format: 'esm', outdir: 'dist' };
  const { metafile } = await esbuild.build({ ...entry, write: false, metafile: true });
  const names = Object.values(metafile.outputs).flatMap((output) => output.exports);
  if (names.length === 0) throw new Error(`${file} exports nothing by name.`);
  const taken = (name) => `{ get: () => require(${JSON.stringify(`./${file}`)}).${name}, enumerable: true }`;
  return names.map((name) => `Object.defineProperty(exports, ${JSON.stringify(name)}, ${taken(name)});`).join('\n');
}

export const verify = [
  'extension/run/verify.ts',
  'extension/run/ask-elsewhere.ts',
  'extension/commands/compare-with.ts',
  ...['comparison-view', 'shown-comparison'].map((file) => `extension/comparison/${file}.ts`),
];

/** What says whether a change has helped is loaded when somebody asks, and so is the question where files from elsewhere are. */
export const verifyApart = apart(
  'verify',
  /\/(run\/verify|ask-elsewhere|compare-with|comparison-view|shown-comparison)\.ts$/,
);

export const runs = ['can-run', 'ended-run', 'targets'].map((what) => `extension/run/${what}.ts`);

/** Whether a command can run, which tests there are, how a run ended and what is shown of it: loaded when first asked. */
export const runsApart = apart('runs', /\/(can-run|ended-run|targets)\.ts$/);

/** What answers the page of a flamegraph is loaded with the first one. */
export const flamegraphsApart = apart('flamegraphs', /\/flame-page\.ts$/);

/** What commands do is loaded with the first one: the editor starts sooner. */
export const commandsApart = apart('commands', /\/commands\.ts$/);

/** The parser of sources is a file of its own, for all that load it: the command line does so on first need, and starts sooner. */
export const parserApart = apart('parse-source', /\/parse-source\.ts$/, 'import-statement');

/** The client that sends load is as large as all the rest of the command line, which loads it on first need. */
export const loadApart = apart('load', /\/launch\/load\/load\.ts$/);

/** Of the manifest, which is a seventh of the command, only the version is used. */
export const versionAlone = {
  name: 'version-alone',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/package\.json$/ }, async ({ path: file }) => {
      const { version } = JSON.parse(await readFile(file, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json', watchFiles: [file] };
    }),
};

/** What V8 compiled of the command can be kept only where something else runs before it is loaded. */
export const commandApart = apart('command', /\/main\.ts$/);

export const reading = [
  'after-recording',
  ...[
    'analyze',
    'attach',
    'baseline',
    'check',
    'compare',
    'compare-pairs',
    'histogram',
    'make-sure',
    'offer-run',
    'recheck',
    'recordings',
  ],
];
export const manual = ['help', 'bash-completion', 'zsh-completion', 'fish-completion'];

/** Recording starts sooner without what reads recordings, which is a file of its own. */
export const readingApart = apart('reading', new RegExp(`/(${[...reading, ...manual].join('|')})\\.ts$`));
