import inspector from 'node:inspector';
import path from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import { keptTextLength, keptTextSuffix, lengthOfKept, textsSuffix } from '../../../protocol/recording.ts';
import type { TextLine } from '../../../protocol/recording-lines.ts';
import { attempt, beganAt, call, host, internal, isObject } from '../host/host.ts';
import { type Output, writeFile } from '../host/output.ts';
import { changedAt, type PlainFile, readPlainFile } from '../host/plain-file.ts';
import type { Run } from '../host/run.ts';
import { type Profiler, notTheirs } from '../profile/profiler.ts';
import { hasHooks, hasLoaders } from './watch-compiling.ts';
import { type SourceMaps, lastComment, textHash } from './source-maps.ts';

/** A profiler's session with the inspector, and the scripts that it has sampled. */
export type Sampling = Pick<Profiler, 'session' | 'sampled'>;

/**
 * Keeps the source maps of sampled scripts that the hooks have not seen: CommonJS and ES modules from loaders (ts-node,
 * tsx), and the `eval` of bundlers. The debugger knows all scripts that are alive at the end.
 *
 * Asking it takes 20 ms, and 0.1 s with a thousand scripts (jest kills a worker that takes half a second to end). So it
 * is not asked where each sampled script was compiled by `vm`, which the hooks have seen, or is unchanged on the disk.
 */
export function collectLiveScripts({ session, sampled }: Sampling, maps: SourceMaps): void {
  const urls = sampled.urls();
  const mayBeMade = hasLoaders() || (hasHooks() && urls.some((url) => /\.[cm]?tsx?(\?|$)/.test(url)));
  const texts = mayBeMade ? null : sampled.textsOnDisk(maps.hasSeen);
  const asked = texts === null ? session() : null;
  if (asked !== null) keepMaps(asked, maps, urls);
  for (const [url, text] of texts ?? []) {
    const comment = lastComment(text, 'sourceMappingURL=');
    if (comment !== null) attempt(() => maps.keep(url, comment));
  }
}

/** Call the result at each part: it keeps the source maps once there are own scripts, and when they have doubled. */
export function collectInTime(profiler: Sampling, maps: SourceMaps): () => void {
  const state = { scripts: 0 };
  return () => {
    const scripts = profiler.sampled.urls().length;
    if (scripts < Math.max(1, 2 * state.scripts)) return;
    state.scripts = scripts;
    collectLiveScripts(profiler, maps);
  };
}

/** Collects in a worker thread, whose sampled scripts only Node knows: at the first part, the second, the fourth … */
export function collectInThread(maps: SourceMaps): () => void {
  const state = { parts: 0 };
  return () => {
    state.parts += 1;
    if (Number.isInteger(Math.log2(state.parts))) collectNow(null, maps);
  };
}

/**
 * Keeps the source maps that there are now. `profiler` is null in a worker thread that Node profiles: there all own
 * scripts are kept, and nothing is done where only Node or `vm` compiles modules, which the hooks have seen.
 */
export function collectNow(profiler: Pick<Profiler, 'session'> | null, maps: SourceMaps): void {
  if (profiler !== null) {
    const session = profiler.session();
    if (session !== null) keepMaps(session, maps, []);
    return;
  }
  if (isMainThread || maps.hasSeenAny() || !(hasLoaders() || hasHooks())) return;
  const session = new inspector.Session();
  session.connect();
  keepMaps(session, maps, null);
  session.disconnect();
}

/** `wanted` are the scripts whose text is kept where they have no source map, in this order; null: all own scripts. */
function keepMaps(session: inspector.Session, maps: SourceMaps, wanted: readonly string[] | null): void {
  const mapped = new Set<string>();
  const ids = new Map<string, string>();
  const note = ({ url, scriptId, sourceMapURL = '' }: Script): void => {
    if (url === '') return;
    ids.set(url, scriptId);
    if (sourceMapURL === '') return;
    maps.keep(url, sourceMapURL);
    mapped.add(url);
  };
  debugged(session, note, () => {
    const share = new ShareOfPart();
    for (const url of wanted ?? ids.keys()) {
      if (mapped.has(url) || !namesFile.test(url) || notTheirs.test(url) || maps.hasSeen(url)) continue;
      if (share.isUsed()) break;
      const source = sourceOf(session, ids.get(url));
      share.count(source);
      attempt(() => keepText(url, source, maps));
    }
  });
}

/** Urls of files. A module of the command line or the input is `[eval1]` in the current folder. */
const namesFile = /^file:(?!.*\/\[eval\d*\]$)/;

type Script = inspector.Debugger.ScriptParsedEventDataType;

/**
 * Calls `note` for each script that is alive, then `work`, while the debugger is on: meanwhile each `await` costs ten
 * times as much. What a listener or callback of the session throws, Node would print as a warning of the program.
 */
function debugged(session: inspector.Session, note: (script: Script) => void, work: () => void): void {
  const listener = ({ params }: { readonly params: Script }): void => attempt(() => note(params));
  session.on('Debugger.scriptParsed', listener);
  session.post('Debugger.enable');
  session.off('Debugger.scriptParsed', listener);
  work();
  session.post('Debugger.disable');
}

/** The text of a script; null where the inspector does not have it. */
function sourceOf(session: inspector.Session, scriptId: string | undefined): string | null {
  const found: { source: string | null } = { source: null };
  if (scriptId === undefined) return null;
  session.post('Debugger.getScriptSource', { scriptId }, (error, answer) => {
    if (error === null) found.source = answer.scriptSource;
  });
  return found.source;
}

/** Keeps a text that ran and is neither in its file nor in a source map; `textKeeper` keeps those of changed files. */
function keepText(url: string, source: string | null, maps: SourceMaps): void {
  const file = readIfSmall(url);
  if (file === null) maps.keepGone(url, source);
  else if (file !== 'large' && file.changedAt <= beganAt && source !== null && !isTextOf(file.text, source)) {
    maps.keepText(url, source);
  }
}

/**
 * What one part, or the end of a process, reads of texts: some 12 ms. The next part, or another process, has the rest.
 * Counted in characters and not by a clock, so that a busy machine keeps the same texts.
 */
class ShareOfPart {
  private left = 500_000;

  isUsed(): boolean {
    return this.left <= 0;
  }

  /** Opening and storing a text takes as long as reading 10,000 characters of it. */
  count(text: string | null): void {
    this.left -= 10_000 + (text?.length ?? 0);
  }
}

/**
 * Keeps the texts of the user's sampled files as they were when this process compiled them, each once in a recording.
 * Call the returned function after each part of the profile.
 *
 * A file that has not changed since the process began has that text, where it is known to have run. For other files the
 * debugger has the text. That takes some 12 ms, so it is only asked about changed files, and about unconfirmed ones
 * where something compiles modules in its own way.
 */
export function textKeeper(run: Run, output: Output, { session, sampled }: Sampling): () => void {
  const seen = new Set<string>();
  return () => {
    const fresh = sampled.urls().filter((url) => isOwnFile.test(url) && !seen.has(url));
    if (fresh.length === 0) return;
    const keepIn = openStore(run.directory);
    const lines: TextLine[] = [];
    const keep = (url: string, text: string): void => {
      const name = keepIn(text);
      if (name !== null) lines.push({ url, text: name });
    };
    const changed = new Map<string, string | null>();
    const doubtful = new Map<string, string>();
    const share = new ShareOfPart();
    const another = fresh.slice(0, MAX_LOOKED_AT).filter(hasChanged);
    // Of changed files nothing else will have the text.
    for (const url of new Set([...another, ...fresh])) {
      if (share.isUsed()) break;
      seen.add(url);
      const file = readIfSmall(url);
      if (file === 'large') continue;
      share.count(file?.text ?? null);
      if (file === null || file.changedAt > beganAt) changed.set(url, file?.text ?? null);
      else if (hasRun(url, file.text, sampled)) keep(url, file.text);
      else doubtful.set(url, file.text);
    }
    const isAsked = changed.size > 0 || (doubtful.size > 0 && (hasLoaders() || hasHooks()));
    const asked = new Map([...changed, ...doubtful]);
    for (const [url, source] of isAsked ? sourcesOf(session(), asked) : []) {
      const onDisk = asked.get(url) ?? null;
      attempt(() => {
        const text = onDisk !== null && isTextOf(onDisk, source) ? onDisk : textBehind(url, source);
        if (text !== null) keep(url, text);
      });
    }
    if (lines.length === 0) return;
    output.append(`${run.isolate}${textsSuffix}`, lines.map((line) => `${host.toJson(line)}\n`).join(''));
  };
}

/** Whether a file is known to have run. A comment may give an evaluated text the name of any file. */
function hasRun(url: string, text: string, sampled: Profiler['sampled']): boolean {
  const file = fileURLToPath(url);
  if (file === process.argv[1] || Reflect.has(host.modules(), file)) return true;
  return /\.[cm]?[jt]sx?$/.test(file) && sampled.hasFunctionsIn(url, text);
}

/** Files outside `node_modules`. */
const isOwnFile = /^file:(?!.*\/node_modules\/)/;

/** Files of which one part asks when they changed: some 6 ms. The most active come first. */
const MAX_LOOKED_AT = 1000;

/** Whether a file is not, or perhaps not, as it was when this process began. */
function hasChanged(url: string): boolean {
  try {
    return (changedAt(fileURLToPath(url)) ?? Number.POSITIVE_INFINITY) > beganAt;
  } catch {
    return true;
  }
}

/** Reads the file of a url; null where it cannot be read, `large` where it is too large to be kept. */
function readIfSmall(url: string): PlainFile | 'large' | null {
  try {
    return readPlainFile(fileURLToPath(url), keptTextLength.ofFile);
  } catch {
    return null;
  }
}

/** The texts of the wanted scripts from the debugger; of several scripts with one name, the last compiled. */
function sourcesOf(
  session: inspector.Session | null,
  wanted: ReadonlyMap<string, unknown>,
): readonly (readonly [url: string, source: string])[] {
  const ids = new Map<string, string>();
  const sources: (readonly [string, string])[] = [];
  const note = ({ url, scriptId }: Script): void => {
    if (wanted.has(url)) ids.set(url, scriptId);
  };
  if (session === null) return sources;
  debugged(session, note, () => {
    for (const [url, scriptId] of ids) {
      const source = sourceOf(session, scriptId);
      if (source !== null) sources.push([url, source]);
    }
  });
  return sources;
}

/**
 * The text that the file had: what ran, or, where that was made from the file in memory, the original in its source
 * map. Null where neither has it: TypeScript that a loader compiled without a source map.
 */
function textBehind(url: string, source: string): string | null {
  const comment = lastComment(source, 'sourceMappingURL=') ?? '';
  if (!comment.startsWith('data:')) return /\.[cm]?tsx?$/.test(url) && !stripped.test(source) ? null : source;
  const map: unknown = host.fromJson(host.bytesOf(comment.slice(comment.indexOf(',') + 1), 'base64').toString());
  const sources = isObject(map) ? internal(map, 'sources') : null;
  const contents = isObject(map) ? internal(map, 'sourcesContent') : null;
  if (!Array.isArray(sources) || sources.length !== 1) return source;
  if (path.basename(String(sources[0])) !== path.basename(fileURLToPath(url))) return source;
  const content: unknown = Array.isArray(contents) ? contents[0] : null;
  return typeof content === 'string' ? content : null;
}

/** The comment that Node adds where it strips types. */
const stripped = /\n\n\/\/# sourceURL=.*\s*$/;

/** Whether a file is what was compiled, or is TypeScript of which Node has replaced the types by blanks. */
function isTextOf(file: string, source: string): boolean {
  const text = file.replace(/^\uFEFF/, '');
  const compiled = source.replace(stripped, '').replace(/^\uFEFF/, '');
  if (text === compiled) return true;
  if (text.length !== compiled.length) return false;
  for (let i = 0; i < text.length; i += 1) if (text[i] !== compiled[i] && !blanks.has(compiled[i] ?? '')) return false;
  return true;
}

/** The characters in the place of types. The semicolon keeps two statements apart. */
const blanks = new Set([' ', ';', '\u00A0', '\u2002', '\uFEFF']);

/** Opens the kept texts of all processes. The result keeps a text and returns its name; null: no room. */
function openStore(directory: string): (text: string) => string | null {
  const files = host.readdirSync(directory).filter((name) => name.endsWith(keptTextSuffix));
  const names = new Set(files.map((file) => file.slice(0, -keptTextSuffix.length)));
  const state = { length: [...names].reduce((sum, name) => sum + lengthOfKept(name), 0) };
  return (text) => {
    const name = `${text.length.toString(36)}-${textHash(text).toString(36)}`;
    if (names.has(name)) return name;
    if (text.length > keptTextLength.ofFile || state.length + text.length > keptTextLength.ofAll) return null;
    const packed = call(internal(host.builtinModule('node:zlib'), 'gzipSync'), undefined, [text, { level: 1 }]);
    if (!(packed instanceof Uint8Array)) return null;
    if (!writeText(path.join(directory, `${name}${keptTextSuffix}`), packed)) return null;
    names.add(name);
    state.length += text.length;
    return name;
  };
}

/** Writes to a temporary name first: other processes may write the same text. */
function writeText(target: string, packed: Uint8Array): boolean {
  const unfinished = `${target}.${process.pid}.tmp`;
  try {
    writeFile(unfinished, 'w', packed);
    host.renameSync(unfinished, target);
    return true;
  } catch {
    attempt(() => host.unlinkSync(unfinished));
    return false;
  }
}
