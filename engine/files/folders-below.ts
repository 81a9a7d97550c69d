import type { ListedFile, World } from './world.ts';

/** A folder with the plain files in it. */
export interface Folder {
  readonly path: string;
  readonly files: readonly ListedFile[];
}

/**
 * The folders below a folder at any depth, nearest first, without hidden and installed ones. `isWhole`: there are not
 * more of them than are looked through.
 */
export async function foldersBelow(
  folder: string,
  world: World,
): Promise<{ readonly folders: readonly Folder[]; readonly isWhole: boolean }> {
  const paths = [folder];
  for (let at = 0; at < paths.length && paths.length <= most; at++) {
    const names = (await world.listFolders?.(paths[at] ?? '')) ?? [];
    const wanted = names.filter((name) => !name.startsWith('.') && name !== 'node_modules');
    for (const name of wanted.toSorted().slice(0, most + 1)) paths.push(`${paths[at]}/${name}`);
  }
  const folders: Folder[] = [];
  for (const path of paths.slice(1, most + 1)) folders.push({ path, files: (await world.listFiles(path)) ?? [] });
  return { folders, isWhole: paths.length <= most + 1 };
}

const most = 500;
