import { call, host, internal, isObject, isFunction, replace } from '../host/host.ts';
import type { AsyncHook, HookCallbacks } from 'node:async_hooks';

/** A `tick` (`process.nextTick`) belongs to the turn that made it; so does a `promise`, unless it was settled unseen. */
export type CallbackKind = 'macrotask' | 'tick' | 'promise';

export interface CallbackHooks {
  readonly enable: () => void;
  /** Until the next `enable`, callbacks cost what they cost without a recorder. */
  readonly disable: () => void;
}

/**
 * Calls `enter` before and `leave` after each callback of this thread. `kindOf` must be called at once, and only where
 * the answer matters: Node is slow to find the resource of what it calls from C++. `init` is not hooked, because it
 * costs four times as much on promises. Node gives each promise an id for its hooks; where it can leave promises out
 * (24.21 and later), V8's own promise hooks are used, which cost less.
 */
export function hookCallbacks(enter: (kindOf: () => CallbackKind) => void, leave: () => void): CallbackHooks {
  /** Prototypes of resources that are not promises: asking Node each time takes longer than everything else here. */
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
  const promises = { before: safe(() => enter(() => 'promise')), after: safe(leave) };
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

/** Catches what `work` throws. Measured: a chain of 400,000 immediates takes the same processor time with and without. */
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

/** Whether a resource is a tick: a plain object or an `AsyncResource` with a `callback`, not one of a socket's class. */
function isTick(resource: object, prototype: unknown): boolean {
  return (prototype === Object.prototype || prototype === host.AsyncResource.prototype) && 'callback' in resource;
}

/**
 * Time that the compiled hooks take for one callback, in ms; measuring it takes a fifth of a ms. It is the least of
 * several measurements, since another process may have run in the others. Three quarters of the time that Node takes
 * for an empty callback are due to the hooks (measured on 20 and 24).
 */
export function measureHookCost(): number {
  const resource = new host.AsyncResource('hotspan');
  const times = Array.from({ length: 10 }, () => {
    const start = host.performanceNow();
    for (let call = 0; call < 200; call += 1) resource.runInAsyncScope(nothing);
    return (host.performanceNow() - start) / 200;
  });
  return Math.min(...times) * (3 / 4);
}

function nothing(): void {}

export interface Floods {
  /** Stops watching until the present microtasks, and those that they make, have run. */
  readonly begin: () => void;
  /** Whether there may be callbacks of the turn now that no hook sees. */
  readonly isOn: () => boolean;
  /** A callback is over; `kind` is null inside another one. */
  readonly left: (kind: CallbackKind | null) => void;
  /** Watches again at once. */
  readonly end: () => void;
  /** A new turn begins: its first flood waits for one round only. */
  readonly reset: () => void;
}

/**
 * Stops watching single microtasks in a turn that has very many of them, to save the cost. `onRound` is called after each round.
 *
 * Node runs ticks until there are none, then microtasks until there are none, and so on in turn. So a tick which was
 * made by a microtask, which was made by a tick, runs after a first round of both. Where ticks and microtasks keep
 * making each other, each flood waits for twice as many rounds as the one before.
 *
 * Measured, CPU time of 10⁶ awaits in one turn: 1.0 × their own; watched one by one, 3 to 5 ×.
 */
export function watchFloods(hooks: CallbackHooks, onRound: () => void): Floods {
  const state = { isOn: false, isWatching: true, rounds: 1, left: 0 };
  const rest = watchRest();
  /** Never call it inside a hook: Node would go on calling its own hooks for promises. */
  const stopWatching = (): void => {
    if (state.isOn && state.isWatching) hooks.disable();
    state.isWatching = !state.isOn;
  };
  const end = (): void => {
    state.isOn = false;
    if (!state.isWatching) hooks.enable();
    state.isWatching = true;
  };
  const afterTicks = (): void => {
    stopWatching();
    host.nextTick(afterMicrotasks);
  };
  const afterMicrotasks = (): void => {
    if (!state.isOn) return;
    onRound();
    state.left -= 1;
    if (state.left > 0) host.afterTicks(afterTicks);
    else end();
  };
  return {
    begin: () => {
      // The hooks still see callbacks of this flood, which start no other one.
      if (state.isOn) return;
      state.isOn = true;
      rest.begin();
      [state.left, state.rounds] = [state.rounds, Math.min(state.rounds * 2, MAX_ROUNDS)];
      // Whichever comes first: the tick among ticks, or the microtask among microtasks.
      host.nextTick(stopWatching);
      host.afterTicks(afterTicks);
    },
    isOn: () => state.isOn || rest.isOpen(),
    left: rest.left,
    end,
    reset: () => {
      state.rounds = 1;
    },
  };
}

/**
 * Lets a turn last until its microtasks have run, also those that no hook sees: what comes after an `await` is unseen if
 * the `await` began while nothing was watched. A tick that a microtask makes runs when no microtask is left, and is seen.
 */
function watchRest() {
  const state = { hasBegun: false, isOpen: false, isOwn: false };
  const close = (): void => {
    state.isOpen = false;
    state.isOwn = true;
  };
  const afterMicrotasks = (): void => host.nextTick(close);
  return {
    isOpen: () => state.isOpen,
    begin: () => {
      state.hasBegun = true;
    },
    /** A callback is over; `kind` is null inside another one. */
    left: (kind: CallbackKind | null) => {
      if (!state.hasBegun || kind === null || kind === 'promise' || state.isOpen) return;
      const isOwn = kind === 'tick' && state.isOwn;
      state.isOwn = false;
      if (isOwn) return;
      state.isOpen = true;
      host.afterTicks(afterMicrotasks);
    },
  };
}

/** A round without any work takes half a µs, and the last rounds of a turn may do nothing. */
const MAX_ROUNDS = 64;

/**
 * Makes `own`, a hook that is not enabled yet, leave stacks unchanged. When the first hook is enabled, Node begins to
 * call back from C++ through its function `callbackTrampoline`, which is then the outermost frame of every stack. When
 * the last hook is disabled, it stops this. Without that function, C++ calls the hooks itself.
 *
 * Node recognizes the first and the last hook by the number of functions that all hooks have together. While `own` is
 * enabled or disabled, another hook, the lever, removes a function from that number which it never added. So the number
 * passes zero without being zero at the moment that counts. While the program has its own hooks, `own` is enabled and
 * disabled in the normal way, and the frame is there, as it is without a recorder.
 *
 * Where `own` is switched off, Node also stops watching promises, unless the program has hooks.
 *
 * Measured against a normal hook: CPU time of an answer of express 1.01 × on Node 20, 0.98 × on 24; 1.03 × where each
 * answer has a flood of microtasks (turns.ts), which costs 30 µs more on Node 20 and 22, 5 to 15 µs on 24 and 26.
 */
function hideHook(own: object, watchesPromises: boolean): CallbackHooks {
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
  // While the program enables its first hook or disables its last one, `own` is taken out.
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

/** Creates a hook that leaves promises out. Node before 24.21 ignores the option. */
function createHook(callbacks: HookCallbacks): AsyncHook {
  return host.createHook({ ...{ trackPromises: false }, ...callbacks });
}

type ChangeHook = (hook: object) => void;

/**
 * Makes a function that runs `work`, which enables or disables a hook. Around it, the lever gets a function that is
 * taken away again. The lever is not enabled otherwise: Node would look for its functions at each callback, which takes
 * 20 ns. Null in Node 27 and later, which may count in another way.
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

/** Calls `watch` where the program, or Node for AsyncLocalStorage, enables or disables a hook with functions. */
function watchHooks(own: object, watch: (hook: object, isComing: boolean, work: () => unknown) => unknown): void {
  const prototype: unknown = Object.getPrototypeOf(own);
  if (!isObject(prototype)) return;
  for (const name of ['enable', 'disable']) {
    replace(
      prototype,
      name,
      (original) =>
        function (...args) {
          const work = (): unknown => call(original, this, args);
          return isObject(this) && hasFunctions(this) ? watch(this, name === 'enable', work) : work();
        },
    );
  }
}

function hasFunctions(hook: object): boolean {
  return Object.getOwnPropertySymbols(hook).some((symbol) => isFunction(internal(hook, symbol)));
}
