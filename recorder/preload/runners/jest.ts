import { call, internal, isObject } from '../host/host.ts';
import { onAssignment } from './lookups.ts';
import type { TestLog } from './test-log.ts';

/**
 * Watches the tests of jest (29 and 30, with its runner `jest-circus`) through the runner's state in the global object
 * of the test file. The event handler of an environment (`handleTestEvent`) is not used, because jest would await it
 * between all tests. Where a file has `test.concurrent`, the state does not show which test runs. Returns whether the
 * state was there.
 */
export function watchJest(realm: object, log: TestLog): boolean {
  const symbol = Object.getOwnPropertySymbols(realm).find(({ description }) => description === 'JEST_STATE_SYMBOL');
  const state = symbol === undefined ? undefined : internal(realm, symbol);
  if (!isObject(state) || !('currentlyRunningTest' in state)) return false;
  const running: { id: number | null; isConcurrent: boolean | null } = { id: null, isConcurrent: null };
  onAssignment(state, 'currentlyRunningTest', (test) => {
    if (running.id !== null) log.end(running.id);
    running.id = null;
    if (!isObject(test) || isLeftOut(test, state)) return;
    const file = fileOf(realm);
    running.isConcurrent ??= hasConcurrent(internal(state, 'rootDescribeBlock'));
    if (running.isConcurrent) log.cannotTell(file);
    else running.id = log.begin({ file, titles: titlesOf(test), parent: null });
  });
  return true;
}

/** Whether `skip`, `only` or `-t` leaves a test out: jest sets it as the running test nevertheless. */
function isLeftOut(test: object, state: object): boolean {
  const mode = internal(test, 'mode');
  if (mode === 'skip' || mode === 'todo') return true;
  if (mode === undefined && internal(state, 'hasFocusedTests') === true) return true;
  const wanted = internal(state, 'testNamePattern');
  return isObject(wanted) && call(internal(wanted, 'test'), wanted, [titlesOf(test).join(' ')]) === false;
}

function hasConcurrent(root: unknown): boolean {
  const entries: unknown[] = [root];
  for (const entry of entries) {
    if (!isObject(entry)) continue;
    if (internal(entry, 'concurrent') === true) return true;
    const children: unknown = internal(entry, 'children');
    for (const child of Array.isArray(children) ? children : []) entries.push(child);
  }
  return false;
}

/** Titles of the suites around a test, outermost first, and of the test; without the root, which jest itself names. */
function titlesOf(test: object): readonly string[] {
  const levels = [test];
  for (const level of levels) {
    const parent = internal(level, 'parent');
    if (isObject(parent) && isObject(internal(parent, 'parent'))) levels.push(parent);
  }
  return levels.map((level) => String(internal(level, 'name'))).toReversed();
}

/** Path of the test file, from the state of `expect`. */
function fileOf(realm: object): string {
  const matchers = internal(realm, Symbol.for('$$jest-matchers-object'));
  const state = isObject(matchers) ? internal(matchers, 'state') : undefined;
  const file = isObject(state) ? internal(state, 'testPath') : undefined;
  return typeof file === 'string' ? file : '';
}
