import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { projectFile } from '../../../test/helpers/project.ts';
import { program as knownProgram } from '../busy/program.ts';
import { exampleFolder } from '../busy/recorded.ts';
import { beside } from '../busy/spinners.ts';

export interface Program {
  /** Its recordings are kept under this name. */
  readonly name: string;
  readonly command: readonly string[];
  /** The folder in which it runs, with all that it needs. */
  readonly folder: () => string;
}

/** What is recorded. `known`: the program of `npm run bench -- busy`, whose functions do the same work in each run. */
export const programs = {
  known: { name: 'known', command: [process.execPath, 'program.cjs'], folder: knownFolder },
  shop: { name: 'shop', command: ['npm', 'test'], folder: () => exampleFolder('shop') },
} as const satisfies Readonly<Record<string, Program>>;

/** All recordings, those of older builds, too. */
export const store = projectFile('.cache', 'verify');

/** It always lies in the same place, where its recordings find its text. */
function knownFolder(): string {
  const folder = path.join(store, 'known-program');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'program.cjs'), knownProgram);
  if (!existsSync(path.join(folder, 'pipe'))) execFileSync('mkfifo', [path.join(folder, 'pipe')]);
  return folder;
}

/**
 * Records a program under a load until there are so many recordings. Gives the folders of all there are, in the order in
 * which they were made. `spinners` is the number of all processes that spin, `load` how many they are for each processor.
 */
export async function recordUpTo(
  count: number,
  program: Program,
  load: number,
  spinners: number,
): Promise<readonly string[]> {
  const folder = path.join(store, `${program.name}-${load}`);
  mkdirSync(folder, { recursive: true });
  const known = recordingsIn(folder);
  if (known.length < count) {
    await beside(spinners, async () => {
      for (let number = known.length + 1; number <= count; number += 1) {
        await recordOnce(program, path.join(folder, String(number).padStart(4, '0')));
        console.error(`  ${program.name}, ${load} spinners a core: recording ${number} of ${count}`);
      }
    });
  }
  return recordingsIn(folder).map((one) => path.join(folder, one));
}

function recordingsIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => /^\d+$/.test(name))
    .toSorted();
}

/** The command has to succeed. A recording gets its name when it is whole. */
async function recordOnce({ command, folder }: Program, recording: string): Promise<void> {
  const unfinished = `${recording}.part`;
  rmSync(unfinished, { recursive: true, force: true });
  const words = [projectFile('dist/cli.cjs'), 'record', '--quiet', '--out', unfinished, '--', ...command];
  const env = {
    ...process.env,
    PATH: [path.dirname(process.execPath), process.env['PATH'] ?? ''].join(path.delimiter),
  };
  await promisify(execFile)(process.execPath, words, { cwd: folder(), env, maxBuffer: 1 << 28 });
  renameSync(unfinished, recording);
}
