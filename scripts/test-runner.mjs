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

/** How long a file that hangs may take to end what it has started. */
const endsWithinMs = 10_000;

/** What a helper prints for a person who looks for the cause: `Screenshot: FILE`. */
const screenshotLine = /^.*\bScreenshot: (.+)$/gm;

/**
 * `{ passed, failed, failures }` over the files, `concurrency` of them at a time; a skipped or unfinished test counts as
 * failed. A test that is not done after `testTimeoutMs` hangs, and fails; a file that is not done after `timeoutMs` is
 * killed with all that it started. A file that passes prints one line, one that fails its whole output. `failures`
 * explain what failed, a text for each file.
 *
 * `openWorker()` gives what the files of one worker share: `environment` for each file's process and `close()`. A file
 * that fails may have spoiled it, so the next file gets a new one.
 */
export async function runTests(files, { concurrency, openWorker = noWorker, commandFor, ...options }) {
  if (files.length === 0) return { passed: 0, failed: 1, failures: ['There is no test file.'] };
  const folder = mkdtempSync(path.join(tmpdir(), 'hotspan-tests-'));
  const waiting = files.map((file, i) => ({ file, countsFile: path.join(folder, `${i}.json`) }));
  const results = [];
  const work = async () => {
    let worker;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const result = await runWith(next);
      results.push(result);
      print(result);
    }
    await worker?.close();

    async function runWith({ file, countsFile }) {
      try {
        worker ??= await openWorker();
      } catch (error) {
        return { file, passed: 0, failed: 1, seconds: 0, output: '', problems: [error.message] };
      }
      // Without the variable recordings would lie in the person's cache folder.
      const run = await runFile({
        ...{ file, countsFile, ...options },
        environment: {
          HOTSPAN_RECORDINGS: path.join(folder, 'recordings'),
          ...options.environment,
          ...worker.environment,
        },
      });
      const result = judge(file, countsFile, run);
      if (result.failed > 0) {
        await worker.close();
        worker = undefined;
      }
      return result;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  rmSync(folder, { recursive: true });
  return together(results, commandFor);
}

function together(results, commandFor) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const failures = results.filter(({ failed }) => failed > 0).map((result) => explain(result, commandFor));
  return { passed: sum('passed'), failed: sum('failed'), failures };
}

const noWorker = async () => ({ environment: {}, close: async () => {} });

/** What the file's process printed, how long it took, and in words how it ended: `undefined` where it exited with 0. */
async function runFile({ file, countsFile, timeoutMs, testTimeoutMs = timeoutMs, environment }) {
  const options = [
    `--test-timeout=${testTimeoutMs}`,
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    ...[`--test-reporter=${reporter}`, `--test-reporter-destination=${countsFile}`],
  ];
  const started = performance.now();
  const child = spawn(toolsNode, [...options, file], {
    cwd: root,
    // With NODE_TEST_CONTEXT node:test would report to a runner that is not there.
    env: { ...toolsEnvironment, NODE_TEST_CONTEXT: undefined, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const kill = () => killGroup(child.pid);
  process.once('exit', kill);
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
  // SIGTERM first: the file may have started a server, whose process group is another one.
  let hangs = false;
  const end = () => {
    hangs = true;
    child.kill('SIGTERM');
  };
  const timers = [setTimeout(end, timeoutMs), setTimeout(kill, timeoutMs + endsWithinMs)];
  const [code, signal] = await once(child, 'exit');
  for (const timer of timers) clearTimeout(timer);
  kill();
  process.off('exit', kill);
  const output = withoutSummary(Buffer.concat(chunks).toString());
  const seconds = (performance.now() - started) / 1000;
  if (hangs) return { output, seconds, ended: `It was ended: it may take ${timeoutMs / 1000} s.` };
  if (code === 0) return { output, seconds };
  return {
    output,
    seconds,
    ended: signal === null ? `It ended with exit code ${code}.` : `It was ended by ${signal}.`,
  };
}

/** Kills what the file's process has left running: it leads a process group of its own. */
function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error;
  }
}

function judge(file, countsFile, { output, seconds, ended }) {
  const text = existsSync(countsFile) ? readFileSync(countsFile, 'utf8') : '';
  if (text === '') return { file, seconds, output, passed: 0, failed: 1, problems: [ended ?? 'It has no test.'] };
  const { passed, failed, cancelled, skipped, todo, failures } = JSON.parse(text);
  const notRun = skipped + todo;
  const problems = failures.map(({ name, line, reason }) => `${name} (line ${line})\n${indent(shorten(reason))}`);
  if (notRun > 0) problems.push(`${notRun} skipped tests count as failed: nothing is left out silently.`);
  const allFailed = failed + cancelled + notRun;
  if (allFailed === 0 && ended !== undefined) problems.push(ended);
  if (allFailed === 0 && ended === undefined && passed === 0) problems.push('It has no test.');
  return { file, seconds, output, passed, failed: allFailed === 0 && problems.length > 0 ? 1 : allFailed, problems };
}

function print({ file, passed, failed, seconds, output }) {
  const tests = failed === 0 ? `${passed} passed` : `${passed} passed, ${failed} failed`;
  console.log(`${failed === 0 ? '✔' : '✖'} ${file}: ${tests} (${seconds.toFixed(1)} s)`);
  if (failed > 0) console.log(output);
}

/** What failed, what was expected, the last screenshot, and how to run the file alone. */
function explain({ file, problems, output }, commandFor) {
  const screenshots = [...output.matchAll(screenshotLine)].map(([, image]) => `screenshot: ${image}`);
  const alone = commandFor === undefined ? [] : [`alone: ${commandFor(file)}`];
  return [`✖ ${file}`, ...[...problems, ...screenshots, ...alone].map(indent)].join('\n');
}

/** The spec reporter ends with eight lines of counts; ours is one line at the very end. */
function withoutSummary(output) {
  return output.replaceAll(/^ℹ (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) .*\n/gm, '');
}

function shorten(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length <= 20 ? lines.join('\n') : [...lines.slice(0, 20), '…'].join('\n');
}

function indent(text) {
  return text.replaceAll(/^/gm, '  ');
}
