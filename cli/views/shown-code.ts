import type { FunctionInfo } from '../../engine/functions/function-table.ts';
import { filePathOf } from '../../engine/files/file-path.ts';
import type { CodePlace } from '../../engine/tiers/tiers.ts';
import { builtFileShort, withLine } from '../../words/formats/figures.ts';
import { plainText } from './terminal-text.ts';
import type { Sources } from './sources.ts';

/** A place such as `src/a.ts:3`; only the url where that is no file, and `native` where there is none. */
export function shownPlace({ url, line }: Pick<CodePlace, 'url' | 'line'>, sources: Sources): string {
  const path = filePathOf(url);
  if (path === null) return url === '' ? 'native' : cut(plainText(url));
  return withLine(cut(plainText(sources.shownPath(path)), longestPath), line);
}

/** Text of a line; null where it is blank or cannot be read. */
export function textOf({ url, line }: Pick<CodePlace, 'url' | 'line'>, sources: Sources): string | null {
  const text = sources.lineOf(url, line);
  return text === undefined || text.trim() === '' ? null : cut(plainText(text).trim());
}

/** A note such as `(test code)` or `(built file, no source map)`, after a gap; empty for what the person wrote. */
export function roleNote(role: FunctionInfo['role'], gap: string): string {
  if (role === 'test') return `${gap}(test code)`;
  return role === 'built' ? `${gap}(${builtFileShort})` : '';
}

/** A text of limited length: bundled files have lines of megabytes, and a foreign profile may have such names. */
export function cut(text: string, longest: number = longestText): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

const longestText = 120;
/** Longest path in characters: more than any system takes. */
export const longestPath = 4096;
