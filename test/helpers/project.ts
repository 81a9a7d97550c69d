import path from 'node:path';

/** The repository's root, absolute, without a slash at its end. */
export const projectRoot = path.join(import.meta.dirname, '../..');

/** `dist/cli.cjs` and the like, absolute. */
export function projectFile(...segments: readonly string[]): string {
  return path.join(projectRoot, ...segments);
}
