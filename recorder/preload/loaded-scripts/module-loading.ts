import module from 'node:module';
import { call, host, replace, attempt, internal, isObject, realPath } from '../host/host.ts';
import { subscribe } from 'node:diagnostics_channel';
import { isMainThread } from 'node:worker_threads';
import { notTheirs } from '../profile/sampled-scripts.ts';
import { beganAt } from '../host/clock.ts';

/**
 * Calls `look` after the program has imported a module whose source map may not exist until the end. On the main thread
 * that is a module which was built while this process runs; in a worker thread, which may be ended at any time, it is
 * each own module. The first calls come at once, later ones after ever longer pauses. Node reports `import()` since
 * version 22, and never the first module of a thread: a worker thread also looks a little after its start.
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
    // In a turn of its own: so nothing of the program is delayed, and no figure has to be corrected.
    host.setTimeout(lookNow, Math.max(0, state.notBefore - host.performanceNow())).unref();
  };
  if (isMainThread ? isTool() : hasHooks()) subscribe('tracing:module.import:asyncEnd', onImport);
  const firstLook = (): void => {
    if (state.looks === 0 && !state.isPlanned) lookNow();
  };
  if (!isMainThread) host.setTimeout(firstLook, littleAfterStart).unref();
}

/**
 * Number of calls without a pause. Each takes a few ms, the first one more: pages are built in about as many parts,
 * which are soon deleted.
 */
const freeLooks = 6;

/** Time in ms after which loaders have loaded a thread's modules. */
const littleAfterStart = 300;

/**
 * Whether the program belongs to a package: such tools build modules and run them. Listening to `import()` changes
 * stacks, which other programs might notice.
 */
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

/** Matches a path or a url, not the name of a package or of a module of Node. */
const isPlace = /^(\.{0,2}\/|(?!node:)[a-z]+:)/;

function isYoung(place: URL): boolean {
  const found = { isYoung: false };
  attempt(() => {
    found.isYoung = host.statSync(place).ctimeMs > beganAt;
  });
  return found.isYoung;
}

const state = { isRegistered: false };

/** Notes when the program registers its own way to compile ES modules. */
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
  return (
    state.isRegistered || [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some((text) => flags.test(text))
  );
}

const flags = /(^|\s)--(import|loader|experimental-loader)(=|\s|$)/;

const extensionsAtStart: unknown[] = Object.values(host.extensions);

/** Whether something (ts-node, Babel, esbuild-register) compiles CommonJS modules in its own way. */
export function hasLoaders(): boolean {
  const extensions: unknown[] = Object.values(host.extensions);
  return extensions.length !== extensionsAtStart.length || extensions.some((load, i) => load !== extensionsAtStart[i]);
}
