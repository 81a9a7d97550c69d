import path from 'node:path';
import type { Package } from '../packages/package-manifest.ts';
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
