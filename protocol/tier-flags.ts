import { codeTracesFile, v8LogSuffix } from './recording.ts';

/**
 * What makes V8 keep its log (design: `--prof` alone; it keeps none while its CPU profiler runs). The same for Node 18
 * to 26; what one of them does not know it takes without a word. `--redirect-…`: before Node 26, `--log-deopt` prints to
 * stdout else. The folder has to be there: without it V8 writes the log to stdout, and dies at the first deopt.
 */
export function tierFlags(directory: string, intervalUs: number): readonly string[] {
  return [
    '--prof',
    '--no-node-snapshot',
    '--no-log-source-code',
    '--log-deopt',
    '--redirect-code-traces',
    `--redirect-code-traces-to=${codeTracesOf(directory)}`,
    `--prof-sampling-interval=${intervalUs}`,
    `--logfile=${v8LogPattern(directory)}`,
  ];
}

/** V8 puts `isolate-<address>-<pid>-` in front of the name, and reads `%` in all of it. */
export function v8LogPattern(directory: string): string {
  return `${directory.replaceAll('%', '%%')}/%p-%t${v8LogSuffix}`;
}

function codeTracesOf(directory: string): string {
  return `${directory}/${codeTracesFile}`;
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

/** Written the same way in the shim, for shells. */
export const againstTiers = [
  '--prof',
  '--cpu-prof',
  '--log',
  '--permission',
  '--experimental-p',
  '--build-snapshot',
  '--snapshot-blob',
  '--v8-options',
  '--version',
] as const;

export function standsAgainstTiers(flag: string): boolean {
  const dashed = flag.replaceAll('_', '-');
  return dashed === '-v' || againstTiers.some((start) => dashed.startsWith(start));
}
