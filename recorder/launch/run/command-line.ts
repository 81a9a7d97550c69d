import path from 'node:path';
import { standsAgainstTiers } from '../../command-lines/tier-flags.ts';
import { intervalRange } from '../../../protocol/recording.ts';
import { type Microseconds, microseconds } from '../../../protocol/units.ts';

/** True for `node -e TEXT`, `-p`, `--eval`, `--print`: the program is the text itself. */
export function isEvaluated(command: readonly string[]): boolean {
  const [program = '', ...rest] = command;
  if (!/^node(js)?(\.exe)?$/i.test(path.basename(program))) return false;
  const options = rest.slice(0, rest.findIndex((argument) => !argument.startsWith('-')) >>> 0);
  return options.some((option) => /^(-p?e|-p|--eval|--print)(=|$)/.test(option));
}

/**
 * Whether the run collects coverage, by the command's own words or Node's variable. Its counters in the code make the
 * code look hotter.
 */
export function hasCoverage(command: readonly string[], env: NodeJS.ProcessEnv): boolean {
  if (env['NODE_V8_COVERAGE'] !== undefined) return true;
  return command.some((word) =>
    /(^|[/\\])(c8|nyc)(\.c?js)?$|^--coverage(=true|\.enabled(=true)?)?$|^--experimental-test-coverage$/.test(word),
  );
}

/** Why a command leaves no V8 logs, as far as its words tell: one sentence, and the run goes on. */
export function tierNotes(command: readonly string[]): readonly string[] {
  const [program = '', ...words] = command;
  const name = path
    .basename(program.replaceAll('\\', '/'))
    .replace(/\.(exe|cmd)$/i, '')
    .toLowerCase();
  if (/^(bunx?|deno|electron)$/.test(name))
    return [`${name} is not Node.js, whose V8 could tell its tiers: it runs as always, and leaves no log.`];
  if (!/^node(js)?$/.test(name)) return [];
  const end = words.findIndex((word) => !word.startsWith('-'));
  const own = words.slice(0, end < 0 ? words.length : end).find((word) => standsAgainstTiers(word));
  return own === undefined
    ? []
    : [
        `${own} does not go together with V8's log: the command runs as always, and leaves none. Record it without ${own}.`,
      ];
}

type ParsedInterval =
  | { readonly type: 'interval'; readonly intervalUs: Microseconds }
  | { readonly type: 'invalid'; readonly message: string };

/** A sampling interval in whole µs, as typed by a person or written in a setting. */
export function parseInterval(text: string): ParsedInterval {
  const value = Number(text);
  const { least, most } = intervalRange;
  if (text.trim() !== '' && Number.isInteger(value) && value >= least && value <= most)
    return { type: 'interval', intervalUs: microseconds(value) };
  return {
    type: 'invalid',
    message: `The sampling interval is a whole number of microseconds from ${least} to ${most}, not "${text}". 1000 suits most programs.`,
  };
}
