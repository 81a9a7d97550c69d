import path from 'node:path';
import { preventingFlag, v8LogPattern } from '../../command-lines/tier-flags.ts';
import { existsSync } from 'node:fs';
import { isNamed, withRecorder } from '../../command-lines/shell-command.ts';
import {
  intervalVariable,
  modeVariable,
  recordingDirVariable,
  shimVariable,
  v8LogVariable,
} from '../../../protocol/recording.ts';
import type { Microseconds } from '../../../protocol/units.ts';
import { valuedNodeOption } from '../../../words/formats/command-text.ts';
import { isShimFolder } from '../install/node-shim.ts';

/** Whether the program is a text: on the command line (`node -e TEXT`, `-p`), or in the input (`node < FILE`, `node -`). */
export function isEvaluated(command: readonly string[], isTerminal = process.stdin.isTTY): boolean {
  const [program = '', ...words] = startedCommand(command);
  if (!/^node(js)?(\.exe)?$/i.test(path.basename(program))) return false;
  const isOperand = (word: string, index: number): boolean =>
    /^([^-]|-?$|--$)/.test(word) && !valuedNodeOption.test(words[index - 1] ?? '');
  const operands = words.slice(words.findIndex(isOperand) >>> 0);
  const options = words.slice(0, words.length - operands.length);
  if (options.some((option) => /^(-p?e|-p|--eval|--print)(=|$)/.test(option))) return true;
  const startsOthers = options.some((option) => /^--(test|run)(=|$)/.test(option));
  return !isTerminal && !startsOthers && (operands.find((word) => word !== '--') ?? '-') === '-';
}

/** The command that `env A=1`, `cross-env A=1`, `timeout 5s` or `nice -n 5` starts. */
function startedCommand(command: readonly string[]): readonly string[] {
  const [program = ''] = command;
  if (!/^(cross-env|env|nice|nohup|stdbuf|time|timeout)$/.test(path.basename(program))) return command;
  const isOwn = (word: string): boolean => /^-|=|^[A-Z\d_.]+[smhd]?$/.test(word);
  return command.slice(command.findIndex((word, index) => index > 0 && !isOwn(word)) >>> 0);
}

/** Whether a command or Node's variable turns on coverage, whose counters make code look hotter. */
export function hasCoverage(command: readonly string[], env: NodeJS.ProcessEnv): boolean {
  if (env['NODE_V8_COVERAGE'] !== undefined) return true;
  return command.some((word) =>
    /(^|[/\\])(c8|nyc)(\.c?js)?$|^--coverage(=true|\.enabled(=true)?)?$|^--experimental-test-coverage$/.test(word),
  );
}

/** At most one sentence: why the words of a command prevent V8's logs. It is run anyway. */
export function tierNotes(command: readonly string[]): readonly string[] {
  const [program = '', ...words] = command;
  const name = path
    .basename(program.replaceAll('\\', '/'))
    .replace(/\.(exe|cmd)$/i, '')
    .toLowerCase();
  if (/^(bunx?|deno|electron)$/.test(name))
    return [`${name} is not Node.js, so there will be no log of V8's tiers. It runs nevertheless.`];
  if (!/^node(js)?$/.test(name)) return [];
  const own = preventingFlag(words);
  return own === undefined
    ? []
    : [
        `${own} does not go together with V8's log: the command runs as always, and leaves none. Record it without ${own}.`,
      ];
}

/** Arguments for `child_process.spawn`. */
export interface Spawnable {
  readonly file: string;
  readonly args: readonly string[];
  /** On Windows: the arguments are quoted already. */
  readonly verbatim: boolean;
  /** The name under which the program sees itself, where that is not `file`. */
  readonly argv0?: string;
}

/**
 * What `spawn` must start for a command. Only Windows needs a change: there npm's commands are `.cmd` files, which
 * `spawn` does not find and only `cmd.exe` can run. The quoting is that of the package cross-spawn, which passes every
 * command that it does not find to `cmd.exe`: that would run its own commands (`del`), and report a missing command too
 * late.
 */
export function spawnable(
  command: readonly string[],
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
  exists: (file: string) => boolean = existsSync,
): Spawnable {
  const [program = '', ...args] = command;
  if (platform !== 'win32') return { file: program, args, verbatim: false };
  const file = windowsFiles(program, env).find(exists) ?? program;
  if (!/\.(cmd|bat)$/i.test(file)) return { file, args, verbatim: false };
  // The files in `node_modules/.bin` pass their arguments on, so these are parsed twice.
  const isShim = /node_modules[\\/]\.bin[\\/][^\\/]+\.cmd$/i.test(file);
  const quoted = args.map((argument) => (isShim ? escapedForCmd(quotedForCmd(argument)) : quotedForCmd(argument)));
  const line = [escapedForCmd(file), ...quoted].join(' ');
  return { file: env['ComSpec'] ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${line}"`], verbatim: true };
}

/** The value of a variable whose name Windows may write in another case (`Path`). */
export function variableIn(env: NodeJS.ProcessEnv, name: string): string | undefined {
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}

/** Where `cmd.exe` looks for a program: in each folder of the PATH, with each extension of PATHEXT. */
function windowsFiles(program: string, env: NodeJS.ProcessEnv): readonly string[] {
  const endings = (variableIn(env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';');
  const names =
    path.win32.extname(program) === '' ? endings.map((ending) => program + ending.toLowerCase()) : [program];
  const list = variableIn(env, 'PATH') ?? '';
  const folders = /[/\\]/.test(program) ? [''] : list.split(';').filter((folder) => folder !== '');
  return folders.flatMap((folder) => names.map((name) => path.win32.join(folder, name)));
}

/** Quotes an argument of a batch file for the program, and escapes `cmd.exe`'s special characters with `^`. */
function quotedForCmd(argument: string): string {
  return escapedForCmd(`"${argument.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\*)$/, '$1$1')}"`);
}

function escapedForCmd(text: string): string {
  return text.replaceAll(/[()\][%!^"`<>&|;, *?]/g, '^$&');
}

interface Injection {
  readonly directory: string;
  readonly recorderFile: string;
  readonly intervalUs: Microseconds;
  /** Hotspan's own `node_modules/.bin`, which npm puts on the PATH when it runs Hotspan. */
  readonly ownBin: string;
  /** The folder of Hotspan's `node`, which must come first on the PATH; null: none. */
  readonly shim: string | null;
}

/** The user's environment with the variables that load the recorder. */
export function commandEnvironment(env: NodeJS.ProcessEnv, injection: Injection): NodeJS.ProcessEnv {
  const plain = plainEnvironment(env, injection.ownBin);
  return {
    ...plain,
    NODE_OPTIONS: withRecorder(plain['NODE_OPTIONS'], injection.recorderFile),
    [recordingDirVariable]: injection.directory,
    [intervalVariable]: String(injection.intervalUs),
    [modeVariable]: 'run',
    ...(injection.shim === null ? {} : tierEnvironment(plain, injection.directory, injection.shim)),
  };
}

/** The variables for V8's log. Without a PATH, which Windows calls `Path`, none is set: the default must stay. */
function tierEnvironment(env: NodeJS.ProcessEnv, directory: string, shim: string): NodeJS.ProcessEnv {
  const [name, list] = Object.entries(env).find(([key]) => isNamed(key, 'PATH')) ?? [];
  return {
    ...(name === undefined || list === undefined ? {} : { [name]: [shim, list].join(path.delimiter) }),
    [v8LogVariable]: v8LogPattern(directory),
    [shimVariable]: shim,
  };
}

/** The user's environment without what Hotspan and its callers have added to it. */
export function plainEnvironment(env: NodeJS.ProcessEnv, ownBin: string): NodeJS.ProcessEnv {
  const byNpm = isByNpm(env);
  const kept = Object.entries(env).filter(([name]) => !isForeign(name, byNpm));
  return Object.fromEntries(
    kept.map(([name, value]) => {
      if (isNamed(name, 'NODE_OPTIONS')) return ['NODE_OPTIONS', withoutLoaders(value ?? '')];
      return [name, isNamed(name, 'PATH') ? withoutEntry(value, ownBin) : value];
    }),
  );
}

/** Whether `npx`, or a script of Hotspan's own package, has started Hotspan: a script of the user has npm's variables. */
function isByNpm({ npm_execpath: npm, npm_command: command, npm_package_name: script }: NodeJS.ProcessEnv): boolean {
  return npm !== undefined && (command === 'exec' || script === 'hotspan');
}

/** Whether a variable is VS Code's, Electron's, or npm's (`isByNpm`): they change what Node does. */
function isForeign(name: string, byNpm: boolean): boolean {
  if (name === 'ELECTRON_RUN_AS_NODE' || name.startsWith('VSCODE_')) return true;
  if (name === v8LogVariable || name === shimVariable) return true;
  return byNpm && (/^npm_/i.test(name) || name === 'INIT_CWD');
}

function withoutEntry(list: string | undefined, entry: string): string | undefined {
  const unwanted = path.resolve(entry);
  return list
    ?.split(path.delimiter)
    .filter((folder) => folder === '' || (path.resolve(folder) !== unwanted && !isShimFolder(folder)))
    .join(path.delimiter);
}

/** NODE_OPTIONS without a debugger's bootloader, which would wait, and without the recorder of an outer recording. */
function withoutLoaders(options: string): string {
  return options.replaceAll(/(^|\s)(--require|-r)[\s=]+("[^"]*"|\S+)/g, (option: string) =>
    /ms-vscode\.js-debug|[/\\]bootloader\.js|[/\\]recorder-[0-9a-f]{12}\.cjs/.test(option) ? '' : option,
  );
}
