import path from 'node:path';
import { withRecorder } from '../../command-lines/shell-command.ts';
import {
  intervalVariable,
  modeVariable,
  recordingDirVariable,
  shimVariable,
  v8LogVariable,
} from '../../../protocol/recording.ts';
import { v8LogPattern } from '../../command-lines/tier-flags.ts';
import type { Microseconds } from '../../../protocol/units.ts';
import { isShimFolder } from '../install/node-shim.ts';

export interface Injection {
  readonly directory: string;
  readonly recorderFile: string;
  readonly intervalUs: Microseconds;
  /** Hotspan's own `node_modules/.bin`, which npm puts on the PATH when it runs Hotspan. */
  readonly ownBin: string;
  /** The folder of Hotspan's `node`, which must come first on the PATH; null: none. */
  readonly shim: string | null;
}

/** The person's environment without Hotspan's own traces, plus the variables that load the recorder. */
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
  const [name, list] = Object.entries(env).find(([key]) => isPath(key)) ?? [];
  return {
    ...(name === undefined || list === undefined ? {} : { [name]: [shim, list].join(path.delimiter) }),
    [v8LogVariable]: v8LogPattern(directory),
    [shimVariable]: shim,
  };
}

/** The person's environment without what Hotspan and its callers have added to it. */
export function plainEnvironment(env: NodeJS.ProcessEnv, ownBin: string): NodeJS.ProcessEnv {
  const isUnderNpm = env['npm_execpath'] !== undefined;
  const kept = Object.entries(env).filter(([name]) => !isForeign(name, isUnderNpm));
  const options = kept.find(([name]) => isOptions(name))?.[1];
  return {
    ...Object.fromEntries(
      kept
        .filter(([name]) => !isOptions(name))
        .map(([name, value]) => [name, isPath(name) ? withoutEntry(value, ownBin) : value]),
    ),
    ...(options === undefined ? {} : { NODE_OPTIONS: withoutStrangers(options) }),
  };
}

function isOptions(name: string): boolean {
  return name.toUpperCase() === 'NODE_OPTIONS';
}

/** Whether a variable is VS Code's, Electron's, or npm's, if npm runs Hotspan: they change what Node does. */
function isForeign(name: string, isUnderNpm: boolean): boolean {
  if (name === 'ELECTRON_RUN_AS_NODE' || name.startsWith('VSCODE_')) return true;
  if (name === v8LogVariable || name === shimVariable) return true;
  return isUnderNpm && (/^npm_/i.test(name) || name === 'INIT_CWD');
}

/** Windows writes `Path`. */
function isPath(name: string): boolean {
  return name.toUpperCase() === 'PATH';
}

function withoutEntry(list: string | undefined, entry: string): string | undefined {
  const unwanted = path.resolve(entry);
  return list
    ?.split(path.delimiter)
    .filter((folder) => folder === '' || (path.resolve(folder) !== unwanted && !isShimFolder(folder)))
    .join(path.delimiter);
}

/** NODE_OPTIONS without a debugger's bootloader, which would wait, and without the recorder of an outer recording. */
function withoutStrangers(options: string): string {
  return options.replaceAll(/(^|\s)(--require|-r)[\s=]+("[^"]*"|\S+)/g, (option: string) =>
    /ms-vscode\.js-debug|[/\\]bootloader\.js|[/\\]recorder-[0-9a-f]{12}\.cjs/.test(option) ? '' : option,
  );
}
