import { defaultThresholdUs } from '../../protocol/duration-class.ts';
import type { Microseconds } from '../../protocol/units.ts';
import { type Invalid, invalid, parse } from './parse-options.ts';

export interface CompareArguments {
  /** Paths of recordings, as typed; at least one a side. */
  readonly base: readonly string[];
  readonly head: readonly string[];
  readonly format: 'table' | 'markdown' | 'json';
  readonly all: boolean;
  readonly thresholdUs: Microseconds;
}

/** `words` are those after `compare`: `BASE… --head HEAD…`. */
export function parseCompare(
  words: readonly string[],
):
  | { readonly type: 'compare'; readonly options: CompareArguments }
  | { readonly type: 'help'; readonly topic: 'compare' }
  | Invalid {
  // What follows --head is of that side, as many as there are.
  const at = words.indexOf('--head');
  const [before, after] = at < 0 ? [words, []] : [words.slice(0, at), words.slice(at + 1)];
  const parsed = parse('compare', [...before, ...after], {
    json: { type: 'boolean' },
    markdown: { type: 'boolean' },
    all: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  });
  if (parsed.type === 'invalid') return parsed;
  const { values, positionals } = parsed;
  if (values['help'] === true) return { type: 'help', topic: 'compare' };
  const isOption = (word: string): boolean => word.startsWith('-');
  const base = before.filter((word) => !isOption(word));
  const head = after.filter((word) => !isOption(word));
  if (base.length === 0 || head.length === 0 || positionals.includes(''))
    return invalid('Give recordings of both sides: hotspan compare BEFORE… --head AFTER….');
  if (values['json'] === true && values['markdown'] === true) return invalid('Choose one of --json and --markdown.');
  return {
    type: 'compare',
    options: {
      ...{ base, head, thresholdUs: defaultThresholdUs, all: values['all'] === true },
      format: values['json'] === true ? 'json' : values['markdown'] === true ? 'markdown' : 'table',
    },
  };
}
