/** Paths inside the workspace, with `/`, that are test code. */
export const testPatterns: readonly RegExp[] = [
  /(^|\/)(test|tests|__tests__|spec|specs|e2e)\//,
  /(^|\/)test\.[cm]?[jt]sx?$/,
  /\.(test|spec)\.[cm]?[jt]sx?$/,
];

/** Whether a path inside the workspace is test code, or named like `parse-test.js` or `parse_test.js`. */
export function isTestFile(relative: string): boolean {
  return [...testPatterns, /[_-](test|spec)\.[cm]?[jt]sx?$/].some((pattern) => pattern.test(relative));
}

/** Length of a user's pattern for tests in UTF-16 units. */
export const MAX_PATTERN_LENGTH = 1000;

const runnerPackages =
  /^(mocha|jest|jest-.+|@jest\/.+|vitest|@vitest\/.+|vite-node|tinypool|ava|tap|@tapjs\/.+|jasmine|jasmine-.+|uvu|c8|nyc)$/;

/** Whether a package runs tests. */
export function isRunnerPackage(name: string): boolean {
  return runnerPackages.test(name);
}

/** Whether a package runs tasks in threads and processes, those of test runners or of any program. */
export function isPoolPackage(name: string): boolean {
  return /^(jest-worker|tinypool|piscina|workerpool)$/.test(name);
}
