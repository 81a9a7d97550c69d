import type { World } from '../engine/world.ts';
import type { Line1 } from '../protocol/units.ts';
import { shownPath } from './shown-path.ts';

/** Source files as they are now on this machine. */
export interface Sources {
  /** Without its line break; undefined where the file cannot be read or is shorter. */
  readonly lineOf: (path: string, line: Line1) => string | undefined;
  /** From the current folder where it is below that, else as it is. */
  readonly shownPath: (path: string) => string;
}

/**
 * Reads the files, absolute paths that a recording names: those that are no JavaScript or TypeScript by their name are left
 * out, so that a made-up recording prints no other file.
 */
export async function readSources(paths: readonly string[], world: World, currentFolder: string): Promise<Sources> {
  const wanted = paths.filter((file) => /\.([cm]?[jt]sx?|vue|svelte)$/.test(file));
  const texts = await Promise.all(wanted.map(async (file) => [file, linesOf(await world.readFile(file))] as const));
  const lines = new Map(texts);
  return {
    lineOf: (file, line) => lines.get(file)?.[line - 1],
    shownPath: (file) => shownPath(file, currentFolder),
  };
}

function linesOf(bytes: Uint8Array | undefined): readonly string[] {
  return new TextDecoder().decode(bytes).split(/\r?\n/);
}
