import { type AnalyzeResult, analyze } from '../../engine/analyze.ts';
import type { World } from '../../engine/files/world.ts';
import { milliseconds } from '../../protocol/units.ts';
import { memoryWorld } from '../helpers/memory-world.ts';
import type { FuzzCase } from './fuzz-case.ts';

export async function analyzed({ threshold, ...given }: Omit<FuzzCase, 'sound'>): Promise<AnalyzeResult> {
  return analyze(pathsOf(given), worldOf(given), {
    thresholdUs: milliseconds(threshold),
    roots: [],
    currentFolder: '/app',
    sourceMaps: true,
  });
}

/** A file alone is named; of several the folder. */
function pathsOf({ files }: Pick<FuzzCase, 'files'>): readonly string[] {
  const inside = Object.keys(files).filter((path) => path.startsWith('/rec/'));
  return inside.length === 1 ? inside : ['/rec'];
}

function worldOf({ files, chunkSize }: Pick<FuzzCase, 'files' | 'chunkSize'>): World {
  const world = memoryWorld(files);
  const chunks = async function* (bytes: Uint8Array): AsyncIterable<Uint8Array> {
    for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize);
  };
  if (chunkSize === 0) return world;
  return {
    ...world,
    readChunks: async (path) => {
      const bytes = await world.readFile(path);
      return bytes === undefined ? undefined : chunks(bytes);
    },
  };
}
