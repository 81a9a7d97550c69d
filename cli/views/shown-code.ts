import path from 'node:path';
import type { FunctionInfo } from '../../engine/read/functions/function-table.ts';
import { filePathOf } from '../../engine/read/files/file-path.ts';
import type { CodePlace } from '../../engine/judge/tiers/tiers.ts';
import { builtFileShort, withLine } from '../../words/formats/figures.ts';
import type { Line1 } from '../../protocol/units.ts';
import { plainText } from './terminal.ts';

/**
 * Source files as they were recorded. Files that the recording has not kept are read from this machine as they are now.
 */
export interface Sources {
  /**
   * A line of the text for a function's url, without its line break; undefined where the text cannot be read, or is
   * shorter.
   */
  readonly lineOf: (url: string, line: Line1) => string | undefined;
  /** A path relative to the current folder where it is below that, else unchanged. */
  readonly shownPath: (path: string) => string;
}

/**
 * Reads the sources at these urls of functions and lines. Files whose names are not those of JavaScript or TypeScript
 * are left out, so that a made-up recording prints no other file.
 */
export async function readSources(
  urls: readonly string[],
  textOf: (url: string) => Promise<string | null>,
  currentFolder: string,
): Promise<Sources> {
  const wanted = urls.filter((url) => /\.([cm]?[jt]sx?|vue|svelte|astro|mdx)$/.test(filePathOf(url) ?? ''));
  const lines = new Map<string, readonly string[]>();
  for (const url of wanted) lines.set(url, ((await textOf(url)) ?? '').split(/\r?\n/));
  return {
    lineOf: (url, line) => lines.get(url)?.[line - 1],
    shownPath: (file) => shownPath(file, currentFolder),
  };
}

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

/** A path relative to the current folder where it is below that, else unchanged. Both are absolute. */
export function shownPath(file: string, currentFolder: string): string {
  const relative = path.relative(currentFolder, file);
  const isBelow =
    relative !== '' && relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
  return isBelow ? relative : file;
}

/** A text of limited length: bundled files have lines of megabytes, and a foreign profile may have such names. */
export function cut(text: string, longest: number = longestText): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

const longestText = 120;
/** Longest path in characters: more than any system takes. */
export const longestPath = 4096;
