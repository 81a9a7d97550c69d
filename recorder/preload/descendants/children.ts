import path from 'node:path';
import { withRecorder, withoutRecorder } from '../../command-lines/node-options.ts';
import { kindVariable, shimVariable } from '../../../protocol/recording.ts';
import { reachedThroughShell } from '../../command-lines/shell-command.ts';
import { attempt, host, internal, isObject, replace } from '../host/host.ts';
import { bindingOf } from '../host/undisturbed.ts';
import { isStartedByProgram } from './starter.ts';
import { hideFlags, isNodeStart, otherUserOf, textsOf, type TierChildren } from './tier-children.ts';

export interface Parent {
  /** Folder in which the command was given; null in a process that is not the person's program. */
  readonly cwd: string | null;
  readonly tiers: TierChildren | null;
  /** Called when Node is started as another user, who may not write to the recording. */
  readonly onOtherUser: (uid: number) => void;
}

/**
 * Lets the recorder reach child processes. A child with an environment of its own gets our variables back, and a child
 * that the program starts for itself is marked as a background process. Other children inherit everything, and nothing
 * is changed. A child of another user, who may not read the recorder, is started without it. The functions that are
 * wrapped lie below all functions of `child_process` and get the options that Node has prepared, so no frame of ours is
 * in the stack of an error.
 */
export function reachChildren(
  variables: Readonly<Record<string, string>>,
  recorderFile: string,
  { cwd, tiers, onOtherUser }: Parent,
): void {
  const names = [...Object.keys({ ...variables, ...tiers?.variables }), kindVariable];
  const putBack = (options: object, added: Readonly<Record<string, string>>): void => {
    const pairs = pairsOf(options);
    const uid = otherUserOf(options);
    if (pairs === null) return;
    if (uid !== null) {
      Reflect.set(options, 'envPairs', withoutVariables(pairs, names, recorderFile));
      if (isNodeStart(options)) onOtherUser(uid);
      return;
    }
    const all = withVariables(pairs, { ...variables, ...tiers?.variables, ...added }, recorderFile);
    Reflect.set(options, 'envPairs', withFirstOnPath(all, tiers?.variables[shimVariable] ?? ''));
  };
  const around = (addedTo: (options: object) => Readonly<Record<string, string>>) => (original: AnyFunction) =>
    function (this: unknown, ...args: unknown[]): unknown {
      const [options] = args;
      attempt(() => isObject(options) && putBack(options, addedTo(options)));
      const changed = isObject(options) ? (tiers?.withFlags(options) ?? withShellReached(options, recorderFile)) : null;
      if (changed === null || !isObject(options)) return Reflect.apply(original, this, args);
      const result: unknown = Reflect.apply(original, this, [changed]);
      hideFlags(this, options);
      return result;
    };
  const kindOf = (options: object): Readonly<Record<string, string>> =>
    cwd !== null && !continuesCommand(options) && isStartedByProgram(cwd) ? { [kindVariable]: 'background' } : {};
  replace(host.ChildProcess.prototype, 'spawn', around(kindOf));
  const synchronous = bindingOf('spawn_sync');
  // The program itself waits for such a child.
  if (synchronous !== null)
    replace(
      synchronous,
      'spawn',
      around(() => ({})),
    );
}

/**
 * The options with the recorder added to the text of a shell that sets NODE_OPTIONS anew; null where nothing has to
 * change. Never throws.
 */
function withShellReached(options: object, recorderFile: string): object | null {
  const result: { options: object | null } = { options: null };
  attempt(() => {
    const args =
      otherUserOf(options) === null ? reachedThroughShell(textsOf(internal(options, 'args')), recorderFile) : null;
    if (args !== null) result.options = { ...options, args };
  });
  return result.options;
}

function pairsOf(options: object): readonly string[] | null {
  const pairs = internal(options, 'envPairs');
  return Array.isArray(pairs) && pairs.every((pair) => typeof pair === 'string') ? pairs : null;
}

/**
 * Whether a child continues the command, and is not something in the background. A worker of a cluster serves requests.
 * A child that writes to the output of its parent and has no channel to it is the next step of a script.
 */
function continuesCommand(options: object): boolean {
  const pairs = internal(options, 'envPairs');
  if (Array.isArray(pairs) && pairs.some((pair) => String(pair).startsWith('NODE_UNIQUE_ID='))) return true;
  const stdio = internal(options, 'stdio');
  if (!Array.isArray(stdio)) return stdio === 'inherit';
  const output: unknown = stdio[1];
  return !stdio.includes('ipc') && (output === 'inherit' || output === 1 || output === process.stdout);
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** The `NAME=value` pairs of an environment with our variables added. */
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

/** The pairs as they would be without a recorder. */
export function withoutVariables(
  pairs: readonly string[],
  names: readonly string[],
  recorderFile: string,
): readonly string[] {
  return pairs
    .filter((pair) => !names.some((name) => pair.startsWith(`${name}=`)))
    .map((pair) => (pair.startsWith('NODE_OPTIONS=') ? withoutRecorder(pair, recorderFile) : pair))
    .filter((pair) => pair !== 'NODE_OPTIONS=');
}

/**
 * The pairs with a folder first on the PATH: wrappers of Yarn, or other folders of the program, may come before it.
 * Nothing is added where there is no PATH.
 */
function withFirstOnPath(pairs: readonly string[], folder: string): readonly string[] {
  if (folder === '') return pairs;
  return pairs.map((pair) => {
    const [, name, list] = /^(PATH)=(.*)$/is.exec(pair) ?? [];
    if (name === undefined || list === undefined) return pair;
    const others = list.split(path.delimiter).filter((one) => one !== folder);
    return `${name}=${[folder, ...others].join(path.delimiter)}`;
  });
}
