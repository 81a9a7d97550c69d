import { textOrNull } from '../../protocol/json-value.ts';
import { defaultThresholdUs } from '../../protocol/figures.ts';
import type { Microseconds } from '../../protocol/units.ts';
import { isBaselineName } from '../../recordings/baselines.ts';
import { type Invalid, invalid, parse } from './parse-options.ts';

export interface RecheckArguments {
  /** `src/cart.ts:12`, or a name. */
  readonly function: string;
  /** A git ref; null: the baseline, or the last recording. */
  readonly base: string | null;
  /** Name of a baseline; null for the newest. */
  readonly baseline: string | null;
  /** The recording that knows the command and the tests, as typed; null for the newest of this folder. */
  readonly recording: string | null;
  readonly setup: string | null;
  /** Empty: that of the recording. */
  readonly command: readonly string[];
  readonly format: 'text' | 'json';
  readonly thresholdUs: Microseconds;
}

export interface BaselineArguments {
  readonly task: 'set' | 'list' | 'delete';
  readonly name: string;
  /** The recording that knows the command, as typed; null for the newest of this folder. */
  readonly recording: string | null;
  /** Empty: that of the recording. */
  readonly command: readonly string[];
}

type Parsed<Options, Type extends string> =
  | { readonly type: Type; readonly options: Options }
  | { readonly type: 'help'; readonly topic: Type }
  | Invalid;

export type RecheckInvocation = Parsed<RecheckArguments, 'recheck'>;
export type BaselineInvocation = Parsed<BaselineArguments, 'baseline'>;

/** `words` are those after `recheck`. */
export function parseRecheck(words: readonly string[]): RecheckInvocation {
  const split = words.indexOf('--');
  const parsed = parse('recheck', split < 0 ? words : words.slice(0, split), {
    base: { type: 'string' },
    baseline: { type: 'string' },
    recording: { type: 'string' },
    setup: { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  });
  if (parsed.type === 'invalid') return parsed;
  const { values, positionals } = parsed;
  if (values['help'] === true) return { type: 'help', topic: 'recheck' };
  const [fn, ...others] = positionals;
  if (fn === undefined || fn === '' || others.length > 0)
    return invalid('Name one function, by its line or its name: hotspan recheck src/cart.ts:12.');
  if (values['base'] !== undefined && values['baseline'] !== undefined)
    return invalid('Choose one of --base (a commit) and --baseline (a name).');
  const text = (name: string): string | null => textOrNull(values[name]);
  return {
    type: 'recheck',
    options: {
      function: fn,
      ...{ base: text('base'), baseline: text('baseline'), recording: text('recording'), setup: text('setup') },
      command: split < 0 ? [] : words.slice(split + 1),
      format: values['json'] === true ? 'json' : 'text',
      thresholdUs: defaultThresholdUs,
    },
  };
}

/** `words` are those after `baseline`. */
export function parseBaseline(words: readonly string[]): BaselineInvocation {
  const split = words.indexOf('--');
  const parsed = parse('baseline', split < 0 ? words : words.slice(0, split), {
    name: { type: 'string' },
    recording: { type: 'string' },
    list: { type: 'boolean' },
    delete: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  });
  if (parsed.type === 'invalid') return parsed;
  const { values, positionals } = parsed;
  if (values['help'] === true) return { type: 'help', topic: 'baseline' };
  const [first] = positionals;
  if (first !== undefined) return invalid(`Put "--" before the command: hotspan baseline -- ${positionals.join(' ')}.`);
  const command = split < 0 ? [] : words.slice(split + 1);
  const task = values['list'] === true ? 'list' : values['delete'] === undefined ? 'set' : 'delete';
  const name = textOrNull(values['delete']) ?? textOrNull(values['name']) ?? 'main';
  return isBaselineName(name)
    ? { type: 'baseline', options: { task, name, command, recording: textOrNull(values['recording']) } }
    : invalid(`A baseline's name has letters, digits, "-" and "_", not "${name}".`);
}
