import path from 'node:path';
import type { Literal, LiteralObject } from '../packages/literals.ts';
import { listIn, literalBehind, objectIn, withoutComments } from '../packages/literals.ts';
import { foldersOf, type Package } from '../packages/packages.ts';
import { splitWords, type ScriptPart } from '../npm-scripts/script-text.ts';
import { type RunnerFacts, factsOf, runnerWords, valueOf } from './runners.ts';
import { globMatcher } from '../packages/glob.ts';
import type { Readers } from '../packages/readers.ts';
import { isAtOrBelow } from '../../../protocol/path-spelling.ts';

/**
 * What runs all tests of a command instead of Node.js (null: Node.js, or unknown), else the projects of the command that
 * do not run in Node.js. A configuration of Vitest may name a browser.
 */
export async function runsIn(
  part: ScriptPart,
  from: Package,
  readers: Readers,
): Promise<{ readonly foreign: string | null; readonly foreignProjects: readonly TestProject[] }> {
  const facts = factsOf(part.runner);
  const args = facts === null ? null : (runnerWords(splitWords(part.text), facts)?.args ?? null);
  if (part.foreign !== null || facts?.runner !== 'vitest' || args === null)
    return { foreign: part.foreign, foreignProjects: [] };
  const chosen = (await projectsOf(facts, args, from, readers)).filter(chosenBy(args));
  const foreignProjects = chosen.filter((project) => project.runsIn !== 'Node.js');
  const [first] = foreignProjects;
  return foreignProjects.length === chosen.length && first !== undefined
    ? { foreign: `${first.runsIn} (vitest)`, foreignProjects: [] }
    : { foreign: null, foreignProjects };
}

/** A filter for the projects that `--project a`, `--project=a*` and `--project '!b'` choose; without it, for all. */
export function chosenBy(args: readonly string[]): (project: TestProject) => boolean {
  const patterns = args.flatMap((word, index) =>
    args[index - 1] === '--project' ? [word] : word.startsWith('--project=') ? [word.slice('--project='.length)] : [],
  );
  const matches = (pattern: string, { name }: TestProject): boolean =>
    name === null || globMatcher(pattern)?.(name) !== false;
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!'));
  const unwanted = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  return (project) =>
    (wanted.length === 0 || wanted.some((pattern) => matches(pattern, project))) &&
    !unwanted.some((pattern) => project.name !== null && matches(pattern, project));
}

/** The configuration that the runner reads when its command names none; null where there is none. */
export function usualConfig(facts: RunnerFacts, from: Package): string | null {
  if (facts.runner === 'vitest') return vitestConfigIn(from.files);
  return from.files.find((name) => facts.configuration.test(name)) ?? null;
}

/** The projects of a command, from the words after its runner's name; only Vitest and Jest have several. */
export async function projectsOf(
  facts: RunnerFacts,
  args: readonly string[],
  from: Package,
  readers: Readers,
): Promise<readonly TestProject[]> {
  const root = valueOf(args, /^(-r|--root|--rootDir)$/);
  const folder = path.resolve(from.folder, root ?? '.');
  const named = valueOf(args, /^(-c|--config)$/) ?? (folder === from.folder ? usualConfig(facts, from) : null);
  const config = named === null ? null : path.resolve(folder, named);
  if (facts.runner === 'vitest') return vitestProjects(config, folder, readers);
  if (facts.runner !== 'jest') return [unknownProject];
  // The root of Jest is the folder of its configuration.
  return jestProjects(config, root === null && config !== null ? path.dirname(config) : folder, readers);
}

/** The projects of a Jest configuration (absolute path); null: the settings in the package's manifest. */
async function jestProjects(config: string | null, folder: string, readers: Readers): Promise<readonly TestProject[]> {
  const settings = await jestSettings(config, folder, readers);
  if (settings === null) return [unknownProject];
  if (!settings.has('projects')) return [jestProject(settings, folder)];
  return projectsListed(
    valuesOf(settings, 'projects'),
    (pattern) => jestProjectsLike(pattern.replace('<rootDir>', '.'), folder, readers),
    (fields) => jestProject(fields, folder),
  );
}

/** The settings of a configuration; null where the text does not show them, empty where there are none. */
async function jestSettings(config: string | null, folder: string, readers: Readers): Promise<LiteralObject | null> {
  const manifest = (await readers.readText(path.join(folder, 'package.json'))) ?? '';
  if (config === null) return objectIn(literalBehind(/"jest"\s*:\s*(?=\{)/, manifest)) ?? new Map();
  const text = await readConfiguration(config, readers);
  return objectIn(literalBehind(/(?:module\.exports\s*=|export\s+default|\bconfig\b[^=\n]*=|^)\s*(?=\{)/, text));
}

async function jestProjectsLike(pattern: string, folder: string, readers: Readers): Promise<readonly TestProject[]> {
  const isFile = /\.([cm]?[jt]s|json)$/.test(pattern);
  const folders = await foldersOf(isFile ? path.posix.dirname(pattern) : pattern, folder, readers);
  return Promise.all(
    folders.map(async (one) => {
      const name = isFile
        ? path.posix.basename(pattern)
        : ((await readers.list(one)).find((file) => file.startsWith('jest.config.')) ?? null);
      const settings = await jestSettings(name === null ? null : path.join(one, name), one, readers);
      return settings === null ? unknownProject : jestProject(settings, one);
    }),
  );
}

function jestProject(settings: LiteralObject, folder: string): TestProject {
  const shown = settings.get('displayName');
  const name = objectIn(shown)?.get('name') ?? shown;
  const root = settings.get('rootDir') ?? '';
  const base = typeof root === 'string' ? path.resolve(folder, root.replace('<rootDir>', '.')) : null;
  return {
    name: typeof name === 'string' ? name : null,
    runsIn: 'Node.js',
    covers: (file) => (base === null || settings.has('...') ? null : jestCovers(settings, base, file)),
  };
}

function jestCovers(settings: LiteralObject, root: string, file: string): boolean | null {
  const of = (key: string): readonly Literal[] =>
    valuesOf(settings, key).map((one) => (typeof one === 'string' ? one.replace('<rootDir>/', '') : one));
  const roots = settings.has('roots') ? of('roots') : ['.'];
  if (!roots.every((one) => typeof one === 'string')) return null;
  if (!roots.some((one) => isAtOrBelow(file, path.resolve(root, one.replace('<rootDir>', '.'))))) return false;
  const patterns = settings.has('testMatch') ? of('testMatch') : jestDefaultMatch;
  const isTest = settings.has('testRegex')
    ? matchesExpression(of('testRegex'), file)
    : matchesAny(patterns, root, file);
  return without(isTest, () => matchesExpression(of('testPathIgnorePatterns'), file));
}

const jestDefaultMatch = ['**/__tests__/**/*.?([mc])[jt]s?(x)', '**/?(*.)+(spec|test).?([mc])[jt]s?(x)'];

/** Whether a file is included and not excluded; null where that is unknown. */
function without(isIncluded: boolean | null, isExcluded: () => boolean | null): boolean | null {
  if (isIncluded !== true) return isIncluded;
  const excluded = isExcluded();
  return excluded === null ? null : !excluded;
}

/**
 * Whether one of the regular expressions matches the whole path; null where one that might match is unknown. On Windows,
 * jest lets a `/` stand for a `\`.
 */
function matchesExpression(sources: readonly Literal[], file: string): boolean | null {
  const spellings = [file, file.replaceAll(path.sep, '/')];
  const answers = sources.map((source) => {
    try {
      return typeof source === 'string' ? spellings.some((one) => new RegExp(source).test(one)) : null;
    } catch {
      return null; // It is not a valid expression.
    }
  });
  return anyOf(answers);
}

/** The projects of a Vitest configuration (absolute path; null: none), or of the file of a workspace. */
async function vitestProjects(
  config: string | null,
  folder: string,
  readers: Readers,
): Promise<readonly TestProject[]> {
  const root = await vitestSettings(config, folder, readers);
  const file = (await readers.list(folder)).find((name) =>
    /^vitest\.(workspace|projects)\.([cm]?[jt]s|json)$/.test(name),
  );
  const listed = root.test?.get('projects') ?? root.test?.get('workspace');
  const fromFile = file === undefined ? null : await workspaceIn(path.join(folder, file), readers);
  const entries = listIn(listed) ?? fromFile;
  if (entries === null) {
    const isUnknown = listed !== undefined || file !== undefined;
    return [isUnknown ? unknownProject : vitestProject(null, [root])];
  }
  const unwanted = entries.filter((entry) => typeof entry === 'string').filter((entry) => entry.startsWith('!'));
  const left = await Promise.all(unwanted.map((entry) => foldersOf(entry.slice(1), folder, readers)));
  return projectsListed(
    entries.filter((entry) => typeof entry !== 'string' || !entry.startsWith('!')),
    (pattern) => vitestProjectsLike(pattern, folder, new Set(left.flat()), readers),
    (fields) => listedProject(fields, root, readers),
  );
}

/** The settings under `test` in one file, and the folder where its patterns start. */
interface Settings {
  /** The value of `test`; null where the text does not show it. */
  readonly test: LiteralObject | null;
  readonly folder: string;
  /** The tests run in Cloudflare's workerd. */
  readonly isWorkerd: boolean;
  /** The list of its tests, or their root, may be computed. */
  readonly isHidden: boolean;
}

async function vitestSettings(config: string | null, folder: string, readers: Readers): Promise<Settings> {
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

/** A project that is listed as an object, with what it extends. */
async function listedProject(fields: LiteralObject, root: Settings, readers: Readers): Promise<TestProject> {
  const base = fields.get('extends');
  const file = typeof base === 'string' ? path.resolve(root.folder, base) : null;
  const inherited = file === null ? (base === true ? [root] : []) : [await vitestSettings(file, root.folder, readers)];
  const ownRoot = fields.get('root');
  const own: Settings = {
    test: objectIn(fields.get('test')),
    folder: typeof ownRoot === 'string' ? path.resolve(root.folder, ownRoot) : root.folder,
    isWorkerd: false,
    isHidden: false,
  };
  return vitestProject(null, [...inherited, own]);
}

/** The projects for a pattern of folders or of configurations. */
async function vitestProjectsLike(
  pattern: string,
  folder: string,
  unwanted: ReadonlySet<string>,
  readers: Readers,
): Promise<readonly TestProject[]> {
  const names = /[^/]*config[^/]*\.[^/]*$/.exec(pattern)?.[0] ?? null;
  const folders = await foldersOf(names === null ? pattern : path.posix.dirname(pattern), folder, readers);
  const projectIn = async (one: string, config: string | null): Promise<TestProject> => {
    const settings = await vitestSettings(config === null ? null : path.join(one, config), one, readers);
    return vitestProject(await packageName(one, readers), [settings]);
  };
  const lists = folders.map(async (one) => {
    if (unwanted.has(one)) return [];
    const files = await readers.list(one);
    const configs =
      names === null ? [vitestConfigIn(files)] : files.filter((file) => globMatcher(names)?.(file) === true);
    return Promise.all(configs.map((config) => projectIn(one, config)));
  });
  return (await Promise.all(lists)).flat();
}

/** The configuration that Vitest reads when no other is named; null where there is none. */
function vitestConfigIn(files: readonly string[]): string | null {
  const find = (name: string): string | undefined =>
    files.find((file) => new RegExp(`^${name}\\.config\\.[cm]?[jt]s$`).test(file));
  return find('vitest') ?? find('vite') ?? null;
}

async function packageName(folder: string, readers: Readers): Promise<string> {
  const text = (await readers.readText(path.join(folder, 'package.json'))) ?? '';
  return /^\s*"name"\s*:\s*"([^"]+)"/m.exec(text)?.[1] ?? path.basename(folder);
}

/** The last settings are the project's own, those before them are inherited: lists are joined, the rest is overridden. */
function vitestProject(fallbackName: string | null, settings: readonly Settings[]): TestProject {
  const own = settings.at(-1);
  const isBrowser = settings
    .map(({ test }) => objectIn(test?.get('browser'))?.get('enabled'))
    .findLast((value) => value !== undefined);
  const isWorkerd =
    settings.some((one) => one.isWorkerd) ||
    JSON.stringify(own?.test?.get('pool') ?? '').includes('vitest-pool-workers');
  // A text, or an object with a label and a colour.
  const shown = own?.test?.get('name');
  const name = objectIn(shown)?.get('label') ?? shown ?? fallbackName;
  return {
    name: typeof name === 'string' ? name : null,
    runsIn: isBrowser === true ? 'a browser' : isWorkerd ? 'workerd' : 'Node.js',
    covers: (file) => (settings.some((one) => one.isHidden) ? null : vitestCovers(settings, own?.folder ?? '/', file)),
  };
}

function vitestCovers(settings: readonly Settings[], folder: string, file: string): boolean | null {
  const of = (key: string): readonly Literal[] => settings.flatMap(({ test }) => valuesOf(test, key));
  const [root = ''] = [...of('dir'), ...of('root')].toReversed();
  if (typeof root !== 'string') return null;
  const base = path.resolve(folder, root);
  const include = of('include');
  const included = matchesAny(include.length > 0 ? include : ['**/*.{test,spec}.?(c|m)[jt]s?(x)'], base, file);
  const exclude = of('exclude').filter((one) => !isDefaultExclude(one));
  return without(included, () => matchesAny(exclude, base, file));
}

/** Whether a value is Vitest's default list of excluded files, in which there are no tests. */
function isDefaultExclude(value: Literal): boolean {
  return (
    typeof value === 'object' &&
    'expression' in value &&
    /^\.{3}(configDefaults\.exclude|defaultExclude)\b/.test(value.expression)
  );
}

/** A part of a runner's configuration with tests of its own. A configuration without such parts is one project. */
export interface TestProject {
  /** Its name for the runner; null where it has none or it is not known. */
  readonly name: string | null;
  /** Only Node.js can be profiled. */
  readonly runsIn: 'Node.js' | 'a browser' | 'workerd';
  /** Whether a file (absolute path) is one of its tests; null where the configuration does not show it. */
  readonly covers: (file: string) => boolean | null;
}

/** Where the tests of a project run, for a sentence. */
export function placeOf({ runsIn, name }: TestProject): string {
  return name === null ? runsIn : `${runsIn} (project ${name})`;
}

/** For projects that the text of a configuration does not show. */
const unknownProject: TestProject = { name: null, runsIn: 'Node.js', covers: () => null };

/** The text of a configuration (absolute path) without comments; empty where there is no such file. */
async function readConfiguration(file: string, readers: Readers): Promise<string> {
  return withoutComments((await readers.readText(file)) ?? '');
}

/** The values of a setting that is a list or a single value; none where it is missing. */
function valuesOf(settings: LiteralObject | null, key: string): readonly Literal[] {
  const value = settings?.get(key);
  return value === undefined ? [] : (listIn(value) ?? [value]);
}

/** The projects of a list in a configuration: a text is a pattern of files or folders, an object is a project. */
async function projectsListed(
  entries: readonly Literal[],
  byPattern: (pattern: string) => Promise<readonly TestProject[]>,
  bySettings: (settings: LiteralObject) => TestProject | Promise<TestProject>,
): Promise<readonly TestProject[]> {
  const lists = entries.map(async (entry) => {
    if (typeof entry === 'string') return byPattern(entry);
    const settings = objectIn(entry);
    return [settings === null ? unknownProject : await bySettings(settings)];
  });
  return (await Promise.all(lists)).flat();
}

/** The projects of a configuration that a file needs. */
export type ProjectChoice =
  /** Null: all projects; the runner itself finds the file's. */
  | { readonly type: 'names'; readonly names: readonly string[] | null }
  /** No test of the file runs in Node.js. */
  | { readonly type: 'foreign'; readonly project: TestProject };

/** A test file is run in the projects that have it, any other file in all projects; both only in those of Node.js. */
export function chooseProjects(projects: readonly TestProject[], file: string, isTest: boolean): ProjectChoice {
  const answers = projects.map((project) => ({ project, covers: !isTest || project.covers(file) }));
  const covering = answers.filter(({ covers }) => covers === true).map(({ project }) => project);
  const wanted = covering.filter(({ runsIn }) => runsIn === 'Node.js');
  const [foreign] = covering;
  const isSure = answers.every(({ covers }) => covers !== null);
  if (foreign !== undefined && wanted.length === 0 && isSure) return { type: 'foreign', project: foreign };
  const names = wanted.map(({ name }) => name).filter((name) => name !== null);
  const isKnown = isSure && names.length === wanted.length && names.length > 0 && wanted.length < projects.length;
  return { type: 'names', names: isKnown ? names : null };
}

/** Whether a pattern matches a file, relative to `root` (`../b/*.ts`, too); null where one that might is unknown. */
export function matchesAny(patterns: readonly Literal[], root: string, file: string): boolean | null {
  const relative = path.relative(root, file).replaceAll('\\', '/');
  const answers = patterns.map((pattern) => {
    if (typeof pattern !== 'string') return null;
    if (!pattern.startsWith('..') && !isAtOrBelow(file, root)) return false;
    return globMatcher(pattern)?.(relative) ?? null;
  });
  return anyOf(answers);
}

/** True where one answer is true, else null where one is unknown. */
export function anyOf(answers: readonly (boolean | null)[]): boolean | null {
  return answers.some((answer) => answer === true) ? true : answers.every((answer) => answer === false) ? false : null;
}
