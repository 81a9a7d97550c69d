import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { MapLine, WrittenMapLine } from '../../../protocol/recording-lines.ts';
import { mapKeysFile, mapsSuffix } from '../../../protocol/recording.ts';
import { host, internal, isObject, call, undisturbed } from '../host/host.ts';
import { fnv1a } from '../../../protocol/json-value.ts';
import type { Output } from '../host/output.ts';
import { readPlainFile } from '../host/plain-file.ts';
import type { Run } from '../host/run.ts';

/** Collects the source maps of what is compiled: most such texts were transformed in memory and are nowhere else. */
export interface SourceMaps {
  /** Keeps the map in `comment`, what follows `sourceMappingURL=`. `url` may be a path. Throws where it is unreadable. */
  readonly keep: (url: string, comment: string) => void;
  /** Keeps a text that was compiled without a source map and differs from its file. */
  readonly keepText: (name: string, text: string) => void;
  /** Keeps a script that has neither a file nor a map. `text` is what ran; null where it is unknown. */
  readonly keepGone: (url: string, text: string | null) => void;
  /** Notes that a text of this name was compiled, and that its map was kept if there is one. */
  readonly see: (name: string) => void;
  /** Whether the hooks have seen that a text of this url was compiled: then its map was kept if there is one. */
  readonly hasSeen: (url: string) => boolean;
  /** Whether the hooks have seen that any file outside `node_modules` was compiled. */
  readonly hasSeenAny: () => boolean;
}

export function collectSourceMaps(run: Run, output: Output): SourceMaps {
  const seen = new Set<string>();
  const seenUrls = new Set<string>();
  const written = mapKeys(run, output);
  const append = (line: WrittenMapLine): void => output.append(`${run.isolate}${mapsSuffix}`, `${jsonOf(line)}\n`);
  const write = (name: string, content: string, lineOf: (url: string) => MapLine | null): void => {
    const url = urlOf(name);
    const key = [content.length, textHash(content), textHash(url)].map((part) => part.toString(36)).join('-');
    if (seen.has(key)) return;
    if (content.length >= LEAST_SHARED && written.has(key)) append({ url, key });
    else {
      const line = lineOf(url);
      if (line !== null) append(content.length < LEAST_SHARED ? line : { ...line, key });
      if (line !== null && content.length >= LEAST_SHARED) written.add(key);
    }
    seen.add(key);
  };
  return {
    hasSeen: (url) => seenUrls.has(url),
    hasSeenAny: () => [...seenUrls].some((url) => url.startsWith('file:')),
    see: (name) => {
      if (!theirs.test(name)) seenUrls.add(urlOf(name));
    },
    keep: (name, comment) =>
      write(name, comment, (url) => {
        const map = readMap(url, comment);
        return map === null ? null : { url, map };
      }),
    keepText: (name, text) => write(name, text, (url) => ({ url, text })),
    keepGone: (name, text) => write(name, text ?? '', (url) => ({ url, gone: text })),
  };
}

/** In UTF-16 units. Each worker of a test runner compiles all modules, so most long maps are those of another process. */
const LEAST_SHARED = 2000;

/** Keys of what any process of the recording has written. A key is added after the line that it tells of. */
function mapKeys(run: Run, output: Output): { has: (key: string) => boolean; add: (key: string) => void } {
  const file = path.join(run.directory, mapKeysFile);
  const keys = new Set<string>();
  const state = { read: 0 };
  /** Reads what was added since. */
  const readOn = (): void => {
    const size = host.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size <= state.read || size > MAX_KEY_BYTES) return;
    const bytes = host.bytesOf(' '.repeat(size - state.read));
    const descriptor = host.openSync(file, host.reading);
    try {
      const length = host.readSync(descriptor, bytes, 0, bytes.length, state.read);
      const text = bytes.toString('latin1', 0, length);
      const whole = text.lastIndexOf('\n') + 1; // Another process may be writing its line.
      for (const key of text.slice(0, whole).split('\n')) keys.add(key);
      state.read += whole;
    } finally {
      host.closeSync(descriptor);
    }
  };
  return {
    has: (key) => {
      if (keys.has(key)) return true;
      try {
        undisturbed(readOn);
      } catch {
        // There may be too many open files. Then the map is written once more.
      }
      return keys.has(key);
    },
    add: (key) => {
      keys.add(key);
      output.append(mapKeysFile, `${key}\n`);
    },
  };
}

/** Some hundred thousand keys. */
const MAX_KEY_BYTES = 8e6;

export const theirs = /[\\/]node_modules[\\/]/;

function urlOf(name: string): string {
  return path.isAbsolute(name) ? pathToFileURL(name).href : name;
}

/**
 * The value of the last `//# name=…` of a text, as V8 reads it: up to the end of the line. It is searched from the
 * front, where V8 skips as many characters as the name has: most texts have none.
 */
export function lastComment(text: string, name: 'sourceMappingURL=' | 'sourceURL='): string | null {
  let at = -1;
  for (let next = text.indexOf(name); next >= 0; next = text.indexOf(name, next + 1)) at = next;
  if (at < 4 || !/\/[/*][#@]\s$/.test(text.slice(at - 4, at))) return null;
  const rest = text.slice(at + name.length);
  const places = ends.map((end) => rest.indexOf(end)).filter((place) => place >= 0);
  const value = rest.slice(0, Math.min(rest.length, ...places));
  return value === '' || hasCode(rest.slice(value.length)) ? null : value;
}

/** Whether code follows, and not only the end of a wrapper: then the match was in a string of the program. */
function hasCode(rest: string): boolean {
  return rest.split('\n').some((line) => !/^[\s)}\];,]*(\*\/\s*)?(\/\/.*)?$/.test(line));
}

/** What ends the value. In inline source maps V8 finds a single character thirty times faster than a pattern. */
const ends = ['\n', '\r', ' ', '\t', "'", '"', '*/'];

/**
 * The source map: the unchanged `data:` url of the comment, or the JSON in a file beside the code. An inline map is not
 * decoded, because decoding it and writing it as JSON takes longer than all the rest. Null for a file of a dependency:
 * its map stays on the disk, and packages have thousands. Throws where the file does not exist, or is not a source map:
 * a comment may name any file, which must not get into a recording.
 */
function readMap(url: string, comment: string): string | null {
  if (comment.startsWith('data:')) return comment;
  if (!url.startsWith('file:') || url.includes('/node_modules/') || /^https?:/.test(comment)) return null;
  const file = readPlainFile(fileURLToPath(new URL(comment, url)), MAX_MAP_BYTES);
  if (file === null || file === 'large' || !isSourceMap(file.text)) throw new Error(`No source map: ${comment}`);
  return file.text;
}

/** A longer map is not copied from the disk. */
const MAX_MAP_BYTES = 64e6;

/** Whether a text is a source map. Parsing takes 1 ms for each MB, half of the time of writing it. */
function isSourceMap(text: string): boolean {
  const json = text.replace(guard, '');
  if (!json.startsWith('{')) return false;
  try {
    const map: unknown = host.fromJson(json);
    if (!isObject(map) || Number(internal(map, 'version')) !== 3) return false;
    return typeof internal(map, 'mappings') === 'string' || Array.isArray(internal(map, 'sections'));
  } catch {
    return false; // It is not JSON.
  }
}

/** The line that servers put before JSON to protect it. */
const guard = /^\uFEFF?(?:\)\]\}'[^\n]*\n)?\s*/;

/** Does not scan an inline map, which is nearly always base64, for characters to escape. */
function jsonOf(line: WrittenMapLine): string {
  const map = 'map' in line && line.map.startsWith('data:') ? line.map : null;
  if (map === null || map.includes('"') || map.includes('\\')) return host.toJson(line);
  const key = 'key' in line ? `,"key":"${line.key}"` : '';
  return `{"url":${host.toJson(line.url)}${key},"map":"${map}"}`;
}

/**
 * A checksum that distinguishes two texts of the same length. zlib (Node 20.15 and later) takes 10 µs for 27 kB, else 4 ns
 * for each character. It is loaded at the first text, because many programs have none.
 */
export function textHash(text: string): number {
  const checksum = call(internal(host.builtinModule('node:zlib'), 'crc32'), undefined, [text]);
  return typeof checksum === 'number' ? checksum : fnv1a(text);
}
