import path from 'node:path';
import type { Readers } from './readers.ts';
import { isRecord, parseJson, fieldsOf, type Fields } from '../../../protocol/json-value.ts';
import { isAtOrBelow } from '../../../protocol/path-spelling.ts';
import { globMatcher } from './glob.ts';

/** What is read of a package, to find targets in it. */
export interface Package {
  /** Absolute. */
  readonly folder: string;
  readonly scripts: Readonly<Record<string, string>>;
  /** Names of all dependencies, of every kind. */
  readonly dependencies: ReadonlySet<string>;
  /** Patterns of the packages of a monorepo, relative to `folder`. */
  readonly workspaces: readonly string[];
  readonly isModule: boolean;
  readonly manager: PackageManager;
  /** Names of the files and folders in its folder. */
  readonly files: readonly string[];
  /** Whether the manifest has settings under this name (`jest`, `mocha`). */
  readonly hasKey: (name: string) => boolean;
}

export type PackageManager = 'npm' | 'pnpm' | 'yarn';

/** Reads the package of a folder; null where it has no package.json, or a damaged one. */
export async function readPackage(
  folder: string,
  readers: Readers,
  inherited: PackageManager = 'npm',
): Promise<Package | null> {
  const manifest = parseJson((await readers.readText(path.join(folder, 'package.json'))) ?? '');
  if (!isRecord(manifest)) return null;
  const files = await readers.list(folder);
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
  return {
    folder,
    scripts: scriptsOf(manifest['scripts']),
    dependencies: new Set(kinds.flatMap((kind) => Object.keys(fieldsOf(manifest[kind])))),
    workspaces: [
      ...workspacesOf(manifest),
      ...pnpmPackages(await readers.readText(path.join(folder, 'pnpm-workspace.yaml'))),
    ],
    isModule: manifest['type'] === 'module',
    manager: managerOf(manifest, files) ?? inherited,
    files,
    hasKey: (name) => Object.hasOwn(manifest, name),
  };
}

/** The command that runs a script, with arguments for the script's last command. */
export function runScript(manager: PackageManager, script: string, args: readonly string[] = []): readonly string[] {
  if (args.length === 0) return [manager, 'run', script];
  return manager === 'npm' ? ['npm', 'run', script, '--', ...args] : [manager, 'run', script, ...args];
}

/** The scripts of a manifest, without those that are not a text or too long. */
function scriptsOf(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fieldsOf(value)).flatMap(([name, text]) =>
      typeof text === 'string' && text.length <= MAX_SCRIPT ? [[name, text]] : [],
    ),
  );
}

/** In UTF-16 units. There is a limit because patterns search to the end of the text from each word. */
const MAX_SCRIPT = 10_000;

/** The patterns of workspaces: an array, or `{ packages: […] }`. */
function workspacesOf(manifest: Fields): readonly string[] {
  const value = manifest['workspaces'];
  const list: unknown = Array.isArray(value) ? value : fieldsOf(value)['packages'];
  return Array.isArray(list) ? list.filter((pattern) => typeof pattern === 'string') : [];
}

/**
 * The list under `packages:` of that YAML: `[a, 'b']`, on one line or several, or one row for each entry. It is read once,
 * from left to right: the package `yaml` takes seconds for 500 opened braces in a hostile file.
 */
function pnpmPackages(yaml: string | null): readonly string[] {
  if (yaml === null || yaml.length > MAX_WORKSPACE) return [];
  const text = `${yaml.replaceAll('\r', '')}\n`;
  const key = /^\uFEFF?(["']?)packages\1[ \t]*:/m.exec(text);
  if (key === null) return [];
  const value = text.slice(key.index + key[0].length);
  const opening = /^(?:\s|#[^\n]*\n)*\[/.exec(value)?.[0] ?? '';
  const found = value.slice(opening.length).matchAll(opening === '' ? row : entry);
  return Array.from(found, (match) => (match[1] ?? match[2] ?? match[3] ?? '').trim()).filter((name) => name !== '');
}

/** In UTF-16 units: a regular expression over endless blanks overflows V8's stack. */
const MAX_WORKSPACE = 100_000;

/** One row and one entry of the list. Each match begins where the last one ended; a comment needs a blank before `#`. */
const row = /[ \t]*(?:#[^\n]*|-(?:[ \t]+(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'#](?:[^\n#]|(?<=\S)#)*)))?[^\n]*)?\n/gy;
const entry = /\s+|#[^\n]*|,|"([^"]*)"|'([^']*)'|([^\s,[\]{}"'#](?:[^,[\]\n#]|(?<=\S)#)*)/gy;

function managerOf(manifest: Fields, files: readonly string[]): PackageManager | null {
  const named = /^(npm|pnpm|yarn)@/.exec(String(manifest['packageManager']))?.[1];
  if (named === 'npm' || named === 'pnpm' || named === 'yarn') return named;
  if (files.includes('pnpm-lock.yaml')) return 'pnpm';
  if (files.includes('yarn.lock')) return 'yarn';
  return files.includes('package-lock.json') ? 'npm' : null;
}

/**
 * The package of a folder and those of its workspaces (npm, yarn, pnpm): the folder's own first, the others by path.
 * Without a package.json: the packages in its folders, two levels deep.
 */
export async function findPackages(folder: string, readers: Readers): Promise<readonly Package[]> {
  const root = await readPackage(folder, readers);
  const patterns = root === null ? ['*', '*/*'] : root.workspaces;
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!'));
  const unwanted = patterns
    .filter((pattern) => pattern.startsWith('!'))
    .map((pattern) => globMatcher(segmentsOf(pattern.slice(1)).join('/')));
  const found = (await Promise.all(wanted.map((pattern) => foldersOf(pattern, folder, readers)))).flat();
  const chosen = [...new Set(found)]
    .filter(
      (name) =>
        name !== folder &&
        !unwanted.some((matches) => matches?.(path.relative(folder, name).replaceAll('\\', '/')) === true),
    )
    .toSorted();
  const packages = await Promise.all(chosen.map((name) => readPackage(name, readers, root?.manager)));
  return [root, ...packages].filter((one) => one !== null);
}

/** The package that a file belongs to: that of the nearest folder with a package.json, not above `folder`. */
export async function packageOf(file: string, folder: string, readers: Readers): Promise<Package | null> {
  return (await packagesAround(file, folder, readers))[0] ?? null;
}

/** All packages around a file, the nearest first, not above `folder`. */
export async function packagesAround(file: string, folder: string, readers: Readers): Promise<readonly Package[]> {
  const root = await readPackage(folder, readers);
  const found: Package[] = [];
  for (let at = path.dirname(file); at !== folder && isAtOrBelow(at, folder); at = path.dirname(at)) {
    const one = await readPackage(at, readers, root?.manager);
    if (one !== null) found.push(one);
  }
  return root === null || !isAtOrBelow(file, folder) ? found : [...found, root];
}

/** The folders that match a pattern, relative to `base`. */
export function foldersOf(pattern: string, base: string, readers: Readers): Promise<readonly string[]> {
  return foldersLike(base, segmentsOf(pattern), readers);
}

function segmentsOf(pattern: string): readonly string[] {
  return pattern.split('/').filter((segment) => segment !== '' && segment !== '.');
}

/** `**` goes four levels deep. */
async function foldersLike(
  base: string,
  segments: readonly string[],
  readers: Readers,
  depth = 0,
): Promise<readonly string[]> {
  const [segment, ...rest] = segments;
  if (segment === undefined) return [base];
  if (segment === '..') return foldersLike(path.dirname(base), rest, readers, depth);
  const names = (await readers.list(base)).flatMap((name) => (name.endsWith('/') ? [name.slice(0, -1)] : []));
  const inner = names.filter((name) => name !== 'node_modules' && !name.startsWith('.'));
  if (segment === '**') {
    const here = foldersLike(base, rest, readers, depth);
    const deeper =
      depth > 3 ? [] : inner.map((name) => foldersLike(path.join(base, name), segments, readers, depth + 1));
    return (await Promise.all([here, ...deeper])).flat();
  }
  const matches = globMatcher(segment) ?? ((name) => name === segment);
  const next = inner.filter(matches).map((name) => foldersLike(path.join(base, name), rest, readers, depth));
  return (await Promise.all(next)).flat();
}
