import module from 'node:module';
import { attempt, beganAt, call, hasNodeOption, host, pathIn, realPath, replace } from '../host/host.ts';
import { subscribe } from 'node:diagnostics_channel';
import { isMainThread } from 'node:worker_threads';
import { notTheirs } from '../profile/sampled-scripts.ts';

/**
 * Calls `look` after the program has imported a module whose source map may be gone at the end: on the main thread one
 * that was built while this process runs, in a worker thread, which may be ended at any time, each own one. The first
 * calls come at once, later ones after ever longer pauses. Node reports `import()` since version 22, and never the first
 * module of a thread: a worker thread also looks a little after its start.
 */
export function watchImports(look: () => void): void {
  const state = { looks: 0, notBefore: 0, isPlanned: false };
  const lookNow = (): void => {
    const begin = host.performanceNow();
    look();
    const end = host.performanceNow();
    state.isPlanned = false;
    state.looks += 1;
    state.notBefore = state.looks < FREE_LOOKS ? 0 : end + (end - begin) * 2 ** (state.looks - FREE_LOOKS);
  };
  const onImport = (message: unknown): void => {
    if (state.isPlanned || !mayMatter(message)) return;
    state.isPlanned = true;
    // In a separate turn: so nothing of the program is delayed, and no figure has to be corrected.
    host.setTimeout(lookNow, Math.max(0, state.notBefore - host.performanceNow())).unref();
  };
  if (isMainThread ? isTool() : hasHooks()) subscribe('tracing:module.import:asyncEnd', onImport);
  const firstLook = (): void => {
    if (state.looks === 0 && !state.isPlanned) lookNow();
  };
  // By then loaders have loaded a thread's modules.
  if (!isMainThread) host.setTimeout(firstLook, 300).unref();
}

/** Number of calls without a pause, each of a few ms: pages are built in about as many parts, which are soon deleted. */
const FREE_LOOKS = 6;

/** Whether the program is a tool that may build modules. In others, a listener would change stacks of `import()`. */
function isTool(): boolean {
  return /[\\/]node_modules[\\/]/.test(realPath(process.argv[1] ?? ''));
}

function mayMatter(message: unknown): boolean {
  const [url, parent] = [pathIn(message, 'url'), pathIn(message, 'parentURL')];
  if (typeof url !== 'string' || !isPlace.test(url) || !URL.canParse(url, String(parent))) return false;
  const place = new URL(url, String(parent));
  if (notTheirs.test(place.href)) return false;
  return !isMainThread || isYoung(place);
}

/** A path or a url, not the name of a package or of a module of Node. */
const isPlace = /^(\.{0,2}\/|(?!node:)[a-z]+:)/;

function isYoung(place: URL): boolean {
  const found = { isYoung: false };
  attempt(() => {
    found.isYoung = host.statSync(place).ctimeMs > beganAt;
  });
  return found.isYoung;
}

const state = { isRegistered: false };

/** Notes when the program registers its own loader of ES modules. */
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

/** Whether the program, or a file that is loaded before it, may compile ES modules in its own way. */
export function hasHooks(): boolean {
  return state.isRegistered || hasNodeOption(/(^|\s)--(import|loader|experimental-loader)(=|\s|$)/);
}

const extensionsAtStart: unknown[] = Object.values(host.extensions);

/** Whether something (ts-node, Babel, esbuild-register) compiles CommonJS modules in its own way. */
export function hasLoaders(): boolean {
  const extensions: unknown[] = Object.values(host.extensions);
  return extensions.length !== extensionsAtStart.length || extensions.some((load, i) => load !== extensionsAtStart[i]);
}
