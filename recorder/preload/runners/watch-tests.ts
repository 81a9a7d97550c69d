import module from 'node:module';
import vm from 'node:vm';
import { attempt, call, internal, isObject, replace, realPath } from '../host/host.ts';
import { watchJest } from './jest.ts';
import { watchMocha } from './mocha.ts';
import { watchNodeTest } from './node-test.ts';
import type { TestLog } from './test-log.ts';
import { watchVitest } from './vitest.ts';

/**
 * Notes which test runs when, without a hook, listener or reporter that a runner would wait for or print. Call the
 * returned function before each own file is compiled: jest and vitest are found by what they have put into a realm by
 * then.
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
      }
    });
}

interface Realms {
  /** The global objects that `vm` has made last, and of which the runner is not known yet. */
  readonly waiting: () => readonly object[];
  /** The realm's runner was found. */
  readonly settle: (realm: object) => void;
}

function watchRealms(): Realms {
  const state: { contexts: readonly WeakRef<object>[]; realms: readonly Realm[] } = { contexts: [], realms: [] };
  const hasRunner = lookForRunner();
  replace(
    vm,
    'createContext',
    (original) =>
      function (...args) {
        const context = call(original, this, args);
        if (isObject(context) && hasRunner())
          state.contexts = [...state.contexts, new WeakRef(context)].slice(-mostRealms);
        return context;
      },
  );
  return {
    waiting: () => {
      // Removed first, because asking a context for its global object compiles something.
      const contexts = state.contexts.flatMap((context) => context.deref() ?? []);
      state.contexts = [];
      const realms = contexts.map(globalOf).filter(isObject);
      const added = realms.map((realm) => ({ realm: new WeakRef(realm), isDue: dueLessAndLess() }));
      state.realms = [...state.realms, ...added].slice(-mostRealms);
      return state.realms.filter(({ isDue }) => isDue()).flatMap(({ realm }) => realm.deref() ?? []);
    },
    settle: (settled) => {
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
 * Looks at a realm less and less often. The runner of a realm is known after some dozens of compilations, or later
 * where setup files load a whole program; then it compiles some more before the first test. A realm of the program's
 * own may have thousands of properties.
 */
function dueLessAndLess(): () => boolean {
  const state = { asked: 0 };
  return () => {
    state.asked += 1;
    return state.asked <= 200 || state.asked % 20 === 0;
  };
}

/**
 * Whether a runner that makes realms is in this thread. vitest is recognised by the script that its pools start, jest
 * by the modules that it has loaded before its first realm. In other programs no realm is looked at, because the
 * program might notice that.
 */
function lookForRunner(): () => boolean {
  const state = { isFound: false, looks: 0 };
  return () => {
    if (state.isFound || state.looks === mostLooks) return state.isFound;
    state.looks += 1;
    const required = internal(module, '_cache');
    // The script of a worker thread is known only now.
    state.isFound =
      vitestScript.test(realPath(process.argv[1] ?? '')) ||
      (isObject(required) && Object.keys(required).some((file) => jestModule.test(file)));
    return state.isFound;
  };
}

const vitestScript = /[/\\]node_modules[/\\](?:vitest|tinypool)[/\\]/;
const jestModule = /[/\\]node_modules[/\\]jest-(?:runner|circus)[/\\]/;
/** After this number of realms without a runner, none is expected. */
const mostLooks = 10;

const { runInContext } = vm;

/**
 * The global object of a context, which is not the object that was made a context: symbols are only on the global
 * object.
 */
function globalOf(context: object): unknown {
  const realm: unknown = runInContext('this', context);
  return realm;
}

/** A runner has one realm for each test file, and is done with it before the next. */
const mostRealms = 4;
