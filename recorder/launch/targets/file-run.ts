import path from 'node:path';
import { runScript, isInside } from '../packages/packages.ts';
import type { Readers } from '../packages/readers.ts';
import { chosenBy, projectsOf, usualConfig } from '../runners/runner-projects.ts';
import { type RunnerFacts, type RunnerWords, namedTests, optionsOf, runnerWords, valueOf } from '../runners/runners.ts';
import { commandOf, type ScriptPart } from '../npm-scripts/script-text.ts';
import { type TestProject, anyOf, chooseProjects, matchesAny } from '../runners/test-projects.ts';
import { splitWords } from '../npm-scripts/command-words.ts';
import type { TestHome } from './test-scripts.ts';

export interface FileTests extends TestHome {
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
      /**
       * The command to run instead of the runner, where its script does not call the runner by its name; null
       * otherwise.
       */
      readonly script: readonly string[] | null;
    }
  | { readonly type: 'foreign'; readonly runsIn: string };

/**
 * Decides how the tests of one file are run. Options come from the script that runs the file, and from no other: from
 * `test`, else from a script that names this very file. The file's own projects are named where others need something
 * else than Node.js.
 */
export async function fileRun(tests: FileTests, readers: Readers): Promise<FileRun> {
  const { file, isTest, facts, from } = tests;
  const ways = await scriptWays(tests, readers);
  const known = scriptWay(ways, tests);
  const byConfig = known === null && facts.related !== null ? await wayByConfig(tests, readers) : null;
  const way = known ??
    byConfig ?? { ...(ways.main[0] ?? noWay), covers: ways.main.length + ways.others.length > 0 ? false : null };
  const elsewhere = way.covers === false ? foreignWay(tests) : null;
  if (elsewhere !== null) return { type: 'foreign', runsIn: elsewhere };
  // A file that only helps tests is in none of the projects: the tests that use it are looked for.
  const names = chooseProjects(way.projects, file, isTest && way.covers !== false);
  if (names.type === 'foreign') return { type: 'foreign', runsIn: namedPlace(names.project) };
  const chosen = names.names === null ? [] : (facts.chooseProjects?.(names.names) ?? []);
  const options = [...optionsOf(way.words?.args ?? [], facts), ...way.config, ...chosen, ...(facts.noCoverage ?? [])];
  const args = facts.related === null ? [...facts.once, ...options, file] : [...facts.related(file), ...options];
  const wrapped = way.part !== null && /\breact-scripts\b/.test(way.part.text) ? way.part.passing : null;
  const script =
    wrapped === null ? null : runScript(from.manager, way.script, [...wrapped, ...args, '--watchAll=false']);
  return { type: 'run', node: way.words?.node ?? [], args, env: script === null ? way.env : {}, script };
}

/**
 * What runs the tests of a file that no script of its runner runs: a script of something else than Node.js that names
 * the file, or may, where the file itself names no runner of Node.js. Null where there is none.
 */
function foreignWay({ file, from, facts, namesRunner, scripts }: FileTests): string | null {
  const foreign = scripts.foreign.flatMap(({ script }) => script.parts).filter((part) => part.foreign !== null);
  const naming = foreign.find(({ text }) => {
    const names = splitWords(text).filter((word) => /[/*]/.test(word));
    return (
      names.some((name) => isInside(file, path.resolve(from.folder, name))) || matchesAny(names, from.folder, file)
    );
  });
  const mayBe = facts.related === null && !namesRunner ? foreign[0] : undefined;
  return (naming ?? mayBe)?.foreign ?? null;
}

function namedPlace({ runsIn, name }: TestProject): string {
  return name === null ? runsIn : `${runsIn} (project ${name})`;
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
  /** Whether it runs this file; null: that cannot be told. */
  readonly covers: boolean | null;
}

const noWay: Way = { part: null, script: '', words: null, env: {}, config: [], projects: [], covers: null };

interface ScriptWays {
  /** Those of the script `test`. */
  readonly main: readonly Way[];
  readonly others: readonly Way[];
}

async function scriptWays(tests: FileTests, readers: Readers): Promise<ScriptWays> {
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
function scriptWay({ main, others }: ScriptWays, { facts, from, isTest }: FileTests): Way | null {
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
  const covers = coversBoth(isNamed(args, tests), projectsCover(all.filter(chosenBy(args)), tests));
  return { part, script, words, env: command?.env ?? {}, config: [], projects: all, covers };
}

/**
 * The way by the usual configuration; for a test file that is not in it, by another configuration that has the file.
 */
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

/**
 * Whether the tests that a command names (patterns, folders, parts of paths), and its folder, contain the file; null
 * where it names none.
 */
function isNamed(args: readonly string[], { file, from, facts, isTest }: FileTests): boolean | null {
  const root = valueOf(args, /^(--root|--rootDir|--dir)$/);
  if (root !== null && !isInside(file, path.resolve(from.folder, root))) return false;
  const names = namedTests(args, facts);
  if (!isTest || names.length === 0) return null;
  const isIn = (name: string): boolean =>
    isInside(file, path.resolve(from.folder, name)) ||
    (facts.related !== null && file.includes(name.replace(/^\.\//, '')));
  return names.some(isIn) ? true : matchesAny(names, from.folder, file);
}

function coversBoth(first: boolean | null, second: boolean | null): boolean | null {
  if (first === false || second === false) return false;
  return first ?? second;
}
