import path from 'node:path';
import type { Package } from '../packages/packages.ts';
import type { Readers } from '../packages/readers.ts';
import type { Runner } from '../target.ts';

/** What differs from runner to runner. */
export interface RunnerFacts {
  readonly runner: Runner;
  /** Files of a package that only this runner reads. */
  readonly configuration: RegExp;
  /** The file below its package's folder that `node` runs, where its manifest names no other; null: Node itself. */
  readonly entry: string | null;
  /** Behind the entry: all tests, once. */
  readonly once: readonly string[];
  /** Behind a script that would watch: makes it run once; null: only without its own words for watching. */
  readonly stopWatching: readonly string[] | null;
  /** Switches coverage off; null: there is no such word. */
  readonly noCoverage: readonly string[] | null;
  /** Behind the entry: only the tests that concern these files, test or not; null: tests are given as files. */
  readonly related: ((file: string) => readonly string[]) | null;
  /** Options that run only some of its projects; null: it has none. */
  readonly chooseProjects: ((names: readonly string[]) => readonly string[]) | null;
  /** Options that take the next word as their value. */
  readonly valued: RegExp;
  /** Options with a value that choose among the tests: they are of the script that has them. */
  readonly selecting: RegExp;
}

export const runners: readonly RunnerFacts[] = [
  {
    runner: 'vitest',
    configuration: /^vitest\.(config|workspace)\.[cm]?[jt]s(on)?$/,
    entry: 'vitest.mjs',
    once: ['run'],
    stopWatching: ['--run'],
    noCoverage: ['--coverage.enabled=false'],
    related: (file) => ['related', file, '--run'],
    chooseProjects: (names) => names.flatMap((name) => ['--project', name]),
    valued:
      /^(-c|--config|-r|--root|--pool|--environment|--reporter|--outputFile|--mode|--testTimeout|--hookTimeout|--retry)$/,
    selecting: /^(--project|--shard|--dir|-t|--testNamePattern|--changed|--exclude)$/,
  },
  {
    runner: 'jest',
    configuration: /^jest\.config\.([cm]?[jt]s|json)$/,
    entry: 'bin/jest.js',
    once: [],
    stopWatching: null,
    noCoverage: ['--coverage=false'],
    related: (file) => ['--findRelatedTests', file],
    chooseProjects: (names) => ['--selectProjects', ...names],
    valued:
      /^(-c|--config|--rootDir|-w|--maxWorkers|--env|--reporters|--testTimeout|--outputFile|--setupFilesAfterEnv)$/,
    selecting:
      /^(--testMatch|--testRegex|-t|--testNamePattern|--selectProjects|--ignoreProjects|--projects|--shard|--testPathPatterns?|--testPathIgnorePatterns|--changedSince|--runTestsByPath|--roots)$/,
  },
  {
    runner: 'mocha',
    configuration: /^\.mocharc(\.([cm]?js|jsonc?|ya?ml))?$/,
    entry: 'bin/mocha.js',
    once: [],
    stopWatching: null,
    noCoverage: null,
    related: null,
    chooseProjects: null,
    valued:
      /^(-r|--require|--import|--loader|--experimental-loader|-c|--config|-t|--timeout|-u|--ui|-R|--reporter|-O|--reporter-options?|-s|--slow|-n|--node-option|--extension|-j|--jobs|--retries|--file|--package|-C|--conditions)$/,
    selecting: /^(-g|--grep|-f|--fgrep|--ignore|--exclude|--spec)$/,
  },
  {
    runner: 'node:test',
    configuration: /^node\.config\.json$/,
    entry: null,
    once: ['--test'],
    stopWatching: null,
    noCoverage: null,
    related: null,
    chooseProjects: null,
    valued:
      /^(-r|--require|--import|--loader|--experimental-loader|-C|--conditions|--env-file|--test-reporter|--test-reporter-destination|--test-concurrency|--test-timeout)$/,
    selecting: /^(--test-name-pattern|--test-skip-pattern|--test-shard)$/,
  },
];

/** The words that run the package's own copy of the runner; null where it is not installed. Node's needs none. `nodeOptions`: in front of it. */
export async function runnerCommand(
  facts: RunnerFacts,
  from: Package,
  workspace: string,
  readers: Readers,
  nodeOptions: readonly string[] = [],
): Promise<readonly string[] | null> {
  if (facts.entry === null) return ['node', ...nodeOptions];
  const home = await dependencyFolder(facts.runner, from.folder, workspace, readers);
  if (home === null) return null;
  const manifest = (await readers.readText(path.join(home, 'package.json'))) ?? '';
  // Mocha 9 has no `.js` there.
  const bin = new RegExp(`"bin"\\s*:\\s*(?:\\{[^}]*"${facts.runner}"\\s*:\\s*)?"([^"]+)"`).exec(manifest)?.[1];
  return ['node', ...nodeOptions, path.join(home, bin ?? facts.entry)];
}

/** The folder of a dependency, in the package or hoisted above it, as Node looks for it, but not above the workspace. */
export async function dependencyFolder(
  name: string,
  from: string,
  workspace: string,
  readers: Readers,
): Promise<string | null> {
  for (let at = from; ; at = path.dirname(at)) {
    const home = path.join(at, 'node_modules', name);
    if ((await readers.readText(path.join(home, 'package.json'))) !== null) return home;
    if (at === workspace || at === path.dirname(at)) return null;
  }
}

/** The words of a command that starts a runner. */
export interface RunnerWords {
  /** Node's own options, in front of the runner's file. */
  readonly node: readonly string[];
  /** What stands behind the runner's name. */
  readonly args: readonly string[];
}

/** Null where the runner is called in another way. */
export function runnerWords(words: readonly string[], { runner, entry }: RunnerFacts): RunnerWords | null {
  if (entry === null) {
    const name = words.findIndex((word) => /(^|[/\\])(node|tsx)$/.test(word));
    if (name < 0) return null;
    return {
      node: [],
      args: [...(words[name]?.endsWith('tsx') === true ? ['--import', 'tsx'] : []), ...words.slice(name + 1)],
    };
  }
  const name = words.findIndex((word) => new RegExp(`(^|[/\\\\])_?${runner}(\\.[cm]?js)?$`).test(word));
  if (name < 0) return null;
  const node = words.slice(0, name).findLastIndex((word) => /(^|[/\\])node$/.test(word));
  const between = node < 0 ? [] : words.slice(node + 1, name);
  const program = between.findIndex((word, index) => !word.startsWith('-') && !isValue(between, index, nodeValued));
  return { node: program < 0 ? between : between.slice(0, program), args: words.slice(name + 1) };
}

const nodeValued = /^(-r|--require|--import|--loader|--experimental-loader|-C|--conditions|--env-file)$/;

/** All tests, once, without coverage. */
export function plainArguments(words: readonly string[], { valued }: RunnerFacts): readonly string[] {
  return words.filter((word) => valued.test(word) || (!watching.test(word) && !coverage.test(word)));
}

/** The options with their values that hold for every test: not which tests, how to run them, or where to stop in them. */
export function optionsOf(words: readonly string[], facts: RunnerFacts): readonly string[] {
  return words.filter((word, index) => {
    if (isValue(words, index, facts.selecting)) return false;
    if (isValue(words, index, facts.valued)) return true;
    const name = word.replace(/=.*/s, '');
    const isDropped = watching.test(word) || coverage.test(word) || notForOne.test(name);
    return word.startsWith('-') && !facts.selecting.test(name) && (facts.valued.test(name) || !isDropped);
  });
}

/** The tests that are named: files, folders and patterns. */
export function namedTests(words: readonly string[], { valued, selecting }: RunnerFacts): readonly string[] {
  return words.filter(
    (word, index) => !/^(-|run$)/.test(word) && !isValue(words, index, valued) && !isValue(words, index, selecting),
  );
}

/** What an option is given, behind it or after `=`; null where it is not there. */
export function valueOf(words: readonly string[], option: RegExp): string | null {
  const index = words.findIndex((word) => option.test(word.replace(/=.*/s, '')));
  const word = words[index];
  if (word === undefined) return null;
  return word.includes('=') ? word.slice(word.indexOf('=') + 1) : (words[index + 1] ?? null);
}

function isValue(words: readonly string[], index: number, options: RegExp): boolean {
  return index > 0 && options.test(words[index - 1] ?? '');
}

const watching = /^(--watch(All|-files)?(=.*)?|-w)$/;
const coverage = /^(--coverage.*|--experimental-test-coverage)$/;
const notForOne =
  /^(--run|--test|--|--ui|--open|--inspect(-brk|-wait)?|--typecheck\.only|--browser(\..*)?|--passWithNoTests|--list(Tests)?|--onlyChanged|--lastCommit|--onlyFailures|--invert)$/;
