import { compareTexts, sumOf } from '../../basics/lists.ts';
import { isInside, pathBelow, trimEnd } from '../../../protocol/path-spelling.ts';
import { decoded, filePathOf, resolveReference, type PathMap } from '../files/file-path.ts';
import type { ReadText } from '../files/world.ts';
import type { MapLine } from '../../../protocol/recording-lines.ts';
import { type NamedSource, sourcesOfMade } from './made-of.ts';
import { sameWords } from './ask-map.ts';
import { type MapSource, type MapText, readMapText, lineCount } from './map-text.ts';
import type { Warning } from '../../../words/warnings/warning-text.ts';
import type { WhyRefused } from '../../../words/warnings/program-warnings.ts';
import { textOfBase64 } from '../../basics/bytes.ts';

/** Each character can match in one way only. Otherwise a banner of a hundred slashes would take extremely long. */
const onlyComments = /^\s*(?:\*\/\s*)?(?:\/\/[^\n]*(?:\n\s*|$))*$/;

/** About the lines of one script. */
type ScriptWarning = Warning<'madeFile' | 'sourceMapRefused' | 'textNotSeen'>;

/** Finds the source map of a script: in the recording, else on disk. Warns once of a missing or refused one. */
export class ScriptMaps {
  readonly #recorded = new Map<string, MapLine>();
  readonly #readText: ReadText;
  readonly #roots: readonly string[];
  readonly #toHere: PathMap['toHere'];
  readonly #warnings = new Map<string, ScriptWarning>();
  /** Maps by words, of scripts whose own map is of another text of a source. */
  readonly #byWords = new Map<string, MapText | null>();
  /** Scripts whose map is in a file that they do not name. */
  readonly #beside = new Set<string>();
  /** The map that was asked for last, because questions about one script come in a row. */
  #last: { readonly key: string; readonly map: MapText | null } | null = null;

  /** `roots` are the folders in which a bundler may have run, where its own names of sources are looked for. */
  constructor(maps: Iterable<MapLine>, readText: ReadText, roots: readonly string[], toHere: PathMap['toHere']) {
    this.#readText = readText;
    this.#toHere = toHere;
    this.#roots = roots;
    for (const line of maps) {
      const key = this.#keyOf(line.url);
      const known = this.#recorded.get(key);
      if (known === undefined || worthOf(line) > worthOf(known)) this.#recorded.set(key, line);
    }
  }

  #keyOf(url: string): string {
    return filePathOf(url, this.#roots) ?? url;
  }

  /** At most one for each script, by type and path: their order does not depend on the order of questions. */
  get warnings(): readonly ScriptWarning[] {
    return [...this.#warnings.values()].toSorted((a, b) => compareTexts(`${a.type} ${a.path}`, `${b.type} ${b.path}`));
  }

  /** Absolute paths of the scripts whose map is in a file beside them that they do not name. */
  get beside(): readonly string[] {
    return [...this.#beside].toSorted(compareTexts);
  }

  /** The map of a script, with its sources looked for on the disk; null where it has no usable one. */
  async mapOf(url: string): Promise<MapText | null> {
    const key = this.#keyOf(url);
    if (url === '' || this.#warnings.has(key)) return null;
    if (this.#last?.key === key) return this.#last.map;
    const byWords = this.#byWords.get(key);
    if (byWords !== undefined) return byWords;
    const recorded = this.#recorded.get(key);
    const map = await (recorded === undefined ? this.#mapOnDisk(url) : this.#mapRecorded(recorded, key));
    this.#last = { key, map };
    return map;
  }

  /** Maps a script on the disk by the words of its sources from now on, because these were edited. */
  async useWords(url: string): Promise<void> {
    const [map, text] = [await this.mapOf(url), await this.#readText(filePathOf(url, this.#roots) ?? '')];
    const sources: NamedSource[] = [];
    for (const source of map?.sources ?? []) {
      const now = source.content ?? (source.url === null ? null : await this.#readText(source.url));
      if (source.url !== null && now !== null) sources.push({ url: source.url, text: now });
    }
    const { mapByTokens } = await import('./map-by-tokens.ts');
    const found = text === null || text.length > MAX_WORDS ? null : mapByTokens(text, sources, true);
    const read = found === null ? null : readMapText(found.map, url, this.#roots);
    const isMap = found !== null && read?.type === 'map';
    this.#last = null;
    this.#byWords.set(this.#keyOf(url), isMap ? { ...read, certainLines: found.certainLines } : null);
  }

  async #mapRecorded(line: MapLine, key: string): Promise<MapText | null> {
    if ('map' in line) {
      const map = line.map.startsWith('data:') ? (textOfDataUrl(line.map) ?? '') : line.map;
      return this.#accept(line.url, map, key, null);
    }
    const text = 'text' in line ? line.text : line.gone;
    const sources = text === null ? [] : await this.#sourcesBehind(line, key);
    const { mapByTokens } = await import('./map-by-tokens.ts');
    const found = text === null || sources.length === 0 ? null : mapByTokens(text, sources);
    if (found === null) return 'gone' in line ? null : this.refuse(line.url, 'notMade');
    const map = await this.#accept(line.url, found.map, key, null);
    return map === null ? null : { ...map, certainLines: found.certainLines };
  }

  /** What a text without a map may be made from: the file of its name, or files to which a tool gave another name. */
  async #sourcesBehind(line: MapLine, path: string): Promise<readonly NamedSource[]> {
    if ('gone' in line) return sourcesOfMade(path, this.#readText);
    const text = await this.#readText(path);
    return text === null ? [] : [{ url: path, text }];
  }

  async #mapOnDisk(url: string): Promise<MapText | null> {
    const path = filePathOf(url, this.#roots);
    if (path === null || isInPackage(path)) return null;
    const text = await this.#readText(path);
    if (text === null) return null;
    const reference = mapReferenceOf(text, path, this.#roots);
    if (reference.type === 'inline') return this.#accept(url, reference.text, path, text);
    if (reference.type === 'none' || reference.type === 'elsewhere') {
      const beside = await this.#mapBeside(url, path, text);
      return beside === null && reference.type === 'elsewhere' ? this.refuse(url, 'elsewhere') : beside;
    }
    const map = await this.#readText(reference.path, 'map');
    return map === null ? this.refuse(url, 'unreadable') : this.#accept(url, map, reference.path, text);
  }

  /** The map in the file beside a script that names none, if most words are where it says; null without such a map. */
  async #mapBeside(url: string, path: string, text: string): Promise<MapText | null> {
    const written = await this.#readText(`${path}.map`, 'map');
    const read = written === null ? null : readMapText(written, path, this.#roots);
    if (written === null || read?.type !== 'map' || read.generatedLines > lineCount(text)) return null;
    const sources = new Map<string, string>();
    for (const { url: source, content } of read.sources) {
      const known = source === null ? null : (content ?? (await this.#readText(source)));
      if (source !== null && known !== null) sources.set(source, known);
    }
    const { SourceMapConsumer } = await import('source-map'); // It is loaded on demand: many profiles need no map.
    const counts = await SourceMapConsumer.with(read.raw, null, (consumer) => sameWords(text, sources, read, consumer))
      .then((found) => [...found.values()])
      .catch(() => []); // Its mappings are broken.
    const there = sumOf(counts, (one) => one.there);
    if (there === 0 || there * LEAST_THERE < sumOf(counts, ({ missing }) => missing)) return null;
    this.#beside.add(path);
    return this.#accept(url, written, path, text);
  }

  /** `base` is the file that contains the map, `text` the generated text where it is on disk. */
  async #accept(url: string, mapText: string, base: string, text: string | null): Promise<MapText | null> {
    const read = readMapText(mapText, base, this.#roots);
    if (read.type === 'broken') return this.refuse(url, read.reason);
    const map = { ...read, sources: read.sources.map((source) => this.#here(source)) };
    if (text !== null && map.generatedLines > lineCount(text)) return this.refuse(url, 'otherBuild');
    const folders = foldersAround(url, this.#roots);
    const isOwn = (source: MapSource): boolean => (besideScript(source, base) ?? onServer(source, base)) !== null;
    const mayBeInMemory = text === null && map.sources.some(isOwn);
    const isInMemory = mayBeInMemory && (await this.#readText(base)) === null;
    const sources = await Promise.all(
      map.sources.map(async (source, index) =>
        index * folders.length > MAX_LOOKS
          ? source
          : locateSource(source, folders, this.#readText, isInMemory ? base : null),
      ),
    );
    return { ...map, sources };
  }

  #here(source: MapSource): MapSource {
    return source.url === null ? source : { ...source, url: this.#toHere(source.url) };
  }

  /** What the recording says of a script whose file was gone; null for others. */
  goneOf(url: string): Extract<MapLine, { readonly gone: unknown }> | null {
    const line = this.#recorded.get(this.#keyOf(url));
    return line !== undefined && 'gone' in line ? line : null;
  }

  /** Says that the map of a script is not used. Returns null, which is what the caller returns for it. */
  refuse(url: string, reason: WhyRefused): null {
    this.warn(url, { type: 'sourceMapRefused', path: this.#keyOf(url), reason });
    return null;
  }

  /** Keeps what is to be said of a script. A later warning takes the place of an earlier one. */
  warn(url: string, warning: ScriptWarning): void {
    this.#warnings.set(this.#keyOf(url), warning);
  }
}

/** Minifiers rename some words, so this many of them may be missing for each that is there. */
const LEAST_THERE = 3;

/** In UTF-16 units: the words of a longer text are not compared. */
const MAX_WORDS = 4 * 1024 * 1024;

/** Limits looks for files behind the sources of one map: a bundle of thousands of modules has two or three folders. */
const MAX_LOOKS = 40_000;

export function isInPackage(path: string): boolean {
  return /[\\/]node_modules[\\/]/.test(path);
}

/** Order of lines by their value: a map, a text, the note that a file is gone. */
function worthOf(line: MapLine): number {
  return 'map' in line ? 2 : 'text' in line ? 1 : 0;
}

type MapReference =
  | { readonly type: 'none' }
  | { readonly type: 'inline'; readonly text: string }
  | { readonly type: 'file'; readonly path: string }
  /** The map is on a server, or in an unknown form: it is never fetched. */
  | { readonly type: 'elsewhere'; readonly url: string };

/** The last `//# sourceMappingURL=` of a text, if only comments follow it: not one in a string. Source: ECMA-426. */
export function mapReferenceOf(text: string, url: string, opened: readonly string[] = []): MapReference {
  const at = text.lastIndexOf('sourceMappingURL=');
  if (at < 0 || !/\/[/*][#@][ \t]*$/.test(text.slice(Math.max(0, at - 8), at))) return { type: 'none' };
  const rest = text.slice(at + 'sourceMappingURL='.length);
  // Percent-encoding leaves apostrophes as they are.
  const end = rest.search(/^data:[^,]*(?<!;base64),/i.test(rest) ? /[\s"`]|\*\// : /[\s'"`]|\*\//);
  const reference = end < 0 ? rest : rest.slice(0, end);
  if (end >= 0 && !onlyComments.test(rest.slice(end))) return { type: 'none' };
  return reference.startsWith('data:') ? inlineMap(reference) : fileReference(reference, url, opened);
}

function fileReference(reference: string, url: string, opened: readonly string[]): MapReference {
  if (reference === '') return { type: 'none' };
  const path = filePathOf(resolveReference(reference, url, opened), opened);
  return path === null ? { type: 'elsewhere', url: reference } : { type: 'file', path };
}

function inlineMap(dataUrl: string): MapReference {
  const text = textOfDataUrl(dataUrl);
  return text === null ? { type: 'elsewhere', url: dataUrl.slice(0, 40) } : { type: 'inline', text };
}

/** The text of a `data:` url; null where it has no data. */
export function textOfDataUrl(dataUrl: string): string | null {
  const comma = dataUrl.indexOf(',');
  if (comma < 0) return null;
  const data = dataUrl.slice(comma + 1);
  if (/;base64$/i.test(dataUrl.slice(0, comma))) return textOfBase64(data);
  try {
    return decodeURIComponent(data);
  } catch {
    return data; // It is the JSON itself without escapes, or broken. Parsing it shows which.
  }
}

/**
 * The file that a bundler's name for a source means: `webpack://shop/./src/cart.ts?a1b2` is `src/cart.ts` in the folder
 * where webpack ran, which is around the built file or in the workspace. Only a file with the map's text counts.
 * `inMemory`: the path of a script in an invented folder, or the url of one that a server sent; its sources have the
 * same relative paths in one of the folders. What a server sent is also looked for in a file that changed since.
 */
export async function locateSource(
  source: MapSource,
  folders: readonly string[],
  readText: (path: string) => Promise<string | null>,
  inMemory: string | null = null,
): Promise<MapSource> {
  const named = relativePathOf(source.url ?? '');
  const all = named === null ? [besideScript(source, inMemory), onServer(source, inMemory)] : [named];
  let similar: string | null = null;
  for (const relative of all.filter((path) => path !== null)) {
    for (const folder of folders) {
      const path = `${folder}/${relative}`;
      const text = await readText(path);
      if (text === null) continue;
      if (source.content === null || isSameText(text, source.content)) return { ...source, url: path };
      if (isServed(inMemory) && isLikeText(text, source.content)) similar ??= path;
    }
  }
  return similar === null ? source : { ...source, url: similar };
}

function isServed(script: string | null): boolean {
  return /^https?:/.test(script ?? '');
}

/** The path of a source on the server that sent its script; null for other scripts, and where it has no text. */
function onServer({ url, content }: MapSource, script: string | null): string | null {
  if (url === null || content === null || !isServed(script) || !isServed(url) || !URL.canParse(url)) return null;
  const path = decoded(new URL(url).pathname).slice(1);
  return /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path) ? null : path;
}

/** The path of a source relative to the folder of its script; null where it is not in there, or has no text. */
function besideScript({ url, content }: MapSource, script: string | null): string | null {
  const folder = script?.slice(0, script.lastIndexOf('/') + 1) ?? '';
  return folder !== '' && content !== null && url?.startsWith(folder) === true ? url.slice(folder.length) : null;
}

/** The path in a url: `folder/src/cart.ts` of `webpack://shop/./folder/src/cart.ts`; null for other urls. */
function relativePathOf(url: string): string | null {
  const path = /^(?:webpack(?:-internal)?|rspack|turbopack):\/\/[^/]*\/(?:\[project\]\/)?(.+?)(?:\?[^/]*)?$/.exec(
    url,
  )?.[1];
  if (path === undefined) return null;
  const plain = path.replace(/^(?:\([^)]*\)\/)?(?:\.\/)+/, '');
  return /(^|[\\/])\.\.([\\/]|$)|^\(|^[a-z][a-z0-9+.-]*:|^[\\/]|!/i.test(plain) ? null : plain;
}

/** Whether texts are the same but for ends of lines and a byte order mark. */
export function isSameText(a: string, b: string): boolean {
  return a === b || withoutReturns(a) === withoutReturns(b);
}

/** Whether half of the lines of a text are in the one of now. */
export function isLikeText(now: string, before: string): boolean {
  const lines = new Set(trimmedLines(now));
  const ran = trimmedLines(before).filter((line) => line !== '');
  return ran.filter((line) => lines.has(line)).length * 2 >= ran.length;
}

export function trimmedLines(text: string): readonly string[] {
  return text.split('\n').map((line) => line.trim());
}

function withoutReturns(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(/^\uFEFF/, '');
}

/** The folders around a file, nearest first, up to the innermost of `roots` around it; then the roots. */
export function foldersAround(url: string, roots: readonly string[]): readonly string[] {
  const path = filePathOf(url, roots) ?? '';
  const root = roots.find((each) => isInside(path, [each]));
  const inside = root === undefined ? [] : (pathBelow(path, root)?.split('/').slice(0, -1) ?? []);
  const around = inside.map((_, index) => [trimEnd(root ?? ''), ...inside.slice(0, inside.length - index)].join('/'));
  return [...around, ...roots.map((each) => trimEnd(each))];
}
