// Runs a measurement of lab/nightly/rows.mjs: in a process group of its own, with an upper limit, its output in a file.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root, toolsEnvironment, toolsNode } from '../../scripts/setup.mjs';

const logs = path.join(root, '.cache/nightly');
/** What a program has for its end after SIGTERM. */
const endsWithinMs = 10_000;

/**
 * `{ figures, problem }`: the numbers by name, and in words why some may be missing. A program may fail and still give its
 * numbers: that something is wrong is one of them. `signal` ends it; `onMinute(minutes)` is called as long as it runs.
 */
export async function runProgram({ name, words, limitMinutes }, { signal, onMinute }) {
  mkdirSync(logs, { recursive: true });
  const base = path.join(logs, name.replaceAll(/[^\w.-]+/g, '-'));
  rmSync(`${base}.jsonl`, { force: true });
  const output = openSync(`${base}.log`, 'w');
  const child = spawn(toolsNode, words, {
    cwd: root,
    env: { ...toolsEnvironment, HOTSPAN_FIGURES: `${base}.jsonl` },
    stdio: ['ignore', output, output],
    detached: true,
  });
  const end = () => endGroup(child);
  const kill = () => signalGroup(child, 'SIGKILL');
  const limit = setTimeout(end, limitMinutes * 60_000);
  const clock = { minutes: 0 };
  const ticks = setInterval(() => onMinute((clock.minutes += 1)), 60_000);
  process.once('exit', kill);
  signal.addEventListener('abort', end);
  const [code, endedBy] = await once(child, 'exit');
  signal.removeEventListener('abort', end);
  process.off('exit', kill);
  clearInterval(ticks);
  clearTimeout(limit);
  kill();
  closeSync(output);
  const how = clock.minutes >= limitMinutes ? `stopped after ${limitMinutes} min` : `ended by ${endedBy ?? code}`;
  const log = `${base}.log`;
  return { figures: figuresIn(`${base}.jsonl`), problem: `${how}: ${lastLineIn(log)} (${path.relative(root, log)})` };
}

/** Asks the group to end, and kills it where it does not. */
function endGroup(child) {
  signalGroup(child, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), endsWithinMs);
  child.once('exit', () => clearTimeout(timer));
}

/** Also ends what the program has left running. */
function signalGroup({ pid }, signal) {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error;
  }
}

function figuresIn(file) {
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, 'utf8').split('\n');
  const figures = lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  // JSON has no NaN: where a number could not be measured, there is none.
  return new Map(figures.filter(({ value }) => value !== null).map(({ name, value }) => [name, value]));
}

function lastLineIn(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  return (
    lines
      .findLast((line) => line.trim() !== '')
      ?.trim()
      .slice(0, 200) ?? 'it printed nothing'
  );
}
