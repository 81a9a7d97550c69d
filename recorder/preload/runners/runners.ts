import { EventEmitter } from 'node:events';
import {
  attempt,
  call,
  host,
  internal,
  isFunction,
  isObject,
  pathIn,
  realPath,
  textIn,
  replace,
} from '../host/host.ts';
import type { TestOutcome } from '../../../protocol/recording-lines.ts';
import type { RunningTest, TestLog } from './test-log.ts';
import vm from 'node:vm';

/**
 * Notes which test runs when, without a hook, listener or reporter that a runner would wait for or print. Call the
 * returned function before each own file is compiled: by then a realm has the state of jest or vitest.
 */
export function watchTests(log: TestLog): () => void {
  attempt(() => watchNodeTest(log));
  attempt(() => watchMocha(log));
  const realms = watchRealms();
  const vitestStates = new WeakSet<object>();
  return () =>
    attempt(() => {
      watchVitest(globalThis, vitestStates, log);
      for (const realm of realms.waiting()) {
        if (watchJest(realm, log) || watchVitest(realm, vitestStates, log)) realms.settle(realm);
        else if (hasTestFunctions(realm)) log.unreported();
      }
    });
}

/** `waiting` returns the last global objects of `vm` whose runner is unknown; `settle` removes one. */
function watchRealms() {
  const state: { contexts: readonly WeakRef<object>[]; realms: readonly Realm[] } = { contexts: [], realms: [] };
  const hasRunner = lookForRunner();
  replace(
    vm,
    'createContext',
    (original) =>
      function (...args) {
        const context = call(original, this, args);
        if (isObject(context) && hasRunner())
          state.contexts = [...state.contexts, new WeakRef(context)].slice(-MAX_REALMS);
        return context;
      },
  );
  return {
    waiting: (): readonly object[] => {
      // Removed first, because asking a context for its global object compiles something.
      const contexts = state.contexts.flatMap((context) => context.deref() ?? []);
      state.contexts = [];
      // The global object has symbols that the object which was made a context has not.
      const realms = contexts.map((context): unknown => runInContext('this', context)).filter(isObject);
      const added = realms.map((realm) => ({ realm: new WeakRef(realm), isDue: dueLessAndLess() }));
      state.realms = [...state.realms, ...added].slice(-MAX_REALMS);
      return state.realms.filter(({ isDue }) => isDue()).flatMap(({ realm }) => realm.deref() ?? []);
    },
    settle: (settled: object): void => {
      state.realms = state.realms.filter(({ realm }) => realm.deref() !== settled);
    },
  };
}

interface Realm {
  readonly realm: WeakRef<object>;
  /** Whether the realm is to be looked at; asked at each compilation. */
  readonly isDue: () => boolean;
}

/**
 * Looks at a realm ever less often: it may have thousands of properties. Its runner is known after some dozens of
 * compilations, or later where setup files load a whole program; then some more come before the first test.
 */
function dueLessAndLess(): () => boolean {
  const state = { asked: 0 };
  return () => {
    state.asked += 1;
    return state.asked <= 200 || state.asked % 20 === 0;
  };
}

/** Whether vitest or jest is in this thread. Other programs might notice a look at their realms. */
function lookForRunner(): () => boolean {
  const state = { isFound: false, looks: 0 };
  return () => {
    if (state.isFound || state.looks === MAX_LOOKS) return state.isFound;
    state.looks += 1;
    // The script of a worker thread is known only now.
    state.isFound =
      vitestScript.test(realPath(process.argv[1] ?? '')) ||
      Object.keys(host.modules()).some((file) => jestModule.test(file));
    return state.isFound;
  };
}

const vitestScript = /[/\\]node_modules[/\\](?:vitest|tinypool)[/\\]/;
const jestModule = /[/\\]node_modules[/\\]jest-(?:runner|circus)[/\\]/;
/** After this number of realms without a runner, none is expected. */
const MAX_LOOKS = 10;

const { runInContext } = vm;

/** A runner has one realm for each test file, and finishes it before the next. */
const MAX_REALMS = 4;

/**
 * Watches the tests of `node:test`, each from the first line of its function to the end of its `after` hooks; hooks
 * before it do not count. Node's class for a test is an `AsyncResource`: it looks up `runInAsyncScope` to call the
 * function, and `postRun` when everything is over (Node 20 to 26). The channel `tracing:node.test` (Node 24 and later)
 * is not used: with a subscriber the function's `this` is another object, and its stack has more frames.
 */
function watchNodeTest(log: TestLog): void {
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
      const place = pathIn(test, 'loc', 'file');
      const entries = [internal(test, 'entryFile'), process.argv[1]];
      // With `--enable-source-maps` the place is in the source of a build, which does not run by itself.
      const files = process.sourceMapsEnabled ? [...entries, place] : [place, ...entries];
      const file = files.find((one) => typeof one === 'string') ?? '';
      const parents = levels.slice(0, -1).flatMap((level) => ids.get(level) ?? []);
      ids.set(test, log.begin({ file, titles: namesOf(levels), parent: parents.at(-1) ?? null }));
    };
    onLookup(testClass, 'runInAsyncScope', begin);
    onLookup(testClass, 'postRun', (test) => {
      const id = ids.get(test);
      ids.delete(test);
      if (id !== undefined) log.end(id, outcomeInNode(test));
    });
    begin(self);
  });
}

/** A test that failed as `expectFailure` wants has passed, with an error. */
function outcomeInNode(test: object): TestOutcome {
  if (internal(test, 'skipped') === true) return 'skipped';
  return internal(test, 'passed') === true && !isObject(internal(test, 'error')) ? 'passed' : 'failed';
}

/**
 * Watches the tests of mocha through the events of its `Runner`, an emitter that adds listeners to itself as soon as it
 * is made. Only where mocha's own command or worker runs: in a program that starts mocha itself tests have no names.
 */
function watchMocha(log: TestLog): void {
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
    const titles = namesOf(levelsOf(test, parentOf), 'title');
    next({ file: textIn(test, 'file'), titles, parent: null, outcome: () => outcomeInMocha(test) });
  };
  call(on, runner, ['test', begin]);
  for (const event of ['test end', 'retry', 'suite end', 'end']) call(on, runner, [event, end]);
}

function outcomeInMocha(test: object): TestOutcome {
  if (internal(test, 'pending') === true) return 'skipped';
  return internal(test, 'state') === 'passed' ? 'passed' : 'failed';
}

/**
 * Watches the tests of jest (29 and 30, with its runner `jest-circus`) through the runner's state in the global object
 * of the test file. The event handler of an environment (`handleTestEvent`) is not used, because jest would await it
 * between all tests. Where a file has `test.concurrent`, the state does not show which test runs. Returns whether the
 * state was there.
 */
function watchJest(realm: object, log: TestLog): boolean {
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
    else next({ file, titles, parent: null, outcome: () => outcomeInJest(test) });
  });
  return true;
}

function outcomeInJest(test: object): TestOutcome {
  const errors = internal(test, 'errors');
  const isPassed = Array.isArray(errors) && errors.length === 0 && internal(test, 'failing') !== true;
  return isPassed ? 'passed' : 'failed';
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
function watchVitest(realm: object, seen: WeakSet<object>, log: TestLog): boolean {
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
    else next({ file, titles: namesOf(levels), parent: null, outcome: () => outcomeInVitest(task) });
  });
  return true;
}

function outcomeInVitest(test: object): TestOutcome {
  const state = pathIn(internal(test, 'result'), 'state');
  if (state === 'skip') return 'skipped';
  return state === 'pass' && internal(test, 'fails') !== true ? 'passed' : 'failed';
}

/** Whether the realm of a test file has the functions of a runner that was not recognized, such as jest's jasmine2. */
function hasTestFunctions(realm: object): boolean {
  return isFunction(internal(realm, 'describe')) && isFunction(internal(realm, 'it'));
}

/** Returns a function that ends the running test and begins the next one; null begins none. */
function oneByOne(log: TestLog): (next: (RunningTest & { readonly outcome: () => TestOutcome }) | null) => void {
  const running: { end: (() => void) | null } = { end: null };
  return (next) => {
    running.end?.();
    if (next === null) return void (running.end = null);
    const id = log.begin(next);
    running.end = () => log.end(id, next.outcome());
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

/** The suite around a suite or a test of jest, mocha or `node:test`; null for their root, which has no name of the program's. */
function parentOf(level: object): unknown {
  const parent = internal(level, 'parent');
  return isObject(pathIn(parent, 'parent')) ? parent : null;
}

function namesOf(levels: readonly object[], key = 'name'): readonly string[] {
  return levels.map((level) => String(internal(level, key)));
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
