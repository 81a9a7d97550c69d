import { parseArgs, type ParseArgsConfig } from 'node:util';

/** `message` is one sentence that says what to do instead. */
export interface Invalid {
  readonly type: 'invalid';
  readonly message: string;
}

export type Values = Readonly<Record<string, unknown>>;
type Parsed = { readonly type: 'parsed'; readonly values: Values; readonly positionals: readonly string[] } | Invalid;

/** The options of a command as Node reads them; an unknown one is named. */
export function parse(
  command: string,
  words: readonly string[],
  options: NonNullable<ParseArgsConfig['options']>,
): Parsed {
  try {
    const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true });
    return { type: 'parsed', values, positionals };
  } catch (error) {
    // Node's first sentence names the option: "Unknown option '--tiers'. To specify a positional argument …".
    const [reason = ''] = error instanceof Error ? error.message.split(/\.?\s*\n|\.\s/) : [];
    return invalid(`${reason}: see "hotspan ${command} --help".`);
  }
}

export function invalid(message: string): Invalid {
  return { type: 'invalid', message };
}
