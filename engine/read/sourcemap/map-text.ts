import type { RawIndexMap, RawSourceMap } from 'source-map';
import { isList, isRecord, listOf, numberOf, parseJson, textOf, type Fields } from '../../../protocol/json-value.ts';
import type { WhyRefused } from '../../../words/warnings/program-warnings.ts';
import { boundedText, resolveReference } from '../files/file-path.ts';

/** A parsed source map. Sources are numbered over all sections, and the library sees only the numbers. */
export interface MapText {
  readonly type: 'map';
  readonly raw: RawSourceMap | RawIndexMap;
  readonly sources: readonly MapSource[];
  /** Number of generated lines in the map; −1 where the map has sections. */
  readonly generatedLines: number;
  /** The generated lines, from 1, of which the map is sure; null for all. */
  readonly certainLines: ReadonlySet<number> | null;
}

export interface MapSource {
  /** An absolute path, a URL of no file (`webpack://…`), or null where the map leaves it open. */
  readonly url: string | null;
  /** Text of the original when it was compiled; null where the map does not have it, or it is too long to keep. */
  readonly content: string | null;
}

interface BrokenMap {
  readonly type: 'broken';
  readonly reason: WhyRefused;
}

/** The line that servers put before JSON. */
const guard = /^\uFEFF?(?:\)\]\}'[^\n]*\n)?/;

/** In UTF-16 units. Maps are untrusted, and memory is limited. */
const MAX_LENGTH = { map: 256 * 1024 * 1024, mappings: 48 * 1024 * 1024, content: 16 * 1024 * 1024 };

/** In UTF-16 units, for what is put before the names of all sources together. */
const MAX_PREFIXES = 256 * 1024 * 1024;

/**
 * Reads an untrusted source map of version 3 (ECMA-426): rebuilds it from the parts that have the right shape. `opened`
 * as in `filePathOf`.
 */
export function readMapText(text: string, base: string, opened: readonly string[] = []): MapText | BrokenMap {
  if (text.length > MAX_LENGTH.map) return broken('tooLong');
  const map = parseJson(text.replace(guard, ''));
  if (!isRecord(map)) return broken('notJson');
  if (map['version'] !== 3 && map['version'] !== '3') return broken('otherVersion');
  if (prefixesOf(map, base) > MAX_PREFIXES) return broken('longSourceRoot');
  return isList(map['sections']) ? withSections(map['sections'], base, opened) : withoutSections(map, base, opened);
}

/** Length of what is put before its sources' names to make them complete. */
function prefixesOf(map: Fields, base: string): number {
  return (textOf(map['sourceRoot']).length + base.length) * listOf(map['sources']).length;
}

function withoutSections(map: Fields, base: string, opened: readonly string[]): MapText | BrokenMap {
  const sources = sourcesOf(map, base, opened);
  const raw = numbered(map, sources.length, 0);
  if (raw === null) return broken('noMappings');
  return { type: 'map', raw, sources, generatedLines: countOf(raw.mappings, ';') + 1, certainLines: null };
}

function withSections(sections: readonly unknown[], base: string, opened: readonly string[]): MapText | BrokenMap {
  const sources: MapSource[] = [];
  const rawSections: RawIndexMap['sections'] = [];
  let [mappings, prefixes] = [0, 0];
  for (const section of sections) {
    const map = isRecord(section) ? section['map'] : null;
    const offset = isRecord(section) ? section['offset'] : null;
    if (!isRecord(map) || !isRecord(offset)) return broken('emptySection');
    prefixes += prefixesOf(map, base);
    if (prefixes > MAX_PREFIXES) return broken('longSourceRootInSection');
    const own = sourcesOf(map, base, opened);
    const raw = numbered(map, own.length, sources.length);
    mappings += raw?.mappings.length ?? 0;
    if (raw === null || mappings > MAX_LENGTH.mappings) return broken('noMappingsInSection');
    rawSections.push({
      offset: { line: numberOf(offset['line'], -1), column: numberOf(offset['column'], -1) },
      map: raw,
    });
    for (const source of own) sources.push(source);
  }
  return { type: 'map', raw: { version: 3, sections: rawSections }, sources, generatedLines: -1, certainLines: null };
}

/** The map for the library, with numbers in place of the sources, so that the library does not rewrite them. */
function numbered(map: Fields, count: number, first: number): RawSourceMap | null {
  const mappings = map['mappings'];
  if (typeof mappings !== 'string' || mappings.length > MAX_LENGTH.mappings) return null;
  const sources = Array.from({ length: count }, (_, index) => String(first + index));
  return {
    version: 3,
    file: '',
    sources,
    names: listOf(map['names']).map((name) => boundedText(textOf(name))),
    mappings,
  };
}

function sourcesOf(map: Fields, base: string, opened: readonly string[]): MapSource[] {
  const contents = listOf(map['sourcesContent']);
  const root = typeof map['sourceRoot'] === 'string' ? map['sourceRoot'] : '';
  return listOf(map['sources']).map((source, index) => {
    const content = contents[index];
    return {
      url: typeof source === 'string' ? boundedText(resolveReference(underRoot(root, source), base, opened)) : null,
      content: typeof content === 'string' && content.length <= MAX_LENGTH.content ? content : null,
    };
  });
}

function underRoot(root: string, source: string): string {
  const isAbsolute = source.startsWith('/') || /^[a-z][a-z0-9+.-]*:/i.test(source);
  if (root === '' || isAbsolute) return source;
  return root.endsWith('/') ? `${root}${source}` : `${root}/${source}`;
}

function countOf(text: string, unit: string): number {
  let count = 0;
  for (let at = text.indexOf(unit); at >= 0; at = text.indexOf(unit, at + 1)) count += 1;
  return count;
}

function broken(reason: WhyRefused): BrokenMap {
  return { type: 'broken', reason };
}

export function lineCount(text: string): number {
  return countOf(text, '\n') + 1;
}
