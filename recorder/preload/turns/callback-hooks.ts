import { call, host, internal, isObject } from '../host/host.ts';
import { createHook, hideHook } from './unseen-hook.ts';

/**
 * A `tick` (`process.nextTick`, `queueMicrotask`) belongs to the turn that made it. So does what a `promise` calls, but
 * some promises are settled where no hook sees it.
 */
export type CallbackKind = 'macrotask' | 'tick' | 'promise';

/** Is told about each callback of this thread. These functions may not throw: Node would end the program. */
export interface CallbackObserver {
  /**
   * `kindOf` must be called at once, and only where the answer matters: Node is slow to tell what it calls from C++.
   */
  readonly enter: (kindOf: () => CallbackKind) => void;
  readonly leave: () => void;
}

export interface CallbackHooks {
  readonly enable: () => void;
  /** Until `enable` is called, callbacks cost what they cost without a recorder. */
  readonly disable: () => void;
}

/**
 * Calls the observer before and after each callback. `init` is not hooked, because it costs four times as much on
 * promises. Node gives each promise an id for its hooks; where it can leave promises out (24.21 and later), V8's own
 * promise hooks are used, which cost less.
 */
export function hookCallbacks({ enter, leave }: CallbackObserver): CallbackHooks {
  /**
   * Prototypes of resources that are no promises. They are remembered, because asking Node takes longer than everything
   * else here.
   */
  const macrotasks = new WeakSet();
  const kindOf = (): CallbackKind => {
    const resource = host.executionAsyncResource();
    const prototype: unknown = Object.getPrototypeOf(resource);
    if (isTick(resource, prototype)) return 'tick';
    if (!watchesPromises || !isObject(prototype) || macrotasks.has(prototype)) return 'macrotask';
    if (host.isPromise(resource)) return 'promise';
    macrotasks.add(prototype);
    return 'macrotask';
  };
  const hook = createHook({ before: safe(() => enter(kindOf)), after: safe(leave) });
  const watchesPromises = !leavesPromisesOut(hook);
  const unseen = hideHook(hook, watchesPromises);
  if (watchesPromises) return unseen;
  const promises = { before: safe(() => enter(promise)), after: safe(leave) };
  const state: { stop: unknown } = { stop: null };
  return {
    enable: () => {
      unseen.enable();
      state.stop = host.promiseHooks.createHook(promises);
    },
    disable: () => {
      unseen.disable();
      call(state.stop, undefined, []);
    },
  };
}

/**
 * Catches what `work` throws. Measured: a chain of 400,000 immediates takes the same processor time with it and
 * without.
 */
function safe(work: () => void): () => void {
  return () => {
    try {
      work();
    } catch {
      // Node ends a program whose hook throws.
    }
  };
}

function leavesPromisesOut(hook: object): boolean {
  return Object.getOwnPropertySymbols(hook).some(
    (symbol) => symbol.description === 'kNoPromiseHook' && internal(hook, symbol) === true,
  );
}

/**
 * Whether a resource is a tick: a plain object or an `AsyncResource`, with a `callback`. The write request of a socket
 * has a `callback` too, but a class of its own.
 */
function isTick(resource: object, prototype: unknown): boolean {
  return (prototype === Object.prototype || prototype === host.AsyncResource.prototype) && 'callback' in resource;
}

function promise(): CallbackKind {
  return 'promise';
}

/**
 * Time that the hooks take for one callback, in ms, once they are compiled; measuring it takes a fifth of a ms. It is
 * the least of several measurements, since another process may have run in the others. Three quarters of the time that
 * Node takes for an empty callback are due to the hooks (measured on 20 and 24).
 */
export function measureHookCost(): number {
  const resource = new host.AsyncResource('hotspan');
  const times = Array.from({ length: rounds }, () => {
    const start = host.performanceNow();
    for (let call = 0; call < calls; call += 1) resource.runInAsyncScope(nothing);
    return (host.performanceNow() - start) / calls;
  });
  return Math.min(...times) * (3 / 4);
}

const rounds = 10;
const calls = 200;

function nothing(): void {}
