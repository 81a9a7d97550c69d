import path from 'node:path';
import type { Package } from '../packages/packages.ts';
import type { Readers } from '../packages/readers.ts';
import type { Runner } from '../target.ts';
import { valuedNodeOption } from '../../../words/formats/command-text.ts';

/** What differs from runner to runner. */
export interface RunnerFacts {
  readonly runner: Runner;
  /** Names of files that only this runner reads. */
  readonly configuration: RegExp;
  /** The file in the runner's package that `node` runs, unless the manifest names another; null: the runner is Node. */
  readonly entry: string | null;
  /** Words after the entry that run all tests once. */
  readonly once: readonly string[];
  /** Arguments that make a watching script run once; null: its own words for watching must be removed. */
  readonly stopWatching: readonly string[] | null;
  /** Arguments that switch coverage off; null: there are none. */
  readonly noCoverage: readonly string[] | null;
  /** Words after the entry that run only the tests which use this file; null: the runner takes only test files. */
  readonly related: ((file: string) => readonly string[]) | null;
  /** Options that leave out the tests which its configuration adds to this file; null: it adds none. */
  readonly leaveOut: ((file: string) => readonly string[]) | null;
  /** Options that run only some of its projects; null: the runner has no projects. */
  readonly chooseProjects: ((names: readonly string[]) => readonly string[]) | null;
  /** Options that take the next word as their value. */
  readonly valued: RegExp;
  /** Options with a value that choose among the tests. They are used only in the command that has them. */
  readonly selecting: RegExp;
  /** Those options that choose tests by name, or projects, not files; also without a value. */
  readonly naming: RegExp;
}

const cannot = { stopWatching: null, noCoverage: null, related: null, leaveOut: null, chooseProjects: null } as const;

export const runners: readonly RunnerFacts[] = [
  {
    runner: 'vitest',
    configuration: /^vitest\.(config|workspace)\.[cm]?[jt]s(on)?$/,
    entry: 'vitest.mjs',
    once: ['run'],
    stopWatching: ['--run'],
    noCoverage: ['--coverage.enabled=false'],
    related: (file) => ['related', file, '--run'],
    leaveOut: null,
    chooseProjects: (names) => names.flatMap((name) => ['--project', name]),
    valued:
      /^(-c|--config|-r|--root|--pool|--environment|--reporter|--outputFile|--mode|--testTimeout|--hookTimeout|--teardownTimeout|--slowTestThreshold|--retry|--bail|--maxWorkers|--minWorkers|--maxConcurrency|--workspace|--sequence\.seed|--configLoader|--execArgv)$/,
    selecting: /^(--project|--shard|--dir|-t|--testNamePattern|--changed|--exclude)$/,
    naming: /^(--project|-t|--testNamePattern)$/,
  },
  {
    runner: 'jest',
    configuration: /^jest\.config\.([cm]?[jt]s|json)$/,
    entry: 'bin/jest.js',
    once: [],
    stopWatching: null,
    noCoverage: ['--coverage=false'],
    related: (file) => ['--findRelatedTests', file],
    leaveOut: null,
    chooseProjects: (names) => ['--selectProjects', ...names],
    valued:
      /^(-c|--config|--rootDir|-w|--maxWorkers|--env|--reporters|--testEnvironment|--testEnvironmentOptions|--testTimeout|--outputFile|--setupFiles|--setupFilesAfterEnv|--globals|--globalSetup|--globalTeardown|--preset|--transform|--resolver|--runner|--testRunner|--testSequencer|--seed|--maxConcurrency|--cacheDirectory|--workerIdleMemoryLimit)$/,
    selecting:
      /^(--testMatch|--testRegex|-t|--testNamePattern|--selectProjects|--ignoreProjects|--projects|--shard|--testPathPatterns?|--testPathIgnorePatterns|--changedSince|--runTestsByPath|--roots)$/,
    naming: /^(-t|--testNamePattern)$/,
  },
  {
    runner: 'mocha',
    configuration: /^\.mocharc(\.([cm]?js|jsonc?|ya?ml))?$/,
    entry: 'bin/mocha.js',
    once: [],
    ...cannot,
    // Mocha adds the `spec` of its configuration. `--ignore !FILE` ignores all paths but this one.
    leaveOut: (file) => ['--ignore', `!${file.replaceAll(path.sep, '/').replaceAll(/[*?[\]{}()!+@|]/g, '?')}`],
    valued:
      /^(-r|--require|--import|--loader|--experimental-loader|-c|--config|-t|--timeout|-u|--ui|-R|--reporter|-O|--reporter-options?|-s|--slow|-n|--node-option|--extension|-j|--jobs|--retries|--file|--package|-C|--conditions)$/,
    selecting: /^(-g|--grep|-f|--fgrep|--ignore|--exclude|--spec)$/,
    naming: /^(-g|--grep|-f|--fgrep|--invert)$/,
  },
  {
    runner: 'node:test',
    configuration: /^node\.config\.json$/,
    entry: null,
    once: ['--test'],
    ...cannot,
    valued: new RegExp(
      `${valuedNodeOption.source}|^--(experimental-test-isolation|test-(reporter|reporter-destination|concurrency|timeout|global-setup|isolation|random-seed))$`,
    ),
    selecting: /^(--test-(name-pattern|skip-pattern|shard|rerun-failures)|--experimental-test-tag-filter)$/,
    naming: /^(--test-(name|skip)-pattern|--experimental-test-tag-filter)$/,
  },
];

/** Whether a package has a configuration of the runner, or settings in its manifest. */
export function isConfigured({ runner, configuration }: RunnerFacts, from: Package): boolean {
  return from.files.some((name) => configuration.test(name)) || from.hasKey(runner);
}

/** Whether the runner finds a configuration: one that the words name, or that of the package or of a folder above. */
export async function findsConfiguration(
  facts: RunnerFacts,
  words: readonly string[],
  from: Package,
  { list }: Readers,
): Promise<boolean> {
  if (isConfigured(facts, from) || valueOf(words, /^--(config|package)$/) !== null) return true;
  for (let at = from.folder; at !== path.dirname(at); at = path.dirname(at))
    if ((await list(path.dirname(at))).some((name) => facts.configuration.test(name))) return true;
  return false;
}

export function factsOf(runner: Runner | null): RunnerFacts | null {
  return runners.find((facts) => facts.runner === runner) ?? null;
}

/**
 * The command for the package's copy of the runner, after `nodeOptions`; null where it is not installed. It may be above
 * the open folder: the package or its test names it, and `npm test` would start that very file.
 */
export async function runnerCommand(
  facts: RunnerFacts,
  from: Package,
  readers: Readers,
  nodeOptions: readonly string[] = [],
): Promise<readonly string[] | null> {
  if (facts.entry === null) return ['node', ...nodeOptions];
  const home = await dependencyFolder(facts.runner, from.folder, readers);
  if (home === null) return null;
  const manifest = (await readers.readText(path.join(home, 'package.json'))) ?? '';
  // In Mocha 9 the file's name has no `.js`.
  const bin = new RegExp(`"bin"\\s*:\\s*(?:\\{[^}]*"${facts.runner}"\\s*:\\s*)?"([^"]+)"`).exec(manifest)?.[1];
  return ['node', ...nodeOptions, path.join(home, bin ?? facts.entry)];
}

/** The folder where Node finds a dependency of a package, not above `last`; null where it is not installed. */
export async function dependencyFolder(
  name: string,
  from: string,
  readers: Readers,
  last = path.parse(from).root,
): Promise<string | null> {
  for (let at = from; ; at = path.dirname(at)) {
    const home = path.join(at, 'node_modules', name);
    if ((await readers.readText(path.join(home, 'package.json'))) !== null) return home;
    if (at === last || at === path.dirname(at)) return null;
  }
}

/** The words of a command that starts a runner. */
export interface RunnerWords {
  /** Options of Node itself, before the runner's file. */
  readonly node: readonly string[];
  /** The words after the runner's name. */
  readonly args: readonly string[];
}

/** The words of a command; null where it does not call the runner by its name. */
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
  const program = between.findIndex(
    (word, index) => !word.startsWith('-') && !isValue(between, index, valuedNodeOption),
  );
  return { node: program < 0 ? between : between.slice(0, program), args: words.slice(name + 1) };
}

/** The words without those for watching and coverage. */
export function plainArguments(words: readonly string[], { valued }: RunnerFacts): readonly string[] {
  return words.filter((word, index) => {
    if (isDroppedValue(words, index)) return false;
    return valued.test(word) || (!watching.test(word) && !coverage.test(word));
  });
}

/**
 * The options, with their values, for every test: not those that choose tests, watch, collect coverage, or debug.
 * `keepsNames`: those that choose tests by name, or projects, too.
 */
export function optionsOf(words: readonly string[], facts: RunnerFacts, keepsNames = false): readonly string[] {
  return words.filter((word, index) => {
    const name = word.replace(/=.*/s, '');
    if (keepsNames && (facts.naming.test(name) || isValue(words, index, facts.naming))) return true;
    if (isValue(words, index, facts.selecting)) return false;
    if (isValue(words, index, facts.valued)) return true;
    const isDropped = watching.test(word) || coverage.test(word) || notForOne.test(name);
    return word.startsWith('-') && !facts.selecting.test(name) && (facts.valued.test(name) || !isDropped);
  });
}

/** The tests that the words name: files, folders and patterns. */
export function namedTests(words: readonly string[], { valued, selecting }: RunnerFacts): readonly string[] {
  const isTaken = (index: number): boolean =>
    isValue(words, index, valued) || isValue(words, index, selecting) || isDroppedValue(words, index);
  return words.filter((word, index) => !/^(-|run$)/.test(word) && !isTaken(index));
}

/** The value of an option, after it or after `=`; null where the option is not there. */
export function valueOf(words: readonly string[], option: RegExp): string | null {
  const index = words.findIndex((word) => option.test(word.replace(/=.*/s, '')));
  const word = words[index];
  if (word === undefined) return null;
  return word.includes('=') ? word.slice(word.indexOf('=') + 1) : (words[index + 1] ?? null);
}

function isValue(words: readonly string[], index: number, options: RegExp): boolean {
  return index > 0 && options.test(words[index - 1] ?? '');
}

/** Whether a word is the value of an option for watching or coverage. Jest takes several words for some of them. */
function isDroppedValue(words: readonly string[], index: number): boolean {
  const option = words.slice(0, index).findLastIndex((word) => word.startsWith('-'));
  const takes = option === index - 1 ? valuedWatchOrCoverage : listsOfCoverage;
  return words[index]?.startsWith('-') === false && takes.test(words[option] ?? '');
}

const watching = /^(--watch(All|-files|-ignore)?(=.*)?|-w)$/;
const coverage = /^(--(test-)?coverage.*|--experimental-test-coverage)$/;
const listsOfCoverage = /^--coverage(Reporters|PathIgnorePatterns)$/;
const valuedWatchOrCoverage =
  /^--(watch-(files|ignore)|test-coverage-(include|exclude|lines|branches|functions)|coverage(Directory|PathIgnorePatterns|Provider|Reporters|Threshold)|coverage\.(provider|include|exclude|extension|reporter|reportsDirectory|processingConcurrency|customProviderModule|(thresholds|watermarks)\.(lines|functions|branches|statements)))$/;
const notForOne =
  /^(--run|--test|--|--ui|--open|--inspect(-brk|-wait)?|--typecheck\.only|--browser(\..*)?|--passWithNoTests|--list(Tests)?|--onlyChanged|--lastCommit|--onlyFailures|--invert)$/;
