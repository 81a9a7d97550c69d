import { codeTracesFile, v8LogSuffix } from '../../protocol/recording.ts';

/** The folders of a recording of tiers: its own, and that of Hotspan's `node`. */
export interface TierFolders {
  readonly directory: string;
  readonly shim: string;
}

/**
 * The flags that make V8 keep its log. `--prof` is used alone, because V8 writes no log while its CPU profiler runs.
 * The flags are the same for Node 18 to 26; a version that does not know one of them ignores it silently. Both folders
 * must exist, otherwise V8 writes the log to stdout. `--redirect-code-traces`: before Node 26, `--log-deopt` would
 * otherwise print to stdout. V8 dies at a deopt when it cannot open the file of these traces, so it lies where nobody
 * deletes it.
 */
export function tierFlags({ directory, shim }: TierFolders, intervalUs: number): readonly string[] {
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

/** V8 puts `isolate-<address>-<pid>-` in front of the file's name, and interprets `%` in the whole path. */
export function v8LogPattern(directory: string): string {
  return `${directory.replaceAll('%', '%%')}/%p-%t${v8LogSuffix}`;
}

/**
 * The words after `node` with the flags in front of them. Null where they cannot take the flags: they have them
 * already, the program wants a log or a profile of its own, or it forbids what it has not allowed (`--permission`).
 */
export function withTierFlags(words: readonly string[], flags: readonly string[]): readonly string[] | null {
  return ownFlagsOf(words).some((word) => standsAgainstTiers(word)) ? null : [...flags, ...words];
}

/**
 * Node's and V8's own flags among the words after `node`. A value that is a word of its own ends the list too early,
 * which is accepted.
 */
function ownFlagsOf(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => !word.startsWith('-'));
  return end < 0 ? words : words.slice(0, end);
}

/**
 * Flags that do not go together with V8's log: a log or a profile of the program's own, a snapshot that V8 is to build,
 * words that end Node at once, and Node's permissions. Written as patterns of a shell: `*` at the end stands for
 * anything.
 */
export const againstTiers = [
  ...['--prof', '--prof-process', '--no-prof', '--log*', '--no-log*', '--cpu-prof'],
  ...['--permission', '--experimental-permission', '--experimental-policy*'],
  ...['--build-snapshot*', '--snapshot-blob*', '-v', '--version', '--v8-options'],
] as const;

export function standsAgainstTiers(flag: string): boolean {
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

/**
 * The absolute path of the file that `node` (or a path to one) starts. Null where the name is not a Node binary's, or
 * the file cannot be found.
 */
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

/** Whether a Node of this version, as `node --version` prints it, writes V8's log in the form that is needed. */
export function takesTierFlags(version: string): boolean {
  return /^v(1[89]|[2-9]\d)\./.test(version);
}
