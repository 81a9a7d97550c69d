import type { OperationsShown } from '../../show/report/report.ts';
import type { PathRule } from '../../protocol/path-rules.ts';
import type { Microseconds } from '../../protocol/units.ts';
import { type Command, type Given, type Invalid, invalid, type Option } from './command.ts';
import { parseTime, readThreshold, thresholdOption } from './parse-time.ts';
import { mapOption, readMaps } from './path-maps.ts';

export interface AnalyzeArguments {
  /** Paths as typed; `-` is what is piped in. None: the newest recording of the current folder. */
  readonly paths: readonly string[];
  readonly format: 'table' | 'markdown' | 'json';
  readonly thresholdUs: Microseconds;
  readonly all: boolean;
  /** Which operations the JSON contains. */
  readonly operations: OperationsShown;
  /** Root as typed. */
  readonly root?: string;
  /** Folders of another machine, each with the folder here as typed. */
  readonly maps: readonly PathRule[];
  readonly sourceMaps: boolean;
  readonly failOverUs: Microseconds | null;
  /** What several recordings are taken for; null where the recordings tell. */
  readonly takenFor: 'runs' | 'shards' | null;
}

export type AnalyzeInvocation = { readonly type: 'analyze'; readonly options: AnalyzeArguments } | Invalid;

/** For commands that take several recordings. */
export const severalOptions = {
  runs: { help: 'several recordings are runs of one thing: medians, with the range of the runs' },
  shards: { help: 'several recordings are parts of one thing: they count together' },
} as const satisfies Record<string, Option>;

/** What the options take several recordings for; null where they say nothing. */
export function readTakenFor(given: Given<keyof typeof severalOptions>): AnalyzeArguments['takenFor'] | Invalid {
  if (given.has('runs') && given.has('shards')) return invalid('Choose one of --runs and --shards.');
  return given.has('runs') ? 'runs' : given.has('shards') ? 'shards' : null;
}

/** How a command prints its result. */
export function readFormat(given: Given<'json' | 'markdown'>): AnalyzeArguments['format'] | Invalid {
  if (given.has('json') && given.has('markdown')) return invalid('Choose one of --json and --markdown.');
  return given.has('json') ? 'json' : given.has('markdown') ? 'markdown' : 'table';
}

const analyzeOptions = {
  json: {
    help: 'everything, as JSON (docs/report.schema.json); of the operations the long ones, with --operations all the shorter ones, too',
  },
  markdown: { help: 'for the summary of a CI job' },
  threshold: thresholdOption,
  all: { help: 'also packages, Node.js and what only passes calls on' },
  operations: {
    value: { name: 'WHICH', kind: 'choice', choices: ['long', 'all'], standard: 'long' },
    help: 'which operations the JSON has',
  },
  root: {
    value: { name: 'DIR', kind: 'folder', standard: 'where it was recorded' },
    help: "the project's folder, which says what is your own code",
  },
  ...mapOption,
  'no-source-maps': { help: 'places in the JavaScript that ran' },
  'fail-over': {
    value: { name: 'TIME', kind: 'text' },
    help: 'exit 1 when a function of your application blocks for longer, 3 when that is not certain',
  },
  ...severalOptions,
} as const satisfies Record<string, Option>;

type AnalyzeGiven = Given<keyof typeof analyzeOptions>;

export const analyze = {
  name: 'analyze',
  summary: 'shows a recording, or any .cpuprofile file',
  usage: ['analyze [PATH …] [options]'],
  about: [
    'PATH is a recording folder, a .cpuprofile file (also gzipped), a trace of Chrome\'s Performance panel, or a folder: of recordings, the newest; of a project, its newest recording; else all .cpuprofile files in it or, where there are none, in the folders below, as one recording. "-" is a .cpuprofile that is piped in. Without a PATH it is the newest recording of the current folder.',
    'Several recordings of one command that reached the same test files are runs: figures are medians, with their range (41–44 ms worst, 5 runs). Of different commands or test files they are parts, as shards of a CI job are, and count together. What they were taken for is said; --runs and --shards decide it. With runs, --fail-over fails only if a function is over the limit in all of them.',
  ],
  options: analyzeOptions,
  operands: { kind: 'paths' },
  exitCodes: [
    { code: '0', means: 'nothing is over the limit of --fail-over, or there is no limit' },
    { code: '1', means: 'a function is over that limit' },
    { code: '3', means: 'only an estimate is over that limit, or none of your code was seen' },
  ],
  otherNames: ['analyse', 'show', 'report', 'view', 'open', 'print', 'stats'],
  read: readAnalyze,
} as const satisfies Command<AnalyzeInvocation>;

function readAnalyze(given: AnalyzeGiven): AnalyzeInvocation {
  const paths = given.operands;
  if (paths.includes(''))
    return invalid('A path is empty: give a recording folder, a .cpuprofile file, or a folder of them.');
  const format = readFormat(given);
  if (typeof format === 'object') return format;
  const threshold = readThreshold(given);
  if (threshold.type === 'invalid') return threshold;
  const failOver = parseTime('fail-over', given.text('fail-over'));
  if (failOver.type === 'invalid') return failOver;
  if (given.has('operations') && !given.has('json'))
    return invalid('--operations is for --json: add that, or leave it out.');
  const takenFor = readTakenFor(given);
  if (typeof takenFor === 'object' && takenFor !== null) return takenFor;
  const root = given.text('root');
  if (root === '') return invalid('--root is empty: give the folder of your code.');
  const maps = readMaps(given);
  if (maps.type === 'invalid') return maps;
  return {
    type: 'analyze',
    options: {
      paths,
      format,
      // Figures contain only what is over the threshold, so a lower limit would never be exceeded.
      thresholdUs: lesser(threshold.us, failOver.us),
      all: given.has('all'),
      operations: given.text('operations') === 'all' ? 'all' : 'long',
      ...(root === undefined ? {} : { root }),
      maps: maps.rules,
      sourceMaps: !given.has('no-source-maps'),
      failOverUs: failOver.us,
      takenFor,
    },
  };
}

function lesser(a: Microseconds, b: Microseconds | null): Microseconds {
  return b !== null && b < a ? b : a;
}
