import type inspector from 'node:inspector';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { keptTextLength, keptTextSuffix, lengthOfKept, textsSuffix } from '../../../protocol/recording.ts';
import { attempt, call, host, internal, isObject } from '../host/host.ts';
import { hasHooks, hasLoaders } from './module-loading.ts';
import { type Output, writeFile } from '../host/output.ts';
import { type PlainFile, readPlainUrl } from '../host/plain-file.ts';
import type { Profiler } from '../profile/profiler.ts';
import type { Run } from '../host/run.ts';
import { lastComment, textHash } from './source-maps.ts';
import { beganAt } from '../host/clock.ts';
import type { TextLine } from '../../../protocol/recording-lines.ts';

/**
 * Keeps the texts of the person's sampled files as they were when this process compiled them, each once in a recording.
 * Call the returned function after each part of the profile.
 *
 * A file that was not changed since the process began is that text, where it is known to have run. For other files the
 * debugger tells what runs. That takes some 12 ms, so it is only asked about changed files, and about unconfirmed ones
 * where something compiles modules in its own way.
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
 * Whether a file is what ran, as far as this can be told without the debugger. A comment may give an evaluated text the
 * name of any file, and such a file must not get into a recording.
 */
function hasRun(url: string, text: string, sampled: Profiler['sampled']): boolean {
  const file = fileURLToPath(url);
  return file === process.argv[1] || host.hasRequired(file) || (isScript.test(file) && sampled.standsIn(url, text));
}

const isScript = /\.[cm]?[jt]sx?$/;

/** Files outside `node_modules`: what tools keep there is not the person's. */
const isOwnFile = /^file:(?!.*\/node_modules\/)/;

/**
 * Processor time in ms that files may take at the end of a process. The rest is kept at the next part, or by another
 * process.
 */
const patience = 12;

/** Reads the file of a url; null where it cannot be read any more, `large` where it is too large to be kept. */
export function readIfSmall(url: string): PlainFile | 'large' | null {
  try {
    return readPlainUrl(url, keptTextLength.ofFile);
  } catch {
    return null;
  }
}

/** The texts of the wanted scripts from the debugger; of several scripts with one name, the last compiled. */
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
    session.post('Debugger.getScriptSource', { scriptId }, (error, answer) => {
      if (error === null) sources.set(url, answer.scriptSource);
    });
  }
  session.post('Debugger.disable');
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

/**
 * Whether a file is what was compiled, or is TypeScript from which Node has stripped the types: blanks stand in their
 * place.
 */
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

/** The characters that stand in place of types. The semicolon keeps two statements apart. */
const blanks = new Set([' ', ';', '\u00A0', '\u2002', '\uFEFF']);

interface Store {
  /** Keeps a text and returns its name; null where there is no room for it. */
  readonly keep: (text: string) => string | null;
}

/** Opens the kept texts of a recording, which any of its processes may have written. */
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
