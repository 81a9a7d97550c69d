import type { MapLine } from '../../protocol/recording.ts';
import { isRecord } from '../basics/json-value.ts';
import { type ReadText, SourceMapper } from './source-mapper.ts';
import type { World } from '../files/world.ts';
import { jsonLines } from '../files/json-lines.ts';
import { longestNamed, readText } from '../files/read-text.ts';

/** Opens what the recording has of source maps; what it has not is looked for on disk when it is asked for. `roots` as `SourceMapper` takes them, `read` reads their sources. */
export async function openSourceMaps(
  mapFiles: readonly string[],
  world: World,
  roots: readonly string[],
  read: ReadText = async (path, kind) => readText(path, world, longestNamed[kind ?? 'text']),
): Promise<SourceMapper> {
  const maps: MapLine[] = [];
  for (const path of mapFiles) {
    for (const line of jsonLines((await readText(path, world)) ?? '')) if (isMapLine(line)) maps.push(line);
  }
  return new SourceMapper(maps, read, roots);
}

function isMapLine(value: unknown): value is MapLine {
  if (!isRecord(value) || typeof value['url'] !== 'string') return false;
  return typeof (value['map'] ?? value['text'] ?? value['gone']) === 'string' || value['gone'] === null;
}
