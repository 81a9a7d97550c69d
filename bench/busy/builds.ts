import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { installRecorder } from '../../recorder/launch/install/recorder-copy.ts';
import { projectFile, projectRoot } from '../../test/helpers/project.ts';
import { type Variant, bare, variantsIn } from '../overhead/variants.ts';

/** The variants: without a recorder, with the built one of this folder, and with that of `ref`, built in `folder`. */
export async function recordersOf(ref: string, folder: string): Promise<readonly Variant[]> {
  const before = path.join(folder, 'before');
  mkdirSync(before);
  // Without `git worktree`, which would leave a note of it in the repository where this is interrupted.
  execFileSync('sh', ['-c', 'git archive "$0" | tar -x -C "$1"', ref, before], { cwd: projectRoot });
  symlinkSync(projectFile('node_modules'), path.join(before, 'node_modules'));
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: before, stdio: ['ignore', 'ignore', 'inherit'] });
  const now = await recorderOf('now', projectFile('dist/recorder.cjs'), folder);
  return [...now, ...(await recorderOf('before', path.join(before, 'dist/recorder.cjs'), folder)).slice(1)];
}

/** Installs a lasting copy of a recorder: V8's code of it is kept only beside such a copy. */
async function recorderOf(name: string, bundled: string, folder: string): Promise<readonly Variant[]> {
  const copy = await installRecorder(bundled, [{ folder, isShared: false }]);
  const variants = variantsIn(folder, copy, '');
  return variants.flatMap((variant) => {
    if (variant.name === bare) return [variant];
    return variant.name === 'recorder' ? [{ ...variant, name }] : [];
  });
}
