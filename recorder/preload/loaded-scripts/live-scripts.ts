import inspector from 'node:inspector';
import { isMainThread } from 'node:worker_threads';
import { attempt, host } from '../host/host.ts';
import { isTextOf, readIfSmall } from './keep-texts.ts';
import { hasHooks, hasLoaders } from './module-loading.ts';
import type { Profiler } from '../profile/profiler.ts';
import { notTheirs } from '../profile/sampled-scripts.ts';
import { type SourceMaps, lastComment } from './source-maps.ts';
import { beganAt } from '../host/clock.ts';

/**
 * Keeps the source maps of sampled scripts that the hooks have not seen: CommonJS and ES modules from loaders (ts-node,
 * tsx), and the `eval` of bundlers. The debugger knows all scripts that are alive at the end. It is switched on for one
 * moment only, because while it is on each `await` costs ten times as much.
 *
 * That moment takes 20 ms, and 0.1 s with a thousand scripts (jest kills a worker that takes half a second to end). So
 * the debugger is not used where each sampled script was compiled by `vm`, which the hooks have seen, or is unchanged
 * on the disk.
 */
export function collectLiveScripts(
  { session, sampled }: Pick<Profiler, 'session' | 'sampled'>,
  maps: SourceMaps,
): void {
  const urls = sampled.urls();
  const mayBeMade = hasLoaders() || (hasHooks() && urls.some((url) => typeScript.test(url)));
  const texts = mayBeMade ? null : sampled.textsOnDisk(maps.hasSeen);
  const asked = texts === null ? session() : null;
  if (asked !== null) askDebugger(asked, maps, urls);
  for (const [url, text] of texts ?? []) {
    const comment = lastComment(text, 'sourceMappingURL=');
    if (comment !== null) attempt(() => maps.keep(url, comment));
  }
}

/**
 * Keeps the source maps of a process that may be killed. Call the returned function at each part: it works the first
 * time that there are own scripts, and again when there are twice as many.
 */
export function collectInTime(profiler: Pick<Profiler, 'session' | 'sampled'>, maps: SourceMaps): () => void {
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
 * Keeps the source maps that there are now. `profiler` is null in a worker thread that Node profiles: there each own
 * script counts. Nothing is done where nothing compiles modules in its own way, and where `vm` compiles them: then the
 * hooks have seen them.
 */
export function collectNow(profiler: Pick<Profiler, 'session'> | null, maps: SourceMaps): void {
  if (profiler !== null) {
    const session = profiler.session();
    if (session !== null) askDebugger(session, maps, []);
    return;
  }
  if (isMainThread || maps.hasSeenAny() || !(hasLoaders() || hasHooks())) return;
  const session = new inspector.Session();
  session.connect();
  askDebugger(session, maps, null);
  session.disconnect();
}

/** `wanted` are the scripts whose text is kept where they have no source map, in this order; null: all own scripts. */
function askDebugger(session: inspector.Session, maps: SourceMaps, wanted: readonly string[] | null): void {
  const mapped = new Set<string>();
  const ids = new Map<string, string>();
  const note = ({ params }: { readonly params: inspector.Debugger.ScriptParsedEventDataType }): void => {
    const { url, scriptId, sourceMapURL = '' } = params;
    if (url === '') return;
    ids.set(url, scriptId);
    if (sourceMapURL === '') return;
    attempt(() => {
      maps.keep(url, sourceMapURL);
      mapped.add(url);
    });
  };
  session.on('Debugger.scriptParsed', note);
  session.post('Debugger.enable');
  session.off('Debugger.scriptParsed', note);
  const begin = host.cpuTime();
  for (const url of wanted ?? ids.keys()) {
    if (mapped.has(url) || !isFile.test(url) || notTheirs.test(url) || maps.hasSeen(url)) continue;
    if (host.cpuTime() - begin > patience) break;
    attempt(() => keepText(url, sourceOf(session, ids.get(url)), maps));
  }
  session.post('Debugger.disable');
}

/**
 * Keeps a text that ran and is neither in its file nor in a source map. The text of a file that was changed meanwhile
 * is kept by `textKeeper`.
 */
function keepText(url: string, source: string | null, maps: SourceMaps): void {
  const file = readIfSmall(url);
  if (file === null) maps.keepGone(url, source);
  else if (file !== 'large' && file.changedAt <= beganAt && source !== null && !isTextOf(file.text, source)) {
    maps.keepText(url, source);
  }
}

function sourceOf(session: inspector.Session, scriptId: string | undefined): string | null {
  const found: { source: string | null } = { source: null };
  if (scriptId === undefined) return null;
  session.post('Debugger.getScriptSource', { scriptId }, (error, answer) => {
    if (error === null) found.source = answer.scriptSource;
  });
  return found.source;
}

/** Processor time in ms that texts may take at the end of a process. */
const patience = 12;

const isFile = /^file:/;
const typeScript = /\.[cm]?tsx?(\?|$)/;
