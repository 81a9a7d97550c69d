import path from 'node:path';
import type { Package } from './package-manifest.ts';
import type { Readers } from './readers.ts';
import type { Runner } from './target.ts';

/** What differs from runner to runner. */
export interface RunnerFacts {
  readonly runner: Runner;
  /** Files of a package that only this runner reads. */
  readonly configuration: RegExp;
  /** The file below its package's folder that `node` runs; null: Node itself. */
  readonly entry: string | null;
  /** Behind the entry: all tests, once. */
  readonly once: readonly string[];
  /** Behind a script that would watch: makes it run once; null: only without its own words for watching. */
  readonly stopWatching: readonly string[] | null;
  /** Switches coverage off; null: there is no such word. */
  readonly noCoverage: readonly string[] | null;
  /** Behind the entry: only the tests that concern these files, test or not; null: tests are given as files. */
  readonly related: ((file: string) => readonly string[]) | null;
  /** Options that take the next word as their value. */
  readonly valued: RegExp;
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
    valued: /^(-c|--config|-r|--root|--project|--pool|--environment|--reporter|--mode|--dir|-t|--testNamePattern)$/,
  },
  {
    runner: 'jest',
    configuration: /^jest\.config\.([cm]?[jt]s|json)$/,
    entry: 'bin/jest.js',
    once: [],
    stopWatching: null,
    noCoverage: ['--coverage=false'],
    related: (file) => ['--findRelatedTests', file],
    valued:
      /^(-c|--config|--rootDir|--testMatch|--testRegex|-w|--maxWorkers|-t|--testNamePattern|--selectProjects|--env|--reporters)$/,
  },
  {
    runner: 'mocha',
    configuration: /^\.mocharc(\.([cm]?js|jsonc?|ya?ml))?$/,
    entry: 'bin/mocha.js',
    once: [],
    stopWatching: null,
    noCoverage: null,
    related: null,
    valued:
      /^(-r|--require|--import|--loader|--experimental-loader|-c|--config|-t|--timeout|-u|--ui|-R|--reporter|-O|--reporter-options?|-s|--slow|-n|--node-option|--extension|-j|--jobs|--retries|--file|-g|--grep|-f|--fgrep|--ignore|--exclude|--package|-C|--conditions)$/,
  },
  {
    runner: 'node:test',
    configuration: /^node\.config\.json$/,
    entry: null,
    once: ['--test'],
    stopWatching: null,
    noCoverage: null,
    related: null,
    valued:
      /^(-r|--require|--import|--loader|--experimental-loader|-C|--conditions|--env-file|--test-reporter|--test-reporter-destination|--test-name-pattern|--test-concurrency|--test-timeout)$/,
  },
];

/** The words that run the package's own copy of the runner; null where it is not installed. Node's needs none. */
export async function runnerCommand(
  facts: RunnerFacts,
  from: Package,
  workspace: string,
  readers: Readers,
): Promise<readonly string[] | null> {
  if (facts.entry === null) return ['node'];
  const home = await dependencyFolder(facts.runner, from.folder, workspace, readers);
  return home === null ? null : ['node', path.join(home, facts.entry)];
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
