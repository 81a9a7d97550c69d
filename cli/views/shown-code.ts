import type { FunctionInfo } from '../../engine/read/functions/function-table.ts';
import { filePathOf } from '../../engine/read/files/file-path.ts';
import { pathBelow, systemPath } from '../../protocol/path-spelling.ts';
import type { CodePlace } from '../../engine/judge/tiers/tiers.ts';
import { builtFileShort, withLine } from '../../words/formats/figures.ts';
import type { Line1 } from '../../protocol/units.ts';
import { plainText } from './terminal.ts';
import { startWithin } from './text-width.ts';

/** Source files as they were recorded. A file that the recording has not kept is read from this machine. */
export interface Sources {
  /** A line without its line break; undefined if the text cannot be read, or is shorter. */
  readonly lineOf: (url: string, line: Line1) => string | undefined;
  /** The file that a url names; null if it names none. */
  readonly pathOf: (url: string) => string | null;
  readonly shownPath: (path: string) => string;
}

/** Reads the sources at these urls; only files of JavaScript and TypeScript, so that a forged recording prints no other file. */
export async function readSources(
  urls: readonly string[],
  textOf: (url: string) => Promise<string | null>,
  currentFolder: string,
  roots: readonly string[] = [],
): Promise<Sources> {
  const pathOf = (url: string): string | null => filePathOf(url, roots);
  const wanted = urls.filter((url) => /\.([cm]?[jt]sx?|vue|svelte|astro|mdx)$/.test(pathOf(url) ?? ''));
  const lines = new Map<string, readonly string[]>();
  for (const url of wanted) lines.set(url, ((await textOf(url)) ?? '').split(/\r?\n/));
  return {
    lineOf: (url, line) => lines.get(url)?.[line - 1],
    pathOf,
    shownPath: (file) => shownPath(file, currentFolder),
  };
}

/** `src/a.ts:3`; for a url that is not a file, the url; without a url, `native`. */
export function shownPlace({ url, line }: Pick<CodePlace, 'url' | 'line'>, sources: Sources): string {
  const path = sources.pathOf(url);
  if (path === null) return url === '' ? 'native' : cut(plainText(url));
  return withLine(cut(plainText(sources.shownPath(path)), MAX_PATH), line);
}

/** Text of a line; null if it is blank or cannot be read. */
export function textOf({ url, line }: Pick<CodePlace, 'url' | 'line'>, sources: Sources): string | null {
  const text = sources.lineOf(url, line);
  return text === undefined || text.trim() === '' ? null : cut(plainText(text).trim());
}

/** `(test code)` or `(built file, no source map)` after a gap; `''` for application code. */
export function roleNote(role: FunctionInfo['role'], gap: string): string {
  if (role === 'test') return `${gap}(test code)`;
  return role === 'built' ? `${gap}(${builtFileShort})` : '';
}

/** A path relative to the current folder if it is below that, else the whole path. Both are absolute. */
export function shownPath(file: string, currentFolder: string): string {
  return systemPath(pathBelow(file, currentFolder) ?? file, file);
}

/** Shortens a text: bundled files have lines of megabytes, and a profile may have such names. */
export function cut(text: string, columns: number = MAX_TEXT): string {
  return startWithin(text, columns) === text ? text : `${startWithin(text, columns - 1)}…`;
}

/** In columns. */
const MAX_TEXT = 120;

/** In columns; no system has longer paths. */
export const MAX_PATH = 4096;
