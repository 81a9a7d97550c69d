import path from 'node:path';
import { isNamed, withRecorder, withoutRecorder, reachedThroughShell } from '../../command-lines/shell-command.ts';
import { kindVariable, shimVariable, v8LogVariable } from '../../../protocol/recording.ts';
import type { AnyFunction } from '../host/host.ts';
import {
  asText,
  asTexts,
  attempt,
  bindingOf,
  call,
  host,
  internal,
  isObject,
  replace,
  stackBelow,
  textIn,
} from '../host/host.ts';
import {
  tierFlags,
  v8LogPattern,
  withTierFlags,
  type BinarySearch,
  nodeBinary,
  programFile,
  takesTierFlags,
} from '../../command-lines/tier-flags.ts';
import { readPlainFile } from '../host/plain-file.ts';
import { type Run, isOver, isPoolFile } from '../host/run.ts';
import { fileURLToPath } from 'node:url';
import { testPatterns } from '../../../protocol/test-files.ts';

/** The process that starts children. */
interface Parent {
  /** Folder in which the command was given; null in a process that is not the user's program. */
  readonly cwd: string | null;
  readonly tiers: TierChildren | null;
  /** Called when Node is started as another user, who may not write to the recording. */
  readonly onOtherUser: (uid: number) => void;
}

/**
 * Lets the recorder reach child processes. A child with its own environment gets the recorder's variables back, and a
 * child that the program starts for itself is marked as a background process. Other children inherit everything
 * unchanged. A child of another user, who may not read the recorder, is started without it. The wrapped functions lie
 * below all functions of `child_process` and get the options that Node has prepared, so no frame of the recorder is in
 * the stack of an error.
 */
export function reachChildren(variables: Variables, recorderFile: string, { cwd, tiers, onOtherUser }: Parent): void {
  const names = [...Object.keys({ ...variables, ...tiers?.variables }), kindVariable];
  const putBack = (options: object, added: Variables): void => {
    const given = internal(options, 'envPairs');
    const pairs = asTexts(given);
    const uid = otherUserOf(options);
    if (given !== pairs) return;
    if (uid !== null) {
      Reflect.set(options, 'envPairs', withoutVariables(pairs, names, recorderFile));
      if (isNodeStart(options)) onOtherUser(uid);
      return;
    }
    const all = withVariables(pairs, { ...variables, ...tiers?.variables, ...added }, recorderFile);
    Reflect.set(options, 'envPairs', withFirstOnPath(all, tiers?.variables[shimVariable] ?? ''));
  };
  const around = (addedTo: (options: object) => Variables) => (original: AnyFunction) =>
    function (this: unknown, ...args: unknown[]): unknown {
      const [options] = args;
      attempt(() => isObject(options) && putBack(options, addedTo(options)));
      const changed = isObject(options) ? (tiers?.withFlags(options) ?? withShellReached(options, recorderFile)) : null;
      if (changed === null || !isObject(options)) return Reflect.apply(original, this, args);
      const result: unknown = Reflect.apply(original, this, [changed]);
      if (this instanceof host.ChildProcess) {
        // The values that the program gave.
        Reflect.set(this, 'spawnfile', internal(options, 'file'));
        Reflect.set(this, 'spawnargs', internal(options, 'args'));
      }
      return result;
    };
  const kindOf = (options: object): Variables =>
    cwd !== null && !continuesCommand(options) && isStartedByProgram(cwd) ? { [kindVariable]: 'background' } : {};
  replace(host.ChildProcess.prototype, 'spawn', around(kindOf));
  const synchronous = bindingOf('spawn_sync');
  // The program itself waits for such a child, which is never in the background.
  const aroundSync = around(() => ({}));
  if (synchronous !== null) replace(synchronous, 'spawn', aroundSync);
}

type Variables = Readonly<Record<string, string>>;

/** The options with the recorder added to the text of a shell that sets NODE_OPTIONS; null where nothing changes. */
function withShellReached(options: object, recorderFile: string): object | null {
  return changedBy(() => {
    if (otherUserOf(options) !== null) return null;
    const args = reachedThroughShell(asTexts(internal(options, 'args')), recorderFile);
    return args === null ? null : { ...options, args };
  });
}

/** What `change` returns; null where it fails. */
function changedBy(change: () => object | null): object | null {
  const result: { options: object | null } = { options: null };
  attempt(() => {
    result.options = change();
  });
  return result.options;
}

/**
 * Whether a child continues the command, and is not in the background. A worker of a cluster serves requests. A child
 * that writes to the output of its parent and has no channel to it is the next step of a script.
 */
function continuesCommand(options: object): boolean {
  if (asTexts(internal(options, 'envPairs')).some((pair) => pair.startsWith('NODE_UNIQUE_ID='))) return true;
  const stdio = internal(options, 'stdio');
  if (!Array.isArray(stdio)) return stdio === 'inherit';
  const output: unknown = stdio[1];
  return !stdio.includes('ipc') && (output === 'inherit' || output === 1 || output === process.stdout);
}

/** The `NAME=value` pairs of an environment with the recorder's variables added. */
export function withVariables(pairs: readonly string[], variables: Variables, recorderFile: string): readonly string[] {
  const isOptions = (pair: string): boolean => isNamed(nameIn(pair), 'NODE_OPTIONS');
  const options = pairs.find(isOptions)?.slice('NODE_OPTIONS='.length);
  const missing = Object.entries(variables).filter(([name]) => !pairs.some((pair) => pair.startsWith(`${name}=`)));
  return [
    ...pairs.filter((pair) => !isOptions(pair)),
    `NODE_OPTIONS=${withRecorder(options, recorderFile)}`,
    ...missing.map(([name, value]) => `${name}=${value}`),
  ];
}

/** The name in `NAME=value`. */
function nameIn(pair: string): string {
  return pair.slice(0, Math.max(0, pair.indexOf('=')));
}

/** The pairs without those that the recorder adds. */
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

/** The pairs with a folder first on the PATH, before wrappers of Yarn. Nothing is added where there is no PATH. */
function withFirstOnPath(pairs: readonly string[], folder: string): readonly string[] {
  if (folder === '') return pairs;
  return pairs.map((pair) => {
    const name = nameIn(pair);
    if (!isNamed(name, 'PATH')) return pair;
    const others = pair
      .slice(name.length + 1)
      .split(path.delimiter)
      .filter((one) => one !== folder);
    return `${name}=${[folder, ...others].join(path.delimiter)}`;
  });
}

/** How children get V8's log: Node by flags, also through a script of Yarn; a shell by Hotspan's `node` on the PATH. */
interface TierChildren {
  /** Variables for the environment of every child. */
  readonly variables: Variables;
  /** The options with the flags added; null where nothing changes. Never throws. */
  readonly withFlags: (options: object) => object | null;
}

export function reachTierChildren(run: Run): TierChildren {
  const { shim } = run;
  const flags = tierFlags(run, run.intervalUs);
  const takesFlags = nodesThatTakeFlags();
  return {
    variables: { [v8LogVariable]: v8LogPattern(run.directory), [shimVariable]: shim },
    withFlags: (options) =>
      changedBy(() => {
        if (shim === '' || otherUserOf(options) !== null) return null;
        const start = plainStart(options, shim) ?? wrappedStart(options, shim);
        const words = start === null ? null : withTierFlags(start.words, flags);
        if (start === null || words === null || isOver(run) || !takesFlags(start.node)) return null;
        return { ...options, ...start.with(words) };
      }),
  };
}

/** Whether these options start a Node binary, by its name. */
function isNodeStart(options: object): boolean {
  const file = internal(options, 'file');
  return typeof file === 'string' && (file === process.execPath || /(^|\/)node(js)?$/.test(file));
}

const ownUser = process.geteuid?.();

/** The user who will run the child, where that is not the user of this process; else null. */
function otherUserOf(options: object): number | null {
  const given = internal(options, 'uid');
  const uid = typeof given === 'number' ? given : process.geteuid?.();
  return uid === undefined || uid === ownUser ? null : uid;
}

/** A start of a Node binary, the words after it, and what to start with other words. */
function plainStart(options: object, shim: string) {
  const [name, ...words] = asTexts(internal(options, 'args'));
  const file = internal(options, 'file');
  if (name === undefined || typeof file !== 'string') return null;
  const node = file === process.execPath ? file : nodeBinary(file, searchOf(options, shim));
  const withWords = (others: readonly string[]) => ({ file: node, args: [name, ...others] });
  return node === null ? null : { node, words, with: withWords };
}

/** A start through a script of Yarn. It keeps the shell, which sets variables for the program (`PWD`, `SHLVL`). */
function wrappedStart(options: object, shim: string): ReturnType<typeof plainStart> {
  const [, ...given] = asTexts(internal(options, 'args'));
  const [node, ...words] = wordsOfWrapper(wrapperText(options, shim)) ?? [];
  if (node === undefined) return null;
  const shell = ['/bin/sh', '-c', 'exec "$0" "$@"', node];
  return { node, words: [...words, ...given], with: (others) => ({ file: '/bin/sh', args: [...shell, ...others] }) };
}

/** The text of the file to start, where that may be a wrapper of Yarn; else empty. */
function wrapperText(options: object, shim: string): string {
  const isUnderYarn = asTexts(internal(options, 'envPairs')).some((pair) => pair.startsWith('BERRY_BIN_FOLDER='));
  const file = isUnderYarn ? programFile(textIn(options, 'file'), searchOf(options, shim)) : null;
  const read = file === null ? null : readPlainFile(file, MAX_WRAPPER_BYTES);
  return read === null || read === 'large' ? '' : read.text;
}

function searchOf(options: object, shim: string): BinarySearch {
  const pair = asTexts(internal(options, 'envPairs')).find((one) => isNamed(nameIn(one), 'PATH')) ?? '';
  return {
    list: pair.slice('PATH='.length),
    without: shim,
    platform: process.platform,
    isFile: (one) => host.statSync(one, { throwIfNoEntry: false })?.isFile() === true,
  };
}

/** Whether a Node binary takes the flags. The Node that runs this does; any other is asked once for its version. */
function nodesThatTakeFlags(): (file: string) => boolean {
  const known = new Map<string, boolean>([[process.execPath, true]]);
  return (file) => {
    const ask = (): unknown =>
      call(host.spawnSync, undefined, [file, ['--version'], { encoding: 'utf8', timeout: 5000 }]);
    const answer = known.get(file) ?? takesTierFlags(textIn(ask(), 'stdout'));
    known.set(file, answer);
    return answer;
  };
}

/**
 * The words that a wrapper of Yarn starts, a path to Node first; null for any other file. Yarn 2 and later makes one for
 * each command of a package, in a folder that is first on the PATH while it runs something:
 *
 *     #!/bin/sh
 *     exec "/usr/bin/node" '/app/node_modules/mocha/bin/mocha.js' "$@"
 */
export function wordsOfWrapper(text: string): readonly string[] | null {
  const [, program, words] = /^#!\/bin\/sh\nexec "([^"$`\\]+)" ((?:'(?:[^']|'"'"')*' ?)*) ?"\$@"\n$/.exec(text) ?? [];
  if (program === undefined || words === undefined) return null;
  return [
    program,
    ...Array.from(words.matchAll(/'((?:[^']|'"'"')*)'/g), ([, word = '']) => word.replaceAll(`'"'"'`, `'`)),
  ];
}

/** A wrapper contains only a path or two. */
const MAX_WRAPPER_BYTES = 16_384;

/** Whether a test runner or a pool is starting something: it has the nearest file on the stack outside of Node. */
export function isStartedByPool(): boolean {
  const [nearest] = callers();
  return nearest !== undefined && isPoolFile(nearest);
}

/**
 * Whether the program is starting something for itself, directly or through a package: the nearest own file on the stack
 * is not a test, which starts what it tests. What a tool (tsx, nodemon) starts without a call by an own file is the
 * program itself.
 */
function isStartedByProgram(cwd: string): boolean {
  const files = callers();
  const [nearest] = files;
  const own = files.find((file) => !/[\\/]node_modules[\\/]/.test(file));
  if (own === undefined || nearest === undefined || isPoolFile(nearest)) return false;
  const inside = path.relative(cwd, own).replaceAll('\\', '/');
  return !testPatterns.some((pattern) => pattern.test(inside));
}

/** Files on the stack that are not Node's, innermost first; empty where they are unknown (a frozen `Error`). */
function callers(): readonly string[] {
  const stack = stackBelow(callers, 50);
  const sites = Array.isArray(stack) ? stack.filter(isObject) : [];
  return sites
    .map((site) => pathOf(asText(call(internal(site, 'getFileName'), site, []))))
    .filter((name) => !/^(node:|$)|[\\/]\.pnp\.c?js$/.test(name) && name !== __filename);
}

function pathOf(name: string): string {
  try {
    return name.startsWith('file:') ? fileURLToPath(name) : name;
  } catch {
    return name; // The name is invented: `file://host/…`.
  }
}
