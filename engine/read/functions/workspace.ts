import { testPatterns } from '../../../protocol/test-files.ts';
import { trimEnd } from '../files/file-path.ts';

/** What counts as own code, and which of it is test code. */
export interface Workspace {
  /** Absolute paths of the workspace folders. */
  readonly roots: readonly string[];
  /** Additional patterns of tests, matched against paths inside the workspace. */
  readonly testPatterns: readonly RegExp[];
  /** True where the program was given by `-e`. Then code without a file is the person's own. */
  readonly evaluated: boolean;
}

/** The path inside the innermost workspace folder that contains it, with `/`; null outside of all folders. */
export function pathInWorkspace(path: string, workspace: Workspace): string | null {
  const plain = withSlashes(path);
  const inside = workspace.roots
    .map((root) => trimEnd(withSlashes(root), '/'))
    .filter((root) => plain.startsWith(`${root}/`))
    .map((root) => plain.slice(root.length + 1));
  return inside.toSorted((a, b) => a.length - b.length)[0] ?? null;
}

export function isTestPath(pathInside: string, workspace: Workspace): boolean {
  return [...testPatterns, ...workspace.testPatterns].some((pattern) => pattern.test(pathInside));
}

/** A Windows path, also of a share, with `/` and a drive letter in lower case. */
export function withSlashes(path: string): string {
  if (path.startsWith('\\\\')) return path.replaceAll('\\', '/');
  const isWindows = /^[a-z]:[\\/]/i.test(path);
  return isWindows ? `${path.slice(0, 1).toLowerCase()}${path.slice(1).replaceAll('\\', '/')}` : path;
}
