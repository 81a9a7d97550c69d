// Runs test files with node:test, each in its own process on the tools' Node, and counts. `node --test` would wait forever
// for a file that hangs. Here a file that dies, hangs or has no test counts as failed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inOwnGroup, killGroup, root, toolsEnvironment, toolsNode } from './setup.mjs';

const reporter = fileURLToPath(new URL('count-reporter.mjs', import.meta.url));

/** How long a file that hangs may take to stop what it started. */
const MAX_END_MS = 10_000;

/** Test helpers print `Screenshot: FILE`. */
const screenshotLine = /^.*\bScreenshot: (.+)$/gm;

/**
 * `{ passed, failed, failures }` over the files, `concurrency` of them at a time; a skipped or unfinished test counts as
 * failed. A test fails after `testTimeoutMs`; a file is killed with its processes after `timeoutMs`. A file that passes
 * prints one line, one that fails its whole output. `failures` has a text for each failed file.
 *
 * `isLive`: as in `inOwnGroup`. `command`: the Node that runs a file, with what starts it. `known(file)`: the tests of a
 * file that are known to fail, by name, with the reason: `excused` counts them, and one that passes counts as failed.
 * `maySkip`: a skipped test is none.
 *
 * `openWorker()` gives what the files of one worker share: `environment` for each file's process and `close()`. After a
 * failure the next file gets a new worker, because the old one may be broken.
 */
export async function runTests(files, { concurrency, openWorker = noWorker, commandFor, ...options }) {
  if (files.length === 0) return { passed: 0, failed: 1, excused: 0, failures: ['There is no test file.'] };
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
        return { file, passed: 0, failed: 1, excused: 0, seconds: 0, output: '', problems: [error.message] };
      }
      // Without the variable, recordings go into the user's cache folder.
      const run = await runFile({
        ...{ file, countsFile, ...options },
        environment: {
          HOTSPAN_RECORDINGS: path.join(folder, 'recordings'),
          ...options.environment,
          ...worker.environment,
        },
      });
      const result = judge(file, countsFile, run, options);
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
  return { passed: sum('passed'), failed: sum('failed'), excused: sum('excused'), failures };
}

const noWorker = async () => ({ environment: {}, close: async () => {} });

/** The output and duration of a file's process, and in words how it ended; `ended` is undefined if it exited with 0. */
async function runFile(options) {
  const { file, countsFile, environment, timeoutMs, isLive = false } = options;
  const { testTimeoutMs = timeoutMs, command = [toolsNode] } = options;
  const started = performance.now();
  // A program of Windows cannot write to a pipe of this system.
  const log = openSync(`${countsFile}.log`, 'w+');
  const grouped = inOwnGroup([...command, ...optionsFor(countsFile, testTimeoutMs), file], isLive);
  const [program, ...words] = grouped.command;
  const child = spawn(program, words, {
    ...grouped.options,
    cwd: root,
    // With NODE_TEST_CONTEXT, node:test would report to a runner that does not exist.
    env: { ...toolsEnvironment, NODE_TEST_CONTEXT: undefined, ...environment },
    stdio: ['ignore', log, log],
  });
  // What it left running, too: it leads a process group.
  const kill = () => killGroup(child.pid);
  process.once('exit', kill);
  // SIGTERM first: the file may have started a server, which has its own process group.
  let hangs = false;
  const end = () => {
    hangs = true;
    child.kill('SIGTERM');
  };
  const timers = [setTimeout(end, timeoutMs), setTimeout(kill, timeoutMs + MAX_END_MS)];
  const [code, signal] = await once(child, 'exit');
  for (const timer of timers) clearTimeout(timer);
  kill();
  process.off('exit', kill);
  closeSync(log);
  const output = withoutSummary(readFileSync(`${countsFile}.log`, 'utf8'));
  const seconds = (performance.now() - started) / 1000;
  if (hangs) return { output, seconds, ended: `It was ended: it may take ${timeoutMs / 1000} s.` };
  if (code === 0) return { output, seconds };
  const ended = signal === null ? `It ended with exit code ${code}.` : `It was ended by ${signal}.`;
  return { output, seconds, ended };
}

function optionsFor(countsFile, testTimeoutMs) {
  return [
    `--test-timeout=${testTimeoutMs}`,
    // A failed test leaves open what it would have closed.
    '--test-force-exit',
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    ...[`--test-reporter=${reporter}`, `--test-reporter-destination=${countsFile}`],
  ];
}

function judge(file, countsFile, { output, seconds, ended }, { known = () => ({}), maySkip = false }) {
  const text = existsSync(countsFile) ? readFileSync(countsFile, 'utf8') : '';
  if (text === '')
    return { file, seconds, output, passed: 0, failed: 1, excused: 0, problems: [ended ?? 'It has no test.'] };
  const { passed, failed, cancelled, skipped, todo, failures } = JSON.parse(text);
  const notRun = maySkip ? 0 : skipped + todo;
  const isKnown = ({ name }) => Object.hasOwn(known(file), name);
  const [excused, others] = [failures.filter(isKnown), failures.filter((one) => !isKnown(one))];
  const problems = others.map(({ name, line, reason }) => `${name} (line ${line})\n${indent(shorten(reason))}`);
  if (notRun > 0) problems.push(`${notRun} skipped tests count as failed: nothing is left out silently.`);
  const gone = Object.keys(known(file)).filter((name) => !excused.some((one) => one.name === name));
  for (const name of gone) problems.push(`${name}\n  It passes: take it off the list of tests that are known to fail.`);
  const allFailed = (excused.length > 0 ? others.length : failed + cancelled) + notRun + gone.length;
  if (allFailed === 0 && excused.length === 0 && ended !== undefined) problems.push(ended);
  if (allFailed === 0 && ended === undefined && passed === 0 && !maySkip) problems.push('It has no test.');
  return {
    file,
    seconds,
    output,
    passed,
    excused: excused.length,
    reasons: excused.map(({ name }) => `${name}: ${known(file)[name]}`),
    failed: allFailed === 0 && problems.length > 0 ? 1 : allFailed,
    problems,
  };
}

function print({ file, passed, failed, excused, reasons = [], seconds, output }) {
  const known = excused === 0 ? '' : `, ${excused} known to fail`;
  const tests = `${passed} passed${failed === 0 ? '' : `, ${failed} failed`}${known}`;
  console.log(`${failed === 0 ? '✔' : '✖'} ${file}: ${tests} (${seconds.toFixed(1)} s)`);
  for (const reason of reasons) console.log(`  known to fail: ${reason}`);
  if (failed > 0) console.log(output);
}

function explain({ file, problems, output }, commandFor) {
  const screenshots = [...output.matchAll(screenshotLine)].map(([, image]) => `screenshot: ${image}`);
  const alone = commandFor === undefined ? [] : [`alone: ${commandFor(file)}`];
  return [`✖ ${file}`, ...[...problems, ...screenshots, ...alone].map(indent)].join('\n');
}

/** Removes the counts at the end of the spec reporter. */
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
