import type { FunctionInfo } from './function-table.ts';

/**
 * What is asked about functions at each node of each isolate: 1 or 0 by function id. It is made once for all isolates.
 * Ten thousand isolates, each with a list of all functions, took the square of their number.
 */
export interface FunctionFlags {
  readonly own: Uint8Array;
  readonly loader: Uint8Array;
  readonly moduleBody: Uint8Array;
  readonly runner: Uint8Array;
  /**
   * Built-in functions: V8 counts their samples at the line that calls them. Code made by `eval` and `new Function` has
   * lines of its own.
   */
  readonly native: Uint8Array;
  /** Functions of a file outside of the workspace that belongs to no dependency, or of no file. */
  readonly other: Uint8Array;
  /** Functions of a dependency that is no loader. */
  readonly package: Uint8Array;
  /** Functions whose frame has a url that is not one of Node's own. */
  readonly user: Uint8Array;
  /**
   * Functions that wait for a disk, a pipe or another process: `readFileSync`, `spawnSync` …, and what writes to a pipe
   * at once.
   */
  readonly waits: Uint8Array;
}

export function functionFlags(functions: readonly FunctionInfo[]): FunctionFlags {
  const flag = (is: (fn: FunctionInfo) => boolean): Uint8Array => Uint8Array.from(functions, (fn) => Number(is(fn)));
  return {
    own: flag(({ own }) => own),
    loader: flag(({ loader }) => loader),
    moduleBody: flag(({ moduleBody }) => moduleBody),
    runner: flag(({ kind }) => kind === 'runner'),
    native: flag(isBuiltIn),
    other: flag(({ kind }) => kind === 'other'),
    package: flag(({ kind, loader }) => kind === 'dependency' && !loader),
    user: flag(({ kind }) => kind !== 'native' && kind !== 'node'),
    waits: flag(isWaiter),
  };
}

export function isBuiltIn({ kind, line }: FunctionInfo): boolean {
  return kind === 'native' && line < 0;
}

function isWaiter({ kind, url, name }: FunctionInfo): boolean {
  if (kind === 'native') return /^write(Utf8String|Latin1String|Buffer|v)$/.test(name);
  return kind === 'node' && /^node:(fs|child_process)$/.test(url) && name.endsWith('Sync');
}
