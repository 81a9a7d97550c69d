import { codeTracesFile, v8LogSuffix } from '../../protocol/recording.ts';

/**
 * The flags by which V8 keeps its log in the recording `directory`; `shim` is the folder of Hotspan's `node`. `--prof` is
 * used alone, because V8 writes no log while its CPU profiler runs. The flags are the same for Node 18 to 26; a version
 * that does not know one of them ignores it silently. Both folders must exist, otherwise V8 writes the log to stdout.
 * `--redirect-code-traces`: before Node 26, `--log-deopt` would otherwise print to stdout. V8 dies at a deopt when it
 * cannot open the file of these traces, so that is not in the recording, which the program may delete.
 */
export function tierFlags(
  { directory, shim }: { readonly directory: string; readonly shim: string },
  intervalUs: number,
): readonly string[] {
  return [
    '--prof',
    '--no-node-snapshot',
    '--no-log-source-code',
    '--log-deopt',
    '--redirect-code-traces',
    `--redirect-code-traces-to=${shim}/${codeTracesFile}`,
    `--prof-sampling-interval=${intervalUs}`,
    `--logfile=${v8LogPattern(directory)}`,
  ];
}

/** V8 prefixes the file's name with `isolate-<address>-<pid>-`, and interprets `%` in the whole path. */
export function v8LogPattern(directory: string): string {
  return `${directory.replaceAll('%', '%%')}/%p-%t${v8LogSuffix}`;
}

/** The words after `node` with the flags in front of them; null where one of them prevents V8's log. */
export function withTierFlags(words: readonly string[], flags: readonly string[]): readonly string[] | null {
  return preventingFlag(words) === undefined ? [...flags, ...words] : null;
}

/** The flag of Node or V8 that prevents V8's log. A value after a blank ends the search early, which is accepted. */
export function preventingFlag(words: readonly string[]): string | undefined {
  const end = words.findIndex((word) => !word.startsWith('-'));
  return words.slice(0, end < 0 ? words.length : end).find(preventsTiers);
}

/** Shell patterns for flags that prevent V8's log: logs, profiles, snapshots, what ends Node at once, permissions. */
export const againstTiers = [
  ...['--prof', '--prof-process', '--no-prof', '--log*', '--no-log*', '--cpu-prof'],
  ...['--permission', '--experimental-permission', '--experimental-policy*'],
  ...['--build-snapshot*', '--snapshot-blob*', '-v', '--version', '--v8-options'],
] as const;

export function preventsTiers(flag: string): boolean {
  const dashed = flag.replaceAll('_', '-');
  return againstTiers.some((pattern) =>
    pattern.endsWith('*') ? dashed.startsWith(pattern.slice(0, -1)) : dashed === pattern,
  );
}

export interface BinarySearch {
  /** The variable PATH. */
  readonly list: string;
  /** A folder that is skipped: Hotspan's own. */
  readonly without: string;
  readonly platform: NodeJS.Platform;
  readonly isFile: (file: string) => boolean;
}

/** The absolute path of the file that `node`, or a path to one, starts; null for other names, and where it is missing. */
export function nodeBinary(name: string, search: BinarySearch): string | null {
  return /(^|[\\/])node(js)?(\.exe)?$/i.test(name) ? programFile(name, search) : null;
}

/** The absolute path of the file that a name or path starts; null where it cannot be found. */
export function programFile(name: string, { list, without, platform, isFile }: BinarySearch): string | null {
  const isWindows = platform === 'win32';
  const absolute = isWindows ? /^([a-z]:)?[\\/]/i : /^\//;
  if (absolute.test(name)) return name;
  if (/[\\/]/.test(name)) return null;
  const file = isWindows && !/\.exe$/i.test(name) ? `${name}.exe` : name;
  const folders = list.split(isWindows ? ';' : ':').filter((folder) => absolute.test(folder) && folder !== without);
  return folders.map((folder) => `${folder}${isWindows ? '\\' : '/'}${file}`).find((one) => isFile(one)) ?? null;
}

/** Whether a Node of this version, as `node --version` prints it, writes V8's log in the expected form. */
export function takesTierFlags(version: string): boolean {
  return /^v(1[89]|[2-9]\d)\./.test(version);
}
