import { type ParserPlugin, parse } from '@babel/parser';
import type { File } from '@babel/types';

/** In UTF-16 units: about a second of parsing. Longer ones are bundles, which nobody reads by line. */
const longestSource = 2 * 1024 * 1024;

/** The syntax tree of a source, mended where it is wrong; null where it cannot be parsed. `url` tells the language. */
export function parseSource(text: string, url: string): File | null {
  if (text.length > longestSource) return null;
  try {
    return parse(text, {
      sourceType: 'unambiguous',
      errorRecovery: true,
      attachComment: false,
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
      allowImportExportEverywhere: true,
      allowSuperOutsideMethod: true,
      allowUndeclaredExports: true,
      plugins: pluginsFor(url),
    });
  } catch {
    return null; // No program of this language, or nested too deep to parse: its calls are not known.
  }
}

function pluginsFor(url: string): ParserPlugin[] {
  const kind = /\.([cm]?[jt]sx?)(?:[?#].*)?$/i.exec(url)?.[1]?.toLowerCase() ?? 'js';
  const common: ParserPlugin[] = ['decorators-legacy', 'decoratorAutoAccessors', 'explicitResourceManagement'];
  if (kind === 'ts' || kind === 'mts' || kind === 'cts') return [...common, 'typescript'];
  if (kind === 'tsx') return [...common, 'typescript', 'jsx'];
  return [...common, 'jsx', ['flow', { all: false }]];
}
