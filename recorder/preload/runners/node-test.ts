import { host, internal, isFunction, isObject } from '../host/host.ts';
import { onLookup } from './lookups.ts';
import type { TestLog } from './test-log.ts';

/**
 * Watches the tests of `node:test`, each from the first line of its function to the end of its `after` hooks; hooks
 * before it do not count. Node's class for a test is an `AsyncResource`: it looks up `runInAsyncScope` to call the
 * function, and `postRun` when everything is over (Node 20 to 26). The channel `tracing:node.test` (Node 24 and later)
 * is not used: with a subscriber the function's `this` is another object, and its stack has more frames.
 */
export function watchNodeTest(log: TestLog): void {
  const base = host.AsyncResource.prototype;
  const undo = onLookup(base, 'runInAsyncScope', (self) => {
    if (!isFunction(internal(self, 'postRun')) || !isFunction(internal(self, 'createSubtest'))) return;
    undo();
    const testClass = lastBelow(base, self);
    const ids = new WeakMap<object, number>();
    const begin = (test: object): void => {
      const isTest = Object.getPrototypeOf(test) === testClass && isObject(internal(test, 'parent'));
      // Node 20 runs skipped tests, as empty functions.
      const isRun = isTest && internal(test, 'skipped') !== true;
      if (isRun && !ids.has(test)) ids.set(test, log.begin({ ...whereIs(test), parent: parentOf(test, ids) }));
    };
    onLookup(testClass, 'runInAsyncScope', begin);
    onLookup(testClass, 'postRun', (test) => {
      const id = ids.get(test);
      ids.delete(test);
      if (id !== undefined) log.end(id);
    });
    begin(self);
  });
}

/** The last prototype of an object before `base` in its chain. */
function lastBelow(base: object, self: object): object {
  const chain: object[] = [self];
  for (const above of chain) {
    const next: unknown = Object.getPrototypeOf(above);
    if (next === base || !isObject(next)) return above;
    chain.push(next);
  }
  return self;
}

/** File and titles of a test; the root of all tests is left out because nobody gave it a name. */
function whereIs(test: object): { file: string; titles: readonly string[] } {
  const titles: string[] = [];
  for (const level of ancestorsOf(test)) titles.unshift(String(internal(level, 'name')));
  const location = internal(test, 'loc');
  const files = [isObject(location) ? internal(location, 'file') : null, internal(test, 'entryFile'), process.argv[1]];
  return { file: files.find((file) => typeof file === 'string') ?? '', titles };
}

function parentOf(test: object, ids: WeakMap<object, number>): number | null {
  const [, ...above] = ancestorsOf(test);
  return above.map((level) => ids.get(level)).find((id) => id !== undefined) ?? null;
}

/** The test and the suites around it, innermost first, without the root. */
function ancestorsOf(test: object): readonly object[] {
  const levels = [test];
  for (const level of levels) {
    const parent = internal(level, 'parent');
    if (isObject(parent) && isObject(internal(parent, 'parent'))) levels.push(parent);
  }
  return levels;
}
