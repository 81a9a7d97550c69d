import type { SourceMapConsumer } from 'source-map';
import type { Line1 } from '../../protocol/units.ts';
import { SourceIndexes } from '../source-code/source-indexes.ts';
import { originOf, originalLines, surroundingsOf } from './ask-map.ts';
import { withModules } from './bundled-modules.ts';
import { filePathOf, isRecorder, isInside } from '../files/file-path.ts';
import { besideScript, foldersAround, locateSource } from './locate-source.ts';
import { type NamedSource, isMadeName, sourcesOfMade } from './made-of.ts';
import { mapReferenceOf, textOfDataUrl } from './map-reference.ts';
import { type MapText, readMapText, isPlaceIn, endsOf, withinText, lineCount, type MapFault } from './map-text.ts';
import { type MappedFunctions, mendOrigins } from './mend-origins.ts';
import type { Origin, OriginalLine, ScriptPosition } from './origin.ts';
import { compareTexts } from '../basics/lists.ts';
import type { ReadText } from '../files/world.ts';
import type { MapLine } from '../../protocol/recording-lines.ts';

/** What is to be said where lines are not those of the sources, because a source map is missing or cannot be used. */
export type SourceMapWarning =
  /** The files were deleted before the program had ended: lines are those of the deleted text. */
  | { readonly type: 'deletedFiles'; readonly paths: readonly string[] }
  /** A tool made the file of a configuration, and deleted it. */
  | { readonly type: 'madeFile'; readonly path: string }
  | { readonly type: 'sourceMapRefused'; readonly path: string; readonly reason: WhyRefused }
  /** What ran under the name of the file is not its text. */
  | { readonly type: 'textNotSeen'; readonly path: string };

/**
 * Why the map of a script is not used. `broken`: the library refused its mappings. `notMade`: none could be made of the
 * recorded text. `elsewhere`: the script names no file beside it. `unreadable`: that file cannot be read. `otherBuild`:
 * it does not fit the texts.
 */
export type WhyRefused = MapFault | 'broken' | 'notMade' | 'elsewhere' | 'unreadable' | 'otherBuild';

/**
 * Maps positions of scripts to their sources: by the map that the recording has for the script, else by the one
 * that the file on disk names. What was compiled in memory (jest, vitest, ts-node, tsx) goes by the *original's* url,
 * so the recording's map always counts before the text on disk. Files of `node_modules` are mapped by the recording
 * alone: their maps on disk are seldom complete. Nothing is fetched from elsewhere.
 *
 * Ask all positions of a script at once: a map is parsed for each question and freed after it, so that memory
 * holds one parsed map at a time, however many there are. The parser is `source-map`, in WebAssembly: for the same map
 * `@jridgewell/trace-mapping` takes 1.5 to 2.2 times the time and 1.4 to 1.8 times the memory (1 s and 600 MB for 48 MB of mappings).
 */
export class SourceMapper {
  readonly #recorded = new Map<string, MapLine>();
  readonly #readText: ReadText;
  readonly #roots: readonly string[];
  readonly #warnings = new Map<string, SourceMapWarning>();
  /** Deleted files of which something is told. */
  readonly #gone = new Set<string>();
  /** The map that was asked last, because questions about one script come in a row. */
  #last: { readonly key: string; readonly map: MapText | null } | null = null;
  /** Texts in maps, by url. Of several texts of one url the first counts. */
  readonly #contents = new WeakMap<MapText, ReadonlyMap<string | null, string | null>>();
  /** The script whose map has the text of an original. */
  readonly #scriptOf = new Map<string, string>();

  /** `roots` are the folders in which a bundler may have run, where its own names of sources are looked for. */
  constructor(maps: Iterable<MapLine>, readText: ReadText, roots: readonly string[] = []) {
    this.#readText = readText;
    this.#roots = roots;
    for (const line of maps) {
      const key = keyOf(line.url);
      const known = this.#recorded.get(key);
      if (known === undefined || worthOf(line) > worthOf(known)) this.#recorded.set(key, line);
    }
  }

  /**
   * One for each script without a usable map, by type and path: their order does not depend on the order of questions.
   */
  get warnings(): readonly SourceMapWarning[] {
    const paths = [...this.#gone].toSorted(compareTexts);
    const others = [...this.#warnings.values()].toSorted((a, b) => compareTexts(orderOf(a), orderOf(b)));
    return paths.length === 0 ? others : [{ type: 'deletedFiles', paths }, ...others];
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
    const indexes = new SourceIndexes((original) => this.textOf(original));
    const mended = await mendOrigins(answer, indexes);
    const text = answer.isBundle ? await this.#bundleText(url) : null;
    return text === null ? mended : withModules(starts, mended, answer.surroundings, text, indexes);
  }

  async #bundleText(url: string): Promise<string | null> {
    const path = filePathOf(url);
    return path !== null && isInside(path, this.#roots) ? this.#readText(path) : null;
  }

  /** Origins by the file of that name, if that can be what ran. */
  async #withoutMap(url: string, starts: readonly ScriptPosition[]): Promise<readonly Origin[]> {
    const path = filePathOf(url);
    if (this.#goneOf(url) !== null) return this.#ofGone(path ?? url, starts);
    const isOwn = path !== null && isInside(path, this.#roots) && !theirs.test(path) && !isRecorder(path);
    const text = isOwn ? await this.#readText(path) : null;
    const lines = text?.split('\n');
    const isAnother = lines !== undefined && starts.some((start) => !isPlaceIn(lines, start));
    if (isAnother) this.#warnings.set(keyOf(url), { type: 'textNotSeen', path: path ?? url });
    return starts.map(() => ({ type: isAnother ? 'lost' : 'asWritten' }));
  }

  /** What the recording says of a script whose file was gone; null for others. */
  #goneOf(url: string): Extract<MapLine, { readonly gone: unknown }> | null {
    const line = this.#recorded.get(keyOf(url));
    return line !== undefined && 'gone' in line ? line : null;
  }

  #ofGone(path: string, starts: readonly ScriptPosition[]): readonly Origin[] {
    const isMade = isMadeName(path);
    if (isMade) this.#warnings.set(path, { type: 'madeFile', path });
    else this.#gone.add(path);
    return starts.map(() => ({ type: isMade ? 'lost' : 'gone' }));
  }

  /**
   * Lines of originals for these lines of a script, in the order of the text: one or more for a line that was written,
   * none for one that was not. Null where the script has no usable map.
   */
  async lines(url: string, lines: readonly Line1[]): Promise<ReadonlyMap<Line1, readonly OriginalLine[]> | null> {
    return this.#ask(url, (map, consumer) => originalLines(lines, map, consumer));
  }

  /** The text of an original when it was compiled, where a map has it; else the file's. */
  async textOf(url: string): Promise<string | null> {
    const script = this.#scriptOf.get(url);
    const map = script === undefined ? null : await this.#mapOf(script);
    const content = map === null ? null : (this.#contentsOf(map).get(url) ?? null);
    return content ?? (await this.#read(url)) ?? this.#goneOf(url)?.gone ?? null;
  }

  #contentsOf(map: MapText): ReadonlyMap<string | null, string | null> {
    const known = this.#contents.get(map);
    if (known !== undefined) return known;
    const contents = new Map(map.sources.map(({ url, content }) => [url, content] as const).toReversed());
    this.#contents.set(map, contents);
    return contents;
  }

  async #ask<Answer>(url: string, ask: (map: MapText, consumer: SourceMapConsumer) => Answer): Promise<Answer | null> {
    const map = await this.#mapOf(url);
    if (map === null) return null;
    try {
      const library = await import('source-map'); // It is loaded on demand: many profiles need no map.
      const answer = await library.SourceMapConsumer.with(map.raw, null, (consumer) => ask(map, consumer));
      for (const { url: original } of map.sources) if (original !== null) this.#scriptOf.set(original, url);
      return answer;
    } catch {
      return this.#refuse(url, 'broken'); // The library's reason is a code for its authors.
    }
  }

  async #mapOf(url: string): Promise<MapText | null> {
    const key = keyOf(url);
    if (url === '' || this.#warnings.has(key)) return null;
    if (this.#last?.key === key) return this.#last.map;
    const recorded = this.#recorded.get(key);
    const map = await (recorded === undefined ? this.#mapOnDisk(url) : this.#mapRecorded(recorded, key));
    this.#last = { key, map };
    return map;
  }

  async #mapRecorded(line: MapLine, key: string): Promise<MapText | null> {
    if ('map' in line) return this.#accept(line.url, recordedMap(line.map), key, null);
    const text = 'text' in line ? line.text : line.gone;
    const sources = text === null ? [] : await this.#sourcesBehind(line, key);
    const { mapByTokens } = await import('./map-by-tokens.ts');
    const found = text === null || sources.length === 0 ? null : mapByTokens(text, sources);
    if (found === null) return 'gone' in line ? null : this.#refuse(line.url, 'notMade');
    const map = await this.#accept(line.url, found.map, key, null);
    return map === null ? null : { ...map, certainLines: found.certainLines };
  }

  /**
   * What a text without a map may have been made from: the file of its name, or files to which a tool gave another
   * name.
   */
  async #sourcesBehind(line: MapLine, path: string): Promise<readonly NamedSource[]> {
    if ('gone' in line) return sourcesOfMade(path, this.#readText);
    const text = await this.#readText(path);
    return text === null ? [] : [{ url: path, text }];
  }

  async #mapOnDisk(url: string): Promise<MapText | null> {
    const path = filePathOf(url);
    if (path === null || theirs.test(path)) return null;
    const text = await this.#readText(path);
    const reference = text === null ? null : mapReferenceOf(text, path);
    if (text === null || reference === null || reference.type === 'none') return null;
    if (reference.type === 'inline') return this.#accept(url, reference.text, path, text);
    if (reference.type === 'elsewhere') return this.#refuse(url, 'elsewhere');
    const map = await this.#readText(reference.path, 'map');
    return map === null ? this.#refuse(url, 'unreadable') : this.#accept(url, map, reference.path, text);
  }

  /** `base` is the file that contains the map, `text` the generated text where it is on disk. */
  async #accept(url: string, mapText: string, base: string, text: string | null): Promise<MapText | null> {
    const map = readMapText(mapText, base);
    if (map.type === 'broken') return this.#refuse(url, map.reason);
    if (text !== null && map.generatedLines > lineCount(text)) return this.#refuse(url, 'otherBuild');
    const folders = foldersAround(url, this.#roots);
    const mayBeInMemory = text === null && map.sources.some((source) => besideScript(source, base) !== null);
    const isInMemory = mayBeInMemory && (await this.#readText(base)) === null;
    const sources = await Promise.all(
      map.sources.map(async (source, index) =>
        index * folders.length > mostLooks
          ? source
          : locateSource(source, folders, this.#readText, isInMemory ? base : null),
      ),
    );
    return { ...map, sources };
  }

  /**
   * Whether all positions are within their originals. If one is not, the original was edited after the build, and a
   * warning says so.
   */
  async #fits(url: string, origins: readonly Origin[]): Promise<boolean> {
    const lastLines = new Map<string, number>();
    for (const origin of origins) {
      if (origin.type !== 'original') continue;
      lastLines.set(origin.url, Math.max(origin.line, lastLines.get(origin.url) ?? 0));
    }
    for (const [original, line] of lastLines) {
      const text = await this.textOf(original);
      if (text !== null && line >= lineCount(text)) return this.#refuse(url, 'otherBuild') !== null;
    }
    return true;
  }

  #refuse(url: string, reason: WhyRefused): null {
    this.#warnings.set(keyOf(url), { type: 'sourceMapRefused', path: keyOf(url), reason });
    return null;
  }

  async #read(url: string): Promise<string | null> {
    const path = filePathOf(url);
    return path === null ? null : this.#readText(path);
  }
}

/**
 * Most looks for files behind the sources of one map, in all folders: a bundle of thousands of modules has two or three
 * folders around it.
 */
const mostLooks = 40_000;

const theirs = /[\\/]node_modules[\\/]/;

function orderOf(warning: SourceMapWarning): string {
  return warning.type === 'deletedFiles' ? '' : `${warning.type} ${warning.path}`;
}

/** Order of lines by how much they tell: a map tells more than a text, which tells more than that a file is gone. */
function worthOf(line: MapLine): number {
  return 'map' in line ? 2 : 'text' in line ? 1 : 0;
}

function recordedMap(map: string): string {
  return map.startsWith('data:') ? (textOfDataUrl(map) ?? '') : map;
}

function keyOf(url: string): string {
  return filePathOf(url) ?? url;
}
