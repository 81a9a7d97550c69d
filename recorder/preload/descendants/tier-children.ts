import { shimVariable, v8LogVariable } from '../../../protocol/recording.ts';
import {
  tierFlags,
  v8LogPattern,
  withTierFlags,
  type BinarySearch,
  nodeBinary,
  programFile,
  takesTierFlags,
} from '../../command-lines/tier-flags.ts';
import { attempt, call, host, internal, isObject } from '../host/host.ts';
import { readPlainFile } from '../host/plain-file.ts';
import { type Run, isOver } from '../host/run.ts';

/**
 * How children get V8's log: a Node binary by flags on its command line, also where a script of Yarn starts it; what a
 * shell starts, by Hotspan's `node`, which is found first on the PATH.
 */
export interface TierChildren {
  /** Variables for the environment of every child. */
  readonly variables: Readonly<Record<string, string>>;
  /** The options with the flags added; null where nothing has to change. Never throws. */
  readonly withFlags: (options: object) => object | null;
}

export function reachTierChildren(run: Run): TierChildren {
  const { shim } = run;
  const flags = tierFlags(run, run.intervalUs);
  const takesFlags = nodesThatTakeFlags();
  const flagged = (options: object): object | null => {
    if (shim === '' || otherUserOf(options) !== null) return null;
    const start = plainStart(options, shim) ?? wrappedStart(options, shim);
    const words = start === null ? null : withTierFlags(start.words, flags);
    if (start === null || words === null || isOver(run) || !takesFlags(start.node)) return null;
    return { ...options, ...start.with(words) };
  };
  return {
    variables: { [v8LogVariable]: v8LogPattern(run.directory), [shimVariable]: shim },
    withFlags: (options) => {
      const result: { options: object | null } = { options: null };
      attempt(() => {
        result.options = flagged(options);
      });
      return result.options;
    },
  };
}

/** Whether these options start a Node binary, by its name. */
export function isNodeStart(options: object): boolean {
  const file = internal(options, 'file');
  return typeof file === 'string' && (file === process.execPath || /(^|\/)node(js)?$/.test(file));
}

const ownUser = process.geteuid?.();

/** The user who will run the child, where that is not the user of this process; else null. */
export function otherUserOf(options: object): number | null {
  const given = internal(options, 'uid');
  const uid = typeof given === 'number' ? given : process.geteuid?.();
  return uid === undefined || uid === ownUser ? null : uid;
}

/** Sets `child.spawnfile` and `child.spawnargs` to the values that the program gave. */
export function hideFlags(child: unknown, options: object): void {
  if (!(child instanceof host.ChildProcess)) return;
  Reflect.set(child, 'spawnfile', internal(options, 'file'));
  Reflect.set(child, 'spawnargs', internal(options, 'args'));
}

/** A Node binary that is about to be started, and the words after it. */
interface NodeStart {
  readonly node: string;
  readonly words: readonly string[];
  /** The file and the arguments to start instead, with other words. */
  readonly with: (words: readonly string[]) => { readonly file: string; readonly args: readonly string[] };
}

function plainStart(options: object, shim: string): NodeStart | null {
  const [name, ...words] = textsOf(internal(options, 'args'));
  const file = internal(options, 'file');
  if (name === undefined || typeof file !== 'string') return null;
  const node = file === process.execPath ? file : nodeBinary(file, searchOf(options, shim));
  return node === null ? null : { node, words, with: (others) => ({ file: node, args: [name, ...others] }) };
}

/**
 * A start through a script of Yarn. A shell stays in between, because it sets variables for the program: `PWD`, and how
 * deep shells are nested (`SHLVL`).
 */
function wrappedStart(options: object, shim: string): NodeStart | null {
  const [, ...given] = textsOf(internal(options, 'args'));
  const [node, ...words] = wordsOfWrapper(wrapperText(options, shim)) ?? [];
  if (node === undefined) return null;
  const shell = ['/bin/sh', '-c', 'exec "$0" "$@"', node];
  return { node, words: [...words, ...given], with: (others) => ({ file: '/bin/sh', args: [...shell, ...others] }) };
}

/** The text of the file that is about to be started, where that may be a wrapper of Yarn; else empty. */
function wrapperText(options: object, shim: string): string {
  const isUnderYarn = pairsOf(options).some((pair) => pair.startsWith('BERRY_BIN_FOLDER='));
  const name = internal(options, 'file');
  const file = isUnderYarn && typeof name === 'string' ? programFile(name, searchOf(options, shim)) : null;
  const read = file === null ? null : readPlainFile(file, longestWrapper);
  return read === null || read === 'large' ? '' : read.text;
}

function searchOf(options: object, shim: string): BinarySearch {
  return {
    list:
      pairsOf(options)
        .find((pair) => /^PATH=/i.test(pair))
        ?.slice('PATH='.length) ?? '',
    without: shim,
    platform: process.platform,
    isFile: (one) => host.statSync(one, { throwIfNoEntry: false })?.isFile() === true,
  };
}

function pairsOf(options: object): readonly string[] {
  return textsOf(internal(options, 'envPairs'));
}

/**
 * Tells whether a Node binary takes the flags. The Node that runs this does; any other is asked once for its version.
 */
function nodesThatTakeFlags(): (file: string) => boolean {
  const known = new Map<string, boolean>([[process.execPath, true]]);
  return (file) => {
    const answer = known.get(file) ?? hasKnownVersion(file);
    known.set(file, answer);
    return answer;
  };
}

function hasKnownVersion(file: string): boolean {
  const asked = call(host.spawnSync, undefined, [file, ['--version'], { encoding: 'utf8', timeout: 5000 }]);
  const said = isObject(asked) ? internal(asked, 'stdout') : '';
  return takesTierFlags(String(said));
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : [];
}

/**
 * The words that a script of Yarn's starts, a path to Node first; null for any other file. Yarn 2 and later makes one for
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

/** In bytes: a wrapper contains only a path or two. */
const longestWrapper = 16_384;
