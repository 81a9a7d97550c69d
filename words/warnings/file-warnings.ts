import type { Microseconds } from '../../protocol/units.ts';
import { duration, plural } from '../formats/figures.ts';
import { firstNames, type Texts } from './warning-of.ts';

/** About one file that was read, or could not be read. */
export const fileWarnings = {
  fileUnreadable: ({ file }: { file: string }) =>
    `${file} cannot be read: it may belong to another user, or it was deleted meanwhile.`,
  /** The file is not a profile. */
  otherKind: ({ file, kind }: { file: string; kind: FileKind }) => `${file} ${fileKindText(kind)}.`,
  profileDamaged: ({ file, damage }: { file: string; damage: ProfileDamage }) => `${file} ${profileDamages[damage]}.`,
  unknownNodes: ({ file, count }: { file: string; count: number }) =>
    `${file} has ${plural(count, 'sample')} of unknown nodes: counted as (program).`,
  /** `time`: from the last sample that has a time to the end of the profile. */
  untimedSamples: ({ file, count, time }: { file: string; count: number; time: Microseconds }) =>
    `${file} has ${plural(count, 'sample')} without a time: left out${unknownEnd(time)}.`,
  unpairedTimes: ({ file, count, time }: { file: string; count: number; time: Microseconds }) =>
    `${file} has ${plural(count, 'time')} without a sample: left out${unknownEnd(time)}.`,
  spreadSamples: ({ file }: { file: string }) =>
    `${file} has no times of its samples (timeDeltas): they are spread evenly from its start to its end, so every time is an estimate.`,
  implausibleTimes: ({ file, count }: { file: string; count: number }) =>
    `${file} has ${plural(count, 'time')} that no clock can show: taken as 0.`,
  endsEarly: ({ file }: { file: string }) =>
    `${file} says that it ended before its last sample: that sample lasts no time.`,
  followedByMore: ({ file }: { file: string }) =>
    `${file} has something after its end that does not belong to it: left out.`,
  /** `partly`: the trace is cut off, and what comes before is read. */
  traceDamaged: ({ file, damage }: { file: string; damage: keyof typeof traceDamages }) =>
    `${file} ${traceDamages[damage]}.`,
  logDamaged: ({ file, damage }: { file: string; damage: LogDamage }) => `${file} ${logDamages[damage]}.`,
  /** The log ends in the middle of a line, or of a gzip file. */
  logCutOff: ({ file }: { file: string }) =>
    `${file} ends in the middle of a line, because the program was killed or the file was cut off: what comes before is shown.`,
  /** The log does not say which V8 wrote it. */
  unknownV8: ({ file }: { file: string }) => `${file} does not say which V8 wrote it: its figures may be wrong.`,
  untestedV8: ({ file, version }: { file: string; version: string }) =>
    `${file} was written by V8 ${version}, which Hotspan was not tested on: compare what seems odd with node --prof-process.`,
  /** `kinds` are the beginnings of the lines. */
  unreadableLines: ({ file, count, kinds }: { file: string; count: number; kinds: readonly string[] }) =>
    `${file} has ${plural(count, 'line')} that cannot be read (${firstNames(kinds)}): the rest is shown.`,
  unknownLines: ({ file, count, kinds }: { file: string; count: number; kinds: readonly string[] }) =>
    `${file} has ${plural(count, 'line')} of a kind that Hotspan does not know (${firstNames(kinds)}): the rest is shown.`,
  /** Several isolates wrote into the log. */
  mixedIsolates: ({ file }: { file: string }) =>
    `${file} holds the logs of several isolates, mixed up: record again without --no-logfile-per-isolate.`,
  /** Ticks whose time is before that of the tick before. */
  backwardTicks: ({ file, count }: { file: string; count: number }) =>
    `${file} has ${plural(count, 'tick')} earlier than the tick before: given its time.`,
} satisfies Texts;

function unknownEnd(time: Microseconds): string {
  return time > 0 ? `, and what ran in the last ${duration(time)} is unknown` : '';
}

const badGzip = 'is a damaged gzip file: copy it again or record again';
const inflated =
  'unpacks to over fifty times its size, which no recording does: if it is yours, unpack it with "gunzip" first';

/** Why a file cannot be read as a profile. */
export type ProfileDamage = keyof typeof profileDamages;

const profileDamages = {
  empty:
    'is empty: the program ended before the profile was written, or it was not copied; copy it again or record again',
  badGzip,
  inflated,
  cutOff:
    'is cut off in the middle: the program ended while the profile was written, or it was not copied whole; copy it again or record again',
  notJson: 'is not a CPU profile, nor any other JSON: give a .cpuprofile file or a recording folder',
  otherJson: 'is JSON, but no CPU profile: give a .cpuprofile file or a recording folder',
  badNodes: 'is damaged: nodes of its call tree lack a number or a call frame, or share one; record again',
  cycle: 'is damaged: its call tree runs in a circle; record again',
  tooLong: 'is damaged: one node of its call tree takes over 256 MB, which is more than a name can; record again',
  longForm:
    'is a CPU profile of the old form (a tree under "head") of over 256 MB: let v8-profiler write the new one with setGenerateType(1)',
  tooMany:
    'has over 8 million nodes, or over 600 000 different functions, which no program has: record a shorter run, or one process alone',
  noSamples:
    'holds no samples: the program ended too soon, or the profiler never ran, or was told to keep none; record a longer run',
  totalsAlone:
    'has the total time of each function and no samples, so how long one held the event loop at a time is unknown: take it with samples, such as startProfiling(name, true)',
  untimed: 'has samples without times (timeDeltas), and no start and end over which they could be spread: record again',
  noStacks: 'is damaged: its call tree has none of the nodes that were sampled; record again',
  noTimes: 'is damaged: none of its times is one that a clock can show; record again',
};

const traceDamages = {
  empty:
    'is a trace without JavaScript samples: take it in the Performance panel of Chrome, or record the program with "hotspan record"',
  hermes:
    "is a profile of Hermes, the engine of React Native, and Hotspan reads those of V8 and Bun: open it in React Native's own tools",
  cutOff: 'is a trace that is cut off before its first JavaScript samples: copy it again or take it again',
  partly: 'is a trace that is cut off: what comes before is shown; copy it again or take it again',
};

/** Why a file cannot be read as a V8 log. */
export type LogDamage = keyof typeof logDamages;

const logDamages = {
  empty: 'is empty: the program ended before V8 wrote its log, or it was not copied; copy it again or record again',
  badGzip,
  inflated,
  notLog: 'is not a V8 log that can be read: record again with "hotspan record --tiers", or with node --prof',
  noTicks: 'holds no ticks: the program ended too soon, or ran without --prof; record a longer run',
};

/** What the file is instead of a CPU profile, and what to do; follows its name. */
export function fileKindText(kind: FileKind): string {
  const [what, ...advices] = kinds[kind];
  return `${what}: ${advices.join(', or ')}`;
}

const recordIt = 'record the program with "hotspan record", or with node --cpu-prof';
const unpackIt = 'unpack it, and give what is in it';

/** Files that are not CPU profiles. */
export type FileKind = keyof typeof kinds;

const kinds = {
  heapProfile: ['is a heap profile, which shows memory and no time', recordIt],
  heapSnapshot: ['is a heap snapshot, which shows memory and no time', recordIt],
  inspectorAnswer: ['is an answer of the inspector', 'save the value of its "profile" as a .cpuprofile file'],
  logSummary: ['is the summary of a V8 log, which holds no stacks', recordIt],
  preprocessedLog: ['is a V8 log made ready for a viewer (--preprocess)', recordIt],
  diagnosticReport: ['is a diagnostic report of Node.js, which holds no samples', recordIt],
  nodeCoverage: ['is coverage (NODE_V8_COVERAGE), which counts calls and no time', recordIt],
  trace: ['is a trace', 'give the file itself to see the CPU profiles in it'],
  speedscope: ['is a speedscope file', 'give the profile that it was made from', recordIt],
  firefox: ['is a profile of the Firefox profiler', recordIt],
  pprof: ['is a pprof profile', recordIt],
  perf: ['is a recording of Linux perf', recordIt],
  perfScript: ['is text of perf script', recordIt],
  foldedStacks: ['holds folded stacks, without times', recordIt],
  reactProfile: ["is a profile of React's rendering", recordIt],
  clinic: ['belongs to Clinic.js', recordIt],
  bunSummary: ['is the summary of a profile in Markdown', 'run bun with --cpu-prof instead of --cpu-prof-md'],
  partOfRecording: ['belongs to a recording', 'give its folder'],
  report: ['is a report of Hotspan', 'give the recording or the profile that it was made from'],
  sourceMap: ['is a source map', recordIt],
  coverage: ['is coverage, which counts calls and no time', recordIt],
  packageJson: ['describes a package', 'record one of its scripts with "hotspan record -- npm test"'],
  gitLfs: ['is a pointer to a file in Git LFS', 'fetch it with "git lfs pull"'],
  webPage: ['is a web page or a picture, such as a flamegraph', 'open it in a browser', recordIt],
  zip: ['is a zip archive', unpackIt],
  tar: ['is a tar archive', unpackIt],
  packedTwice: ['is packed twice', 'unpack it once with "gunzip"'],
  zstd: ['is packed with zstd', 'unpack it with "zstd -d"'],
  xz: ['is packed with xz', 'unpack it with "xz -d"'],
  bzip2: ['is packed with bzip2', 'unpack it with "bzip2 -d"'],
  sevenZip: ['is a 7-Zip archive', unpackIt],
  picture: ['is a picture', recordIt],
  brotli: ['is packed with Brotli', 'unpack it with "brotli -d"'],
  program: ['is a program', 'record it with "hotspan record -- node" and its name'],
  binary: ['is a binary file, no CPU profile', recordIt],
} as const satisfies Readonly<Record<string, readonly [what: string, ...advices: string[]]>>;
