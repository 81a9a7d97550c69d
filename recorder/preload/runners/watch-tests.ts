import vm from 'node:vm';
import { attempt, call, host, isObject, realPath, replace } from '../host/host.ts';
import { hasTestFunctions, watchJest, watchMocha, watchNodeTest, watchVitest, type TestLog } from './runners.ts';

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
