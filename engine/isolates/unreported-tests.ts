import { plural } from '../../words/formats/figures.ts';
import type { LoadedIsolate } from './load-isolate.ts';

/**
 * Sentences for where it is not known which test had the thread: several ran at the same time, or the runner told of
 * none.
 */
export function untoldTests(isolates: readonly LoadedIsolate[]): readonly string[] {
  return [...concurrentTests(isolates), ...silentRunner(isolates)];
}

function concurrentTests(isolates: readonly LoadedIsolate[]): readonly string[] {
  const files = new Set(isolates.flatMap(({ tests }) => [...(tests?.untold ?? [])]));
  return files.size === 0
    ? []
    : [`Tests of ${plural(files.size, 'file')} ran at the same time (concurrent): operations meanwhile name no test.`];
}

/**
 * A sentence about a runner that told nothing. The recorder listens to calls inside of runners, and does not hear a
 * version that names them otherwise.
 */
function silentRunner(isolates: readonly LoadedIsolate[]): readonly string[] {
  if (isolates.some(({ tests }) => tests !== null && (tests.changes.length > 0 || tests.untold.size > 0))) return [];
  const recorded = isolates.filter(({ source, turns }) => turns !== null && !source.isTestParent);
  const urls = new Set(recorded.flatMap(({ parts }) => parts).flatMap(({ profile }) => profile.frames.map(urlOf)));
  const runner = runners.find(([file]) => [...urls].some((url) => file.test(url)));
  if (runner === undefined) return [];
  return [
    `${runner[1]} ran, but did not tell which test ran when: operations name no test. Either none ran, or it is of a version, or was started in a way, that Hotspan does not know.`,
  ];
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
