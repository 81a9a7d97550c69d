import type { PlainCallFrame } from './plain-profile.ts';
import { firstDifference } from '../../engine/basics/lists.ts';
import { isLoaderFile, isLoaderUrl } from '../../engine/read/functions/name-functions.ts';
import { isRunnerPackage } from '../../protocol/test-files.ts';

/** Rule 2: one (url, line, column, name). Two frames that are equal in these are the same object. */
export interface PlainFunction extends CodeFacts {
  readonly name: string;
  readonly url: string;
  /** From 0. */
  readonly line: number;
  readonly column: number;
  /** Rule 13: it is a whole module. */
  readonly moduleBody: boolean;
  /** Rule 5: its url is there and does not begin with `node:`. */
  readonly user: boolean;
}

/** Rule 11: whose code it is. */
interface CodeFacts {
  readonly kind: 'own' | 'dependency' | 'runner' | 'node' | 'native' | 'other';
  readonly role: 'app' | 'test' | 'built' | null;
  readonly packageName: string | null;
  readonly loader: boolean;
}

/** What rule 11 needs to know of where the program ran. */
export interface PlainWorkspace {
  /** Absolute paths. */
  readonly roots: readonly string[];
  /** The program was given by `-e`. */
  readonly evaluated: boolean;
}

/** Makes each function once. */
export class PlainFunctions {
  readonly #known = new Map<string, PlainFunction>();
  readonly #workspace: PlainWorkspace;

  constructor(workspace: PlainWorkspace) {
    this.#workspace = workspace;
  }

  get all(): readonly PlainFunction[] {
    return [...this.#known.values()];
  }

  of(frame: PlainCallFrame): PlainFunction {
    const { functionName: name, url, lineNumber: line } = frame;
    // A wrapper in front of a module has columns below −1: where exactly it begins makes no other function.
    const column = Math.max(-1, frame.columnNumber);
    const key = JSON.stringify([url, line, column, name]);
    const made = this.#known.get(key) ?? {
      name,
      url,
      line,
      column,
      user: !/^(?:$|node:|ext:|internal\/)/.test(url),
      moduleBody: isModuleBody(name, url, line, column),
      ...factsOf(url, this.#workspace),
    };
    this.#known.set(key, made);
    return made;
  }
}

/** Ties of functions (rule 12): the least (url, line, column, name). */
export function comparePlainFunctions(a: PlainFunction, b: PlainFunction): number {
  return firstDifference(compare(a.url, b.url), a.line - b.line, a.column - b.column, compare(a.name, b.name));
}

/** Rule 13. */
function isModuleBody(name: string, url: string, line: number, column: number): boolean {
  if (url === '' || url.startsWith('node:') || line !== 0) return false;
  return (name === '' && column <= 0) || name === 'Object.<anonymous>';
}

/** Rules 11 and 13. */
function factsOf(url: string, { roots, evaluated }: PlainWorkspace): CodeFacts {
  const nobodys = { role: null, packageName: null, loader: false } as const;
  if (url === '') return { kind: 'native', ...nobodys };
  if (url.startsWith('node:')) return { kind: 'node', ...nobodys, loader: isLoaderUrl(url) };
  const path = pathOf(url);
  if (path === null) {
    const isOwn = evaluated && /^\[(eval|stdin)/.test(url);
    return isOwn ? { kind: 'own', ...nobodys, role: 'app' } : { kind: 'other', ...nobodys };
  }
  const inside = insideOf(path, roots);
  const packages = `/${inside ?? path}`.split('/node_modules/');
  if (packages.length > 1) return packageFacts(packages.at(-1) ?? '');
  if (inside === null) return { kind: 'other', ...nobodys };
  return { kind: 'own', ...nobodys, role: isTest(inside) ? 'test' : isBuilt(inside) ? 'built' : 'app' };
}

/** `file` is what follows the last `node_modules/`. */
function packageFacts(file: string): CodeFacts {
  const parts = file.split('/');
  const size = file.startsWith('@') ? 2 : 1;
  const packageName = parts.slice(0, size).join('/');
  const kind = isRunnerPackage(packageName) ? 'runner' : 'dependency';
  return { kind, role: null, packageName, loader: isLoaderFile(packageName, parts.slice(size).join('/')) };
}

/** The path below the innermost workspace folder around it. */
function insideOf(path: string, roots: readonly string[]): string | null {
  const around = roots.filter((root) => path.startsWith(`${root}/`)).toSorted((a, b) => b.length - a.length)[0];
  return around === undefined ? null : path.slice(around.length + 1);
}

function isTest(inside: string): boolean {
  return (
    /(^|\/)(test|tests|__tests__|spec|specs|e2e)\//.test(inside) ||
    /(^|\/)test\.[cm]?[jt]sx?$/.test(inside) ||
    /\.(test|spec)\.[cm]?[jt]sx?$/.test(inside)
  );
}

/** No source map is read here, so none leads to the file. */
function isBuilt(inside: string): boolean {
  const [, ...folders] = inside.split('/').toReversed();
  return folders.some((folder) => builtFolders.has(folder));
}

const builtFolders = new Set('dist out .next .nuxt .output .svelte-kit .astro .vercel .netlify .angular'.split(' '));

/** Path of a `file:` url or an absolute path; null for others. Windows paths are not read here. */
function pathOf(url: string): string | null {
  if (url.startsWith('/')) return url;
  if (!url.startsWith('file:///')) return null;
  const path = url.slice('file://'.length).replace(/[?#].*$/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // Malformed: taken as it is.
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
