import module from 'node:module';
import { call, host, replace, attempt, internal, isObject, realPath } from '../host/host.ts';
import { subscribe } from 'node:diagnostics_channel';
import { isMainThread } from 'node:worker_threads';
import { notTheirs } from '../profile/sampled-scripts.ts';
import { beganAt } from '../host/clock.ts';

/**
 * Calls `look` once the program has imported a module whose source map may be gone before it ends: one that was built while
 * this process ran, and in a worker thread, which may be ended from outside at any time, each one of its own. The first looks
 * come at once, those after ever later. Node tells of `import()` since version 22, and of a thread's first module never: there
 * it also looks a little after the start.
 */
export function watchImports(look: () => void): void {
  const state = { looks: 0, notBefore: 0, isPlanned: false };
  const lookNow = (): void => {
    const begin = host.performanceNow();
    look();
    const end = host.performanceNow();
    state.isPlanned = false;
    state.looks += 1;
    state.notBefore = state.looks < freeLooks ? 0 : end + (end - begin) * 2 ** (state.looks - freeLooks);
  };
  const onImport = (message: unknown): void => {
    if (state.isPlanned || !mayMatter(message)) return;
    state.isPlanned = true;
    // In a turn of its own: nothing of the program's waits longer, and no figure has to be mended.
    host.setTimeout(lookNow, Math.max(0, state.notBefore - host.performanceNow())).unref();
  };
  if (isMainThread ? isTool() : hasHooks()) subscribe('tracing:module.import:asyncEnd', onImport);
  const firstLook = (): void => {
    if (state.looks === 0 && !state.isPlanned) lookNow();
  };
  if (!isMainThread) host.setTimeout(firstLook, littleAfterStart).unref();
}

/** Each takes a few ms, but for the very first: what is built by pages comes in as many parts, and is deleted soon. */
const freeLooks = 6;

/** Time in ms after which loaders have loaded a thread's modules. */
const littleAfterStart = 300;

/** The program is a package's: those build modules and run them. What listens to `import()` changes stacks, which others may not notice. */
function isTool(): boolean {
  return realPath(process.argv[1] ?? '')
    .replaceAll('\\', '/')
    .includes('/node_modules/');
}

function mayMatter(message: unknown): boolean {
  const [url, parent] = isObject(message) ? [internal(message, 'url'), internal(message, 'parentURL')] : [];
  if (typeof url !== 'string' || !isPlace.test(url) || !URL.canParse(url, String(parent))) return false;
  const place = new URL(url, String(parent));
  if (notTheirs.test(place.href)) return false;
  return !isMainThread || isYoung(place);
}

/** Neither a package's name nor one of Node's own modules. */
const isPlace = /^(\.{0,2}\/|(?!node:)[a-z]+:)/;

function isYoung(place: URL): boolean {
  const found = { isYoung: false };
  attempt(() => {
    found.isYoung = host.statSync(place).ctimeMs > beganAt;
  });
  return found.isYoung;
}

const state = { isRegistered: false };

/** Notes that the program compiles ES modules in a way of its own, as soon as it says so. */
export function watchLoaderHooks(): void {
  for (const name of ['register', 'registerHooks']) {
    replace(
      module,
      name,
      (original) =>
        function (...args) {
          state.isRegistered = true;
          return call(original, this, args);
        },
    );
  }
}

/** The program, or a file that it was told to load first, may compile ES modules in a way of its own. */
export function hasHooks(): boolean {
  return (
    state.isRegistered || [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some((text) => flags.test(text))
  );
}

const flags = /(^|\s)--(import|loader|experimental-loader)(=|\s|$)/;

const extensionsAtStart: unknown[] = Object.values(host.extensions);

/** Something (ts-node, Babel, esbuild-register) compiles CommonJS modules in its own way. */
export function hasLoaders(): boolean {
  const extensions: unknown[] = Object.values(host.extensions);
  return extensions.length !== extensionsAtStart.length || extensions.some((load, i) => load !== extensionsAtStart[i]);
}
