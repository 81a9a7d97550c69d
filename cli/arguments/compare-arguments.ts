import { defaultThresholdUs } from '../../protocol/figures.ts';
import type { Microseconds } from '../../protocol/units.ts';
import { type Command, type Given, type Invalid, invalid, type Option } from './command.ts';

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
}

/** A command to run on both sides: `compare --base REF -- COMMAND`. */
export interface ComparePairsArguments extends ComparisonShown {
  /** A git ref. */
  readonly base: string;
  readonly command: readonly string[];
  /** A command for the shell, run in the base before its first run; null for none. */
  readonly setup: string | null;
  readonly pairs: number;
}

export type CompareInvocation =
  | { readonly type: 'compare'; readonly options: CompareArguments }
  | { readonly type: 'comparePairs'; readonly options: ComparePairsArguments }
  | Invalid;

const compareOptions = {
  base: { value: { name: 'REF', kind: 'text' }, help: 'the commit, branch or tag to compare with' },
  head: {
    value: { name: 'AFTER …', kind: 'folder', takesOperands: true },
    help: 'recordings from after the change; those before this option are from before it',
  },
  setup: {
    value: { name: 'COMMAND', kind: 'text' },
    help: 'prepares the base, in a shell: --setup "npm run build"',
  },
  pairs: { value: { name: 'N', kind: 'number', standard: '3' }, help: 'pairs of runs, from 3 to 50' },
  json: { help: 'everything, as JSON (docs/comparison.schema.json)' },
  markdown: { help: 'for a pull request' },
  all: { help: 'also what has not changed' },
} as const satisfies Record<string, Option>;

type CompareGiven = Given<keyof typeof compareOptions>;

export const compare = {
  name: 'compare',
  summary: 'says what a change made faster or slower',
  usage: ['compare --base REF [options] -- COMMAND …', 'compare BEFORE… --head AFTER… [options]'],
  about: [
    'The first runs the command on a commit (in a git work tree of its own) and on your files as they are, in turn, three times each. What seems to have changed is confirmed by three more pairs, of the tests alone that reach it.',
    'The second compares recordings of "hotspan record", of one command on one Node.js, three or more of each side. A function is found again where it was moved or renamed.',
  ],
  options: compareOptions,
  operands: { kind: 'folders', hasCommand: true },
  exitCodes: [
    { code: '0', means: 'nothing is slower' },
    { code: '1', means: 'something is slower or new' },
    { code: '2', means: 'it cannot be compared' },
    { code: '3', means: 'it is too noisy to say, or was stopped' },
  ],
  otherNames: ['diff', 'cmp', 'bench', 'versus', 'vs'],
  read: readCompare,
} as const satisfies Command<CompareInvocation>;

function readCompare(given: CompareGiven): CompareInvocation {
  if (given.has('json') && given.has('markdown')) return invalid('Choose one of --json and --markdown.');
  const base = given.text('base');
  if (base !== undefined) return readPairs(base, given);
  if (given.has('setup') || given.has('pairs') || given.command !== null)
    return invalid('Say what to compare with: hotspan compare --base main -- npm test.');
  const [before, after] = [given.operands, given.texts('head')];
  if (before.length === 0 || after.length === 0 || [...before, ...after].includes(''))
    return invalid(
      'Give recordings of both sides (hotspan compare BEFORE… --head AFTER…), or a commit and a command (hotspan compare --base main -- npm test).',
    );
  return { type: 'compare', options: { ...shownBy(given), base: before, head: after } };
}

function readPairs(base: string, given: CompareGiven): CompareInvocation {
  const words = [...given.operands, ...given.texts('head')];
  if (words.length > 0)
    return invalid(`Put "--" before the command: hotspan compare --base ${base} -- ${words.join(' ')}.`);
  const command = given.command ?? [];
  if (command.length === 0 || command[0] === '')
    return invalid('Say what to run on both sides, after "--": hotspan compare --base main -- npm test.');
  if (base === '') return invalid('--base needs the name of a commit, a branch or a tag.');
  const pairs = given.text('pairs') ?? '3';
  const count = Number(pairs);
  if (!Number.isInteger(count) || count < 3 || count > 50)
    return invalid(`--pairs is a whole number from 3 to 50, not "${pairs}".`);
  const setup = given.text('setup') ?? '';
  return {
    type: 'comparePairs',
    options: { ...shownBy(given), base, command, pairs: count, setup: setup === '' ? null : setup },
  };
}

function shownBy(given: CompareGiven): ComparisonShown {
  return {
    thresholdUs: defaultThresholdUs,
    all: given.has('all'),
    format: given.has('json') ? 'json' : given.has('markdown') ? 'markdown' : 'table',
  };
}
