import type { SourceMapConsumer } from 'source-map';
import { type Line1, toLine1 } from '../../../protocol/units.ts';
import { IndexedTexts, SourceIndexes } from '../source-code/source-indexes.ts';
import type { SameWords, Origin, OriginalLine, ScriptPosition } from './ask-map.ts';
import { originOf, sameWords, originalLines, surroundingsOf, isPlaceIn, endsOf, withinText } from './ask-map.ts';
import { withModules } from './bundled-modules.ts';
import { isInside } from '../../../protocol/path-spelling.ts';
import { noPathMap, type PathMap, filePathOf, isRecorder } from '../files/file-path.ts';
import { isMadeName } from './made-of.ts';
import { type MapText, lineCount } from './map-text.ts';
import { type MappedFunctions, mendOrigins } from './mend-origins.ts';
import { ScriptMaps, isInPackage } from './script-maps.ts';
import { compareTexts } from '../../basics/lists.ts';
import type { ReadText } from '../files/world.ts';
import type { MapLine } from '../../../protocol/recording-lines.ts';
import type { Warning } from '../../../words/warnings/warning-text.ts';
import { type DebuggerPlaces, placeKey } from '../import/importer.ts';

/**
 * `roots`: folders in which a bundler may have run. `toHere`: maps a source's path to this machine. `indexed`: indexes
 * of texts, made for other questions, too.
 */
interface Surroundings {
  readonly roots: readonly string[];
  readonly toHere: PathMap['toHere'];
  readonly indexed: IndexedTexts;
}

/**
 * Maps positions of scripts to their sources, by the recording's map of the script, else by that of the file on disk.
 * What was compiled in memory (jest, vitest, ts-node, tsx) has the *original's* url, so the recording's map comes
 * first. Files of `node_modules` have maps in the recording only: those on disk are seldom complete. Nothing is fetched
 * from elsewhere. Ask all positions of a script at once: a map is parsed for each question and then freed, so that
 * memory holds one parsed map. For the same map, `@jridgewell/trace-mapping` takes 1.5 to 2.2 times the time and 1.4 to
 * 1.8 times the memory of `source-map` (1 s and 600 MB for 48 MB of mappings).
 */
export class SourceMapper {
  readonly #maps: ScriptMaps;
  readonly #readText: ReadText;
  readonly #roots: readonly string[];
  readonly #indexed: IndexedTexts;
  /** Deleted files that were asked for, and that only the recording knows. */
  readonly #gone = new Set<string>();
  /** The texts in each map, by url. Where several texts have one url, the first counts. */
  readonly #contents = new WeakMap<MapText, ReadonlyMap<string | null, string | null>>();
  /** The script whose map has the text of an original. */
  readonly #scriptOf = new Map<string, string>();

  constructor(
    maps: Iterable<MapLine>,
    readText: ReadText,
    { roots = [], toHere = noPathMap.toHere, indexed = new IndexedTexts() }: Partial<Surroundings> = {},
  ) {
    this.#maps = new ScriptMaps(maps, readText, roots, toHere);
    this.#readText = readText;
    this.#roots = roots;
    this.#indexed = indexed;
  }

  /** The deleted files first, then the scripts with unnamed maps, then one warning for each script without a usable map. */
  get warnings(): readonly Warning[] {
    const paths = [...this.#gone].toSorted(compareTexts);
    const { beside, warnings } = this.#maps;
    return [
      ...(paths.length === 0 ? [] : [{ type: 'deletedFiles', paths } as const]),
      ...(beside.length === 0 ? [] : [{ type: 'mapsBeside', paths: beside } as const]),
      ...warnings,
    ];
  }

  /** Where these functions of a script were written, in the order asked. */
  async functions(url: string, starts: readonly ScriptPosition[]): Promise<readonly Origin[]> {
    const answer = await this.#ask(url, (map, consumer): MappedFunctions & { readonly isBundle: boolean } => {
      const ends = endsOf(map);
      const origins = starts.map((start) => withinText(originOf(start, map, consumer), ends));
      const isAsked = map.sources.length > 1 || origins.some(({ type }) => type === 'helper');
      const surroundings = isAsked ? surroundingsOf(starts, map, consumer) : [];
      return {
        starts,
        origins,
        surroundings,
        foundIn: map.certainLines === null ? null : map.sources.flatMap(({ url }) => url ?? []),
        isBundle: map.sources.length > 1,
      };
    });
    const fits = answer === null || (await this.#fits(url, answer.origins));
    if (answer === null || !fits) return this.#withoutMap(url, starts);
    const indexes = new SourceIndexes((original) => this.textOf(original), this.#indexed);
    const mended = await mendOrigins(answer, indexes);
    const text = answer.isBundle ? await this.#bundleText(url) : null;
    return text === null ? mended : withModules(starts, mended, answer.surroundings, text, indexes);
  }

  async #bundleText(url: string): Promise<string | null> {
    const path = filePathOf(url, this.#roots);
    return path !== null && isInside(path, this.#roots) ? this.#readText(path) : null;
  }

  /** Origins by the file of that name, if that can be what ran. */
  async #withoutMap(url: string, starts: readonly ScriptPosition[]): Promise<readonly Origin[]> {
    const path = filePathOf(url, this.#roots);
    if (this.#maps.goneOf(url) !== null) return this.#ofGone(path ?? url, starts);
    const isOwn = path !== null && isInside(path, this.#roots) && !isInPackage(path) && !isRecorder(path);
    const text = isOwn ? await this.#readText(path) : null;
    const lines = text?.split('\n');
    const isAnother = lines !== undefined && starts.some((start) => !isPlaceIn(lines, start));
    if (isAnother) this.#maps.warn(url, { type: 'textNotSeen', path: path ?? url });
    return starts.map(() => ({ type: isAnother ? 'lost' : 'asWritten' }));
  }

  #ofGone(path: string, starts: readonly ScriptPosition[]): readonly Origin[] {
    const isMade = isMadeName(path);
    if (isMade) this.#maps.warn(path, { type: 'madeFile', path });
    else this.#gone.add(path);
    return starts.map(() => ({ type: isMade ? 'lost' : 'gone' }));
  }

  /** Originals of lines of a script, in the order of the text; none for a generated line. Null without a map. */
  async lines(url: string, lines: readonly Line1[]): Promise<ReadonlyMap<Line1, readonly OriginalLine[]> | null> {
    return this.#ask(url, (map, consumer) => originalLines(lines, map, consumer));
  }

  /** How many words of a script on the disk are those of the text that each source has there, as its map says. */
  async wordsFrom(url: string): Promise<ReadonlyMap<string, SameWords>> {
    const text = await this.#read(url);
    const map = text === null ? null : await this.#maps.mapOf(url);
    const texts = new Map<string, string>();
    for (const { url: source, content } of map?.sources ?? []) {
      const now = source === null || content !== null ? null : await this.#read(source);
      if (source !== null && now !== null) texts.set(source, now);
    }
    if (text === null || texts.size === 0) return new Map();
    return (await this.#ask(url, (asked, consumer) => sameWords(text, texts, asked, consumer))) ?? new Map();
  }

  /** Maps a script by the words of its sources from now on, because these were edited after it was built. */
  async useWords(url: string): Promise<void> {
    return this.#maps.useWords(url);
  }

  /** The text of an original when it was compiled, where a map has it; else the file's. */
  async textOf(url: string): Promise<string | null> {
    return (await this.builtFrom(url)) ?? (await this.#read(url)) ?? this.#maps.goneOf(url)?.gone ?? null;
  }

  /** The text of an original when it was compiled; null where no map has it. */
  async builtFrom(url: string): Promise<string | null> {
    const script = this.#scriptOf.get(url);
    const map = script === undefined ? null : await this.#maps.mapOf(script);
    return map === null ? null : (this.#contentsOf(map).get(url) ?? null);
  }

  #contentsOf(map: MapText): ReadonlyMap<string | null, string | null> {
    const known = this.#contents.get(map);
    if (known !== undefined) return known;
    const contents = new Map(map.sources.map(({ url, content }) => [url, content] as const).toReversed());
    this.#contents.set(map, contents);
    return contents;
  }

  async #ask<Answer>(url: string, ask: (map: MapText, consumer: SourceMapConsumer) => Answer): Promise<Answer | null> {
    const map = await this.#maps.mapOf(url);
    if (map === null) return null;
    try {
      const library = await import('source-map'); // It is loaded on demand: many profiles need no map.
      const answer = await library.SourceMapConsumer.with(map.raw, null, (consumer) => ask(map, consumer));
      for (const { url: original } of map.sources) if (original !== null) this.#scriptOf.set(original, url);
      return answer;
    } catch {
      return this.#maps.refuse(url, 'broken'); // The library's reason is a code for its authors.
    }
  }

  /** Whether all positions are within their originals. If not, the original was edited after the build: warns. */
  async #fits(url: string, origins: readonly Origin[]): Promise<boolean> {
    const lastLines = new Map<string, number>();
    for (const origin of origins) {
      if (origin.type !== 'original') continue;
      lastLines.set(origin.url, Math.max(origin.line, lastLines.get(origin.url) ?? 0));
    }
    for (const [original, line] of lastLines) {
      const text = await this.textOf(original);
      if (text !== null && line >= lineCount(text)) return this.#maps.refuse(url, 'otherBuild') !== null;
    }
    return true;
  }

  async #read(url: string): Promise<string | null> {
    const path = filePathOf(url, this.#roots);
    return path === null ? null : this.#readText(path);
  }
}

type Mapper = Pick<SourceMapper, 'functions' | 'lines'>;

/** Without a map, uses the places that the debugger noted: only where each line begins, so lines are guesses. */
export function withDebuggerPlaces(mapper: Mapper, places: DebuggerPlaces): Mapper {
  if (places.size === 0) return mapper;
  return {
    functions: async (url, starts) => {
      const origins = await mapper.functions(url, starts);
      return origins.map((origin, index): Origin => {
        const start = starts[index];
        if (start === undefined || origin.type !== 'asWritten') return origin;
        const place = places.get(placeKey(url, start.line, start.column));
        if (place === undefined) return origin;
        return { type: 'original', url: place.path, line: place.line, column: place.column, name: start.name };
      });
    },
    lines: async (url, lines) => {
      const found = await mapper.lines(url, lines);
      if (found !== null) return found;
      const noted = lines.flatMap((line) => {
        const place = places.get(placeKey(url, line - 1, 0));
        return place === undefined
          ? []
          : [[line, [{ url: place.path, line: toLine1(place.line), isGuess: true }]] as const];
      });
      return noted.length === 0 ? null : new Map(noted);
    },
  };
}
