import { parseArgs, type ParseArgsConfig } from 'node:util';

/** `message` is one sentence that says what to do instead. */
export interface Invalid {
  readonly type: 'invalid';
  readonly message: string;
}

export type Values = Readonly<Record<string, unknown>>;
type Parsed = { readonly type: 'parsed'; readonly values: Values; readonly positionals: readonly string[] } | Invalid;

/** The options of a command, as Node parses them. The message about an unknown option names it. */
export function parse(
  command: string,
  words: readonly string[],
  options: NonNullable<ParseArgsConfig['options']>,
): Parsed {
  try {
    const { values, positionals } = parseArgs({ args: withNumbers(words), options, allowPositionals: true });
    return { type: 'parsed', values, positionals };
  } catch (error) {
    // Node's first sentence names the option: "Unknown option '--tiers'. To specify a positional argument …".
    const [reason = ''] = error instanceof Error ? error.message.split(/\.?\s*\n|\.\s/) : [];
    return invalid(`${reason}: see "hotspan ${command} --help".`);
  }
}

/**
 * Joins `--threshold -1` to `--threshold=-1`: a negative number is no option, and the code that reads the value says
 * what is wrong with it.
 */
function withNumbers(words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    if (isNegative(word) && isOption(words[index - 1])) return [];
    const next = words[index + 1];
    return isOption(word) && isNegative(next) ? [`${word}=${next ?? ''}`] : [word];
  });
}

function isOption(word: string | undefined): boolean {
  return word !== undefined && /^--[a-z-]+$/.test(word);
}

function isNegative(word: string | undefined): boolean {
  return word !== undefined && /^-[\d.]/.test(word);
}

export function invalid(message: string): Invalid {
  return { type: 'invalid', message };
}
