import path from 'node:path';
import { globMatcher } from '../packages/glob.ts';
import { type Literal, type LiteralObject, listIn, literalBehind, objectIn } from '../packages/literals.ts';
import type { Readers } from '../packages/readers.ts';
import {
  type TestProject,
  matchesAny,
  projectsListed,
  readConfiguration,
  unknownProject,
  valuesOf,
} from './test-projects.ts';
import { foldersOf } from '../packages/packages.ts';

/**
 * The projects of a Vitest configuration, from its `projects`, its `workspace` or the file of a workspace; one where it
 * lists none. `config` is an absolute path; null: the folder has none.
 */
export async function vitestProjects(
  config: string | null,
  folder: string,
  readers: Readers,
): Promise<readonly TestProject[]> {
  const root = await readSettings(config, folder, readers);
  const file = (await readers.list(folder)).find((name) =>
    /^vitest\.(workspace|projects)\.([cm]?[jt]s|json)$/.test(name),
  );
  const listed = root.test?.get('projects') ?? root.test?.get('workspace');
  const fromFile = file === undefined ? null : await workspaceIn(path.join(folder, file), readers);
  const entries = listIn(listed) ?? fromFile;
  if (entries === null) {
    const isUnknown = listed !== undefined || file !== undefined;
    return [isUnknown ? unknownProject : projectOf(null, [root])];
  }
  const unwanted = entries.filter((entry) => typeof entry === 'string').filter((entry) => entry.startsWith('!'));
  const left = await Promise.all(unwanted.map((entry) => foldersOf(entry.slice(1), folder, readers)));
  return projectsListed(
    entries.filter((entry) => typeof entry !== 'string' || !entry.startsWith('!')),
    (pattern) => fileProjects(pattern, folder, new Set(left.flat()), readers),
    (fields) => ownProject(fields, root, readers),
  );
}

/** The settings under `test` in one file, and the folder where its patterns start. */
interface Settings {
  /** The value of `test`; null where the text does not show it. */
  readonly test: LiteralObject | null;
  readonly folder: string;
  /** The tests run in Cloudflare's workerd. */
  readonly isWorkerd: boolean;
  /** The list of its tests is computed, or starts at a root that may be computed. */
  readonly isHidden: boolean;
}

async function readSettings(config: string | null, folder: string, readers: Readers): Promise<Settings> {
  const text = config === null ? null : await readConfiguration(config, readers);
  const test = objectIn(text === null ? null : literalBehind(/\btest\s*:\s*(?=\{)/, text));
  return {
    test,
    folder,
    isWorkerd: text?.includes('@cloudflare/vitest-pool-workers') ?? false,
    isHidden: text !== null && (/\broot\s*:/.test(text) || (test === null && !plainExport.test(text))),
  };
}

/** Matches an export whose text would show `test` if there were one. */
const plainExport = /export\s+default\s+(?:defineConfig\s*\(\s*)?\{/;

async function workspaceIn(file: string, readers: Readers): Promise<readonly Literal[] | null> {
  const text = await readConfiguration(file, readers);
  return listIn(
    literalBehind(/(?:defineWorkspace\s*\(\s*|export\s+default\s+|module\.exports\s*=\s*|^\s*)(?=\[)/, text),
  );
}

async function ownProject(fields: LiteralObject, root: Settings, readers: Readers): Promise<TestProject> {
  const base = fields.get('extends');
  const file = typeof base === 'string' ? path.resolve(root.folder, base) : null;
  const inherited = file === null ? (base === true ? [root] : []) : [await readSettings(file, root.folder, readers)];
  const own: Settings = {
    test: objectIn(fields.get('test')),
    folder: folderOf(fields.get('root'), root.folder),
    isWorkerd: false,
    isHidden: false,
  };
  return projectOf(null, [...inherited, own]);
}

function folderOf(root: Literal | undefined, folder: string): string {
  return typeof root === 'string' ? path.resolve(folder, root) : folder;
}

/** The projects for a pattern of folders or of configurations. */
async function fileProjects(
  pattern: string,
  folder: string,
  unwanted: ReadonlySet<string>,
  readers: Readers,
): Promise<readonly TestProject[]> {
  const names = /[^/]*config[^/]*\.[^/]*$/.exec(pattern)?.[0] ?? null;
  const folders = await foldersOf(names === null ? pattern : path.posix.dirname(pattern), folder, readers);
  const lists = folders.map(async (one) => {
    if (unwanted.has(one)) return [];
    const files = await readers.list(one);
    const configs = names === null ? [configIn(files)] : files.filter((file) => globMatcher(names)?.(file) === true);
    return Promise.all(configs.map((config) => fileProject(config, one, readers)));
  });
  return (await Promise.all(lists)).flat();
}

async function fileProject(config: string | null, folder: string, readers: Readers): Promise<TestProject> {
  const settings = await readSettings(config === null ? null : path.join(folder, config), folder, readers);
  return projectOf(await packageName(folder, readers), [settings]);
}

/** The configuration that Vitest reads when no other is named; null where there is none. */
export function configIn(files: readonly string[]): string | null {
  const find = (name: string): string | undefined =>
    files.find((file) => new RegExp(`^${name}\\.config\\.[cm]?[jt]s$`).test(file));
  return find('vitest') ?? find('vite') ?? null;
}

async function packageName(folder: string, readers: Readers): Promise<string> {
  const text = (await readers.readText(path.join(folder, 'package.json'))) ?? '';
  return /^\s*"name"\s*:\s*"([^"]+)"/m.exec(text)?.[1] ?? path.basename(folder);
}

/**
 * The last settings are the project's own, those before them are inherited: lists are joined, everything else is
 * overridden.
 */
function projectOf(fallbackName: string | null, settings: readonly Settings[]): TestProject {
  const own = settings.at(-1);
  const isBrowser = settings
    .map(({ test }) => objectIn(test?.get('browser'))?.get('enabled'))
    .findLast((value) => value !== undefined);
  const isWorkerd =
    settings.some((one) => one.isWorkerd) ||
    JSON.stringify(own?.test?.get('pool') ?? '').includes('vitest-pool-workers');
  return {
    name: nameOf(own?.test?.get('name'), fallbackName),
    runsIn: isBrowser === true ? 'a browser' : isWorkerd ? 'workerd' : 'Node.js',
    covers: (file) => (settings.some((one) => one.isHidden) ? null : covers(settings, own?.folder ?? '/', file)),
  };
}

/** A name is a text, or an object with a label and a colour; null where it is computed. */
function nameOf(name: Literal | undefined, fallback: string | null): string | null {
  if (name === undefined) return fallback;
  const label = objectIn(name)?.get('label') ?? name;
  return typeof label === 'string' ? label : null;
}

function covers(settings: readonly Settings[], folder: string, file: string): boolean | null {
  const of = (key: string): readonly Literal[] => settings.flatMap(({ test }) => valuesOf(test, key));
  const [root = ''] = [...of('dir'), ...of('root')].toReversed();
  if (typeof root !== 'string') return null;
  const base = path.resolve(folder, root);
  const include = of('include');
  const included = matchesAny(include.length > 0 ? include : defaultInclude, base, file);
  if (included !== true) return included;
  const excluded = matchesAny(
    of('exclude').filter((one) => !isDefault(one)),
    base,
    file,
  );
  return excluded === null ? null : !excluded;
}

const defaultInclude = ['**/*.{test,spec}.?(c|m)[jt]s?(x)'];

/** Whether a value is Vitest's default list of excluded files, in which nobody has tests. */
function isDefault(value: Literal): boolean {
  return (
    typeof value === 'object' &&
    'expression' in value &&
    /^\.{3}(configDefaults\.exclude|defaultExclude)\b/.test(value.expression)
  );
}
