import jsTokens, { type JSXToken, type Token } from 'js-tokens';
import { type Line0, line0 } from './units.ts';

/** The tokens of a text, parseable or not, without comments and white space, which make no difference. */
export interface CodeText {
  readonly text: string;
  readonly path: string;
  readonly tokens: readonly string[];
  /** Where each token begins, in UTF-16 units from the start of the text. */
  readonly starts: readonly number[];
  readonly lineCount: number;
  /** How many tokens begin above the line; for lines below the text, all of them. */
  readonly tokensAbove: (line: number) => number;
  readonly lineOf: (token: number) => Line0;
}

/**
 * `path` says by its ending whether the text has JSX, and `isFalse` of a template over several lines whether it is one only
 * because of a stray backtick.
 */
export function codeText(text: string, path: string, isFalse: (template: string) => boolean = () => false): CodeText {
  const tokens: string[] = [];
  const starts: number[] = [];
  const lines: Line0[] = [];
  const above = [0];
  const jsx = /\.[jt]sx$/.test(path);
  let at = 0;
  for (let restarts = 0; at < text.length; restarts++) {
    for (const token of jsTokens(text.slice(at), { jsx })) {
      const isCut = isUnclosed(token) || (isLongTemplate(token.value) && isFalse(token.value));
      const value = isCut && restarts < MAX_RESTARTS ? firstLine(token.value) : token.value;
      const endsStatement = token.type === 'LineTerminatorSequence' && endsAtLine.has(tokens.at(-1) ?? '');
      if (!spaces.has(token.type) || isUnclosed(token) || endsStatement) {
        tokens.push(endsStatement ? '\n' : value);
        starts.push(at);
        lines.push(line0(above.length - 1));
      }
      at += value.length;
      const breaks = value.match(/\r\n?|\n/g)?.length ?? 0; // As editors count lines.
      for (let line = 0; line < breaks; line++) above.push(tokens.length);
      if (value !== token.value) break;
    }
  }
  return {
    text,
    path,
    tokens,
    starts,
    lineCount: above.length,
    tokensAbove: (line) => above[line] ?? tokens.length,
    lineOf: (token) => lines[token] ?? line0(above.length - 1),
  };
}

/** Whether a token is a template, or the part of one, with a line break. */
export function isLongTemplate(token: string): boolean {
  return /^[`}].*[\r\n]/.test(token);
}

/** A line break after one of these ends the statement: `return` then returns nothing. */
const endsAtLine: ReadonlySet<string> = new Set(['return', 'throw', 'break', 'continue', 'yield']);

/**
 * Of a token that nothing closes, only the first line counts, and reading begins again below it: what opened it may be no
 * code, as in the template of a component. Each time costs a search to the end of the text.
 */
const MAX_RESTARTS = 100;

function isUnclosed(token: Token | JSXToken): boolean {
  return 'closed' in token && !token.closed;
}

function firstLine(value: string): string {
  return /^.*/.exec(value)?.[0] ?? value;
}

/** Tokens without a meaning. */
const spaces: ReadonlySet<string> = new Set([
  ...['WhiteSpace', 'LineTerminatorSequence', 'SingleLineComment', 'MultiLineComment', 'HashbangComment'],
]);
