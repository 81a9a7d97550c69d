import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { testPatterns } from '../../../protocol/test-files.ts';
import { attempt, internal } from '../host/host.ts';
import { isPoolFile } from '../host/run.ts';

/** Whether a test runner or a pool is starting something: the nearest file on the stack that is not Node's is one's. */
export function isStartedByPool(): boolean {
  const [nearest] = callers();
  return nearest !== undefined && isPoolFile(nearest);
}

/**
 * Whether the program is starting something for itself, directly or through a package: the nearest own file on the stack
 * is not a test, which starts what it tests. What a tool (tsx, nodemon) starts without a call by an own file is the
 * program itself.
 */
export function isStartedByProgram(cwd: string): boolean {
  const files = callers();
  const [nearest] = files;
  const own = files.find((file) => !/[\\/]node_modules[\\/]/.test(file));
  if (own === undefined || nearest === undefined || isPoolFile(nearest)) return false;
  const inside = path.relative(cwd, own).replaceAll('\\', '/');
  return !testPatterns.some((pattern) => pattern.test(inside));
}

/** Files on the stack that are not Node's, innermost first; empty where they are unknown (a frozen `Error`). */
function callers(): readonly string[] {
  const target: { stack?: unknown } = {};
  attempt(() => captureFiles(target));
  if (!Array.isArray(target.stack)) return [];
  return target.stack
    .filter((name) => typeof name === 'string')
    .map(pathOf)
    .filter((name) => !name.startsWith('node:') && name !== __filename && !/[\\/]\.pnp\.c?js$/.test(name));
}

/** Puts the files on the stack into `target.stack`, without a `prepareStackTrace` of the program (source-map-support). */
function captureFiles(target: object): void {
  const before = { prepareStackTrace: internal(Error, 'prepareStackTrace'), stackTraceLimit: Error.stackTraceLimit };
  try {
    Error.stackTraceLimit = 50;
    Error.prepareStackTrace = (_error, sites) => sites.map((site) => site.getFileName() ?? 'node:unknown');
    Error.captureStackTrace(target);
    // V8 writes the stack when it is read for the first time.
    internal(target, 'stack');
  } finally {
    Object.assign(Error, before);
  }
}

function pathOf(name: string): string {
  try {
    return name.startsWith('file:') ? fileURLToPath(name) : name;
  } catch {
    return name; // The name is invented: `file://host/…`.
  }
}
