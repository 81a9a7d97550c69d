import type { World } from '../world.ts';

/** The file's text; null where it cannot be read or is longer than a string can be. */
export async function readText(path: string, world: World): Promise<string | null> {
  const bytes = await world.readFile(path);
  if (bytes === undefined) return null;
  try {
    return new TextDecoder().decode(bytes);
  } catch {
    return null; // Longer than the longest string.
  }
}
