import { mapsSuffix, textsSuffix } from '../../../protocol/recording.ts';
import type { MapLine, MapReference, WrittenMapLine } from '../../../protocol/recording-lines.ts';
import type { Sources } from '../recording-files/isolate-source.ts';
import { SourceMapper } from '../sourcemap/source-mapper.ts';
import { IndexedTexts } from '../source-code/source-indexes.ts';
import { noPathMap, type PathMap, fileKey, hasBreaks, olderTextOf, olderUrl, plainUrl } from '../files/file-path.ts';
import { type World, type ReadText, MAX_NAMED_BYTES, readText } from '../files/world.ts';
import { type KeptTexts, startOf } from './kept-texts.ts';
import { isRecord, jsonLines } from '../../../protocol/json-value.ts';
import type { Line1 } from '../../../protocol/units.ts';
import type { Origin, OriginalLine, OriginalPosition, ScriptPosition } from '../sourcemap/ask-map.ts';
import type { PlaceInText } from './place-in-text.ts';
import { onceEach } from '../../basics/once.ts';

/** `roots` as in `SourceMapper`. */
interface Mapping {
  readonly roots: readonly string[];
  readonly paths?: PathMap;
  readonly indexed?: IndexedTexts;
  /** Maps in the profiles themselves. */
  readonly maps?: readonly MapLine[];
}

/** Opens source maps with the texts that ran, because those on the disk may have changed. */
export async function openMappers(
  { mapFiles }: Pick<Sources, 'mapFiles'>,
  texts: KeptTexts,
  world: World,
  mapping: Mapping,
): Promise<Mapper & Pick<SourceMapper, 'warnings' | 'builtFrom' | 'wordsFrom' | 'useWords'>> {
  const named = async (path: string, kind: 'map' | 'text' = 'text'): Promise<string | null> =>
    readText(path, world, MAX_NAMED_BYTES[kind]);
  const once = onceEach(async (path: string) => (await texts.textOf(path)) ?? named(path));
  const read: ReadText = async (path, kind) => (kind === undefined ? once(path) : named(path, kind));
  // The maps of the isolate that began last come first.
  const sorted = texts.hasOlder ? mapFiles.toSorted((a, b) => startOf(b) - startOf(a)) : mapFiles;
  const latest = await openSourceMaps(sorted, world, mapping, read);
  if (!texts.isOfRecording) return latest;
  const older = onceEach(async (text: string): Promise<Mapper> => {
    const beside = texts.beside(text);
    if (beside === null) return latest;
    const own = `${(beside.source.textsFile ?? '').slice(0, -textsSuffix.length)}${mapsSuffix}`;
    const files = [...mapFiles.filter((file) => file === own), ...mapFiles.filter((file) => file !== own)];
    const readBeside: ReadText = async (path, kind) => (await beside.textOf(path)) ?? named(path, kind);
    return openSourceMaps(files, world, mapping, readBeside);
  });
  const mapper = withOlderTexts(latest, older);
  return {
    ...mapper,
    builtFrom: async (url) => latest.builtFrom(url),
    wordsFrom: async (url) => latest.wordsFrom(url),
    useWords: async (url) => latest.useWords(url),
    get warnings() {
      return latest.warnings;
    },
  };
}

/** Opens the recording's source maps; others are looked for on disk. `read` reads sources. */
export async function openSourceMaps(
  mapFiles: readonly string[],
  world: World,
  { roots, paths: { toHere } = noPathMap, indexed = new IndexedTexts(world.keptIndexes), maps: given = [] }: Mapping,
  read: ReadText = async (path, kind) => readText(path, world, MAX_NAMED_BYTES[kind ?? 'text']),
): Promise<SourceMapper> {
  const lines: WrittenMapLine[] = given.map((line) => ({ ...line, url: toHere(line.url) }));
  for (const path of mapFiles)
    for (const line of jsonLines((await readText(path, world)) ?? ''))
      if (isMapLine(line) || isReference(line)) lines.push({ ...line, url: toHere(line.url) });
  const byKey = new Map<string, MapLine>();
  for (const line of lines) if (isMapLine(line) && line.key !== undefined) byKey.set(line.key, line);
  const maps = lines.flatMap((line) => (isMapLine(line) ? line : (byKey.get(line.key) ?? [])));
  // The recorder has looked for such a file by the url that V8 has.
  const known = maps.filter((line) => !('gone' in line && hasBreaks(line.url)));
  return new SourceMapper(known, read, { roots, toHere, indexed });
}

function isMapLine(value: unknown): value is Exclude<WrittenMapLine, MapReference> {
  if (!isRecord(value) || typeof value['url'] !== 'string') return false;
  return typeof (value['map'] ?? value['text'] ?? value['gone']) === 'string' || value['gone'] === null;
}

function isReference(value: unknown): value is MapReference {
  return isRecord(value) && typeof value['url'] === 'string' && typeof value['key'] === 'string';
}

export type Mapper = Pick<SourceMapper, 'functions' | 'lines' | 'textOf'>;

/**
 * Moves functions of an older text to where the last text has them, so that each is one function. Functions that the
 * last text lacks keep their place. `older` gives the mapper for the name of a text.
 */
export function withOlderTexts(latest: Mapper, older: (text: string) => Promise<Mapper>): Mapper {
  const mapperOf = async (url: string): Promise<Mapper> => {
    const text = olderTextOf(url);
    return text === null ? latest : older(text);
  };
  const placesOf = onceEach(async (url: string): Promise<PlaceInText | null> => {
    const before = await (await mapperOf(url)).textOf(plainUrl(url));
    const now = await latest.textOf(plainUrl(url));
    if (before === null || now === null) return null;
    // It is loaded on demand: it brings the parser.
    return (await import('./place-in-text.ts')).placeInText(before, now, plainUrl(url));
  });
  return {
    functions: async (url, starts) => {
      const origins = await (await mapperOf(url)).functions(plainUrl(url), starts);
      if (olderTextOf(url) === null) return origins;
      const found = await Promise.all(
        origins.map(async (origin, index): Promise<Origin | BuiltElsewhere> => {
          const start = starts[index];
          return start === undefined ? origin : originNow(url, start, origin, placesOf);
        }),
      );
      return withBuilt(found, async (built) => latest.functions(plainUrl(url), built));
    },
    lines: async (url, lines) => {
      const origins = await (await mapperOf(url)).lines(plainUrl(url), lines);
      const text = olderTextOf(url);
      if (text === null) return origins;
      const places = await placesOf(url);
      const found = lines.map((line): OlderLine => {
        const here = origins === null ? [{ url: plainUrl(url), line, isGuess: false }] : (origins.get(line) ?? []);
        return { line, here, ...linesNow(url, line, here, places) };
      });
      return linesOf(found, text, async (built) => latest.lines(plainUrl(url), built));
    },
    textOf: async (url) => (await mapperOf(url)).textOf(plainUrl(url)),
  };
}

type PlacesOf = (url: string) => Promise<PlaceInText | null>;

/** A function whose place is found by the source map of the script that ran last. */
interface BuiltElsewhere {
  readonly type: 'builtElsewhere';
  readonly start: ScriptPosition;
  readonly before: OriginalPosition;
}

/** `url` is that of the script that ran, as an older text. */
async function originNow(
  url: string,
  start: ScriptPosition,
  origin: Origin,
  placesOf: PlacesOf,
): Promise<Origin | BuiltElsewhere> {
  if (origin.type !== 'original' && origin.type !== 'asWritten') return origin;
  const here: OriginalPosition =
    origin.type === 'original' ? origin : { ...start, type: 'original', url: plainUrl(url) };
  if (start.line <= 0 && start.column <= 0) return here; // The whole module is the same, whatever is in it.
  const before = { ...here, url: olderUrl(here.url, olderTextOf(url) ?? '') };
  if (isItself(here.url, url)) {
    const place = (await placesOf(before.url))?.function(here) ?? null;
    return place === null || place === 'unknown' ? before : { ...here, ...place };
  }
  const built = (await placesOf(url))?.function(start) ?? null;
  if (built === null || built === 'unknown') return before;
  return { type: 'builtElsewhere', start: { ...start, ...built }, before };
}

/** Adds the places of built functions. They are asked for at once, because the map is read again for each question. */
async function withBuilt(
  found: readonly (Origin | BuiltElsewhere)[],
  ask: (starts: readonly ScriptPosition[]) => Promise<readonly Origin[]>,
): Promise<readonly Origin[]> {
  const elsewhere = found.filter((one) => one.type === 'builtElsewhere');
  const asked = elsewhere.length === 0 ? [] : await ask(elsewhere.map(({ start }) => start));
  const origins = new Map<Origin | BuiltElsewhere, Origin>(
    elsewhere.map((one, index) => {
      const now = asked[index];
      return [one, now === undefined || now.type === 'asWritten' ? one.before : now];
    }),
  );
  return found.map((one) => (one.type === 'builtElsewhere' ? (origins.get(one) ?? one.before) : one));
}

interface OlderLine extends LinesNow {
  readonly line: Line1;
  readonly here: readonly OriginalLine[];
}

/** `built`: the script's line in the last text, to look up in its map; null for none. */
interface LinesNow {
  readonly now: readonly OriginalLine[];
  readonly built: Line1 | null;
}

function linesNow(url: string, line: Line1, here: readonly OriginalLine[], places: PlaceInText | null): LinesNow {
  const now = here.every((one) => isItself(one.url, url))
    ? here.map((one) => ({ ...one, line: places?.line(one.line) ?? null }))
    : [];
  const itself = now.flatMap((one) => (one.line === null ? [] : [{ ...one, line: one.line }]));
  if (now.length > 0 || here.length === 0) return { now: itself, built: null };
  return { now: [], built: places?.line(line) ?? null };
}

/** Places of lines in both texts. A line of an unchanged function may also belong to a changed one around it. */
async function linesOf(
  found: readonly OlderLine[],
  text: string,
  ask: (lines: readonly Line1[]) => ReturnType<Mapper['lines']>,
): Promise<ReadonlyMap<Line1, readonly OriginalLine[]>> {
  const built = found.flatMap((one) => (one.built === null ? [] : [one.built]));
  const ofBuilt = built.length === 0 ? null : await ask(built);
  return new Map(
    found.map((one) => {
      const now = one.built === null ? one.now : (ofBuilt?.get(one.built) ?? []);
      return [one.line, [...now, ...one.here.map((each) => ({ ...each, url: olderUrl(each.url, text) }))]] as const;
    }),
  );
}

/** Whether a script has the url of its source. Then it is that source, or a tool made it from the source in memory. */
function isItself(source: string, url: string): boolean {
  return fileKey(source) === fileKey(plainUrl(url));
}
