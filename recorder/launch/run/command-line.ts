import path from 'node:path';
import { preventingFlag } from '../../command-lines/tier-flags.ts';
import { existsSync } from 'node:fs';

/** True for `node -e TEXT`, `-p`, `--eval`, `--print`, where the program is a text on the command line. */
export function isEvaluated(command: readonly string[]): boolean {
  const [program = '', ...rest] = command;
  if (!/^node(js)?(\.exe)?$/i.test(path.basename(program))) return false;
  const options = rest.slice(0, rest.findIndex((argument) => !argument.startsWith('-')) >>> 0);
  return options.some((option) => /^(-p?e|-p|--eval|--print)(=|$)/.test(option));
}

/** Whether a command or Node's variable turns on coverage, whose counters make code look hotter. */
export function hasCoverage(command: readonly string[], env: NodeJS.ProcessEnv): boolean {
  if (env['NODE_V8_COVERAGE'] !== undefined) return true;
  return command.some((word) =>
    /(^|[/\\])(c8|nyc)(\.c?js)?$|^--coverage(=true|\.enabled(=true)?)?$|^--experimental-test-coverage$/.test(word),
  );
}

/** Why a command will leave no V8 logs, as far as its words tell, in at most one sentence. It is run anyway. */
export function tierNotes(command: readonly string[]): readonly string[] {
  const [program = '', ...words] = command;
  const name = path
    .basename(program.replaceAll('\\', '/'))
    .replace(/\.(exe|cmd)$/i, '')
    .toLowerCase();
  if (/^(bunx?|deno|electron)$/.test(name))
    return [`${name} is not Node.js, whose V8 could tell its tiers: it runs as always, and leaves no log.`];
  if (!/^node(js)?$/.test(name)) return [];
  const own = preventingFlag(words);
  return own === undefined
    ? []
    : [
        `${own} does not go together with V8's log: the command runs as always, and leaves none. Record it without ${own}.`,
      ];
}

/** What `child_process.spawn` can start. */
export interface Spawnable {
  readonly file: string;
  readonly args: readonly string[];
  /** On Windows: the arguments are quoted already. */
  readonly verbatim: boolean;
  /** The name under which the program sees itself, where that is not `file`. */
  readonly argv0?: string;
}

type Exists = (file: string) => boolean;

/**
 * What `spawn` must start for a command. Only Windows needs a change: there npm's commands are `.cmd` files, which
 * `spawn` does not find and only `cmd.exe` can run. The quoting is that of the package cross-spawn, which is not used
 * because it hands every command that it does not find to `cmd.exe`: that would run its own commands (`del`), and a
 * missing command would be noticed too late. `command` has at least its program.
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
  // The files in `node_modules/.bin` pass their arguments on, so these are parsed twice.
  const isShim = /node_modules[\\/]\.bin[\\/][^\\/]+\.cmd$/i.test(file);
  const quoted = args.map((argument) => (isShim ? escapedForCmd(quotedForCmd(argument)) : quotedForCmd(argument)));
  const line = [escapedForCmd(file), ...quoted].join(' ');
  return { file: env['ComSpec'] ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${line}"`], verbatim: true };
}

/** Finds a program as `cmd.exe` does: in each folder of the PATH, with each extension of PATHEXT. */
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

/** Quotes an argument of a batch file for the program, and escapes `cmd.exe`'s special characters with `^`. */
function quotedForCmd(argument: string): string {
  return escapedForCmd(`"${argument.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\*)$/, '$1$1')}"`);
}

function escapedForCmd(text: string): string {
  return text.replaceAll(/[()\][%!^"`<>&|;, *?]/g, '^$&');
}
