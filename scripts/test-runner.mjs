// Runs test files with node:test, each in a process of its own on the tools' Node, and counts. `node --test` is not used:
// it waits for ever for a file that hangs. Here a file that dies, hangs or has no test counts as failed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './setup.mjs';
import { toolsEnvironment, toolsNode } from './tools.mjs';

const reporter = fileURLToPath(new URL('count-reporter.mjs', import.meta.url));

/**
 * `{ passed, failed }` over the files, `concurrency` of them at a time; a skipped or unfinished test counts as failed.
 * A file may take `timeoutMs`, then it is killed with all that it started. Each file's output is printed when it ends.
 * A file is run a second time, which is said, if its first failed test has "(real clock)" in its name or its group's: a
 * busy machine can disturb such a test. What is broken fails again, and the second run counts.
 */
export async function runTests(files, { concurrency, timeoutMs }) {
  if (files.length === 0) return complain('There is no test file.');
  const folder = mkdtempSync(path.join(tmpdir(), 'hotspan-tests-'));
  const results = [];
  const waiting = files.map((file, i) => ({ file, countsFile: path.join(folder, `${i}.json`) }));
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      results.push(await runFileAtMostTwice(next, timeoutMs));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  rmSync(folder, { recursive: true });
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  return { passed: sum('passed'), failed: sum('failed') };
}

async function runFileAtMostTwice(file, timeoutMs) {
  const result = judge(file, await runFile(file, timeoutMs));
  if (!result.isOnRealClock) return result;
  console.log(`${file.file} failed in a test on a real clock: it is run once more.
`);
  rmSync(file.countsFile);
  return judge(file, await runFile(file, timeoutMs));
}

/** How the file's process ended, in words; `undefined` when it exited with 0. */
async function runFile({ file, countsFile }, timeoutMs) {
  const options = [
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    ...[`--test-reporter=${reporter}`, `--test-reporter-destination=${countsFile}`],
  ];
  const child = spawn(toolsNode, [...options, file], {
    cwd: root,
    env: { ...toolsEnvironment, NODE_TEST_CONTEXT: undefined }, // or node:test reports to a runner that is not there
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const kill = () => killGroup(child.pid);
  process.once('exit', kill);
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  const timer = setTimeout(kill, timeoutMs);
  const [code, signal] = await once(child, 'exit');
  clearTimeout(timer);
  kill();
  process.off('exit', kill);
  console.log(`-- ${file}\n${withoutSummary(Buffer.concat(output).toString())}`);
  if (code === 0) return undefined;
  return signal === null
    ? `ended with exit code ${code}`
    : `was ended by ${signal} (${timeoutMs / 1000} s are allowed)`;
}

/** Kills what the file's process has left running: it leads a process group of its own. */
function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error;
  }
}

function judge({ file, countsFile }, ended) {
  const text = existsSync(countsFile) ? readFileSync(countsFile, 'utf8') : '';
  if (text === '') return complain(`${file} ${ended ?? 'has no test'}.`);
  const { passed, failed, cancelled, skipped, todo, firstFailed } = JSON.parse(text);
  const notRun = skipped + todo;
  if (notRun > 0) console.log(`${file}: ${notRun} skipped tests count as failed: nothing is left out silently.`);
  const allFailed = failed + cancelled + notRun;
  if (allFailed === 0 && ended !== undefined) return complain(`${file} ${ended}.`, passed);
  if (allFailed === 0 && passed === 0) return complain(`${file} has no test.`);
  return {
    passed,
    failed: allFailed,
    isOnRealClock: firstFailed?.some((name) => name.includes('(real clock)')) ?? false,
  };
}

/** The spec reporter ends with eight lines of counts; ours is one line at the very end. */
function withoutSummary(output) {
  return output.replaceAll(/^ℹ (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) .*\n/gm, '');
}

function complain(sentence, passed = 0) {
  console.log(sentence);
  return { passed, failed: 1 };
}
