import nodeModule from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { cacheFolder, makeFolders, notOursAlone } from '../recordings/private-files.ts';

/**
 * Lets Node keep the code that V8 compiled for the command, which then starts sooner (from Node 22.8 on). It is kept in
 * the person's own folder: in a folder for all users, which is Node's default, somebody else may have put files. Nothing
 * is kept where the folder cannot be written to, or where somebody else may write to it.
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
