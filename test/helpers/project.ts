import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** The repository's root, absolute, without a slash at its end. */
export const projectRoot = path.join(import.meta.dirname, '../..');

/** `dist/cli.cjs` and the like, absolute. */
export function projectFile(...segments: readonly string[]): string {
  return path.join(projectRoot, ...segments);
}

/** Standard output of a tool of `node_modules/.bin`. Throws when it fails, with its standard error in the message. */
export function runTool(name: string, args: readonly string[], cwd = projectRoot): string {
  const tool = projectFile('node_modules/.bin', name);
  return execFileSync(tool, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}
