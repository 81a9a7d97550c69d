import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** The repository's root, absolute, without a slash at its end. */
export const projectRoot = path.join(import.meta.dirname, '../..');

/** `dist/cli.cjs` and the like, absolute. */
export function projectFile(...segments: readonly string[]): string {
  return path.join(projectRoot, ...segments);
}

/** The files below these folders that git has or would add, from the root of the project; of all where none is given. */
export function projectFiles(folders: readonly string[] = []): readonly string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...folders];
  const listed = execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' });
  return listed.split('\n').filter((file) => file !== '');
}
