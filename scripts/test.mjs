// `npm test`, `npm test -- unit e2e`: prepares what each suite needs, runs it on the tools' Node and counts over all.
// The last line is `N passed, N failed`, whatever happens; nothing is skipped silently.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { ensureNodeVersions } from './node-versions.mjs';
import { build, ensureInstalled, root } from './setup.mjs';
import { runTests } from './test-runner.mjs';
import { ensureVscode } from './vscode-install.mjs';
import { packageExtension } from './vsix.mjs';

const minutes = (count) => count * 60_000;

/** A suite is the folder of its tests, what must be there first, and the longest that one file may take. */
const suites = {
  unit: { prepare: [], concurrency: 2, timeoutMs: minutes(3) },
  integration: { prepare: [ensureExamples, ensureNodeVersions], concurrency: 1, timeoutMs: minutes(6) },
  package: { folder: 'test/contract/package', prepare: [packageExtension], concurrency: 1, timeoutMs: minutes(3) },
  e2e: {
    prepare: [ensureExamples, ensureBrowser, ensureVscode, packageExtension],
    concurrency: 1,
    timeoutMs: minutes(20), // A re-check takes minutes where others have the processors.
  },
};
const folders = Object.entries(suites).map(([name, { folder = `test/${name}` }]) => ({ name, folder }));

const counts = { passed: 0, failed: 0 };
const started = new Map();
const done = new Set();
const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(suites);

process.on('exit', () => {
  const missing = wanted.filter((name) => !done.has(name));
  if (missing.length > 0) console.log(`Not run to the end: ${missing.join(', ')}.`);
  const failed = counts.failed + missing.length;
  console.log(`${counts.passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && counts.passed > 0 ? 0 : 1;
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

const unknown = wanted.filter((name) => !Object.hasOwn(suites, name));
if (unknown.length > 0) {
  console.log(`There is no suite "${unknown.join('", "')}": choose among ${Object.keys(suites).join(', ')}.`);
  process.exit(1);
}
ensureInstalled();
build();
for (const name of wanted) {
  console.log(`\n== ${name}`);
  const result = await runSuite(name);
  counts.passed += result.passed;
  counts.failed += result.failed;
  done.add(name);
}

async function runSuite(name) {
  const { prepare, ...options } = suites[name];
  try {
    for (const step of prepare) await once(step);
  } catch (error) {
    console.log(`The ${name} tests cannot run: ${error.message}`);
    return { passed: 0, failed: 1 };
  }
  return runTests(testFiles(name), options);
}

/** `*.test.ts` below the suite's folder; of unit, everything that is in no other suite's folder. */
function testFiles(name) {
  const suiteOf = (file) => folders.find(({ folder }) => file.startsWith(`${folder}/`))?.name ?? 'unit';
  return readdirSync(path.join(root, 'test'), { recursive: true })
    .map((file) => `test/${file.replaceAll(path.sep, '/')}`)
    .filter((file) => file.endsWith('.test.ts') && !/\/(node_modules|fixtures)\//.test(file) && suiteOf(file) === name)
    .toSorted();
}

function ensureExamples() {
  for (const { name } of readdirSync(path.join(root, 'examples'), { withFileTypes: true }).filter((e) =>
    e.isDirectory(),
  ))
    ensureInstalled(path.join(root, 'examples', name));
}

/** Each step of the preparation once for all suites; a failed one fails each suite that needs it. */
function once(step) {
  started.set(step, started.get(step) ?? Promise.resolve().then(step));
  return started.get(step);
}
