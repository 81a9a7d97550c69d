import { SourceMapConsumer } from 'source-map';
import type { MapLine } from '../../protocol/recording.ts';
import { type Column0, type Line0, type Line1, column0, line0, line1, toLine0 } from '../../protocol/units.ts';
import { filePathOf } from './file-path.ts';
import { mapReferenceOf } from './map-reference.ts';
import { mapByTokens } from './map-by-tokens.ts';
import { type MapText, readMapText } from './map-text.ts';

/** Where a function of a script begins, as V8 says. Module bodies begin at line 0, column 0 or less. */
export interface ScriptPosition {
  readonly line: Line0;
  readonly column: Column0;
  /** V8's name; `''` when anonymous. */
  readonly name: string;
}

/** What a source map says of a position. */
export type Origin =
  /** Written at this place. `url` is an absolute path, or a URL where the source is no file; `name` is the original's. */
  | {
      readonly type: 'original';
      readonly url: string;
      readonly line: Line0;
      readonly column: Column0;
      readonly name: string;
    }
  /** Nobody wrote it: a compiler's helper in a script that has a map. Its line in the profile is no line of a source. */
  | { readonly type: 'helper' }
  /** There is no usable map: the script is what was written, as far as anybody knows. */
  | { readonly type: 'asWritten' };

/** A line of an original. */
export interface OriginalLine {
  readonly url: string;
  readonly line: Line1;
}

/** Text of a file at an absolute path; null where it cannot be read (missing, no regular file, too long). */
export type ReadText = (path: string) => Promise<string | null>;

/**
 * Maps positions of scripts to their sources: by the map that the recording has for the script, else by the one
 * that the file on disk names. What was compiled in memory (jest, vitest, ts-node, tsx) goes by the *original's* url,
 * so the recording's map always counts before the text on disk. Files of `node_modules` are mapped by the recording
 * alone: their maps on disk are seldom complete. Nothing is fetched from elsewhere.
 *
 * Ask all positions of a script at once: a map is parsed for each question and freed after it, so that memory
 * holds one parsed map at a time, however many there are.
 */
export class SourceMapper {
  readonly #recorded = new Map<string, MapLine>();
  readonly #readText: ReadText;
  readonly #warnings = new Map<string, string>();
  /** The map asked last: questions about one script come in a row. */
  #last: { readonly key: string; readonly map: MapText | null } | null = null;
  /** Which script's map carries the text of an original. */
  readonly #scriptOf = new Map<string, string>();

  constructor(maps: Iterable<MapLine>, readText: ReadText) {
    this.#readText = readText;
    for (const line of maps) {
      const key = keyOf(line.url);
      if (!this.#recorded.has(key)) this.#recorded.set(key, line);
    }
  }

  /** One sentence for each map that could not be used, and what to do about it. */
  get warnings(): readonly string[] {
    return [...this.#warnings.values()];
  }

  /** Where these functions of a script were written, in the order asked. */
  async functions(url: string, starts: readonly ScriptPosition[]): Promise<readonly Origin[]> {
    const answer = await this.#ask(url, (map, consumer) => starts.map((start) => originOf(start, map, consumer)));
    const fits = answer === null || (await this.#fits(url, answer));
    return answer !== null && fits ? answer : starts.map(() => ({ type: 'asWritten' }));
  }

  /**
   * Lines of originals that stand on these lines of a script, in the order of the text: one or more for a line that
   * was written, none for one that was not. Null where the script has no usable map.
   */
  async lines(url: string, lines: readonly Line1[]): Promise<ReadonlyMap<Line1, readonly OriginalLine[]> | null> {
    return this.#ask(url, (map, consumer) => originalLines(lines, map, consumer));
  }

  /** The text of an original as it was compiled, where a map carries it; else the file's. */
  async textOf(url: string): Promise<string | null> {
    const script = this.#scriptOf.get(url);
    const map = script === undefined ? null : await this.#mapOf(script);
    const content = map?.sources.find((source) => source.url === url)?.content ?? null;
    return content ?? this.#read(url);
  }

  async #ask<Answer>(url: string, ask: (map: MapText, consumer: SourceMapConsumer) => Answer): Promise<Answer | null> {
    const map = await this.#mapOf(url);
    if (map === null) return null;
    try {
      const answer = await SourceMapConsumer.with(map.raw, null, (consumer) => ask(map, consumer));
      for (const { url: original } of map.sources) if (original !== null) this.#scriptOf.set(original, url);
      return answer;
    } catch {
      return this.#refuse(url, 'has broken mappings'); // The library's reason is a code for its authors.
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
    if ('map' in line) return this.#accept(line.url, line.map, key, null);
    const source = await this.#readText(key);
    const map = source === null ? null : mapByTokens(line.text, source, key);
    return map === null ? this.#refuse(line.url, 'was not made') : this.#accept(line.url, map, key, null);
  }

  async #mapOnDisk(url: string): Promise<MapText | null> {
    const path = filePathOf(url);
    if (path === null || /[\\/]node_modules[\\/]/.test(path)) return null;
    const text = await this.#readText(path);
    const reference = text === null ? null : mapReferenceOf(text, path);
    if (text === null || reference === null || reference.type === 'none') return null;
    if (reference.type === 'inline') return this.#accept(url, reference.text, path, text);
    if (reference.type === 'elsewhere') return this.#refuse(url, 'is not a file beside it');
    const map = await this.#readText(reference.path);
    return map === null ? this.#refuse(url, 'cannot be read') : this.#accept(url, map, reference.path, text);
  }

  /** `base` is the file that holds the map, `text` the generated one where it is on disk. */
  async #accept(url: string, mapText: string, base: string, text: string | null): Promise<MapText | null> {
    const map = readMapText(mapText, base);
    if (map.type === 'broken') return this.#refuse(url, map.reason);
    if (text !== null && map.generatedLines > lineCount(text)) return this.#refuse(url, 'is of another build');
    return map;
  }

  /** False, and said, where a position is behind the end of its original: the original was edited after the build. */
  async #fits(url: string, origins: readonly Origin[]): Promise<boolean> {
    const lastLines = new Map<string, number>();
    for (const origin of origins) {
      if (origin.type !== 'original') continue;
      lastLines.set(origin.url, Math.max(origin.line, lastLines.get(origin.url) ?? 0));
    }
    for (const [original, line] of lastLines) {
      const text = await this.textOf(original);
      if (text !== null && line >= lineCount(text)) return this.#refuse(url, 'is of another build') !== null;
    }
    return true;
  }

  #refuse(url: string, reason: string): null {
    const shown = `The source map of ${filePathOf(url) ?? url} ${reason}`;
    this.#warnings.set(
      keyOf(url),
      `${shown}: its lines are those of the built code. Build again with source maps, then record again.`,
    );
    return null;
  }

  async #read(url: string): Promise<string | null> {
    const path = filePathOf(url);
    return path === null ? null : this.#readText(path);
  }
}

const helper = { type: 'helper' } as const;

function originOf(start: ScriptPosition, map: MapText, consumer: SourceMapConsumer): Origin {
  if (start.line === 0 && start.column <= 0) return moduleBody(start, map);
  const found = lookUp(start.line, start.column, consumer);
  const url = sourceAt(found.source, map);
  if (url === null || found.line === null || found.column === null) {
    return start.line === 0 && start.name.startsWith('Object.<anonymous>') ? moduleBody(start, map) : helper;
  }
  return {
    type: 'original',
    url,
    line: toLine0(line1(found.line)),
    column: column0(found.column),
    name: nameOf(start, consumer),
  };
}

/** The function that is a whole script is the whole of its source, and of no source where a bundle has several. */
function moduleBody(start: ScriptPosition, map: MapText): Origin {
  const [only, ...others] = map.sources;
  const url = only?.url ?? null;
  if (url === null || others.length > 0) return { type: 'asWritten' };
  return { type: 'original', url, line: line0(0), column: column0(0), name: start.name };
}

/**
 * The original name of a function that has one. A function's position is that of its parameters, so the name in front
 * of it is asked for: at the position itself, an arrow function has the name of its parameter.
 */
function nameOf({ line, column, name }: ScriptPosition, consumer: SourceMapConsumer): string {
  if (name === '' || column === 0) return name;
  const before = lookUp(line, column0(column - 1), consumer);
  return before.name === null || name.endsWith(before.name) ? name : before.name;
}

function lookUp(
  line: Line0,
  column: Column0,
  consumer: SourceMapConsumer,
): ReturnType<SourceMapConsumer['originalPositionFor']> {
  const isPlace = isIndex(line) && isIndex(column);
  if (!isPlace) return { source: null, line: null, column: null, name: null };
  return consumer.originalPositionFor({ line: line + 1, column });
}

function originalLines(
  lines: readonly Line1[],
  map: MapText,
  consumer: SourceMapConsumer,
): ReadonlyMap<Line1, readonly OriginalLine[]> {
  const found = new Map<Line1, Map<string, OriginalLine>>(lines.map((line) => [line, new Map<string, OriginalLine>()]));
  consumer.eachMapping((mapping) => {
    const here = found.get(line1(mapping.generatedLine));
    if (here === undefined) return;
    const url = sourceAt(mapping.source, map);
    if (url !== null) here.set(`${mapping.source}:${mapping.originalLine}`, { url, line: line1(mapping.originalLine) });
  });
  return new Map([...found].map(([line, originals]) => [line, [...originals.values()]]));
}

/** Url of the source of that number; null where the map leaves it open. */
function sourceAt(number: string | null, { sources }: MapText): string | null {
  return number === null ? null : (sources[Number(number)]?.url ?? null);
}

function keyOf(url: string): string {
  return filePathOf(url) ?? url;
}

function isIndex(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < 2 ** 31;
}

function lineCount(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
