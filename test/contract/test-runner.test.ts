import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { projectFile, projectRoot } from '../helpers/project.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'hotspan-runner-'));
after(() => rmSync(folder, { recursive: true }));

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
  assert.deepEqual(countsOf({ passes, hangs: 'setInterval(() => {}, 1000);' }, { timeoutMs: 2_000 }), {
    passed: 1,
    failed: 1,
  });
});

test('nothing is left out silently: a skipped test and an empty suite count as failed', () => {
  assert.deepEqual(countsOf({ passes, skips: "import { test } from 'node:test'; test.skip('later');" }), {
    passed: 1,
    failed: 1,
  });
  assert.deepEqual(countsOf({}), { passed: 0, failed: 1 });
});

test('a file is run again only if what failed first is on a real clock, and what is broken stays broken', () => {
  const failsOnce = (name: string, marker: string): string =>
    `import { existsSync, writeFileSync } from 'node:fs'; import { describe, test } from 'node:test';
    const fail = () => { if (!existsSync('${marker}')) { writeFileSync('${marker}', ''); throw new Error(); } };
    describe('${name}', () => { test('passes', () => {}); test('fails once', fail); });`;
  const onClock = failsOnce('a program (real clock)', path.join(folder, 'on-clock'));
  const other = failsOnce('a program', path.join(folder, 'other'));
  const broken = "import { test } from 'node:test'; test('fails (real clock)', () => { throw new Error(); });";
  assert.deepEqual(countsOf({ onClock }), { passed: 2, failed: 0 });
  assert.deepEqual(countsOf({ other }), { passed: 1, failed: 1 });
  assert.deepEqual(countsOf({ broken }), { passed: 0, failed: 1 });
});

/** The runner's counts over test files of the given texts. */
function countsOf(texts: Readonly<Record<string, string>>, options: { readonly timeoutMs?: number } = {}): unknown {
  const files = Object.entries(texts).map(([name, text]) => {
    const file = path.join(folder, `${name}.test.mjs`);
    writeFileSync(file, text);
    return file;
  });
  const allOptions = JSON.stringify({ concurrency: 1, timeoutMs: 30_000, ...options });
  const call = `await runTests(${JSON.stringify(files)}, ${allOptions})`;
  const script = `const { runTests } = await import('./scripts/test-runner.mjs'); console.log(JSON.stringify(${call}));`;
  const node = projectFile('node_modules/.bin/node');
  const { stdout } = spawnSync(node, ['--input-type=module', '-e', script], { cwd: projectRoot, encoding: 'utf8' });
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
}
