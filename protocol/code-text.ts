import jsTokens, { type JSXToken, type Token } from 'js-tokens';
import { type Line0, line0 } from './units.ts';

/** The tokens of a text, parseable or not, without comments and white space, which make no difference. */
export interface CodeText {
  readonly tokens: readonly string[];
  /** Where each token begins, in UTF-16 units from the start of the text. */
  readonly starts: readonly number[];
  readonly lineCount: number;
  /** How many tokens begin above the line; for lines below the text, all of them. */
  readonly tokensAbove: (line: number) => number;
  readonly lineOf: (token: number) => Line0;
}

/** `path` says by its ending whether the text has JSX. */
export function codeText(text: string, path: string): CodeText {
  const tokens: string[] = [];
  const starts: number[] = [];
  const lines: Line0[] = [];
  const above = [0];
  let at = 0;
  for (const token of jsTokens(text, { jsx: /\.[jt]sx$/.test(path) })) {
    const endsStatement = token.type === 'LineTerminatorSequence' && endsAtLine.has(tokens.at(-1) ?? '');
    if (!isSpace(token) || endsStatement) {
      tokens.push(endsStatement ? '\n' : token.value);
      starts.push(at);
      lines.push(line0(above.length - 1));
    }
    at += token.value.length;
    const breaks = token.value.match(/\r\n?|\n/g)?.length ?? 0; // As editors count lines.
    for (let line = 0; line < breaks; line++) above.push(tokens.length);
  }
  return {
    tokens,
    starts,
    lineCount: above.length,
    tokensAbove: (line) => above[line] ?? tokens.length,
    lineOf: (token) => lines[token] ?? line0(above.length - 1),
  };
}

/** A line break after one of these ends the statement: `return` then returns nothing. */
const endsAtLine: ReadonlySet<string> = new Set(['return', 'throw', 'break', 'continue', 'yield']);

/** Whether a token has no meaning. An unclosed comment may be the beginning of something else. */
function isSpace(token: Token | JSXToken): boolean {
  return spaces.has(token.type) && !('closed' in token && !token.closed);
}

const spaces: ReadonlySet<string> = new Set([
  ...['WhiteSpace', 'LineTerminatorSequence', 'SingleLineComment', 'MultiLineComment', 'HashbangComment'],
]);
