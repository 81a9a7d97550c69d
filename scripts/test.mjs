// `npm test` and `npm run test:all` (`--all`): prepares what each suite needs, runs it on the tools' Node and counts.
// `--rest` runs the difference of the two. Other words choose the files with one of them in their path.
// The last line is always `N passed, N failed`; nothing is skipped silently.
import { readdirSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureBrowser, ensureVscode, openVscodeWorker } from './vscode-server.mjs';
import { ensureOuterNodeVersions } from './node-versions.mjs';
import { build, ensureExamples, ensureInstalled, root, packageExtension } from './setup.mjs';
import { runTests } from './test-runner.mjs';

/** A test or a file that takes longer hangs. */
const hangsAfterMs = { test: 6 * 60_000, file: 15 * 60_000 };

/**
 * A file belongs to the first suite whose folder it is in. `isQuick`: `npm test` runs it, so it needs only what `npm ci`
 * installs. `isLive`: as in `inOwnGroup`. `workers`: how many files run at a time, one for each processor unless they
 * mostly wait.
 */
const processors = os.availableParallelism();
const suites = [
  { name: 'core', folder: 'test/integration/core', isQuick: true, isLive: true, prepare: [] },
  {
    name: 'integration',
    folder: 'test/integration',
    isLive: true,
    prepare: [ensureExamples, ensureOuterNodeVersions],
    workers: processors + 1,
  },
  { name: 'package', folder: 'test/contract/package', prepare: [packageExtension] },
  {
    name: 'e2e',
    folder: 'test/e2e',
    prepare: [ensureExamples, ensureBrowser, ensureVscode, packageExtension],
    openWorker: openVscodeWorker,
    workers: processors + 1,
  },
  {
    name: 'unit',
    folder: 'test',
    isQuick: true,
    prepare: [],
    // The files share most of their imports: V8's code cache halves their time.
    environment: { NODE_COMPILE_CACHE: path.join(root, '.cache/compiled') },
  },
];

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const options = process.argv.slice(2).filter((word) => word.startsWith('--'));
const unknown = options.filter((option) => option !== '--all' && option !== '--rest');
const isWanted = ({ isQuick = false }) =>
  options.includes('--rest') ? !isQuick : options.includes('--all') || isQuick;

const counts = { passed: 0, failed: 0 };
const failures = [];
const prepared = new Map();
const wanted = new Set(chooseFiles());

process.on('exit', () => {
  const missing = [...wanted].map(({ name }) => name);
  if (missing.length > 0) failures.push(`Not run to the end: ${missing.join(', ')}.`);
  if (failures.length > 0) console.log(`\n${failures.join('\n\n')}`);
  const failed = counts.failed + missing.length;
  console.log(`\n${counts.passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && counts.passed > 0 ? 0 : 1;
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

if (unknown.length > 0) {
  failures.push(`There is no option ${unknown.join(', ')}: --all runs every test, a word those with it in their path.`);
  process.exit(1);
}
if (wanted.size === 0) {
  failures.push(
    `No test file has "${words.join('" or "')}" in its path${options.length > 0 ? '' : ': npm run test:all has more'}.`,
  );
  process.exit(1);
}
ensureInstalled();
build();
// What a later suite needs is fetched while the first ones run.
for (const step of [...wanted].flatMap(({ prepare }) => prepare)) once(step).catch(() => {});
for (const suite of wanted) {
  console.log(`\n== ${suite.name}`);
  const result = await runSuite(suite);
  counts.passed += result.passed;
  counts.failed += result.failed;
  failures.push(...result.failures);
  wanted.delete(suite);
}

async function runSuite({ name, files, prepare, workers = processors, isLive, environment, openWorker }) {
  try {
    for (const step of prepare) await once(step);
  } catch (error) {
    return { passed: 0, failed: 1, failures: [`The ${name} tests cannot run: ${error.message}`] };
  }
  return runTests(files, {
    concurrency: workers,
    testTimeoutMs: hangsAfterMs.test,
    timeoutMs: hangsAfterMs.file,
    isLive,
    environment,
    openWorker,
    commandFor,
  });
}

/** The wanted suites that have a file with one of the words in its path, with these files. */
function chooseFiles() {
  // A long text mostly takes long: begun last, it would run alone.
  const sizeOf = (file) => statSync(path.join(root, file)).size;
  const all = testFiles('test').toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const isChosen = (file) => words.length === 0 || words.some((word) => file.includes(word));
  return suites
    .filter(isWanted)
    .map((suite) => ({ ...suite, files: all.filter((file) => suiteOf(file) === suite && isChosen(file)) }))
    .filter(({ files }) => files.length > 0);
}

/** `*.test.ts` below a folder; not those of `npm run nightly`. */
function testFiles(folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ['node_modules', 'fixtures', 'nightly'].includes(entry.name) ? [] : testFiles(file);
    return file.endsWith('.test.ts') ? [file] : [];
  });
}

function suiteOf(file) {
  return suites.find(({ folder }) => file.startsWith(`${folder}/`));
}

function commandFor(file) {
  return `npm ${suiteOf(file)?.isQuick === true ? 'test' : 'run test:all'} -- ${file}`;
}

/** Each step of the preparation once for all suites; a failed one fails each suite that needs it. */
function once(step) {
  prepared.set(step, prepared.get(step) ?? Promise.resolve().then(step));
  return prepared.get(step);
}
