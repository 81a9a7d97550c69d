import type { Microseconds } from '../../protocol/units.ts';
import { allValid, type Command, type Given, invalid, isInvalid, type Option, type OptionsOf } from './command.ts';
import { readLoad, sentOptions } from './load-arguments.ts';
import {
  briefOption,
  checkBaselineName,
  type Format,
  mapOption,
  orBrief,
  readFormat,
  readMaps,
  readThreshold,
  thresholdOption,
} from './shared-options.ts';
import { shellText } from '../../words/formats/command-text.ts';

export interface ComparisonShown {
  readonly format: Format | 'brief';
  readonly all: boolean;
  readonly thresholdUs: Microseconds;
}

const compareOptions = {
  base: { value: { name: 'REF', kind: 'text' }, help: 'the commit, branch or tag to compare with' },
  baseline: { value: { name: 'NAME', kind: 'text' }, help: 'a baseline instead of a commit' },
  recording: {
    value: { name: 'DIR', kind: 'folder' },
    help: 'the recording that knows the command, instead of one after "--"',
  },
  head: {
    value: { name: 'AFTER …', kind: 'folder', takesOperands: true },
    help: 'recordings from after the change; those before this option are from before it',
  },
  setup: {
    value: { name: 'COMMAND', kind: 'text' },
    help: 'prepares the base alone, in a shell: --setup "npm run build"',
  },
  install: {
    value: { name: 'COMMAND', kind: 'text' },
    help: 'installs the dependencies of the base where they are not yours: --install "npm ci --legacy-peer-deps"',
  },
  pairs: { value: { name: 'N', kind: 'text', standard: '3' }, help: 'pairs of runs, from 3 to 50' },
  threshold: thresholdOption,
  json: { help: 'everything, as JSON (docs/comparison.schema.json)' },
  ...briefOption,
  markdown: { help: 'for a pull request' },
  all: { help: 'also what has not changed' },
  ...mapOption,
  ...sentOptions,
} as const satisfies Record<string, Option>;

type CompareGiven = Given<keyof typeof compareOptions>;

export const compare = {
  name: 'compare',
  summary: 'says what a change made faster or slower',
  usage: [
    'compare --base REF [options] -- COMMAND …',
    'compare --base REF --load-file FILE [options] -- COMMAND …',
    'compare --baseline NAME [options]',
    'compare BEFORE… --head AFTER… [options]',
  ],
  about: [
    'The first runs the command on a commit (in a repository of its own) and on your files as they are, in turn, three times each. What seems to have changed is confirmed by three more pairs, of the tests alone that reach it.',
    'The second does the same with the sources and the command that "hotspan baseline" has kept.',
    'The third compares recordings of "hotspan record", of one command on one Node.js, three or more of each side. A function is found again where it was moved or renamed.',
  ],
  options: compareOptions,
  operands: { kind: 'folder', hasCommand: true },
  exitCodes: [
    { code: '0', means: 'nothing is slower' },
    { code: '1', means: 'something is slower, new, or more often' },
    { code: '2', means: 'it cannot be compared' },
    {
      code: '3',
      means: 'it is too noisy to say, a side failed or has fewer than three recordings, or it was stopped',
    },
  ],
  otherNames: ['diff', 'cmp', 'bench', 'versus', 'vs'],
  read: readCompare,
} as const satisfies Command;

function readCompare(given: CompareGiven) {
  const read = allValid({ format: orBrief(readFormat(given), given), thresholdUs: readThreshold(given) });
  if (isInvalid(read)) return read;
  const shown = { ...read, all: given.has('all') };
  if (given.has('base') || given.has('baseline')) return readPairs(given, shown);
  const ofPairs = ['setup', 'install', 'pairs', 'recording', 'load', 'load-file'] as const;
  if (ofPairs.some((name) => given.has(name)) || given.command !== null)
    return invalid('Say what to compare with: "hotspan compare --base main -- npm test".');
  const [base, head] = [given.operands, given.texts('head')];
  if (base.length === 0 || head.length === 0 || [...base, ...head].includes(''))
    return invalid(
      'Give recordings of both sides (hotspan compare BEFORE… --head AFTER…), or a commit and a command (hotspan compare --base main -- npm test).',
    );
  const maps = readMaps(given);
  return isInvalid(maps) ? maps : ({ type: 'compare', options: { ...shown, base, head, maps } } as const);
}

/** Existing recordings: `compare BASE… --head HEAD…`. All paths are as typed. */
export type CompareArguments = Exclude<OptionsOf<typeof readCompare>, ComparePairsArguments>;

/** A command to run on both sides: `compare --base REF -- COMMAND`. */
export type ComparePairsArguments = OptionsOf<typeof readPairs>;

function readPairs(given: CompareGiven, shown: ComparisonShown) {
  const [base, baseline] = [given.text('base'), given.text('baseline')];
  if (base !== null && baseline !== null) return invalid('Choose one of --base (a commit) and --baseline (a name).');
  if (given.has('head'))
    return invalid(
      '--base and --baseline run a command on both sides, and --head compares recordings: choose one (hotspan compare BEFORE… --head AFTER…).',
    );
  if (given.has('map')) return invalid('--map is for recordings: leave it out where a command is run on both sides.');
  const words = given.operands;
  if (words.length > 0)
    return invalid(
      `Put "--" before the command: "hotspan compare ${shellText(base === null ? ['--baseline', baseline ?? ''] : ['--base', base])} -- ${shellText(words)}".`,
    );
  const [command, recording] = [given.command ?? [], given.text('recording')];
  const isKnown = recording !== null || baseline !== null;
  if (command[0] === '' || (command.length === 0 && !isKnown))
    return invalid('Say what to run on both sides, after "--": "hotspan compare --base main -- npm test".');
  const name = baseline === null ? null : checkBaselineName(baseline);
  if (isInvalid(name)) return name;
  const count = given.text('pairs') ?? '3';
  const pairs = Number(count);
  if (!Number.isInteger(pairs) || pairs < 3 || pairs > 50)
    return invalid(`--pairs is a whole number from 3 to 50, not "${count}".`);
  const load = readLoad(given);
  if (isInvalid(load)) return load;
  const [setup, install] = [given.text('setup'), given.text('install')];
  // One of `base` and `baseline` is null. An empty command is that of the recording, or of the baseline.
  const options = { ...shown, base, baseline, command, pairs, recording, setup, install, load };
  return { type: 'comparePairs', options } as const;
}
