// Stops a re-check at many moments, each in one of three ways: as the editor's Cancel, by Ctrl+C, and by the end of the
// editor itself. How long until no process and no folder of it is left? `--moments N`. Linux only: it reads /proc.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { interrupt, resultOf, startCommandLine } from '../../recorder/launch/run/own-command-line.ts';
import { send } from '../../recordings/run-processes.ts';
import { blockingShop, shopFiles } from '../../test/helpers/blocking-shop.ts';
import { projectFile } from '../../test/helpers/project.ts';
import { Repository, write } from '../../test/helpers/temporary-repository.ts';
import { figure } from '../figure.mjs';

const { values } = parseArgs({
  options: { moments: { type: 'string', default: '50' }, start: { type: 'string' } },
});
const cli = projectFile('dist/cli.cjs');
/** Begins the name of a variable that all processes of one re-check have. */
const mark = 'HOTSPAN_LAB_MOMENT';
/** What is left after so long stays, in ms. */
const patienceMs = 15_000;

const recheck = ['recheck', 'quote', '--json'];
const recording = ['record', '--quiet', '--', process.execPath, '--test', 'shop.test.js'];
/** Each starts a re-check, and gives what stops it. */
const ways: Readonly<Record<string, (folder: string) => () => void>> = {
  Cancel: (cwd) => {
    const child = startCommandLine({ node: process.execPath, cli, args: recheck, cwd });
    return () => interrupt(child);
  },
  'Ctrl+C': (cwd) => {
    const child = startCommandLine({ node: process.execPath, cli, args: recheck, cwd });
    return () => send(-(child.pid ?? 0), 'SIGINT');
  },
  'end of the editor': (cwd) => {
    const editor = spawn(process.execPath, [import.meta.filename, '--start', cwd], { stdio: 'ignore' });
    return () => editor.kill('SIGKILL');
  },
};

if (values.start === undefined) await measure(Number(values.moments));
else startCommandLine({ node: process.execPath, cli, args: recheck, cwd: values.start });

async function measure(count: number): Promise<void> {
  const { folder, temporary } = new Repository({ ...shopFiles, ...packages() });
  Object.assign(process.env, { TMPDIR: temporary, XDG_CACHE_HOME: temporary });
  await resultOf(startCommandLine({ node: process.execPath, cli, args: recording, cwd: folder }));
  write(folder, { 'shop.js': blockingShop(15) });
  const before = foldersIn(temporary);
  const begin = performance.now();
  await resultOf(startCommandLine({ node: process.execPath, cli, args: recheck, cwd: folder }));
  const wholeMs = performance.now() - begin;
  const known = foldersIn(temporary);
  console.log(`One re-check takes ${Math.round(wholeMs)} ms, and keeps ${known.length - before.length} folder.`);
  const times: number[] = [];
  const names = Object.keys(ways);
  for (let moment = 0; moment < count; moment++) {
    const name = names[moment % names.length] ?? '';
    const atMs = (wholeMs * (moment + 0.5)) / count;
    process.env[mark] = String(moment);
    const stop = ways[name]?.(folder);
    await delay(atMs);
    const stopped = performance.now();
    stop?.();
    const left = await whatStays(() => [
      ...processesOf(moment),
      ...foldersIn(temporary).filter((one) => !known.includes(one)),
    ]);
    times.push(performance.now() - stopped);
    console.log(`${name} at ${Math.round(atMs)} ms: ${Math.round(times.at(-1) ?? 0)} ms ${left.join(', ')}`);
  }
  figure('moments after which something is left', times.filter((ms) => ms >= patienceMs).length);
  figure('longest until all is gone', Math.max(...times));
}

/** Resolves with an empty list once nothing is left; with what is, once the patience ends. */
async function whatStays(left: () => readonly string[]): Promise<readonly string[]> {
  const begin = performance.now();
  for (;;) {
    const found = left();
    if (found.length === 0 || performance.now() - begin > patienceMs) return found;
    await delay(10);
  }
}

/** Processes of a re-check, by their environment; not zombies. */
function processesOf(moment: number): readonly string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const isOf = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`\0${mark}=${moment}\0`);
      const isZombie = /^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
      return isOf && !isZombie ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')] : [];
    } catch {
      return []; // It has ended.
    }
  });
}

/** Temporary folders, and those of runs. */
function foldersIn(temporary: string): readonly string[] {
  const runs = path.join(temporary, 'hotspan', 'recordings');
  const ofRuns = existsSync(runs) ? readdirSync(runs).flatMap((one) => readdirSync(path.join(runs, one))) : [];
  return [...readdirSync(temporary).filter((name) => name.startsWith('hotspan-')), ...ofRuns];
}

/** Packages, which the base gets a copy of. */
function packages(): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  for (let number = 0; number < 2000; number++) files[`node_modules/many/${number}.js`] = `exports.a = ${number};\n`;
  return files;
}
