import vm from 'node:vm';
import { type SourceMaps, lastComment, theirs } from './source-maps.ts';
import { attempt, construct, internal, isFunction, isObject, replace } from '../host/host.ts';

/**
 * Sees each text that `vm` compiles, where test runners evaluate theirs: their scripts are collected long before the
 * process ends. Nothing of ours stays on the stack while the code runs, so stack traces are as they were:
 * `vm.Script` and `vm.SourceTextModule` call `super(…)`, which is whatever their prototype is, before anything runs,
 * and so do `vm.runInThisContext` and its like, which use the same class. `Module.prototype._compile` cannot be seen
 * that way; the scripts of CommonJS modules live on, and `collectLiveScripts` finds them at the end.
 * What it does runs in `own`: it is the recorder's work in a turn of the program. `lookForTests` is called before each own
 * file: a test file is one, and jest compiles a dependency's files anew for each (some 3 % of the samples of a suite).
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

/** A path or url outside `node_modules`. */
const ownTypeScript = /^(?!.*[\\/]node_modules[\\/]).*\.[cm]?tsx?$/;

/**
 * What `compile` returns. The error of a text that is wrong has no frame of the recorder in its stack: Node has noted its
 * place by then, so that it may be thrown again. Any other (a wrong argument) comes from `compile` itself, called once more:
 * caught and thrown, Node would show our line as its place.
 */
function compileUnseen<Result>(compile: () => Result): Result {
  const limit = Error.stackTraceLimit;
  try {
    // Refused where `Error` is frozen.
    Reflect.set(Error, 'stackTraceLimit', limit + mostFrames);
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

/** At least as many frames as we have on the stack while a text is compiled. */
const mostFrames = 6;

/**
 * Others than V8 may have written the stack, as something else than a text. The limit of another context's errors is its
 * own: they keep as many frames fewer as were ours.
 */
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
