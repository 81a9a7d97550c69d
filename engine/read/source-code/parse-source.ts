import { type ParseResult, type ParserPlugin, parse } from '@babel/parser';
import { isRecord } from '../../../protocol/json-value.ts';

/** In UTF-16 units; takes about a second to parse. Longer sources are bundles, which are not read by line. */
const MAX_SOURCE_LENGTH = 2 * 1024 * 1024;

export interface Token {
  readonly text: string;
  /** Line from 1. */
  readonly line: number;
  /** Column from 0. */
  readonly column: number;
}

/** All tokens of a source but its comments, in order; null where it cannot be parsed. `url` shows the language. */
export function tokensOf(text: string, url: string): readonly Token[] | null {
  const tokens: unknown = parseWith(text, url, true)?.tokens;
  return Array.isArray(tokens) ? tokens.flatMap((token) => tokenOf(token, text)) : null;
}

/** A token of Babel, which has no type for tokens. Comments are left out: their `type` is a text. */
function tokenOf(token: unknown, text: string): readonly Token[] {
  if (!isRecord(token) || typeof token['type'] === 'string') return [];
  const { start, end, loc } = token;
  const place = isRecord(loc) ? loc['start'] : null;
  if (typeof start !== 'number' || typeof end !== 'number' || !isRecord(place)) return [];
  return end > start
    ? [{ text: text.slice(start, end), line: Number(place['line']), column: Number(place['column']) }]
    : [];
}

/**
 * The syntax tree of a source, repaired where it is wrong; null where it cannot be parsed. `url` shows the language.
 */
export function parseSource(text: string, url: string): ParseResult | null {
  return parseWith(text, url, false);
}

function parseWith(text: string, url: string, tokens: boolean): ParseResult | null {
  if (text.length > MAX_SOURCE_LENGTH) return null;
  try {
    return parse(text, {
      sourceType: 'unambiguous',
      errorRecovery: true,
      attachComment: false,
      tokens,
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
      allowImportExportEverywhere: true,
      allowSuperOutsideMethod: true,
      allowUndeclaredExports: true,
      plugins: pluginsFor(url),
    });
  } catch {
    return null; // It is not a program of this language, or is nested too deep to parse, so its calls are not known.
  }
}

function pluginsFor(url: string): ParserPlugin[] {
  const kind = /\.([cm]?[jt]sx?)(?:[?#].*)?$/i.exec(url)?.[1]?.toLowerCase() ?? 'js';
  const common: ParserPlugin[] = ['decorators-legacy', 'decoratorAutoAccessors', 'explicitResourceManagement'];
  if (kind === 'ts' || kind === 'mts' || kind === 'cts') return [...common, 'typescript'];
  if (kind === 'tsx') return [...common, 'typescript', 'jsx'];
  return [...common, 'jsx', ['flow', { all: false }]];
}
