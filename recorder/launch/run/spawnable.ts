import { existsSync } from 'node:fs';
import path from 'node:path';

/** What `child_process.spawn` can start. */
export interface Spawnable {
  readonly file: string;
  readonly args: readonly string[];
  /** Windows: the arguments are quoted already. */
  readonly verbatim: boolean;
  /** Name of the program as it sees it, where that is not `file`. */
  readonly argv0?: string;
}

type Exists = (file: string) => boolean;

/**
 * A command as it is, except on Windows: there npm's commands are `.cmd` files, which only `cmd.exe` can run, and which
 * `spawn` does not find. Quoting as in the package cross-spawn, which hands what it does not find to `cmd.exe`: that would run
 * its own `del`, and start before it is known that there is nothing to start. `command` has at least its program.
 */
export function spawnable(
  command: readonly string[],
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
  exists: Exists = existsSync,
): Spawnable {
  const [program = '', ...args] = command;
  if (platform !== 'win32') return { file: program, args, verbatim: false };
  const file = findOnWindows(program, env, exists) ?? program;
  if (!/\.(cmd|bat)$/i.test(file)) return { file, args, verbatim: false };
  // The files in `node_modules/.bin` hand their arguments on, so that they are read twice.
  const isShim = /node_modules[\\/]\.bin[\\/][^\\/]+\.cmd$/i.test(file);
  const quoted = args.map((argument) => (isShim ? escapedForCmd(quotedForCmd(argument)) : quotedForCmd(argument)));
  const line = [escapedForCmd(file), ...quoted].join(' ');
  return { file: env['ComSpec'] ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${line}"`], verbatim: true };
}

/** Finds a program as `cmd.exe` does it: in each folder of the PATH, with each extension of PATHEXT. */
function findOnWindows(program: string, env: NodeJS.ProcessEnv, exists: Exists): string | undefined {
  const variable = (name: string): string | undefined =>
    Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
  const endings = (variable('PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';');
  const names =
    path.win32.extname(program) === '' ? endings.map((ending) => program + ending.toLowerCase()) : [program];
  const isPath = /[/\\]/.test(program);
  const folders = isPath ? [''] : (variable('PATH') ?? '').split(';').filter((folder) => folder !== '');
  return folders.flatMap((folder) => names.map((name) => path.win32.join(folder, name))).find(exists);
}

/** A batch file's arguments are quoted for the program, then `^` keeps `cmd.exe` from reading its special characters. */
function quotedForCmd(argument: string): string {
  return escapedForCmd(`"${argument.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\*)$/, '$1$1')}"`);
}

function escapedForCmd(text: string): string {
  return text.replaceAll(/[()\][%!^"`<>&|;, *?]/g, '^$&');
}
