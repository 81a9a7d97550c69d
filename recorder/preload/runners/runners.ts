import { EventEmitter } from 'node:events';
import { attempt, call, host, internal, isFunction, isObject, pathIn, realPath, textIn, now } from '../host/host.ts';
import { testsSuffix } from '../../../protocol/recording.ts';
import { type Output, openLineLog } from '../host/output.ts';
import type { Run } from '../host/run.ts';
import type { TestLine } from '../../../protocol/recording-lines.ts';

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
    const testClass = prototypesOf(self).find((one) => Object.getPrototypeOf(one) === base) ?? self;
    const ids = new WeakMap<object, number>();
    const begin = (test: object): void => {
      const isTest = Object.getPrototypeOf(test) === testClass && isObject(internal(test, 'parent'));
      // Node 20 runs skipped tests, as empty functions.
      if (!isTest || internal(test, 'skipped') === true || ids.has(test)) return;
      const levels = levelsOf(test, parentOf);
      const files = [pathIn(test, 'loc', 'file'), internal(test, 'entryFile'), process.argv[1]];
      const file = files.find((one) => typeof one === 'string') ?? '';
      const parents = levels.slice(0, -1).flatMap((level) => ids.get(level) ?? []);
      ids.set(test, log.begin({ file, titles: namesOf(levels), parent: parents.at(-1) ?? null }));
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

/**
 * Watches the tests of mocha through the events of its `Runner`, an emitter that adds listeners to itself as soon as it
 * is made. Only where mocha's own command or worker runs: in a program that starts mocha itself tests have no names.
 */
export function watchMocha(log: TestLog): void {
  // The script may be a link in `.bin`.
  if (
    !realPath(process.argv[1] ?? '')
      .replaceAll('\\', '/')
      .includes('/node_modules/mocha/')
  )
    return;
  const undo = onLookup(EventEmitter.prototype, 'on', (self) => {
    if (!isFunction(internal(self, 'runTests')) || !isFunction(internal(self, 'hookDown'))) return;
    undo();
    const seen = new WeakSet();
    const see = (runner: object): void => {
      // The tests of a parallel runner run in other processes.
      if (seen.has(runner) || internal(runner.constructor, 'name') === 'ParallelBufferedRunner') return;
      seen.add(runner);
      listenToMocha(runner, log);
    };
    const runnerClass = prototypesOf(self).find((one) => Object.hasOwn(one, 'runTests'));
    if (runnerClass !== undefined) onLookup(runnerClass, 'on', see);
    see(self);
  });
}

const on = internal(EventEmitter.prototype, 'on');

function listenToMocha(runner: object, log: TestLog): void {
  const next = oneByOne(log);
  const end = (): void => next(null);
  const begin = (test: unknown): void => {
    end();
    if (!isObject(test)) return;
    const titles = call(internal(test, 'titlePath'), test, []);
    const texts = Array.isArray(titles) ? titles.filter((title) => typeof title === 'string') : [];
    next({ file: textIn(test, 'file'), titles: texts, parent: null });
  };
  call(on, runner, ['test', begin]);
  for (const event of ['test end', 'retry', 'suite end', 'end']) call(on, runner, [event, end]);
}

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
  const next = oneByOne(log);
  const known: { isConcurrent: boolean | null } = { isConcurrent: null };
  onAssignment(state, 'currentlyRunningTest', (test) => {
    next(null);
    const titles = isObject(test) ? namesOf(levelsOf(test, parentOf)) : [];
    if (!isObject(test) || isLeftOut(test, titles, state)) return;
    const file = textIn(realm, Symbol.for('$$jest-matchers-object'), 'state', 'testPath');
    known.isConcurrent ??= hasConcurrent(internal(state, 'rootDescribeBlock'));
    if (known.isConcurrent) log.cannotTell(file);
    else next({ file, titles, parent: null });
  });
  return true;
}

/** Whether `skip`, `only` or `-t` leaves a test out: jest sets it as the running test nevertheless. */
function isLeftOut(test: object, titles: readonly string[], state: object): boolean {
  const mode = internal(test, 'mode');
  if (mode === 'skip' || mode === 'todo') return true;
  if (mode === undefined && internal(state, 'hasFocusedTests') === true) return true;
  const wanted = internal(state, 'testNamePattern');
  return isObject(wanted) && call(internal(wanted, 'test'), wanted, [titles.join(' ')]) === false;
}

function hasConcurrent(root: unknown): boolean {
  const entries: unknown[] = [root];
  for (const entry of entries) {
    if (pathIn(entry, 'concurrent') === true) return true;
    const children: unknown = pathIn(entry, 'children');
    for (const child of Array.isArray(children) ? children : []) entries.push(child);
  }
  return false;
}

/**
 * Watches the tests of vitest (3 to 5) through the state of its worker, a global of the realm in which tests run. Its
 * `current` is a test with its hooks, or a suite, a file or nothing. Concurrent tests replace each other there in an
 * order that says nothing. Returns whether the state was there.
 */
export function watchVitest(realm: object, seen: WeakSet<object>, log: TestLog): boolean {
  const state = internal(realm, '__vitest_worker__');
  if (!isObject(state)) return false;
  if (seen.has(state)) return true;
  seen.add(state);
  const next = oneByOne(log);
  onAssignment(state, 'current', (task) => {
    next(null);
    if (task === undefined) log.endFile();
    if (!isObject(task) || internal(task, 'type') !== 'test') return;
    // The outermost suite is the file.
    const levels = levelsOf(task, (level) => {
      const suite = internal(level, 'suite');
      return typeof pathIn(suite, 'filepath') === 'string' ? null : suite;
    });
    const file = textIn(task, 'file', 'filepath');
    if (levels.some((level) => internal(level, 'concurrent') === true)) log.cannotTell(file);
    else next({ file, titles: namesOf(levels), parent: null });
  });
  return true;
}

/** Whether the realm of a test file has the functions of a runner that was not recognized, such as jest's jasmine2. */
export function hasTestFunctions(realm: object): boolean {
  return isFunction(internal(realm, 'describe')) && isFunction(internal(realm, 'it'));
}

/** Returns a function that ends the running test and begins the next one; null begins none. */
function oneByOne(log: TestLog): (next: RunningTest | null) => void {
  const running: { id: number | null } = { id: null };
  return (next) => {
    if (running.id !== null) log.end(running.id);
    running.id = next === null ? null : log.begin(next);
  };
}

/** The suites around a test, outermost first, and then the test. */
function levelsOf(test: object, suiteAround: (level: object) => unknown): readonly object[] {
  const levels = [test];
  for (const level of levels) {
    const suite = suiteAround(level);
    if (isObject(suite)) levels.push(suite);
  }
  return levels.toReversed();
}

/** The suite around a suite or a test of jest or `node:test`; null for their root, which has no name of the program's. */
function parentOf(level: object): unknown {
  const parent = internal(level, 'parent');
  return isObject(pathIn(parent, 'parent')) ? parent : null;
}

function namesOf(levels: readonly object[]): readonly string[] {
  return levels.map((level) => String(internal(level, 'name')));
}

/** The object and its prototypes. */
function prototypesOf(self: object): readonly object[] {
  const above: unknown = Object.getPrototypeOf(self);
  return isObject(above) ? [self, ...prototypesOf(above)] : [self];
}

/**
 * From now on, calls `see` with the object whose property `name` is looked up, which usually happens right before a
 * method is called. The property otherwise behaves as before when it is read, called or set, and no frame of the
 * recorder is on the stack while the method runs. Returns a function that restores everything.
 */
function onLookup(target: object, name: string, see: (self: object) => void): () => void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  const property: { value: unknown } = { value: before?.value };
  Object.defineProperty(target, name, {
    configurable: true,
    enumerable: before?.enumerable ?? false,
    get(this: object) {
      attempt(() => see(this));
      return before === undefined ? pathIn(Object.getPrototypeOf(target), name) : property.value;
    },
    set(this: object, value: unknown) {
      if (this === target && before !== undefined) property.value = value;
      else Object.defineProperty(this, name, { configurable: true, enumerable: true, writable: true, value });
    },
  });
  return () => {
    if (before === undefined) Reflect.deleteProperty(target, name);
    else Object.defineProperty(target, name, { ...before, value: property.value });
  };
}

/** Calls `see` with each value that the property gets, after it was set. */
function onAssignment(target: object, name: string, see: (value: unknown) => void): void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  const property: { value: unknown } = { value: before?.value };
  Object.defineProperty(target, name, {
    configurable: true,
    enumerable: before?.enumerable ?? true,
    get: () => property.value,
    set: (value: unknown) => {
      property.value = value;
      attempt(() => see(value));
    },
  });
}

/** Notes when each test ran in this isolate. */
export interface TestLog {
  /** Notes the begin of a test, and returns its id. */
  readonly begin: (test: RunningTest) => number;
  readonly end: (id: number) => void;
  /** Notes, once for each file, that its tests run at the same time, so that the running one is not known. */
  readonly cannotTell: (file: string) => void;
  /** Notes, once, that a test file was loaded of whose tests nothing is known. */
  readonly unreported: () => void;
  /** Writes at once: after the last test of a file the thread may be stopped without notice. */
  readonly endFile: () => void;
  /** Writes the collected lines. What cannot be written stays for the next time. */
  readonly flush: () => void;
}

export interface RunningTest {
  /** Absolute path; empty where it is not known. */
  readonly file: string;
  /** The titles of its suites and its own, outermost first. */
  readonly titles: readonly string[];
  /** Id of the test that waits for this one; null where there is none. */
  readonly parent: number | null;
}

/** `own` runs the recorder's own work. */
export function openTestLog(run: Run, output: Output, own: (work: () => void) => void): TestLog {
  const log = openLineLog<TestLine>(`${run.isolate}${testsSuffix}`, output, own, (line) => host.toJson(line));
  const state = { count: 0, isUnreported: false };
  const untold = new Set<string>();
  return {
    begin: ({ file, titles, parent }) => {
      state.count += 1;
      const id = state.count;
      const names = titles.slice(0, 20).map((title) => title.slice(0, 200));
      if (id <= MAX_TESTS) log.add(['begin', now(), id, file, names, parent ?? -1]);
      return id;
    },
    end: (id) => {
      if (id <= MAX_TESTS) log.add(['end', now(), id]);
    },
    cannotTell: (file) => {
      if (untold.has(file)) return;
      untold.add(file);
      log.add(['untold', now(), file]);
    },
    unreported: () => {
      if (!state.isUnreported) log.add(['unreported', now()]);
      state.isUnreported = true;
    },
    endFile: log.flushNow,
    flush: log.flush,
  };
}

/** Some 20 MB; later tests are not noted. */
const MAX_TESTS = 100_000;
