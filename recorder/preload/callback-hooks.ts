import { call, host, internal } from './host.ts';
import { createHook, hideHook } from './unseen-hook.ts';

/** What is told of the callbacks of this thread. Nothing here may throw: Node would end the program. */
export interface CallbackObserver {
  /** A callback begins. `isMicrotask`: it belongs to the turn before it. */
  readonly enter: (isMicrotask: boolean) => void;
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
  const hook = createHook({
    before: () => enter(isMicrotask(host.executionAsyncResource())),
    after: leave,
  });
  const watchesPromises = !leavesPromisesOut(hook);
  const unseen = hideHook(hook, watchesPromises);
  if (watchesPromises) return unseen;
  const promises = { before: () => enter(true), after: leave };
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

function leavesPromisesOut(hook: object): boolean {
  return Object.getOwnPropertySymbols(hook).some(
    (symbol) => symbol.description === 'kNoPromiseHook' && internal(hook, symbol) === true,
  );
}

/**
 * A promise (of any realm), a `process.nextTick` job (a plain object) or a `queueMicrotask` job. A socket's write request
 * has a `callback` too, but a class of its own.
 */
function isMicrotask(resource: object): boolean {
  if (host.isPromise(resource)) return true;
  const prototype: unknown = Object.getPrototypeOf(resource);
  return (prototype === Object.prototype || prototype === host.AsyncResource.prototype) && 'callback' in resource;
}
