import { attempt, call, construct, isFunction, replace } from '../host/host.ts';

/**
 * Calls `before` right before each callback of a `FinalizationRegistry` that the program makes from here on. V8 calls
 * these in tasks of its own, which async hooks do not see. It asks the callback, a proxy, for a trap that is not there: so
 * no frame of the recorder is in the callback's stacks.
 */
export function watchCleanUps(before: () => void): void {
  const asked = new Proxy({}, { get: () => attempt(before) });
  const { prototype } = globalThis.FinalizationRegistry;
  replace(globalThis, 'FinalizationRegistry', (original) => {
    const watched = function (this: unknown, callback: unknown, ...others: unknown[]): unknown {
      const args = [isFunction(callback) ? new Proxy(callback, asked) : callback, ...others];
      return new.target === undefined ? call(original, this, args) : construct(original, args, new.target);
    };
    Object.defineProperty(watched, 'prototype', { value: prototype, writable: false });
    // Not where the intrinsics are frozen.
    Reflect.defineProperty(prototype, 'constructor', { value: watched });
    return watched;
  });
}
