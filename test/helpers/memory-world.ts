import type { World } from '../../engine/read/files/world.ts';

/** A world of files in memory, by absolute path. `changes` has the time at which each file was changed, and each folder made, in ms since the epoch. */
export function memoryWorld(
  files: Readonly<Record<string, string | Uint8Array>>,
  changes: Readonly<Record<string, number>> = {},
): World {
  const bytesOf = (content: string | Uint8Array): Uint8Array =>
    typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const foldersIn = (folder: string): readonly string[] => {
    const below = Object.keys(files).filter((path) => path.startsWith(`${folder}/`));
    const names = below.map((path) => path.slice(folder.length + 1).split('/'));
    return [...new Set(names.flatMap(([name = '', ...rest]) => (rest.length > 0 ? [name] : [])))];
  };
  return {
    readFile: async (path, most = Infinity) => {
      const content = files[path];
      return content === undefined || content.length > most ? undefined : bytesOf(content);
    },
    listFiles: async (folder) => {
      const inside = Object.entries(files).filter(([path]) => path.slice(0, path.lastIndexOf('/')) === folder);
      const listed = inside.map(([path, content]) => ({
        name: path.slice(folder.length + 1),
        size: bytesOf(content).length,
      }));
      return listed.length > 0 || foldersIn(folder).length > 0 ? listed : undefined;
    },
    listFolders: async (folder) => foldersIn(folder),
    changedAt: async (path) => changes[path],
    writtenAt: async (path) => changes[path],
    bornAt: async (path) => changes[path],
  };
}
