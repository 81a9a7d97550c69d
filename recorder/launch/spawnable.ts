import { existsSync } from 'node:fs';
import path from 'node:path';

/** What `child_process.spawn` can start. */
export interface Spawnable {
  readonly file: string;
  readonly args: readonly string[];
  /** Windows: the arguments are quoted already. */
  readonly verbatim: boolean;
}

type Exists = (file: string) => boolean;

/**
 * A command as it is, except on Windows: there npm's commands are `.cmd` files, which only `cmd.exe` can run, and which
 * `spawn` does not find. `command` has at least its program.
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
  const line = [file, ...args].map(quotedForCmd).join(' ');
  return { file: env['ComSpec'] ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${line}"`], verbatim: true };
}

/** As `cmd.exe` looks for it: each folder of the PATH, each ending of PATHEXT. */
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

/** A batch file's arguments are read twice: by `cmd.exe`, whose special characters `^` escapes, and by the program. */
function quotedForCmd(argument: string): string {
  const quoted = `"${argument.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\*)$/, '$1$1')}"`;
  const escape = (text: string): string => text.replaceAll(/[()\][%!^"`<>&|;, *?]/g, '^$&');
  return escape(escape(quoted));
}
