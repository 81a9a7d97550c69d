import type { Column0, Line0 } from '../../../protocol/units.ts';
import type { Frame } from '../samples/profile-tree.ts';
import { firstDifference, compareTexts } from '../../basics/lists.ts';

/** A function's id is its index. */
export interface FunctionTable {
  readonly functions: readonly FunctionInfo[];
  /** Call frames as the profiles have them; several can be one function (transformed twice, bundled twice). */
  readonly frames: readonly Frame[];
}

/** One function: one (url, line, column, name), after source mapping; several processes and scripts share it. */
export interface FunctionInfo {
  readonly id: number;
  /** The map's original name, else exactly V8's; `''` when anonymous. */
  readonly name: string;
  /** Displayed name: the function's name, or what the source shows of an anonymous function. */
  readonly label: string;
  /** Url of the original by the source map, else that of the profile; `''` for native functions. */
  readonly url: string;
  /**
   * −1 for native functions, for the body of a bundle of several sources, and where another text than the file's ran.
   */
  readonly line: Line0;
  readonly column: Column0;
  /** Place in the text that ran, where that is another place. */
  readonly generated: Pick<FunctionInfo, 'url' | 'line' | 'column'> | null;
  /** Decoded path of the file that `url` names; null where it names none (`node:`, `[eval]`, native). */
  readonly path: string | null;
  readonly kind: FunctionKind;
  /** Dependency to which the file belongs: what follows its last `/node_modules/`. Null for other files. */
  readonly packageName: string | null;
  /** True for code in the workspace and outside of `node_modules`. */
  readonly own: boolean;
  /** Role of an own file; null for other files. `built`: a tool made it, without a source map. */
  readonly role: 'app' | 'test' | 'built' | null;
  readonly moduleBody: boolean;
  /**
   * True where its file has, or may have, another text than the one that ran: `line` is that of the function of its name
   * today, or −1, and the lines inside of it are unknown.
   */
  readonly byName: boolean;
  /** True where its file was deleted before the program ended, without a source map. */
  readonly gone: boolean;
  /** True where it finds, reads, transforms or evaluates modules. */
  readonly loader: boolean;
}

/** Whether the function is the body of a whole script that was made from several sources. */
export function isBundleBody({ moduleBody, line }: FunctionInfo): boolean {
  return moduleBody && line < 0;
}

/**
 * `own` and `dependency` also cover loaders; `runner` is a file of a test runner; `other` is any other code with a url.
 */
export type FunctionKind = 'own' | 'dependency' | 'runner' | 'node' | 'native' | 'other';

/** Orders functions where other figures are equal: by url, line, column and name. Negative where `a` comes first. */
export function compareFunctions(a: OrderedFunction, b: OrderedFunction): number {
  return firstDifference(
    compareTexts(a.url, b.url),
    a.line - b.line,
    a.column - b.column,
    compareTexts(a.name, b.name),
  );
}

export type OrderedFunction = Pick<FunctionInfo, 'url' | 'line' | 'column' | 'name'>;

/**
 * Facts by function id, 1 or 0. Made once: when each of ten thousand isolates made its own, time grew quadratically.
 */
export interface FunctionFlags {
  readonly own: Uint8Array;
  readonly loader: Uint8Array;
  readonly moduleBody: Uint8Array;
  readonly runner: Uint8Array;
  /**
   * Built-in functions: V8 counts their samples at the calling line. Code of `eval` and `new Function` has own lines.
   */
  readonly native: Uint8Array;
  /** Functions of a file outside of the workspace that belongs to no dependency, or of no file. */
  readonly other: Uint8Array;
  /** Functions of dependencies that are not loaders. */
  readonly package: Uint8Array;
  /** Functions whose frame has a url that is not one of Node's own. */
  readonly user: Uint8Array;
  /**
   * Functions that wait for a disk, a pipe or another process: `readFileSync`, `spawnSync`, `spawn` (which waits until
   * the process has begun), and native functions that write to a pipe synchronously.
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
    user: flag(({ kind, url }) => kind !== 'native' && kind !== 'node' && !isRuntimes.test(url)),
    waits: flag(isWaiter),
  };
}

/** Code of Deno, and of Node before version 16. */
const isRuntimes = /^(?:ext:|internal\/)/;

export function isBuiltIn({ kind, line }: FunctionInfo): boolean {
  return kind === 'native' && line < 0;
}

function isWaiter({ kind, url, name }: FunctionInfo): boolean {
  if (kind === 'native') return /^write(Utf8String|Latin1String|Buffer|v)$/.test(name);
  if (kind !== 'node') return false;
  // To start a process holds the loop, too: the thread waits until the system has loaded the program.
  return url === 'node:child_process'
    ? /Sync$|^(spawn|exec|execFile|fork)$/.test(name)
    : url === 'node:fs' && name.endsWith('Sync');
}

/** Whether its source shows it: its place is known, and not only by its name. */
export function isTextKnown({ line, byName }: FunctionInfo): boolean {
  return line >= 0 && !byName;
}
