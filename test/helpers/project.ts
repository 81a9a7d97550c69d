import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** The repository's root, absolute, without a slash at its end. */
export const projectRoot = path.join(import.meta.dirname, '../..');

/** `dist/cli.cjs` and the like, absolute. Throws for a built file that is missing: without it some tests wait for ever. */
export function projectFile(...segments: readonly string[]): string {
  const file = path.join(projectRoot, ...segments);
  if (/^dist[/\\]/.test(path.relative(projectRoot, file)) && !existsSync(file))
    throw new Error(`${segments.join('/')} is missing: run "npm run build".`);
  return file;
}

/** The files below these folders that git has or would add, from the root of the project; of all where none is given. */
export function projectFiles(folders: readonly string[] = []): readonly string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...folders];
  const listed = execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' });
  return listed.split('\n').filter((file) => file !== '');
}
