import type { OperationsShown } from '../../engine/report/report.ts';
import { defaultThresholdUs } from '../../protocol/figures.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { type Command, type Given, type Invalid, invalid, type Option } from './command.ts';

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
  readonly sourceMaps: boolean;
  readonly failOverUs: Microseconds | null;
}

export type AnalyzeInvocation = { readonly type: 'analyze'; readonly options: AnalyzeArguments } | Invalid;

const analyzeOptions = {
  json: {
    help: 'everything, as JSON (docs/report.schema.json); of the operations the long ones, with --operations all the shorter ones, too',
  },
  markdown: { help: 'for the summary of a CI job' },
  threshold: {
    value: { name: 'TIME', kind: 'text', standard: '10ms' },
    help: 'what counts as blocking: 25, 25ms, 0.5s, 500us',
  },
  all: { help: 'also packages, Node.js and what only passes calls on' },
  operations: {
    value: { name: 'WHICH', kind: 'choice', choices: ['long', 'all'], standard: 'long' },
    help: 'which operations the JSON has',
  },
  root: {
    value: { name: 'DIR', kind: 'folder', standard: 'where it was recorded' },
    help: "the project's folder, which says what is your own code",
  },
  'no-source-maps': { help: 'places in the JavaScript that ran' },
  'fail-over': {
    value: { name: 'TIME', kind: 'text' },
    help: 'exit 1 when a function of your application blocks for longer, 3 when that is not certain',
  },
} as const satisfies Record<string, Option>;

type AnalyzeGiven = Given<keyof typeof analyzeOptions>;

export const analyze = {
  name: 'analyze',
  summary: 'shows a recording, or any .cpuprofile file',
  usage: ['analyze [PATH …] [options]'],
  about: [
    'PATH is a recording folder, a .cpuprofile file (also gzipped), a trace of Chrome\'s Performance panel, or a folder: of recordings, the newest; of a project, its newest recording; else all .cpuprofile files in it or, where there are none, in the folders below, as one recording. "-" is a .cpuprofile that is piped in. Without a PATH it is the newest recording of the current folder.',
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
  if (given.has('json') && given.has('markdown')) return invalid('Choose one of --json and --markdown.');
  const threshold = parseTime('threshold', given.text('threshold'));
  if (threshold.type === 'invalid') return threshold;
  const failOver = parseTime('fail-over', given.text('fail-over'));
  if (failOver.type === 'invalid') return failOver;
  if (given.has('operations') && !given.has('json'))
    return invalid('--operations is for --json: add that, or leave it out.');
  const root = given.text('root');
  if (root === '') return invalid('--root is empty: give the folder of your code.');
  return {
    type: 'analyze',
    options: {
      paths,
      format: given.has('json') ? 'json' : given.has('markdown') ? 'markdown' : 'table',
      // Figures contain only what is over the threshold, so a lower limit would never be exceeded.
      thresholdUs: lesser(threshold.us ?? defaultThresholdUs, failOver.us),
      all: given.has('all'),
      operations: given.text('operations') === 'all' ? 'all' : 'long',
      ...(root === undefined ? {} : { root }),
      sourceMaps: !given.has('no-source-maps'),
      failOverUs: failOver.us,
    },
  };
}

function lesser(a: Microseconds, b: Microseconds | null): Microseconds {
  return b !== null && b < a ? b : a;
}

type Time = { readonly type: 'time'; readonly us: Microseconds | null } | Invalid;

/** A time above 0, in milliseconds where no unit is named, to the microsecond; null where the option is not given. */
function parseTime(option: string, text: string | undefined): Time {
  if (text === undefined) return { type: 'time', us: null };
  const [, digits = '', unit = ''] = /^(\d+\.?\d*|\.\d+) ?(ms|s|us|µs|μs)?$/i.exec(text) ?? [];
  const us = Number(digits) * (unitsInUs[unit.toLowerCase()] ?? 1000);
  return digits !== '' && us > 0 && us <= longestTime
    ? { type: 'time', us: microseconds(Math.max(1, Math.round(us))) }
    : invalid(`--${option} is a time above 0, such as 10 (milliseconds), 10ms, 0.5s or 500us, not "${text}".`);
}

/** The Greek letter and the sign for micro look the same. */
const unitsInUs: Readonly<Record<string, number>> = { s: 1e6, ms: 1000, us: 1, µs: 1, μs: 1 };

/** Eleven days, in µs. */
const longestTime = 1e12;
