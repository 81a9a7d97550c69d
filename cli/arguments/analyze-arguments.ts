import { microseconds } from '../../protocol/units.ts';
import { allValid, type Command, type Given, invalid, isInvalid, type Option, type OptionsOf } from './command.ts';
import {
  briefOption,
  mapOption,
  orBrief,
  parseTime,
  readFormat,
  readMaps,
  readTakenFor,
  readThreshold,
  severalOptions,
  thresholdOption,
} from './shared-options.ts';

const analyzeOptions = {
  json: {
    help: 'everything, as JSON (docs/report.schema.json); of the operations the long ones, with --operations all the shorter ones, too',
  },
  ...briefOption,
  explain: {
    value: { name: 'FUNCTION', kind: 'text' },
    help: 'with --json --brief: one function by its line (src/cart.ts:12), with what helps',
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

export const analyze = {
  name: 'analyze',
  summary: 'shows a recording, or any .cpuprofile file',
  usage: ['analyze [PATH …] [options]'],
  about: [
    'PATH is a recording folder, a .cpuprofile file (also gzipped), a trace of Chrome\'s Performance panel, or a folder: of recordings, the newest; of a project, its newest recording; else all .cpuprofile files in it or, where there are none, in the folders below, as one recording. "-" is a .cpuprofile that is piped in. Without a PATH it is the newest recording of the current folder.',
    'Several recordings of one command that reached the same test files are runs: figures are medians, with their range (41–44 ms worst, 5 runs). Of different commands or test files they are parts, as shards of a CI job are, and count together. The output says which it is; --runs or --shards sets it. With runs, --fail-over fails only if a function is over the limit in all of them.',
  ],
  options: analyzeOptions,
  operands: { kind: 'file' },
  exitCodes: [
    { code: '0', means: 'nothing is over the limit of --fail-over, or there is no limit' },
    { code: '1', means: 'a function is over that limit' },
    {
      code: '3',
      means: 'only an estimate is over that limit, or not all of your code was recorded',
    },
  ],
  otherNames: ['analyse', 'show', 'report', 'view', 'open', 'print', 'stats'],
  read: readAnalyze,
} as const satisfies Command;

/** All paths are as typed. */
export type AnalyzeArguments = OptionsOf<typeof readAnalyze>;

function readAnalyze(given: Given<keyof typeof analyzeOptions>) {
  const read = allValid({
    /** `-` is standard input. Empty: the newest recording of the current folder. */
    paths: given.operands.includes('')
      ? invalid('A path is empty: give a recording folder, a .cpuprofile file, or a folder of them.')
      : given.operands,
    format: orBrief(readFormat(given), given),
    thresholdUs: readThreshold(given),
    failOverUs: parseTime('fail-over', given.text('fail-over')),
    takenFor: readTakenFor(given),
    root: given.text('root'),
    maps: readMaps(given),
  });
  if (isInvalid(read)) return read;
  if (given.has('operations') && !given.has('json'))
    return invalid('--operations is for --json: add that, or leave it out.');
  if (given.has('explain') && read.format !== 'brief')
    return invalid('--explain is for --json --brief: add these, or leave it out.');
  return {
    type: 'analyze',
    options: {
      ...read,
      // Figures contain only what is over the threshold, so a lower limit would never be exceeded.
      thresholdUs: microseconds(Math.min(read.thresholdUs, read.failOverUs ?? Infinity)),
      all: given.has('all'),
      /** The function to explain, as typed; null for the verdict. */
      explain: given.text('explain'),
      /** The operations in the JSON. */
      operations: given.text('operations') === 'all' ? 'all' : 'long',
      sourceMaps: !given.has('no-source-maps'),
    },
  } as const;
}
