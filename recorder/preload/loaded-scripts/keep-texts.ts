import type inspector from 'node:inspector';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { keptTextLength, keptTextSuffix, lengthOfKept, textsSuffix } from '../../../protocol/recording.ts';
import { attempt, call, host, internal, isObject } from '../host/host.ts';
import { hasHooks, hasLoaders } from './loader-hooks.ts';
import { type Output, writeFile } from '../host/output.ts';
import { type PlainFile, readPlainUrl } from '../host/plain-file.ts';
import type { Profiler } from '../profile/profiler.ts';
import type { Run } from '../host/run.ts';
import { lastComment } from './source-maps.ts';
import { textHash } from '../host/text-hash.ts';
import type { TextLine } from '../../../protocol/recording-lines.ts';

/**
 * Keeps the texts of the person's sampled files as they were when this process compiled them, each once in a recording: to be
 * called after each part. A file that was not changed since the process began is that text (of what a loader compiles, what
 * it compiled), where it is known to have run. Of others the debugger tells what runs: it is asked for changed files alone, and
 * where something compiles modules in a way of its own, as that takes some 12 ms.
 */
export function textKeeper(
  run: Run,
  output: Output,
  { session, sampled }: Pick<Profiler, 'session' | 'sampled'>,
): () => void {
  const seen = new Set<string>();
  return () => {
    const begin = host.cpuTime();
    const fresh = sampled.urls().filter((url) => isOwnFile.test(url) && !seen.has(url));
    if (fresh.length === 0) return;
    const store = openStore(run.directory);
    const changed = new Map<string, string | null>();
    const doubtful = new Map<string, string>();
    const lines: TextLine[] = [];
    const keep = (url: string, text: string): void => {
      const name = store.keep(text);
      if (name !== null) lines.push({ url, text: name });
    };
    for (const url of fresh) {
      if (host.cpuTime() - begin > patience) break;
      seen.add(url);
      const file = readIfSmall(url);
      if (file === 'large') continue;
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

/**
 * The file is what ran, as far as can be told without the debugger: a comment may give an evaluated text the name of any file,
 * which is not to get into a recording.
 */
function hasRun(url: string, text: string, sampled: Profiler['sampled']): boolean {
  const file = fileURLToPath(url);
  return file === process.argv[1] || host.hasRequired(file) || (isScript.test(file) && sampled.standsIn(url, text));
}

const isScript = /\.[cm]?[jt]sx?$/;

/** What tools keep in `node_modules` is in no file of the person's. */
const isOwnFile = /^file:(?!.*\/node_modules\/)/;

/** In ms of processor time: what a thousand files may take of the end of a process. What is left the next part keeps, or process. */
const patience = 12;

/** On the clock of files, in ms since the epoch. */
export const beganAt = host.wallClock() - host.performanceNow();

/** Reads a file; null where no such file can be read any more. */
export function readIfSmall(url: string): PlainFile | 'large' | null {
  try {
    return readPlainUrl(url, keptTextLength.ofFile);
  } catch {
    return null;
  }
}

/** What runs of these scripts, the last compiled of each name. */
function sourcesOf(
  session: inspector.Session | null,
  wanted: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  const sources = new Map<string, string>();
  const note = ({ params }: { readonly params: inspector.Debugger.ScriptParsedEventDataType }): void => {
    if (wanted.has(params.url)) ids.set(params.url, params.scriptId);
  };
  if (session === null) return sources;
  session.on('Debugger.scriptParsed', note);
  session.post('Debugger.enable');
  session.off('Debugger.scriptParsed', note);
  for (const [url, scriptId] of ids) {
    session.post('Debugger.getScriptSource', { scriptId }, (error, { scriptSource }) => {
      if (error === null) sources.set(url, scriptSource);
    });
  }
  session.post('Debugger.disable');
  return sources;
}

/**
 * The text that the file had: what ran, or, where that was made of the file in memory, what its map has of it. Null where
 * nothing has it: TypeScript that a loader compiled without a map.
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

/** What Node adds where it takes the types out. */
const stripped = /\n\n\/\/# sourceURL=.*\s*$/;

/** The file is what was compiled, or it is TypeScript from which Node took the types out: blanks stand in their place. */
export function isTextOf(file: string, source: string): boolean {
  const text = withoutMark(file);
  const compiled = withoutMark(source.replace(stripped, ''));
  if (text === compiled) return true;
  if (text.length !== compiled.length) return false;
  for (let i = 0; i < text.length; i += 1) if (text[i] !== compiled[i] && !blanks.has(compiled[i] ?? '')) return false;
  return true;
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** A semicolon keeps two statements apart. */
const blanks = new Set([' ', ';', '\u00A0', '\u2002', '\uFEFF']);

interface Store {
  /** Name of the text; null where there is no room for it. */
  readonly keep: (text: string) => string | null;
}

/** Knows what the recording has already, whichever process kept it. */
function openStore(directory: string): Store {
  const files = host.readdirSync(directory).filter((name) => name.endsWith(keptTextSuffix));
  const names = new Set(files.map((file) => file.slice(0, -keptTextSuffix.length)));
  const state = { length: [...names].reduce((sum, name) => sum + lengthOfKept(name), 0) };
  return {
    keep: (text) => {
      const name = `${text.length.toString(36)}-${textHash(text).toString(36)}`;
      if (names.has(name)) return name;
      if (text.length > keptTextLength.ofFile || state.length + text.length > keptTextLength.ofAll) return null;
      const packed = call(internal(host.builtinModule('node:zlib'), 'gzipSync'), undefined, [text, { level: 1 }]);
      if (!(packed instanceof Uint8Array)) return null;
      if (!writeText(path.join(directory, `${name}${keptTextSuffix}`), packed)) return null;
      names.add(name);
      state.length += text.length;
      return name;
    },
  };
}

/** Under a name of its own first: other processes may write the same text. */
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
