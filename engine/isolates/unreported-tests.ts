import type { LoadedIsolate } from './load-isolate.ts';

/** What is to be said where it is not known which test had the thread. */
export type UnreportedTests =
  /** Tests of so many files ran at the same time. */
  | { readonly type: 'concurrentTests'; readonly files: number }
  /** The runner told of no test. */
  | { readonly type: 'silentRunner'; readonly runner: string };

/** Whether several tests ran at the same time, and whether the runner told of none. */
export function unreportedTests(isolates: readonly LoadedIsolate[]): readonly UnreportedTests[] {
  return [...concurrentTests(isolates), ...silentRunner(isolates)];
}

function concurrentTests(isolates: readonly LoadedIsolate[]): readonly UnreportedTests[] {
  const files = new Set(isolates.flatMap(({ tests }) => [...(tests?.untold ?? [])]));
  return files.size === 0 ? [] : [{ type: 'concurrentTests', files: files.size }];
}

/**
 * A runner that told nothing. The recorder listens to calls inside of runners, and does not hear a version that names
 * them otherwise.
 */
function silentRunner(isolates: readonly LoadedIsolate[]): readonly UnreportedTests[] {
  if (isolates.some(({ tests }) => tests !== null && (tests.changes.length > 0 || tests.untold.size > 0))) return [];
  const recorded = isolates.filter(({ source, turns }) => turns !== null && !source.isTestParent);
  const urls = new Set(recorded.flatMap(({ parts }) => parts).flatMap(({ profile }) => profile.frames.map(urlOf)));
  const runner = runners.find(([file]) => [...urls].some((url) => file.test(url)));
  return runner === undefined ? [] : [{ type: 'silentRunner', runner: runner[1] }];
}

/** Files that each runner loads where tests run, and nowhere else. */
const runners = [
  [/[\\/]node_modules[\\/]jest-circus[\\/]/, 'Jest'],
  [/[\\/]node_modules[\\/]@vitest[\\/]runner[\\/]/, 'Vitest'],
  [/[\\/]node_modules[\\/]mocha[\\/]lib[\\/]runner\.js$/, 'Mocha'],
  [/^node:internal\/test_runner\/test$/, 'node:test'],
] as const;

function urlOf({ url }: { readonly url: string }): string {
  return url;
}
