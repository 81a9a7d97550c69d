import { defaultThresholdUs } from '../../protocol/figures.ts';
import type { Microseconds } from '../../protocol/units.ts';
import { type Invalid, invalid, parse, type Values } from './parse-options.ts';

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
  | { readonly type: 'help'; readonly topic: 'compare' }
  | Invalid;

/** `words` are those after `compare`. */
export function parseCompare(words: readonly string[]): CompareInvocation {
  const split = words.indexOf('--');
  const own = split < 0 ? words : words.slice(0, split);
  // What follows --head is of that side, as many as there are.
  const at = own.indexOf('--head');
  const parsed = parse('compare', at < 0 ? own : own.toSpliced(at, 1), compareOptions);
  if (parsed.type === 'invalid') return parsed;
  const { values, positionals } = parsed;
  if (values['help'] === true) return { type: 'help', topic: 'compare' };
  if (values['json'] === true && values['markdown'] === true) return invalid('Choose one of --json and --markdown.');
  if (values['base'] !== undefined) return parsePairs(values, positionals, split < 0 ? [] : words.slice(split + 1));
  const other = (['setup', 'pairs'] as const).find((name) => values[name] !== undefined);
  if (other !== undefined || split >= 0)
    return invalid('Say what to compare with: hotspan compare --base main -- npm test.');
  const after = at < 0 ? [] : own.slice(at + 1).filter((word) => positionals.includes(word));
  const before = positionals.slice(0, positionals.length - after.length);
  if (before.length === 0 || after.length === 0 || positionals.includes(''))
    return invalid(
      'Give recordings of both sides (hotspan compare BEFORE… --head AFTER…), or a commit and a command (hotspan compare --base main -- npm test).',
    );
  return { type: 'compare', options: { ...shownBy(values), base: before, head: after } };
}

const compareOptions = {
  base: { type: 'string' },
  setup: { type: 'string' },
  pairs: { type: 'string' },
  json: { type: 'boolean' },
  markdown: { type: 'boolean' },
  all: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

function parsePairs(values: Values, positionals: readonly string[], command: readonly string[]): CompareInvocation {
  const { base, setup, pairs = '3' } = values;
  if (positionals.length > 0)
    return invalid(`Put "--" before the command: hotspan compare --base ${String(base)} -- ${positionals.join(' ')}.`);
  if (command.length === 0 || command[0] === '')
    return invalid('Say what to run on both sides, after "--": hotspan compare --base main -- npm test.');
  if (base === '') return invalid('--base needs the name of a commit, a branch or a tag.');
  const count = Number(pairs);
  if (!Number.isInteger(count) || count < 3 || count > 50)
    return invalid(`--pairs is a whole number from 3 to 50, not "${String(pairs)}".`);
  return {
    type: 'comparePairs',
    options: {
      ...{ ...shownBy(values), base: String(base), command, pairs: count },
      setup: typeof setup === 'string' && setup !== '' ? setup : null,
    },
  };
}

function shownBy(values: Values): ComparisonShown {
  return {
    thresholdUs: defaultThresholdUs,
    all: values['all'] === true,
    format: values['json'] === true ? 'json' : values['markdown'] === true ? 'markdown' : 'table',
  };
}
