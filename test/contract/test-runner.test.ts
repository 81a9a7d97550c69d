import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { isRecord, parseJson } from '../../protocol/json-value.ts';
import { projectFile, projectRoot } from '../helpers/project.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

const folder = temporaryProject({});

const passes = "import { test } from 'node:test'; test('passes', () => {});";

test('what passes and what fails is counted over all files', () => {
  const fails =
    "import { test } from 'node:test'; test('passes', () => {}); test('fails', () => { throw new Error(); });";
  assert.deepEqual(countsOf({ passes, fails }), { passed: 2, failed: 1 });
});

test('a file that dies counts as failed', () => {
  assert.deepEqual(countsOf({ passes, dies: 'process.exit(3);' }), { passed: 1, failed: 1 });
  assert.deepEqual(countsOf({ passes, dies: "process.kill(process.pid, 'SIGKILL');" }), { passed: 1, failed: 1 });
  assert.deepEqual(countsOf({ passes, dies: "import './nowhere.mjs';" }), { passed: 1, failed: 1 });
});

test('a file that hangs counts as failed', () => {
  assert.deepEqual(countsOf({ hangs: 'setInterval(() => {}, 1000);' }, { timeoutMs: 1 }), { passed: 0, failed: 1 });
});

test('nothing is left out silently: a skipped test and an empty suite count as failed', () => {
  assert.deepEqual(countsOf({ passes, skips: "import { test } from 'node:test'; test.skip('later');" }), {
    passed: 1,
    failed: 1,
  });
  assert.deepEqual(countsOf({}), { passed: 0, failed: 1 });
});

test('a failure explains itself: the test, what was expected, the screenshot, how to run it alone', () => {
  const fails = `import assert from 'node:assert/strict'; import { test } from 'node:test';
    console.log('Screenshot: /pictures/failed.png');
    test('a cart', async (t) => { await t.test('adds up', () => { assert.equal(1, 2, 'one is not two'); }); });`;
  const { failures } = run({ fails });
  const file = path.join(folder, 'fails.test.mjs');
  assert.deepEqual(failures, [
    `✖ ${file}\n  a cart › adds up (line 3)\n    one is not two\n    1 !== 2\n  screenshot: /pictures/failed.png\n  alone: npm test -- ${file}`,
  ]);
});

test('files of one worker share what it opened, until one of them fails', () => {
  const asks =
    "import { test } from 'node:test'; test('asks', () => { if (process.env.WORKER !== '1') throw new Error(); });";
  const others = { asks, also: asks, fails: asks.replace("'1'", "'2'"), last: asks.replace("'1'", "'2'") };
  assert.deepEqual(countsOf(others, { openWorker: true }), { passed: 3, failed: 1 });
});

interface Options {
  readonly timeoutMs?: number;
  /** Give each worker a number, in its files' variable WORKER. */
  readonly openWorker?: boolean;
}

interface Result {
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly string[];
}

function countsOf(texts: Readonly<Record<string, string>>, options?: Options): unknown {
  const { passed, failed } = run(texts, options);
  return { passed, failed };
}

/** What the runner says of test files of the given texts. */
function run(
  texts: Readonly<Record<string, string>>,
  { timeoutMs = 900_000, openWorker = false }: Options = {},
): Result {
  const files = Object.entries(texts).map(([name, text]) => {
    const file = path.join(folder, `${name}.test.mjs`);
    writeFileSync(file, text);
    return file;
  });
  const worker =
    'let count = 0; const openWorker = async () => ({ environment: { WORKER: String(++count) }, close() {} });';
  const options = `{ concurrency: 1, timeoutMs: ${timeoutMs}, commandFor: (file) => 'npm test -- ' + file${openWorker ? ', openWorker' : ''} }`;
  const script = `${worker} const { runTests } = await import('./scripts/test-runner.mjs');
    console.log(JSON.stringify(await runTests(${JSON.stringify(files)}, ${options})));`;
  const node = projectFile('node_modules/.bin/node');
  const { stdout } = spawnSync(node, ['--input-type=module', '-e', script], { cwd: projectRoot, encoding: 'utf8' });
  const result = parseJson(stdout.trimEnd().split('\n').at(-1) ?? '');
  return isResult(result) ? result : assert.fail(stdout);
}

function isResult(value: unknown): value is Result {
  return isRecord(value) && 'failures' in value;
}
