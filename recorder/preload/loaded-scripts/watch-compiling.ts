import vm from 'node:vm';
import { type SourceMaps, lastComment, theirs } from './source-maps.ts';
import {
  attempt,
  construct,
  internal,
  isFunction,
  isObject,
  replace,
  beganAt,
  call,
  hasNodeOption,
  host,
  pathIn,
  realPath,
} from '../host/host.ts';
import { notTheirs } from '../profile/profiler.ts';
import module from 'node:module';
import { subscribe } from 'node:diagnostics_channel';
import { isMainThread } from 'node:worker_threads';

/**
 * Sees each text that `vm` compiles. Test runners compile with it, and their scripts are collected long before the
 * process ends. No frame of the recorder is on the stack while the code runs: `vm.Script`, which
 * `vm.runInThisContext` and similar functions use, and `vm.SourceTextModule` call `super(…)`, which is looked up in their
 * prototype, before anything runs. `Module.prototype._compile` cannot be watched that way; but scripts of CommonJS
 * modules stay alive, and `collectLiveScripts` finds them at the end.
 *
 * `own` runs the recorder's work in a turn of the program. `lookForTests` is called before each own file, which may be a
 * test file. It is not called for dependencies, which jest compiles for each test file: that would be some 3 % of the
 * samples of a suite.
 */
export function watchCompiling(maps: SourceMaps, own: (work: () => void) => void, lookForTests: () => void): void {
  const keepFrom = (text: unknown, name: unknown): void => {
    if (typeof text !== 'string' || typeof name !== 'string') return;
    const keep = (): void => {
      if (!theirs.test(name)) lookForTests();
      const comment = lastComment(text, 'sourceMappingURL=');
      const given = comment === null ? name : (lastComment(text, 'sourceURL=') ?? name);
      maps.see(given);
      if (comment !== null) maps.keep(given, comment);
      else if (ownTypeScript.test(name)) maps.keepText(name, text);
    };
    own(() => attempt(keep));
  };
  watchSuper(vm.Script, ([text, name]) => keepFrom(text, name));
  const moduleClass = internal(vm, 'SourceTextModule');
  if (isFunction(moduleClass)) {
    watchSuper(moduleClass, ([options]) => {
      if (isObject(options)) keepFrom(internal(options, 'sourceText'), internal(options, 'identifier'));
    });
  }
  replace(
    vm,
    'compileFunction',
    (original) =>
      function (...args) {
        const options = args[2];
        if (isObject(options)) keepFrom(args[0], internal(options, 'filename'));
        return compileUnseen(() => Reflect.apply(original, this, args));
      },
  );
}

function watchSuper(derived: Constructor, see: (args: readonly unknown[]) => void): void {
  const base: unknown = Object.getPrototypeOf(derived);
  if (!isFunction(base)) return;
  const watched = new Proxy(base, {
    construct: (target, args: unknown[], newTarget) => {
      see(args);
      return compileUnseen(() => construct(target, args, newTarget));
    },
  });
  Object.setPrototypeOf(derived, watched);
}

type Constructor = typeof vm.Script | ((...args: never) => unknown);

/** TypeScript with a path or url outside `node_modules`. */
const ownTypeScript = /^(?!.*[\\/]node_modules[\\/]).*\.[cm]?tsx?$/;

/**
 * Calls `compile` so that no error shows the recorder. A SyntaxError is thrown again without the recorder's frames,
 * because Node has noted its place already. After any other error (a wrong argument) `compile` is called once more, and
 * the error comes from there: Node would show the line of a `throw` here as its place.
 */
function compileUnseen<Result>(compile: () => Result): Result {
  const limit = Error.stackTraceLimit;
  try {
    // This fails where `Error` is frozen.
    Reflect.set(Error, 'stackTraceLimit', limit + MAX_OWN_FRAMES);
    return compile();
  } catch (error) {
    if (isObject(error) && internal(error, 'name') === 'SyntaxError') {
      attempt(() => hideFrames(error, limit));
      throw error;
    }
  } finally {
    Reflect.set(Error, 'stackTraceLimit', limit);
  }
  return compile();
}

/** At least the number of the recorder's frames on the stack while a text is compiled. */
const MAX_OWN_FRAMES = 6;

/** Removes the recorder's frames, as far as the stack is a text. Errors of another context keep fewer frames. */
function hideFrames(error: object, limit: number): void {
  const stack = internal(error, 'stack');
  if (typeof stack !== 'string') return;
  const lines = stack.split('\n').filter((line) => !line.includes(__filename));
  const frames = lines.findIndex((line) => line.startsWith('    at '));
  Reflect.set(
    error,
    'stack',
    lines.slice(0, frames < 0 || !(error instanceof Error) ? undefined : frames + limit).join('\n'),
  );
}

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
