import { withRecorder } from '../../protocol/node-options.ts';
import { attempt, host, internal, isFunction, isObject, replace } from './host.ts';

/**
 * A process that is started with an environment of its own gets our variables put back, so that the recorder is
 * reached in it too. Where the environment was passed on, nothing is changed. Both wraps work on what Node has made
 * of the options, below every function of `child_process`: no frame of ours is in an error's stack.
 */
export function reachChildren(variables: Readonly<Record<string, string>>, recorderFile: string): void {
  const putBack = (options: unknown): void => {
    if (!isObject(options)) return;
    const pairs = internal(options, 'envPairs');
    if (Array.isArray(pairs) && pairs.every((pair) => typeof pair === 'string')) {
      Reflect.set(options, 'envPairs', withVariables(pairs, variables, recorderFile));
    }
  };
  const around = (original: (this: unknown, ...args: unknown[]) => unknown) =>
    function (this: unknown, ...args: unknown[]): unknown {
      attempt(() => putBack(args[0]));
      return Reflect.apply(original, this, args);
    };
  replace(host.ChildProcess.prototype, 'spawn', around);
  const synchronous = bindingOf('spawn_sync');
  if (synchronous !== null) replace(synchronous, 'spawn', around);
}

/** `NAME=value` pairs with ours in them. */
export function withVariables(
  pairs: readonly string[],
  variables: Readonly<Record<string, string>>,
  recorderFile: string,
): readonly string[] {
  const isOptions = (pair: string): boolean => /^NODE_OPTIONS=/i.test(pair);
  const options = pairs.find(isOptions)?.slice('NODE_OPTIONS='.length);
  const missing = Object.entries(variables).filter(([name]) => !pairs.some((pair) => pair.startsWith(`${name}=`)));
  return [
    ...pairs.filter((pair) => !isOptions(pair)),
    `NODE_OPTIONS=${withRecorder(options, recorderFile)}`,
    ...missing.map(([name, value]) => `${name}=${value}`),
  ];
}

/** The C++ side of `spawnSync`. Where the person wants deprecations shown, asking for it would print one: do without. */
function bindingOf(name: string): object | null {
  const binding = internal(process, 'binding');
  const isWatched = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some((text) =>
    text.includes('pending-deprecation'),
  );
  if (!isFunction(binding) || isWatched || process.env['NODE_PENDING_DEPRECATION'] === '1') return null;
  const value = Reflect.apply(binding, process, [name]);
  return isObject(value) ? value : null;
}
