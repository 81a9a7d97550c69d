import { internal, isObject } from '../host/host.ts';
import { onAssignment } from './lookups.ts';
import type { TestLog } from './test-log.ts';

/**
 * Watches the tests of vitest (3 to 5) through the state of its worker, a global of the realm in which tests run. Its
 * `current` is a test with its hooks, or a suite, a file or nothing. Concurrent tests replace each other there in an
 * order that tells nothing. Returns whether the state was there.
 */
export function watchVitest(realm: object, seen: WeakSet<object>, log: TestLog): boolean {
  const state = internal(realm, '__vitest_worker__');
  if (!isObject(state)) return false;
  if (seen.has(state)) return true;
  seen.add(state);
  const running: { id: number | null } = { id: null };
  onAssignment(state, 'current', (task) => {
    if (running.id !== null) log.end(running.id);
    running.id = null;
    if (task === undefined) log.endFile();
    if (!isObject(task) || internal(task, 'type') !== 'test') return;
    const levels = levelsOf(task);
    const file = fileOf(task);
    if (levels.some((level) => internal(level, 'concurrent') === true)) log.cannotTell(file);
    else {
      const titles = levels.map((level) => String(internal(level, 'name')));
      running.id = log.begin({ file, titles, parent: null });
    }
  });
  return true;
}

/** The suites around a test, outermost first and without the file, and then the test. */
function levelsOf(task: object): readonly object[] {
  const levels = [task];
  for (const level of levels) {
    const suite = internal(level, 'suite');
    if (isObject(suite) && typeof internal(suite, 'filepath') !== 'string') levels.push(suite);
  }
  return levels.toReversed();
}

function fileOf(task: object): string {
  const file = internal(task, 'file');
  const path = isObject(file) ? internal(file, 'filepath') : undefined;
  return typeof path === 'string' ? path : '';
}
