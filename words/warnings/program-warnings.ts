import { askingSignals } from '../../protocol/recording.ts';
import { MAX_PATTERN_LENGTH } from '../../protocol/test-files.ts';
import type { Microseconds } from '../../protocol/units.ts';
import { busyText, duration, plural, percent } from '../formats/figures.ts';
import { afterProfile, type ChangedFile } from '../formats/mark-texts.ts';
import type { Texts } from './warning-of.ts';
import { shellText } from '../formats/command-text.ts';

/** About the runs, the tests, the program and its source maps, and about doubtful figures. */
export const programWarnings = {
  /** Plain profiles of several runs or machines. `first` and `last`: times in files' names (`2026-01-31 23:59:59`). */
  severalRuns: ({ runs, first, last }: { runs: number; first: string | null; last: string | null }) =>
    `These profiles are of ${runs} runs or machines${first === last ? '' : ` (${first} to ${last})`}: what they count is added up. Give one run's files to see it alone.`,
  /** Several V8 logs whose clocks cannot be compared. */
  severalClocks: ({ logs }: { logs: number }) =>
    `${logs} V8 logs have no clock in common: the times of each are counted from its own beginning, so what ran at once is not known. Record with "hotspan record --tiers" to have it.`,
  /** Two recordings ran different texts of a file. `file` is a path below the root, the others are of recordings. */
  otherCode: ({ file, first, other }: { file: string; first: string; other: string }) =>
    `${first} and ${other} ran different code: ${file} differs. Figures of functions that changed belong to neither version. "hotspan compare ${shellText([first])} --head ${shellText([other])}" says what changed.`,
  otherNodes: ({ versions }: { versions: readonly string[] }) =>
    `The runs are of different versions of Node.js (${versions.join(', ')}), so their ranges say less of your code than of Node.js.`,
  /** In this number of files, tests ran at the same time. */
  concurrentTests: ({ files }: { files: number }) =>
    `Tests of ${plural(files, 'file')} ran at the same time (concurrent): operations meanwhile name no test.`,
  /** The runner ran, but the recorder saw no test. */
  silentRunner: ({ runner }: { runner: string }) =>
    `${runner} ran, but did not report its tests, so operations name no test. Either no test ran, or Hotspan does not know its version or the way in which it was started.`,
  /** The runner is one whose tests the recorder cannot see. */
  otherRunner: ({ runner }: { runner: string }) =>
    `${runner} does not report its tests to Hotspan: which test ran is known only where its own code was seen. Record one test file to see it alone.`,
  /** A tool that may replay the result of an earlier run ran, and no own code. */
  cacheReplayed: ({ tool }: { tool: keyof typeof withoutCache }) =>
    `${tool} ran, but nothing of your code was seen: it may have replayed its cache. Record again with ${withoutCache[tool]}.`,
  /** The command was asked to end while its runner had tests. */
  stoppedTests: ({ signal }: { signal: string }) =>
    `The tests were stopped (${signal}): those that had not run by then are missing. Record them to their end.`,
  /** Nothing was seen of the file that the command names, or of any own code (null). `hasLoad`: it was sent requests. */
  nothingSeen: ({
    file,
    exitCode,
    signal,
    hasLoad,
  }: {
    file: string | null;
    exitCode: number | null;
    signal: string | null;
    hasLoad: boolean;
  }) => {
    const seen = `Nothing of ${file ?? 'your own code'} was seen`;
    if (signal !== null && !askingSignals.has(signal))
      return `${seen}, and the command was killed or crashed (${signal}): its output may say why.`;
    if (hasLoad && (exitCode ?? 0) === 0) return `${seen} under the load: send requests that reach your code.`;
    if (exitCode === null) return `${seen} before the command, or its recording, was stopped: let it run longer.`;
    return exitCode === 0
      ? `${seen}: it took less time than lies between two samples, was left out of the run, or ran ${unrecordable}.`
      : `${seen}, and the command failed (exit code ${exitCode}): what it printed says why.`;
  },
  /** `pattern` may have any length. */
  patternRefused: ({ pattern, reason }: { pattern: string; reason: keyof typeof patternFaults }) =>
    `The pattern for tests "${pattern.slice(0, MAX_PATTERN_LENGTH)}" ${patternFaults[reason]}: correct it in the settings.`,
  /** The files were deleted before the program ended: lines are those of the deleted text. */
  deletedFiles: ({ paths: [first = '', ...others] }: { paths: readonly string[] }) =>
    `${others.length === 0 ? `${first} was` : `${first} and ${others.length} more were`} deleted before the program had ended, without a source map that was seen: lines there are those of the deleted text. Build with source maps.`,
  /** A tool made the file from a configuration, and deleted it. */
  madeFile: ({ path }: { path: string }) =>
    `A tool made ${path} from a configuration, and deleted it without a source map. The lines of its functions are not known.`,
  /** Scripts that name no source map on this machine, and whose map is used from the file beside them. */
  mapsBeside: ({ paths: [first = '', ...others] }: { paths: readonly string[] }) =>
    `${others.length === 0 ? `${first} names` : `${first} and ${others.length} more name`} no source map here: the .map file beside ${others.length === 0 ? 'it' : 'each'} fits, and is used.`,
  sourceMapRefused: ({ path, reason }: { path: string; reason: WhyRefused }) =>
    `The source map of ${path} ${refusals[reason]}: its lines are those of the built code. Build again with source maps, then record again.`,
  /** The text of a file is not, or may not be, what ran in a plain profile. `times` are in ms since the epoch. */
  fileChanged: ({ file, found, lost, hasLines, times }: ChangedFile) => {
    const what = times === null ? notWhatRan : `was written ${afterProfile(times.writtenAt, times.profiledAt)}`;
    if (found === 0) return `${file} ${what}: the lines of its functions are not known. Profile it again.`;
    if (times !== null && lost === 0 && !hasLines)
      return `${file} ${what}, so its lines may be others now: its figures are on its functions.`;
    const again = found + lost === 1 ? 'its function was found again' : 'its functions were found again';
    const rest = lost === 0 ? '' : `, ${lost} of ${found + lost} ${lost === 1 ? 'was' : 'were'} not`;
    const lines = hasLines ? 'Lines are those of today' : 'Which of its lines took the time is not known';
    return `${file} ${what}: ${again}${rest}. ${lines}.`;
  },
  moreFilesChanged: ({ files }: { files: number }) =>
    `${plural(files, 'other file')} with hotspots may have another text than ran, too.`,
  /** The source had changed, before it was recorded, since `script` was built from it; and `others`, with their scripts. */
  outdatedBuild: ({ file, script, others }: { file: string; script: string; others: number }) =>
    others === 0
      ? `${file} has changed since ${script} was built: its figures are for the older code. Build it and measure again.`
      : `${file} and ${plural(others, 'other file')} have changed since they were built: their figures are for the older code. Build them and measure again.`,
  /** What ran under the name of the file is not its text. */
  textNotSeen: ({ path }: { path: string }) =>
    `What ran as ${path} is not the text of that file: a tool made it in memory and its source map was not seen, or the file has changed since. The lines of its functions are not known. Turn the source maps of that tool on, and end the program by Ctrl+C, not by kill -9.`,
  /** The program ran for `ran`, and was ready to run but waited for a processor for `waited`. */
  busyMachine: ({ ran, waited }: { ran: number; waited: number }) =>
    `${busyText(ran / (ran + waited))} Time in which the program waited for it is excluded; a figure that says "waited" may include what the awaited process waited for it.`,
  /** `operations` of `long` had no processor for a good part. The worst ran for `ran` of `duration`. */
  noProcessor: ({
    operations,
    long,
    ran,
    duration: time,
  }: {
    operations: number;
    long: number;
    ran: Microseconds;
    duration: Microseconds;
  }) =>
    `The machine was busy, or the program waited: ${operations} of ${plural(long, 'long operation')} had the processor for less than 70 % of the time (${duration(ran)} of CPU in ${duration(time)}). ${operations === 1 ? 'Its' : 'Their'} figures are estimates: record again when less is running.`,
  /** The recorder itself slowed `operations` of `long` down. */
  slowedByRecorder: ({ operations, long }: { operations: number; long: number }) =>
    `${operations} of ${plural(long, 'long operation')} made so many callbacks or collections that recording them took over a tenth of the time: it was taken off, and ${operations === 1 ? 'its' : 'their'} figures are estimates.`,
  /** `late` of `working` lies between samples that came late. */
  lateSamples: ({ late, working }: { late: number; working: number }) =>
    `The machine was busy while this was profiled, calls waited for a disk, or samples were lost: ${percent(late, working)} of the working time lies between samples that came late, so times are longer than on a quiet machine. "hotspan record" shows what other processes took.`,
  rareSamples: ({ interval }: { interval: Microseconds }) =>
    `Samples are ${duration(interval)} apart, so every call looks at least as long: take them every 1 ms (--cpu-prof-interval 1000), or use a higher threshold.`,
  /** Nothing was sampled for `time`, although the thread was not idle before. */
  unsampledTime: ({ time }: { time: Microseconds }) =>
    `For ${duration(time)} no sample was taken, as when the machine sleeps or the process is stopped: what ran then is unknown, and missing from all figures.`,
  /** In so many operations something ran for over the threshold of which no sample was taken, at most for `worst`. */
  unsampledOperations: ({ operations, worst }: { operations: number; worst: Microseconds }) =>
    `No sample shows what held the loop for up to ${duration(worst)} in ${plural(operations, 'operation')}, as on a machine that is too busy: record again when less is running.`,
  /** Scavenges took this share (0 to 1) of the busy time of a loop; null where it is not known. */
  manyScavenges: ({ share, count, pid }: { share: number | null; count: number; pid: number | null }) =>
    `${share === null ? 'Much' : percent(share, 1)} of the busy time${pid === null ? '' : ` of process ${pid}`} went into ${plural(count, 'scavenge')} (collections of short-lived objects): make fewer such objects, or give them room with node --max-semi-space-size=64 (in MB), where they have less.`,
} satisfies Texts;

const withoutCache = {
  nx: '--skip-nx-cache',
  turbo: '--force, outside of Linux --force --env-mode=loose',
};

/** Where programs run that `hotspan record` does not reach. To be put at the end of a sentence. */
export const unrecordable =
  'where Hotspan cannot record (Deno, Bun, Node.js before 20, node --permission, a script that sets NODE_OPTIONS itself)';

const patternFaults = {
  tooLong: `is longer than ${MAX_PATTERN_LENGTH} characters`,
  slow: 'repeats a group that itself repeats or has alternatives, which can take forever',
  noPattern: 'is not a regular expression',
};

/** Why the source map of a script is not used. */
export type WhyRefused = keyof typeof refusals;

const refusals = {
  // The library refused its mappings, none could be made from the recorded text, the script names no file beside it,
  // that file cannot be read, or it does not fit the texts.
  broken: 'has broken mappings',
  notMade: 'was not made',
  elsewhere: 'is not a file beside it',
  unreadable: 'cannot be read',
  otherBuild: 'is of another build',
  tooLong: 'is too long',
  notJson: 'is not JSON of a source map',
  otherVersion: 'is not of version 3',
  longSourceRoot: 'has a sourceRoot that no folder has',
  noMappings: 'has no usable mappings',
  emptySection: 'has a section without map or offset',
  longSourceRootInSection: 'has a section with a sourceRoot that no folder has',
  noMappingsInSection: 'has a section without usable mappings',
};

const notWhatRan = 'has another text than ran: it was changed, or a tool made what ran in memory';
