import nodeModule from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { cacheFolder } from '../recorder/launch/install/cache-folder.ts';
import { makeFolders } from '../recordings/private-files.ts';
import { notOursAlone } from '../recorder/launch/install/ours-alone.ts';

/**
 * Lets Node keep what V8 compiled of the command, which then starts sooner; from Node 22.8 on. In the person's own folder:
 * what lies in one for all, as Node's default is, somebody else may have put there. Where it cannot be written to, or
 * somebody else may write to it, nothing is kept.
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
    // Nobody's process has no home, and a home may be read-only.
  }
}
