import path from 'node:path';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';
import { mapsSuffix } from '../../../protocol/recording.ts';
import { compileUnseen } from './compile-unseen.ts';
import { attempt, construct, host, internal, isFunction, isObject, replace } from '../host/host.ts';
import type { Output } from '../host/output.ts';
import { readPlainUrl } from '../host/plain-file.ts';
import type { Run } from '../host/run.ts';
import { textHash } from '../host/text-hash.ts';
import type { MapLine } from '../../../protocol/recording-lines.ts';

/** Collects the source maps of what is compiled: most such texts are nowhere else (transformed in memory). */
export interface SourceMaps {
  /** `url` is a call frame's or a path; `comment` is what stands after `sourceMappingURL=`. Once per text. Throws where the map cannot be read. */
  readonly keep: (url: string, comment: string) => void;
  /** Keeps a text that was compiled without a source map, and that is not what its file has. */
  readonly keepText: (name: string, text: string) => void;
  /** Keeps a script that has neither a file nor a map. `text` is what ran; null where that is gone, too. */
  readonly keepGone: (url: string, text: string | null) => void;
  /** A text of this name is compiled, and all that there is to keep is kept. */
  readonly see: (name: string) => void;
  /** The program compiled a text of this url in a way that was seen: what there is of its map was kept. */
  readonly hasSeen: (url: string) => boolean;
  /** The program compiled a text of any file that is not a dependency's in a way that was seen. */
  readonly hasSeenAny: () => boolean;
}

export function collectSourceMaps(run: Run, output: Output): SourceMaps {
  const seen = new Set<string>();
  const seenUrls = new Set<string>();
  const write = (name: string, content: string, lineOf: (url: string) => MapLine | null): void => {
    const url = urlOf(name);
    const key = `${url} ${content.length} ${textHash(content)}`;
    if (seen.has(key)) return;
    const line = lineOf(url);
    seen.add(key);
    if (line !== null) output.append(`${run.isolate}${mapsSuffix}`, `${jsonOf(line)}\n`);
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

/**
 * Sees each text that `vm` compiles, where test runners evaluate theirs: their scripts are collected long before the
 * process ends. Nothing of ours stays on the stack while the code runs, so stack traces are as they were:
 * `vm.Script` and `vm.SourceTextModule` call `super(…)`, which is whatever their prototype is, before anything runs,
 * and so do `vm.runInThisContext` and its like, which use the same class. `Module.prototype._compile` cannot be seen
 * that way; the scripts of CommonJS modules live on, and `collectLiveScripts` finds them at the end.
 * What it does runs in `own`: it is the recorder's work in a turn of the program. `lookForTests` is called before each own
 * file: a test file is one, and jest compiles a dependency's files anew for each (some 3 % of the samples of a suite).
 */
export function watchCompiling(maps: SourceMaps, own: (work: () => void) => void, lookForTests: () => void): void {
  const keepFrom = (text: unknown, name: unknown): void => {
    if (typeof text !== 'string' || typeof name !== 'string') return;
    const keep = (): void => {
      if (!theirs.test(name)) lookForTests();
      const comment = lastComment(text, 'sourceMappingURL=');
      const given = comment === null ? name : (lastComment(text, 'sourceURL=') ?? name);
      maps.see(given);
      if (comment !== null) maps.keep(given, comment);
      else if (ownTypeScript.test(name)) maps.keepText(name, text);
    };
    own(() => attempt(keep));
  };
  watchSuper(vm.Script, ([text, name]) => keepFrom(text, name));
  const moduleClass = internal(vm, 'SourceTextModule');
  if (isFunction(moduleClass)) {
    watchSuper(moduleClass, ([options]) => {
      if (isObject(options)) keepFrom(internal(options, 'sourceText'), internal(options, 'identifier'));
    });
  }
  replace(
    vm,
    'compileFunction',
    (original) =>
      function (...args) {
        const options = args[2];
        if (isObject(options)) keepFrom(args[0], internal(options, 'filename'));
        return compileUnseen(() => Reflect.apply(original, this, args));
      },
  );
}

type Constructor = typeof vm.Script | ((...args: never) => unknown);

function watchSuper(derived: Constructor, see: (args: readonly unknown[]) => void): void {
  const base: unknown = Object.getPrototypeOf(derived);
  if (!isFunction(base)) return;
  const watched = new Proxy(base, {
    construct: (target, args: unknown[], newTarget) => {
      see(args);
      return compileUnseen(() => construct(target, args, newTarget));
    },
  });
  Object.setPrototypeOf(derived, watched);
}

const theirs = /[\\/]node_modules[\\/]/;

function urlOf(name: string): string {
  return path.isAbsolute(name) ? pathToFileURL(name).href : name;
}

/** A path or url outside `node_modules`. */
const ownTypeScript = /^(?!.*[\\/]node_modules[\\/]).*\.[cm]?tsx?$/;

/**
 * The value of the last `//# name=…` of a text, as V8 takes it: up to the end of the line. From the front: most texts
 * have none, and V8 skips as many characters forwards as the name has, but goes one by one from behind.
 */
export function lastComment(text: string, name: 'sourceMappingURL=' | 'sourceURL='): string | null {
  const at = lastPlace(text, name);
  if (at < 4 || !/\/[/*][#@]\s$/.test(text.slice(at - 4, at))) return null;
  const rest = text.slice(at + name.length);
  const value = ends.reduce((shorter, end) => upTo(end, shorter), rest);
  return value === '' || hasCode(rest.slice(value.length)) ? null : value;
}

/**
 * Whether code follows, and not only the end of a wrapper. Then the same words were in a string of the program, and are
 * no comment.
 */
function hasCode(rest: string): boolean {
  return rest.split('\n').some((line) => !/^[\s)}\];,]*(\*\/\s*)?(\/\/.*)?$/.test(line));
}

/** Each looked for by itself: in the maps that are written inline V8 finds a character thirty times faster than a pattern. */
const ends = ['\n', '\r', ' ', '\t', "'", '"', '*/'];

function upTo(end: string, text: string): string {
  const at = text.indexOf(end);
  return at < 0 ? text : text.slice(0, at);
}

function lastPlace(text: string, name: string): number {
  let last = -1;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) last = at;
  return last;
}

/**
 * The `data:` url that the comment is, as it stands, or the JSON in a file beside the code: to decode a map and write it as JSON
 * in JSON takes longer than all the rest. Null for a dependency's file: it stays on the disk, and packages have thousands.
 * Throws where the file is not there, or is no map: a comment may name any file, which is not to get into a recording. What is
 * inline is a part of the text that ran.
 */
function readMap(url: string, comment: string): string | null {
  if (comment.startsWith('data:')) return comment;
  if (!url.startsWith('file:') || url.includes('/node_modules/') || /^https?:/.test(comment)) return null;
  const file = readPlainUrl(new URL(comment, url), longestMap);
  if (file === null || file === 'large' || !isSourceMap(file.text)) throw new Error(`No source map: ${comment}`);
  return file.text;
}

/** In bytes. A longer one stays on the disk alone. */
const longestMap = 64e6;

/** To parse it takes a ms for each MB, half of what it takes to write it. */
function isSourceMap(text: string): boolean {
  const json = text.replace(guard, '');
  if (!json.startsWith('{')) return false;
  try {
    const map: unknown = host.fromJson(json);
    return isObject(map) && Number(internal(map, 'version')) === 3 && hasMappings(map);
  } catch {
    return false; // Another text that begins so.
  }
}

function hasMappings(map: object): boolean {
  return typeof internal(map, 'mappings') === 'string' || Array.isArray(internal(map, 'sections'));
}

/** The line that servers put in front of JSON. */
const guard = /^\uFEFF?(?:\)\]\}'[^\n]*\n)?\s*/;

/** A map inline is base64 in nearly all cases, where nothing needs to be escaped: `JSON.stringify` would look at each character. */
function jsonOf(line: MapLine): string {
  if (!('map' in line) || !line.map.startsWith('data:') || hasAny(line.map, ['"', '\\'])) return host.toJson(line);
  return `{"url":${host.toJson(line.url)},"map":"${line.map}"}`;
}

function hasAny(text: string, characters: readonly string[]): boolean {
  return characters.some((character) => text.includes(character));
}
