import vm from 'node:vm';
import { attempt, call, isObject, replace } from '../host.ts';
import { watchJest } from './jest.ts';
import { watchMocha } from './mocha.ts';
import { watchNodeTest } from './node-test.ts';
import type { TestLog } from './test-log.ts';
import { watchVitest } from './vitest.ts';

/**
 * Notes which test runs when, without a hook, listener or reporter that a runner would wait for or print.
 * To be called whenever something is compiled: jest and vitest are found by what they have left in a realm by then.
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
  /** Global objects that `vm` has made, the last few. */
  readonly waiting: () => readonly object[];
  /** It is known what it is for. */
  readonly settle: (realm: object) => void;
}

function watchRealms(): Realms {
  const state: { contexts: readonly WeakRef<object>[]; realms: readonly WeakRef<object>[] } = {
    contexts: [],
    realms: [],
  };
  replace(
    vm,
    'createContext',
    (original) =>
      function (...args) {
        const context = call(original, this, args);
        if (isObject(context)) state.contexts = [...state.contexts, new WeakRef(context)].slice(-mostRealms);
        return context;
      },
  );
  return {
    waiting: () => {
      // Taken out first: to ask a context for its global object compiles something.
      const contexts = state.contexts.flatMap((context) => context.deref() ?? []);
      state.contexts = [];
      const realms = contexts.map(globalOf).filter(isObject);
      state.realms = [...state.realms, ...realms.map((realm) => new WeakRef(realm))].slice(-mostRealms);
      return state.realms.flatMap((realm) => realm.deref() ?? []);
    },
    settle: (settled) => {
      state.realms = state.realms.filter((realm) => realm.deref() !== settled);
    },
  };
}

const { runInContext } = vm;

/** Not the object that was made a context: symbols are on the global object alone. */
function globalOf(context: object): unknown {
  const realm: unknown = runInContext('this', context);
  return realm;
}

/** A runner has one for each test file, and is done with it before the next; others' are looked at for nothing. */
const mostRealms = 4;
