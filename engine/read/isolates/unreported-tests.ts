import type { LoadedIsolate } from './load-isolate.ts';
import type { Warning } from '../../../words/warnings/warning-text.ts';

/** Finds out whether several tests ran at the same time, and whether a runner ran of whose tests nothing was heard. */
export function unreportedTests(isolates: readonly LoadedIsolate[]): readonly Warning[] {
  return [...concurrentTests(isolates), ...silentRunner(isolates)];
}

function concurrentTests(isolates: readonly LoadedIsolate[]): readonly Warning[] {
  const files = new Set(isolates.flatMap(({ tests }) => [...(tests?.untold ?? [])]));
  return files.size === 0 ? [] : [{ type: 'concurrentTests', files: files.size }];
}

/**
 * Finds a runner of whose tests nothing was heard. The recorder watches calls inside of runners, and hears nothing from a
 * version in which these functions have other names.
 */
function silentRunner(isolates: readonly LoadedIsolate[]): readonly Warning[] {
  if (isolates.some(({ tests }) => tests !== null && (tests.changes.length > 0 || tests.untold.size > 0))) return [];
  const recorded = isolates.filter(({ source, turns }) => turns !== null && !source.isTestParent);
  const urls = new Set(recorded.flatMap(({ parts }) => parts).flatMap(({ profile }) => profile.frames.map(urlOf)));
  const runner = runners.find(([file]) => [...urls].some((url) => file.test(url)));
  return runner === undefined ? [] : [{ type: 'silentRunner', runner: runner[1] }];
}

/** Files that a runner loads only in processes in which tests run. */
const runners = [
  [/[\\/]node_modules[\\/]jest-circus[\\/]/, 'Jest'],
  [/[\\/]node_modules[\\/]@vitest[\\/]runner[\\/]/, 'Vitest'],
  [/[\\/]node_modules[\\/]mocha[\\/]lib[\\/]runner\.js$/, 'Mocha'],
  [/^node:internal\/test_runner\/test$/, 'node:test'],
] as const;

function urlOf({ url }: { readonly url: string }): string {
  return url;
}
