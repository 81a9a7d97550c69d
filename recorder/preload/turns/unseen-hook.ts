import type { AsyncHook, HookCallbacks } from 'node:async_hooks';
import { call, host, internal, isFunction, isObject, replace } from '../host/host.ts';

/** An async hook of ours. */
export interface UnseenHook {
  readonly enable: () => void;
  /** Switches the hook off. Node then stops watching promises, too, unless the program has hooks of its own. */
  readonly disable: () => void;
}

/**
 * Makes `own`, a hook that is not enabled yet, leave stacks as they are. When the first hook is enabled, Node begins to
 * call back from C++ through a function of its own (`callbackTrampoline`), which is then the outermost frame of every
 * stack. When the last hook is disabled, it stops this. Without that function, C++ calls the hooks itself.
 *
 * Node decides which hook is the first or the last by the number of functions that all hooks have together. While ours
 * is enabled or disabled, another hook, the lever, removes a function from that number which it never added. So the
 * number passes zero without being zero at the moment that counts. While the program has hooks of its own, ours is
 * enabled and disabled in the normal way, and the frame is there, as it is without us.
 *
 * Measured against a normal hook: CPU time of an answer of express 1.01 × on Node 20, 0.98 × on 24; 1.03 × where each
 * answer has a flood of microtasks (turns.ts), which costs 30 µs more on Node 20 and 22, 5 to 15 µs on 24 and 26.
 */
export function hideHook(own: object, watchesPromises: boolean): UnseenHook {
  const [enableHook, disableHook] = [internal(own, 'enable'), internal(own, 'disable')];
  const enable: ChangeHook = (hook) => void call(enableHook, hook, []);
  const disable: ChangeHook = (hook) => void call(disableHook, hook, []);
  const unseen = createLever(enable, disable);
  if (unseen === null) return { enable: () => enable(own), disable: () => disable(own) };
  const others = new Set<object>();
  const state = { isOn: false };
  const change = (work: ChangeHook): void => {
    if (others.size === 0) unseen(() => work(own));
    else work(own);
  };
  // The program enables its first hook or disables its last one: ours is taken out meanwhile, as if it were not there.
  watchHooks(own, (hook, isComing, work) => {
    const isTurning = state.isOn && others.size === (isComing ? 0 : 1) && others.has(hook) !== isComing;
    if (isTurning) change(disable);
    const result = work();
    if (isComing) others.add(hook);
    else others.delete(hook);
    if (isTurning) change(enable);
    return result;
  });
  return {
    enable: () => {
      if (!state.isOn) change(enable);
      state.isOn = true;
    },
    disable: () => {
      if (state.isOn) change(disable);
      state.isOn = false;
      if (!watchesPromises || others.size > 0) return;
      // Node stops watching promises only when the last hook is disabled in the normal way.
      enable(own);
      disable(own);
    },
  };
}

/** Creates a hook that leaves promises out, where Node supports that: 24.21 and later. */
export function createHook(callbacks: HookCallbacks): AsyncHook {
  return host.createHook({ ...withoutPromises, ...callbacks });
}

/** Older versions of Node ignore this option. */
const withoutPromises = { trackPromises: false };

type ChangeHook = (hook: object) => void;

/**
 * Makes a function that runs `work`, in which our hook is enabled or disabled. Around it, the lever gets a function
 * that is taken away again. The lever is not enabled otherwise: Node would look for its functions at each callback,
 * which takes 20 ns. Null where it is not known whether Node counts as it did until version 26.
 */
function createLever(enable: ChangeHook, disable: ChangeHook): ((work: () => void) => void) | null {
  const hook = createHook({});
  const full = createHook({ destroy: nothing });
  const key = Object.getOwnPropertySymbols(full).find((symbol) => internal(full, symbol) === nothing);
  if (key === undefined || Number(process.versions.node.split('.')[0]) > 26) return null;
  return (work) => {
    enable(hook);
    Reflect.set(hook, key, nothing);
    disable(hook);
    work();
    enable(hook);
    Reflect.set(hook, key, undefined);
    disable(hook);
  };
}

type Watch = (hook: object, isComing: boolean, work: () => unknown) => unknown;

/**
 * Calls `watch` where the program, or Node for it (AsyncLocalStorage until 22), enables or disables a hook with
 * functions.
 */
function watchHooks(own: object, watch: Watch): void {
  const prototype: unknown = Object.getPrototypeOf(own);
  if (!isObject(prototype)) return;
  for (const [name, isComing] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    replace(
      prototype,
      name,
      (original) =>
        function (...args) {
          const work = (): unknown => call(original, this, args);
          return isObject(this) && hasFunctions(this) ? watch(this, isComing, work) : work();
        },
    );
  }
}

function hasFunctions(hook: object): boolean {
  return Object.getOwnPropertySymbols(hook).some((symbol) => isFunction(internal(hook, symbol)));
}

function nothing(): void {}
