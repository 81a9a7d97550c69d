import { filePathOf } from '../../engine/files/file-path.ts';
import type { Line1 } from '../../protocol/units.ts';
import { shownPath } from './shown-path.ts';

/** Source files as they were recorded. Those that the recording has not kept are as they are now on this machine. */
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
