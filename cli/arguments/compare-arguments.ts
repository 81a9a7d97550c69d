import type { Microseconds } from '../../protocol/units.ts';
import { isBaselineName } from '../../protocol/formats/folder-names.ts';
import { readFormat } from './analyze-arguments.ts';
import { type Command, type Given, type Invalid, invalid, type Option } from './command.ts';
import { readThreshold, thresholdOption } from './parse-time.ts';
import { mapOption, readMaps } from './path-maps.ts';
import type { PathRule } from '../../protocol/path-rules.ts';

export interface ComparisonShown {
  readonly format: 'table' | 'markdown' | 'json';
  readonly all: boolean;
  readonly thresholdUs: Microseconds;
}

/** Recordings that are there already: `compare BASE… --head HEAD…`. */
export interface CompareArguments extends ComparisonShown {
  /** Paths as typed; at least one a side. */
  readonly base: readonly string[];
  readonly head: readonly string[];
  /** Folders of another machine, each with the folder here as typed. */
  readonly maps: readonly PathRule[];
}

/** A command to run on both sides: `compare --base REF -- COMMAND`. One of `base` and `baseline` is null. */
export interface ComparePairsArguments extends ComparisonShown {
  /** A git ref. */
  readonly base: string | null;
  /** Name of a baseline. */
  readonly baseline: string | null;
  /** The recording that knows the command, as typed; null for none. */
  readonly recording: string | null;
  /** Empty: that of the recording, or of the baseline. */
  readonly command: readonly string[];
  /** A command for the shell, run in the base before its first run; null for none. */
  readonly setup: string | null;
  /** A command for the shell that installs the dependencies of the base; null for that of its lockfile. */
  readonly install: string | null;
  readonly pairs: number;
}

export type CompareInvocation =
  | { readonly type: 'compare'; readonly options: CompareArguments }
  | { readonly type: 'comparePairs'; readonly options: ComparePairsArguments }
  | Invalid;

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
    help: 'prepares the base, in a shell: --setup "npm run build"',
  },
  install: {
    value: { name: 'COMMAND', kind: 'text' },
    help: 'installs the dependencies of the base where they are not yours: --install "npm ci --legacy-peer-deps"',
  },
  pairs: { value: { name: 'N', kind: 'text', standard: '3' }, help: 'pairs of runs, from 3 to 50' },
  threshold: thresholdOption,
  json: { help: 'everything, as JSON (docs/comparison.schema.json)' },
  markdown: { help: 'for a pull request' },
  all: { help: 'also what has not changed' },
  ...mapOption,
} as const satisfies Record<string, Option>;

type CompareGiven = Given<keyof typeof compareOptions>;

export const compare = {
  name: 'compare',
  summary: 'says what a change made faster or slower',
  usage: [
    'compare --base REF [options] -- COMMAND …',
    'compare --baseline NAME [options]',
    'compare BEFORE… --head AFTER… [options]',
  ],
  about: [
    'The first runs the command on a commit (in a repository of its own) and on your files as they are, in turn, three times each. What seems to have changed is confirmed by three more pairs, of the tests alone that reach it.',
    'The second does the same with the sources and the command that "hotspan baseline" has kept.',
    'The third compares recordings of "hotspan record", of one command on one Node.js, three or more of each side. A function is found again where it was moved or renamed.',
  ],
  options: compareOptions,
  operands: { kind: 'folders', hasCommand: true },
  exitCodes: [
    { code: '0', means: 'nothing is slower' },
    { code: '1', means: 'something is slower or new' },
    { code: '2', means: 'it cannot be compared' },
    { code: '3', means: 'it is too noisy to say, a side has fewer than three recordings, or it was stopped' },
  ],
  otherNames: ['diff', 'cmp', 'bench', 'versus', 'vs'],
  read: readCompare,
} as const satisfies Command<CompareInvocation>;

function readCompare(given: CompareGiven): CompareInvocation {
  const format = readFormat(given);
  if (typeof format === 'object') return format;
  const threshold = readThreshold(given);
  if (threshold.type === 'invalid') return threshold;
  const shown = { format, all: given.has('all'), thresholdUs: threshold.us };
  if (given.has('base') || given.has('baseline')) return readPairs(given, shown);
  if ((['setup', 'install', 'pairs', 'recording'] as const).some((name) => given.has(name)) || given.command !== null)
    return invalid('Say what to compare with: hotspan compare --base main -- npm test.');
  const [before, after] = [given.operands, given.texts('head')];
  if (before.length === 0 || after.length === 0 || [...before, ...after].includes(''))
    return invalid(
      'Give recordings of both sides (hotspan compare BEFORE… --head AFTER…), or a commit and a command (hotspan compare --base main -- npm test).',
    );
  const maps = readMaps(given);
  if (maps.type === 'invalid') return maps;
  return { type: 'compare', options: { ...shown, base: before, head: after, maps: maps.rules } };
}

function readPairs(given: CompareGiven, shown: ComparisonShown): CompareInvocation {
  const [base = null, baseline = null] = [given.text('base'), given.text('baseline')];
  if (base !== null && baseline !== null) return invalid('Choose one of --base (a commit) and --baseline (a name).');
  if (given.has('head'))
    return invalid(
      '--base and --baseline run a command on both sides, and --head compares recordings: choose one (hotspan compare BEFORE… --head AFTER…).',
    );
  if (given.has('map')) return invalid('--map is for recordings: leave it out where a command is run on both sides.');
  const words = given.operands;
  if (words.length > 0)
    return invalid(
      `Put "--" before the command: hotspan compare ${base === null ? `--baseline ${baseline}` : `--base ${base}`} -- ${words.join(' ')}.`,
    );
  const command = given.command ?? [];
  const isKnown = given.has('recording') || baseline !== null;
  if (command[0] === '' || (command.length === 0 && !isKnown))
    return invalid('Say what to run on both sides, after "--": hotspan compare --base main -- npm test.');
  if (base === '') return invalid('--base needs the name of a commit, a branch or a tag.');
  if (baseline !== null && !isBaselineName(baseline))
    return invalid(`A baseline's name has letters, digits, "-" and "_", not "${baseline}".`);
  const pairs = given.text('pairs') ?? '3';
  const count = Number(pairs);
  if (!Number.isInteger(count) || count < 3 || count > 50)
    return invalid(`--pairs is a whole number from 3 to 50, not "${pairs}".`);
  const [setup, install] = [textOrNull(given.text('setup')), textOrNull(given.text('install'))];
  const recording = given.text('recording') ?? null;
  return {
    type: 'comparePairs',
    options: { ...shown, base, baseline, command, pairs: count, recording, setup, install },
  };
}

/** A command that is empty is none. */
function textOrNull(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}
