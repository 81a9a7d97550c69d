import { codeTracesFile, v8LogSuffix } from '../../protocol/recording.ts';

/** Where a recording of tiers writes: its own folder, and that of our own `node`. */
export interface TierFolders {
  readonly directory: string;
  readonly shim: string;
}

/**
 * What makes V8 keep its log (design: `--prof` alone; it keeps none while its CPU profiler runs). The same for Node 18
 * to 26; what one of them does not know it takes without a word. Both folders have to be there: V8 writes the log to
 * stdout otherwise. `--redirect-…`: before Node 26, `--log-deopt` prints to stdout else, and V8 dies at a deopt when it
 * cannot open that file, which is why it lies where nobody deletes it.
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

/** V8 puts `isolate-<address>-<pid>-` in front of the name, and reads `%` in all of it. */
export function v8LogPattern(directory: string): string {
  return `${directory.replaceAll('%', '%%')}/%p-%t${v8LogSuffix}`;
}

/**
 * The words behind `node` with the flags in front of them; null where they cannot take them: they have them already,
 * the program wants a log or a profile of its own, or it forbids what it has not allowed (`--permission`).
 */
export function withTierFlags(words: readonly string[], flags: readonly string[]): readonly string[] | null {
  return ownFlagsOf(words).some((word) => standsAgainstTiers(word)) ? null : [...flags, ...words];
}

/** Node's and V8's own flags among the words behind `node`; a value that stands apart ends them too early. */
function ownFlagsOf(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => !word.startsWith('-'));
  return end < 0 ? words : words.slice(0, end);
}

/**
 * A log or a profile of the program's own, a text that V8 is to make once, a word that ends Node at once, and Node's
 * permissions. As a shell's patterns: `*` at the end stands for anything.
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
  /** A folder that is passed over: ours. */
  readonly without: string;
  readonly platform: NodeJS.Platform;
  readonly isFile: (file: string) => boolean;
}

/** The file that `node` (or a path to one) starts, absolute; null where it is no Node binary, by its name, or cannot be told. */
export function nodeBinary(name: string, search: BinarySearch): string | null {
  return /(^|[\\/])node(js)?(\.exe)?$/i.test(name) ? programFile(name, search) : null;
}

/** The file that a name or path starts, absolute; null where it cannot be told. */
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
