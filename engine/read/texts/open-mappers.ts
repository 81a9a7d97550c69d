import { mapsSuffix, textsSuffix } from '../../../protocol/recording.ts';
import type { MapLine } from '../../../protocol/recording-lines.ts';
import { onceEach } from '../../basics/once.ts';
import type { IsolateSource, Sources } from '../recording-files/isolate-source.ts';
import { SourceMapper } from '../sourcemap/source-mapper.ts';
import { noPathMap, type PathMap } from '../files/path-map.ts';
import { type World, type ReadText, longestNamed, readText } from '../files/world.ts';
import type { KeptTexts } from './kept-texts.ts';
import { type Mapper, withOlderTexts } from './with-older-texts.ts';
import { isRecord, jsonLines } from '../../../protocol/json-value.ts';

/**
 * Opens source maps of what ran, with the texts that ran, because those on the disk may have changed. `roots` is as in
 * `SourceMapper`.
 */
export async function openMappers(
  { mapFiles }: Pick<Sources, 'mapFiles'>,
  texts: KeptTexts,
  world: World,
  roots: readonly string[],
  paths: PathMap = noPathMap,
): Promise<Mapper & Pick<SourceMapper, 'warnings'>> {
  const named = async (path: string, kind: 'map' | 'text' = 'text'): Promise<string | null> =>
    readText(path, world, longestNamed[kind]);
  const once = onceEach(async (path: string) => (await texts.textOf(path)) ?? named(path));
  const read: ReadText = async (path, kind) => (kind === undefined ? once(path) : named(path, kind));
  const latest = await openSourceMaps(texts.hasOlder ? mapFiles.toSorted(byEnd) : mapFiles, world, roots, read, paths);
  const older = onceEach(async (text: string): Promise<Mapper> => {
    const beside = texts.beside(text);
    if (beside === null) return latest;
    const own = mapFileOf(beside.source);
    const files = [...mapFiles.filter((file) => file === own), ...mapFiles.filter((file) => file !== own)];
    const readBeside: ReadText = async (path, kind) => (await beside.textOf(path)) ?? named(path, kind);
    return openSourceMaps(files, world, roots, readBeside, paths);
  });
  const mapper = withOlderTexts(latest, older);
  return {
    ...mapper,
    get warnings() {
      return latest.warnings;
    },
  };
}

/** Orders files of source maps so that the isolate that began last comes first. */
function byEnd(a: string, b: string): number {
  return startOf(b) - startOf(a);
}

function startOf(file: string): number {
  const start = /-([0-9a-z]+)\.maps\.jsonl$/.exec(file)?.[1];
  return start === undefined ? 0 : Number.parseInt(start, 36);
}

function mapFileOf({ textsFile }: IsolateSource): string {
  return textsFile === null ? '' : `${textsFile.slice(0, -textsSuffix.length)}${mapsSuffix}`;
}

/**
 * Opens the source maps of the recording. Maps that it does not have are looked for on disk when they are asked for.
 * `roots` is as in `SourceMapper`, `read` reads their sources.
 */
export async function openSourceMaps(
  mapFiles: readonly string[],
  world: World,
  roots: readonly string[],
  read: ReadText = async (path, kind) => readText(path, world, longestNamed[kind ?? 'text']),
  { toHere }: PathMap = noPathMap,
): Promise<SourceMapper> {
  const maps: MapLine[] = [];
  for (const path of mapFiles) {
    for (const line of jsonLines((await readText(path, world)) ?? ''))
      if (isMapLine(line)) maps.push({ ...line, url: toHere(line.url) });
  }
  return new SourceMapper(maps, read, roots, toHere);
}

function isMapLine(value: unknown): value is MapLine {
  if (!isRecord(value) || typeof value['url'] !== 'string') return false;
  return typeof (value['map'] ?? value['text'] ?? value['gone']) === 'string' || value['gone'] === null;
}
