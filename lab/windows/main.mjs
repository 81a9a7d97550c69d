// `npm run windows [-- WORD …]`: Hotspan on node.exe in Wine: what a person does, on Node 20 and 22, and the unit tests on
// Node 22. A word chooses the files with it in their path. Without Wine it says `Not run` and ends with exit code 3.
// The last line is `N passed, N failed`.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { runTests } from '../../scripts/test-runner.mjs';
import { build, ensureInstalled, root } from '../../scripts/setup.mjs';
import { knownToFail } from './known-failures.mjs';
import { endWindows, ensurePrefix, ensureWindowsNode, ensureWine, windowsNode } from './wine.mjs';

/** Wine 8 cannot run Node 24. The unit tests are TypeScript, which Node 20 cannot run. */
const [newest, oldest] = ['22.23.3', '20.20.2'];
const elsewhere = new Set(['contract', 'e2e', 'engine', 'fixtures', 'helpers', 'integration']);
const rooms = readdirSync(path.join(root, 'test')).filter((name) => !elsewhere.has(name));
const scenarios = 'lab/windows/scenarios.mjs';
/** The engine against the plain second implementation. */
const reference = 'test/engine/differential.test.ts';

const began = performance.now();
const reason = ensureWine();
if (reason !== null) {
  console.log(`Not run: ${reason}`);
  process.exit(3);
}
ensureInstalled();
ensurePrefix();
for (const version of [newest, oldest]) ensureWindowsNode(version);
build();
const installed = performance.now();

const words = process.argv.slice(2);
const isWanted = (file) => words.length === 0 || words.some((word) => file.includes(word));
const units = [...rooms.flatMap((room) => testsBelow(`test/${room}`)), reference];
process.once('exit', endWindows);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const results = [];
for (const version of [oldest, newest]) {
  const chosen = [scenarios, ...(version === newest ? units : [])].filter(isWanted);
  if (chosen.length === 0) continue;
  console.log(`\n== node.exe ${version}`);
  const { command, environment } = windowsNode(version);
  const limits = { testTimeoutMs: 3 * 60_000, timeoutMs: 5 * 60_000 };
  const options = { concurrency: 2, command, environment, known: knownToFail, maySkip: true, ...limits };
  results.push(await runTests(chosen, options));
}
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
for (const { failures } of results) if (failures.length > 0) console.log(`\n${failures.join('\n\n')}`);
const minutes = (from, to) => ((to - from) / 60_000).toFixed(1);
console.log(`\nInstalled in ${minutes(began, installed)} min, ran for ${minutes(installed, performance.now())} min.`);
console.log(`${sum('excused')} tests fail for a reason of Wine (lab/windows/known-failures.mjs).`);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exit(sum('failed') === 0 && sum('passed') > 0 ? 0 : 1);

function testsBelow(folder) {
  const names = readdirSync(path.join(root, folder), { recursive: true }).filter((name) => name.endsWith('.test.ts'));
  return names.map((name) => `${folder}/${name.split(path.sep).join('/')}`).toSorted();
}
