import path from 'node:path';
import { isTestFile } from '../../../protocol/test-files.ts';
import type { RunnerFacts, RunnerWords } from '../runners/runners.ts';
import {
  dependencyFolder,
  findsConfiguration,
  runnerCommand,
  namedTests,
  optionsOf,
  runnerWords,
  valueOf,
} from '../runners/runners.ts';
import { isAtOrBelow } from '../../../protocol/path-spelling.ts';
import { type Runner, type TargetFound, relativeFolder, unchanged } from '../target.ts';
import { isPlaywrightTest, type RanCommand, runsElsewhere, testHome, type TestHome } from './test-scripts.ts';
import { type Package, packageOf, runScript } from '../packages/packages.ts';
import type { Readers } from '../packages/readers.ts';
import {
  chosenBy,
  projectsOf,
  usualConfig,
  type TestProject,
  anyOf,
  placeOf,
  chooseProjects,
  matchesAny,
} from '../runners/runner-projects.ts';
import { commandOf, type ScriptPart, splitWords } from '../npm-scripts/script-text.ts';

/** The tests of a test file, else the file itself. None for what Bun, Deno or a browser runs. */
export async function testsOrFile(file: string, workspace: string, readers: Readers): Promise<TargetFound> {
  const isTest = isTestFile(relativeFolder(file, workspace)) && /\.[cm]?[jt]sx?$/.test(file);
  const tests = isTest ? await targetForFile(file, workspace, readers) : null;
  return tests?.type === 'found' || tests?.isFinal === true ? tests : fileTarget(file, workspace, readers);
}

/**
 * The target for one file's tests, or the tests that use it (jest, vitest), by the script that runs them. `ran`: the
 * command that ran this test file, which replaces the script where it starts a known runner.
 */
export async function targetForFile(
  file: string,
  workspace: string,
  readers: Readers,
  ran: RanCommand | null = null,
): Promise<TargetFound> {
  const name = path.basename(file);
  const text = (await readers.readText(file)) ?? '';
  const elsewhere = runsElsewhere(name, text);
  if (elsewhere !== null) return foreign(name, elsewhere);
  if (isPlaywrightTest(text))
    return none(`Playwright runs the tests of ${name}: profile the npm script that starts it.`, true);
  const isTest = ran !== null || isTestFile(relativeFolder(file, workspace));
  const home = await testHome({ file, text, workspace, ran }, readers);
  if (home === null) return none(`${name} belongs to no package of the workspace: run it with Profile File.`);
  const { from, facts, scripts } = home;
  if (facts === null) return unknownRunner(name, scripts);
  if (facts.related === null && !isTest) {
    return none(
      `${facts.runner} cannot tell which tests reach ${name}: open one of its test files, or profile the whole suite.`,
    );
  }
  const run = await fileRun({ ...home, file, isTest, facts }, readers);
  if (run.type === 'foreign') return foreign(name, run.runsIn);
  const own = await runnerCommand(facts, from, readers, run.node);
  const command = run.script ?? (own === null ? null : [...own, ...run.args]);
  if (command === null) return notInstalled(facts.runner, from.folder);
  return {
    type: 'found',
    target: {
      ...ofFile(file, from.folder, workspace),
      id: `${relativeFolder(file, workspace)}#tests`,
      kind: 'fileTests',
      runner: facts.runner,
      label: `Tests of ${name}`,
      command,
      env: run.env,
    },
  };
}

function unknownRunner(name: string, scripts: TestHome['scripts']): TargetFound {
  const [{ foreign: [what] } = { foreign: [] }] = scripts.foreign;
  return what === undefined
    ? none(`No mocha, jest, vitest or node:test is known for ${name}: profile the whole suite, or the file itself.`)
    : { ...foreign(name, what), isFinal: false };
}

/** The target that runs a file with Node; TypeScript by the package's tsx or ts-node, or a Node that strips types. */
export async function fileTarget(file: string, workspace: string, readers: Readers): Promise<TargetFound> {
  if (!/^(\.[cm]?[jt]sx?)?$/.test(path.extname(file)))
    return none(
      `${path.basename(file)} is not a JavaScript or TypeScript file: open the one that you want to profile.`,
    );
  const from = await packageOf(file, workspace, readers);
  const folder = from?.folder ?? workspace;
  const version = await readers.nodeVersion();
  if (version === null)
    return none(
      'There is no node on the PATH: install Node.js 20 or later, or start VS Code from a terminal that finds it.',
    );
  const isModule = file.endsWith('.mts') || (from?.isModule === true && !file.endsWith('.cts'));
  const loader = await loaderFor(file, { from, workspace, isModule, version }, readers);
  if (loader === null) {
    // No Node runs JSX by itself.
    const [language, orNode] = file.endsWith('x') ? ['JSX', ''] : ['TypeScript', ', or use Node 22.18 or later'];
    return none(
      `${path.basename(file)} is ${language}, which Node ${version} cannot run without a loader: install tsx (npm i -D tsx)${orNode}.`,
    );
  }
  return {
    type: 'found',
    target: {
      ...ofFile(file, folder, workspace),
      id: `${relativeFolder(file, workspace)}#file`,
      kind: 'file',
      runner: null,
      label: path.basename(file),
      command: ['node', ...loader, file],
    },
  };
}

const none = (message: string, isFinal = false) => ({ type: 'none', message, isFinal }) as const;

function notInstalled(runner: Runner, folder: string): TargetFound {
  const message = `No node_modules folder of ${folder} or above it has ${runner}: install the package's dependencies, or profile an npm script.`;
  return none(message, true);
}

function foreign(name: string, what: string): TargetFound & { readonly type: 'none' } {
  const message = `The tests of ${name} run in ${what}, and Hotspan profiles Node.js: profile another file, or an npm script that Node.js runs.`;
  return none(message, true);
}

function ofFile(file: string, folder: string, workspace: string) {
  return { description: relativeFolder(path.dirname(file), workspace), folder, ...unchanged };
}

interface HowToLoad {
  /** The package of the file; null: none. */
  readonly from: Package | null;
  readonly workspace: string;
  readonly isModule: boolean;
  /** That of Node. */
  readonly version: string;
}

/**
 * Options with which Node runs the file: none for JavaScript; null where this Node cannot run it. Folders above the
 * workspace may be another user's (`/tmp`): a loader from there is used only where the package asks for it.
 */
async function loaderFor(
  file: string,
  { from, workspace, isModule, version }: HowToLoad,
  readers: Readers,
): Promise<readonly string[] | null> {
  if (!/\.([cm]?ts|tsx|jsx)$/.test(file)) return [];
  const isInstalled = async (name: string): Promise<boolean> => {
    const last = from?.dependencies.has(name) === true ? undefined : workspace;
    return (await dependencyFolder(name, from?.folder ?? workspace, readers, last)) !== null;
  };
  if (await isInstalled('tsx')) return ['--import', 'tsx'];
  if (!file.endsWith('.jsx') && (await isInstalled('ts-node'))) {
    return isModule ? ['--loader', 'ts-node/esm'] : ['--require', 'ts-node/register'];
  }
  return stripsTypes(version) && !file.endsWith('x') ? [] : null;
}

/** Whether this version of Node strips types without a flag: since 22.18 and 23.6. */
function stripsTypes(version: string): boolean {
  const [major = 0, minor = 0] = version.replace('v', '').split('.').map(Number);
  return major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18);
}

interface FileTests extends TestHome {
  /** Absolute path. */
  readonly file: string;
  readonly isTest: boolean;
  readonly facts: RunnerFacts;
}

/** How the tests of one file are run. */
type FileRun =
  | {
      readonly type: 'run';
      /** Options of Node, before the runner's file. */
      readonly node: readonly string[];
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      /** The command to run instead of the runner, where its script does not call the runner by its name; else null. */
      readonly script: readonly string[] | null;
    }
  | { readonly type: 'foreign'; readonly runsIn: string };

/**
 * Decides how the tests of one file are run. Options come only from the script that runs the file: from `test`, else from
 * a script that names this very file. The file's own projects are named where others do not run in Node.js.
 */
async function fileRun(tests: FileTests, readers: Readers): Promise<FileRun> {
  const { file, isTest, facts, from } = tests;
  const ways = await scriptWays(tests, readers);
  const known = scriptWay(ways, tests) ?? (tests.isRan ? (ways.main[0] ?? null) : null);
  const byConfig = known === null && facts.related !== null ? await wayByConfig(tests, readers) : null;
  const way = known ??
    byConfig ?? { ...(ways.main[0] ?? noWay), covers: ways.main.length + ways.others.length > 0 ? false : null };
  const elsewhere = way.covers === false ? foreignWay(tests) : null;
  if (elsewhere !== null) return { type: 'foreign', runsIn: elsewhere };
  // A helper of tests is in none of the projects: the runner looks for the tests that use it.
  const names = chooseProjects(way.projects, file, isTest && way.covers !== false);
  if (names.type === 'foreign') return { type: 'foreign', runsIn: placeOf(names.project) };
  const chosen = names.names === null ? [] : (facts.chooseProjects?.(names.names) ?? []);
  const words = way.words?.args ?? [];
  const isConfigured = facts.leaveOut !== null && (await findsConfiguration(facts, words, from, readers));
  const options = [
    ...optionsOf(words, facts, tests.isRan),
    ...(isConfigured ? facts.leaveOut(file) : []),
    ...way.config,
    ...chosen,
    ...(facts.noCoverage ?? []),
  ];
  const once = facts.entry === null && globSyntax.test(file) ? [] : facts.once;
  const args = facts.related === null ? [...once, ...options, file] : [...facts.related(file), ...options];
  const wrapped = way.part !== null && /\breact-scripts\b/.test(way.part.text) ? way.part.passing : null;
  const script =
    wrapped === null ? null : runScript(from.manager, way.script, [...wrapped, ...args, '--watchAll=false']);
  return { type: 'run', node: way.words?.node ?? [], args, env: script === null ? way.env : {}, script };
}

/**
 * Since Node 21 the words after `--test` are patterns, and `[id]` in a path does not match itself. Without `--test` all
 * versions run the file, with the same options.
 */
const globSyntax = /[[\]{}*?]|[!+@]\(/;

/**
 * What runs the tests of a file that no script of its runner runs: a script of another program than Node.js that names
 * the file, or may, where the file itself names no runner of Node.js. Null where there is none.
 */
function foreignWay({ file, from, facts, namesRunner, scripts }: FileTests): string | null {
  const foreign = scripts.foreign.flatMap(({ script }) => script.parts).filter((part) => part.foreign !== null);
  const naming = foreign.find(({ text }) => {
    const names = splitWords(text).filter((word) => /[/*]/.test(word));
    return (
      names.some((name) => isAtOrBelow(file, path.resolve(from.folder, name))) || matchesAny(names, from.folder, file)
    );
  });
  const mayBe = facts.related === null && !namesRunner ? foreign[0] : undefined;
  return (naming ?? mayBe)?.foreign ?? null;
}

/** One way to run a package's tests. */
interface Way {
  /** Null where it does not come from a script. */
  readonly part: ScriptPart | null;
  /** The name of its script. */
  readonly script: string;
  readonly words: RunnerWords | null;
  readonly env: Readonly<Record<string, string>>;
  /** Options that name a configuration which no script names. */
  readonly config: readonly string[];
  readonly projects: readonly TestProject[];
  /** Whether it runs this file; null: unknown. */
  readonly covers: boolean | null;
}

const noWay: Way = { part: null, script: '', words: null, env: {}, config: [], projects: [], covers: null };

/** The ways by the script `test`, and by others. */
async function scriptWays(tests: FileTests, readers: Readers) {
  const { facts, scripts } = tests;
  const waysOf = (isMain: boolean): Promise<readonly Way[]> => {
    const named = scripts.scripts.filter(({ name }) => (name === 'test') === isMain);
    const parts = named.flatMap(({ name, script }) => script.parts.map((part) => ({ part, name })));
    const own = parts.filter(({ part }) => part.runner === facts.runner && part.foreign === null);
    return Promise.all(own.map(({ part, name }) => partWay(part, name, tests, readers)));
  };
  return { main: await waysOf(true), others: await waysOf(false) };
}

/** The way by a script; null where no script is known to run the file. */
function scriptWay(
  { main, others }: Awaited<ReturnType<typeof scriptWays>>,
  { facts, from, isTest }: FileTests,
): Way | null {
  const found = main.find(({ covers }) => covers === true) ?? main.find(({ covers }) => covers === null);
  if (found !== undefined) return found;
  if (isTest) return others.find(({ covers }) => covers === true) ?? null;
  return main.length === 0 && others.length === 1 && usualConfig(facts, from) === null ? (others[0] ?? null) : null;
}

async function partWay(part: ScriptPart, script: string, tests: FileTests, readers: Readers): Promise<Way> {
  const { facts, from } = tests;
  const command = commandOf(part.text);
  const words = command === null ? null : runnerWords(command.words, facts);
  const args = words?.args ?? [];
  const all = await projectsOf(facts, args, from, readers);
  const [byName, byProject] = [isNamed(args, tests), projectsCover(all.filter(chosenBy(args)), tests)];
  const covers = byName === false || byProject === false ? false : (byName ?? byProject);
  // Its options that choose projects are kept.
  const projects = tests.isRan ? [] : all;
  return { part, script, words, env: command?.env ?? {}, config: [], projects, covers };
}

/** The way by the usual configuration, or, for a test file that is not in it, by another one that has the file. */
async function wayByConfig(tests: FileTests, readers: Readers): Promise<Way> {
  const { facts, from, isTest } = tests;
  const usual = usualConfig(facts, from);
  const wayBy = async (config: string | null): Promise<Way> => {
    const named = config === null || config === usual ? [] : ['--config', config];
    const projects = await projectsOf(facts, named, from, readers);
    return { ...noWay, config: named, projects, covers: projectsCover(projects, tests) };
  };
  const first = await wayBy(usual);
  if (!isTest || first.covers !== false) return first;
  const others = from.files.filter(
    (name) => name !== usual && new RegExp(`^${facts.runner}\\..*\\.[cm]?[jt]s$`).test(name) && name.includes('config'),
  );
  const ways = await Promise.all(others.map(wayBy));
  return ways.find(({ covers }) => covers === true) ?? first;
}

function projectsCover(projects: readonly TestProject[], { file, isTest }: FileTests): boolean | null {
  return isTest ? anyOf(projects.map((project) => project.covers(file))) : true;
}

/** Whether the tests that a command names, and its folder, contain the file; null where it names none. */
function isNamed(args: readonly string[], { file, from, facts, isTest }: FileTests): boolean | null {
  const root = valueOf(args, /^(--root|--rootDir|--dir)$/);
  if (root !== null && !isAtOrBelow(file, path.resolve(from.folder, root))) return false;
  const names = namedTests(args, facts);
  if (!isTest || names.length === 0) return null;
  const isIn = (name: string): boolean =>
    isAtOrBelow(file, path.resolve(from.folder, name)) ||
    (facts.related !== null && file.includes(name.replace(/^\.\//, '')));
  return names.some(isIn) ? true : matchesAny(names, from.folder, file);
}
