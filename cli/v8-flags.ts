import v8 from 'node:v8';
import { cacheFolder, makeFolders, notOursAlone } from '../recordings/private-files.ts';
import nodeModule from 'node:module';
import os from 'node:os';
import path from 'node:path';

const { variables } = process.config;
/** From Node 24 on. */
const hasMaglev = 'v8_enable_maglev' in variables && variables.v8_enable_maglev === 1;

/**
 * Must run before the command is compiled. A command ends before V8's slowest compiler pays off (up to a quarter of the
 * CPU time), and on most recordings before most of Maglev's work does (another tenth). Loops over samples need not wait
 * for that many calls.
 */
export function setCompilers(): void {
  const flags = hasMaglev ? '--no-opt --invocation-count-for-maglev=4000' : withoutMaglev[nodeMajor];
  if (flags !== undefined) v8.setFlagsFromString(flags);
}

const [nodeMajor = ''] = process.versions.node.split('.');

/**
 * By version of Node: only what runs much more often than usual goes to the slowest compiler, which took up to a third of
 * the CPU time.
 */
const withoutMaglev: Readonly<Record<string, string>> = {
  20: '--interrupt-budget=600000',
  22: '--invocation-count-for-turbofan=12000',
};

/**
 * Stops the growth of the young generation, once the command is loaded. What is read lives until the end, so a larger one
 * (up to 64 MB) saves no collection, and is an eighth to a fifth of all memory. With a few MB most recordings take the same
 * CPU time as with 16 MB; that of a server takes up to a tenth more.
 */
export function keepYoungGenerationSmall(): void {
  if (hasMaglev) v8.setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Enables Node's compile cache, with which the command starts sooner (from Node 22.8 on), in the user's own folder: another
 * user may have put files into Node's default folder. Does nothing if another user may write to the folder.
 */
export function keepCompiledCode({ env, platform }: NodeJS.Process): void {
  const enable = 'enableCompileCache' in nodeModule ? nodeModule.enableCompileCache : undefined;
  if (typeof enable !== 'function') return;
  try {
    const folder = path.join(cacheFolder(platform, env, os.homedir()), 'compiled');
    if (!path.isAbsolute(folder)) return; // HOME is empty.
    makeFolders(folder);
    if (notOursAlone(path.dirname(folder)) !== null || notOursAlone(folder) !== null) return;
    Reflect.apply(enable, nodeModule, [folder]);
  } catch {
    // The process has no home folder, or it is read-only.
  }
}
