import { isWithin } from '../../protocol/machine-path.ts';
import type { World } from './world.ts';

/**
 * The same files without those of other hosts: whatever a recording names, only this machine is asked. `opened` are the
 * paths that the person opened.
 */
export function worldOfThisMachine(world: World, opened: readonly string[]): World {
  const ask =
    <Answer, More extends readonly unknown[]>(
      question: (path: string, ...more: More) => Promise<Answer>,
      otherwise: Answer,
    ) =>
    async (path: string, ...more: More): Promise<Answer> =>
      isWithin(path, opened) ? question(path, ...more) : otherwise;
  const { readChunks, listFolders, sizeOf, changedAt, realPath } = world;
  return {
    readFile: ask(world.readFile, undefined),
    listFiles: ask(world.listFiles, undefined),
    ...(readChunks === undefined ? {} : { readChunks: ask(readChunks, undefined) }),
    ...(listFolders === undefined ? {} : { listFolders: ask(listFolders, []) }),
    ...(sizeOf === undefined ? {} : { sizeOf: ask(sizeOf, undefined) }),
    ...(changedAt === undefined ? {} : { changedAt: ask(changedAt, undefined) }),
    ...(realPath === undefined ? {} : { realPath: ask(realPath, undefined) }),
  };
}
