import { budgetFile } from '../../protocol/budget.ts';
import { defaultThresholdUs } from '../../protocol/figures.ts';
import { textOrNull } from '../../protocol/json-value.ts';
import type { Microseconds } from '../../protocol/units.ts';
import { type Invalid, invalid, parse } from './parse-options.ts';

export interface CheckArguments {
  /** Recordings to judge, as typed; empty: the command is run. */
  readonly paths: readonly string[];
  /** Empty, where no path is given: that of the last recording. */
  readonly command: readonly string[];
  /** Path of the budget, as typed. */
  readonly budget: string;
  /** Writes the budget instead of judging by it. */
  readonly update: boolean;
  readonly format: 'table' | 'markdown' | 'json';
  readonly thresholdUs: Microseconds;
}

export type CheckInvocation =
  | { readonly type: 'check'; readonly options: CheckArguments }
  | { readonly type: 'help'; readonly topic: 'check' }
  | Invalid;

/** `words` are those after `check`. */
export function parseCheck(words: readonly string[]): CheckInvocation {
  const split = words.indexOf('--');
  const parsed = parse('check', split < 0 ? words : words.slice(0, split), {
    budget: { type: 'string' },
    update: { type: 'boolean' },
    json: { type: 'boolean' },
    markdown: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  });
  if (parsed.type === 'invalid') return parsed;
  const { values, positionals: paths } = parsed;
  if (values['help'] === true) return { type: 'help', topic: 'check' };
  const command = split < 0 ? [] : words.slice(split + 1);
  if (paths.length > 0 && command.length > 0)
    return invalid('Give recordings to judge, or a command to run, not both: hotspan check -- npm test.');
  if (values['json'] === true && values['markdown'] === true) return invalid('Choose one of --json and --markdown.');
  return {
    type: 'check',
    options: {
      ...{ paths, command, update: values['update'] === true, thresholdUs: defaultThresholdUs },
      budget: textOrNull(values['budget']) ?? budgetFile,
      format: values['json'] === true ? 'json' : values['markdown'] === true ? 'markdown' : 'table',
    },
  };
}
