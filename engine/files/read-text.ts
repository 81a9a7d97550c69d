import type { World } from './world.ts';

/** The file's text; null where it cannot be read, has more bytes than `most`, or is longer than a string can be. */
export async function readText(path: string, world: World, most?: number): Promise<string | null> {
  const bytes = await world.readFile(path, most);
  if (bytes === undefined) return null;
  try {
    return new TextDecoder().decode(bytes);
  } catch {
    return null; // The file is longer than the longest string.
  }
}

/**
 * Number of bytes that are read of a file which somebody else's profile, or a comment, names. Scripts may contain their
 * map; the parser takes far less.
 */
export const longestNamed = { text: 64 * 1024 * 1024, map: 256 * 1024 * 1024 } as const;
