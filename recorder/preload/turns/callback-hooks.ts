import { call, host, internal, isObject } from '../host/host.ts';
import { createHook, hideHook } from './unseen-hook.ts';

/**
 * A `tick` (`process.nextTick`, `queueMicrotask`) belongs to the turn that made it. So does what a `promise` calls, but some
 * promises are settled where no hook sees it.
 */
export type CallbackKind = 'macrotask' | 'tick' | 'promise';

/** What is told of the callbacks of this thread. Nothing here may throw: Node would end the program. */
export interface CallbackObserver {
  /** `kindOf`: to be asked at once, and only where it matters: Node is slow to tell what it calls from C++. */
  readonly enter: (kindOf: () => CallbackKind) => void;
  readonly leave: () => void;
}

export interface CallbackHooks {
  readonly enable: () => void;
  /** Until `enable`, callbacks cost what they cost without a recorder. */
  readonly disable: () => void;
}

/**
 * Only `before` and `after` are hooked: `init` costs four times as much on promises. Node gives each promise an id of its
 * own for its hooks; where it can be told to leave promises out (24.21 and later), V8's own hooks on them cost less.
 */
export function hookCallbacks({ enter, leave }: CallbackObserver): CallbackHooks {
  /** Resources that are no promises. They are remembered, because asking Node takes longer than all else here. */
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

/** Measured: a chain of 400,000 immediates takes the same processor time with it and without. */
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

/** A plain object, or an `AsyncResource`. A socket's write request has a `callback` too, but a class of its own. */
function isTick(resource: object, prototype: unknown): boolean {
  return (prototype === Object.prototype || prototype === host.AsyncResource.prototype) && 'callback' in resource;
}

function promise(): CallbackKind {
  return 'promise';
}

/**
 * What the hooks take for one callback, in ms, once they are compiled; measured in a fifth of a ms. The least of several
 * measurements: another process may have run in the others. Three quarters of what Node takes for a callback that does
 * nothing are for the hooks (measured on 20 and 24).
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
