import inspector from 'node:inspector';
import path from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { profileSuffix, codeTracesFile } from '../../../protocol/recording.ts';
import type { Output } from '../host/output.ts';
import { attempt, hasNodeOption, host } from '../host/host.ts';
import type { Run } from '../host/run.ts';
import { readPlainFile } from '../host/plain-file.ts';
import { fileURLToPath } from 'node:url';

/** V8's CPU profiler of a thread. Each part is a `.cpuprofile`; consecutive parts overlap a little. */
export interface Profiler {
  /** Writes the samples so far as one part, and begins the next part. */
  readonly rotate: () => void;
  /** Called before the program may lose access to the recording. */
  readonly beforeLeavingRights: () => void;
  /** Writes the last part. Later calls do nothing. */
  readonly stop: () => void;
  /** Ends sampling without writing: the recording is over. */
  readonly discard: () => void;
  /** The session with the inspector; null where this process has no inspector, and after `discard`. */
  readonly session: () => inspector.Session | null;
  /** Scripts that were sampled in the parts written so far. */
  readonly sampled: Pick<SampledScripts, 'urls' | 'textsOnDisk' | 'hasFunctionsIn'>;
}

/**
 * Starts to sample. Throws where this process has no inspector (the parent of `node --test`). Node prints what a
 * listener or callback of the session throws as a warning of the program. With an error, a callback gets no answer.
 */
export function startProfiler(run: Run, output: Output): Profiler {
  const session = new inspector.Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: run.intervalUs });
  const state = { part: 0, isRunning: true, isConnected: true };
  const sampled = collectSampledScripts();
  const write: Write = (profile, part) => {
    attempt(() => {
      output.write(nameOfPart(run, part), host.toJson(profile));
      sampled.add(profile);
    });
  };
  const isProfiledByNode =
    !isMainThread || process.env['NODE_V8_COVERAGE'] !== undefined || hasNodeOption(/(^|\s)--cpu-prof(\s|$)/);
  const goOn = isProfiledByNode ? ownParts(session, write) : consoleParts(session, write);
  goOn(null, 0);
  return {
    session: () => (state.isConnected ? session : null),
    sampled,
    rotate: () => {
      if (!state.isRunning) return;
      state.part += 1;
      goOn(state.part - 1, state.part);
    },
    beforeLeavingRights: () => {},
    discard: () => {
      state.isRunning = false;
      state.isConnected = false;
      session.disconnect();
    },
    stop: () => {
      if (!state.isRunning) return;
      state.isRunning = false;
      goOn(state.part, null);
    },
  };
}

/**
 * Insures the profile of a worker thread, which Node itself writes when the thread ends, against SIGKILL. From the first
 * rotation on a second profiler writes parts, which are deleted at the end of the thread. It starts no earlier, because
 * its start takes up to 30 ms, and most threads of pools are short.
 */
export function insureProfile(run: Run, output: Output): Profiler {
  const state: { profiler: Profiler | null; parts: number } = { profiler: null, parts: 0 };
  const discard = (): void => state.profiler?.discard();
  return {
    session: () => null,
    sampled: nothingSampled,
    rotate: () => {
      if (state.profiler === null) attempt(() => (state.profiler = startProfiler(run, output)));
      else {
        state.profiler.rotate();
        state.parts += 1;
      }
    },
    beforeLeavingRights: () => {},
    discard,
    stop: () => {
      discard();
      for (let part = 0; part < state.parts; part += 1)
        attempt(() => host.unlinkSync(path.join(run.directory, nameOfPart(run, part))));
    },
  };
}

/** For profiles whose samples are not known here. */
export const nothingSampled: Profiler['sampled'] = {
  urls: () => [],
  textsOnDisk: () => null,
  hasFunctionsIn: () => false,
};

function nameOfPart({ isolate }: Run, part: number | string): string {
  return `${isolate}.${part}${profileSuffix}`;
}

type Write = (profile: inspector.Profiler.Profile, part: number | string) => void;

/** Ends the part `last` and begins the next one; null: there is none. */
type GoOn = (last: number | null, next: number | null) => void;

/** The next part begins before the last one ends: starting V8's profiler again costs 0.2 s on a large heap. */
function consoleParts(session: inspector.Session, write: Write): GoOn {
  session.on('Profiler.consoleProfileFinished', ({ params }) => {
    if (params.title?.startsWith(prefix) === true) write(params.profile, params.title.slice(prefix.length));
  });
  const profiling = inspector.console;
  return (last, next) => {
    if (next !== null) profiling.profile(prefix + String(next));
    if (last !== null) profiling.profileEnd(prefix + String(last));
  };
}

/** For isolates that Node profiles itself: there Node would print the profiles of `console.profile`. */
function ownParts(session: inspector.Session, write: Write): GoOn {
  return (last, next) => {
    if (last !== null)
      session.post('Profiler.stop', (error, answer) => {
        if (error === null) write(answer.profile, last);
      });
    if (next !== null) session.post('Profiler.start');
  };
}

/** Distinguishes these profiles from those of a program that calls `console.profile` itself. */
const prefix = 'hotspan ';

/** A killed process loses at most this time. */
export const MAX_PART_MS = 10_000;
/** Length of the first part, when the size of the profile is not known yet. */
const FIRST_PART_MS = 2500;
/** Shorter parts cost more than they save: each part lists all its functions again. */
export const MIN_PART_MS = 1000;
/** Limit for the time that writing a part may hold the loop. */
const MAX_HOLD_MS = 50;

/**
 * Calls `rotate` every ten seconds; sooner at first, and where a part took long because the profile's call tree is
 * wide: V8 takes some 7 µs for each of its nodes, and no request is answered meanwhile. Returns a function that ends
 * this.
 */
export function rotateInTime(rotate: () => void): () => void {
  const plan = (part: number): NodeJS.Timeout => {
    const begun = host.performanceNow();
    const onTime = (): void => {
      const start = host.performanceNow();
      attempt(rotate);
      if (!state.isOver) state.timer = plan(nextPart(start - begun, host.performanceNow() - start));
    };
    return host.setTimeout(onTime, part).unref();
  };
  const state = { timer: plan(FIRST_PART_MS), isOver: false };
  return () => {
    state.isOver = true;
    host.clearTimeout(state.timer);
  };
}

/** Length of the next part, where writing a part of length `part` took `hold`; all in ms. */
export function nextPart(part: number, hold: number): number {
  return Math.min(MAX_PART_MS, part * 4, Math.max(MIN_PART_MS, (part * MAX_HOLD_MS) / hold));
}

/**
 * Returns a function for whether the files of the recording (of all its processes) have reached its limit. It looks every
 * ten seconds at most, because a long recording has thousands of files. The growth of V8's traces of deopts since this
 * process began counts too; other recordings of tiers also write to that file.
 */
export function watchSize(run: Pick<Run, 'directory' | 'shim' | 'ofTiers' | 'mostBytes'>): () => boolean {
  const state = { lookedAt: -Infinity };
  const traces = run.ofTiers && run.shim !== '' ? path.join(run.shim, codeTracesFile) : null;
  const before = traces === null ? 0 : sizeOf(traces);
  return () => {
    if (run.mostBytes === Infinity || host.performanceNow() - state.lookedAt < MAX_PART_MS) return false;
    state.lookedAt = host.performanceNow();
    const sizes = host.readdirSync(run.directory).map((name) => sizeOf(path.join(run.directory, name)));
    const grown = traces === null ? 0 : Math.max(0, sizeOf(traces) - before);
    return sizes.reduce((sum, size) => sum + size, grown) >= run.mostBytes;
  };
}

function sizeOf(file: string): number {
  return host.statSync(file, { throwIfNoEntry: false })?.size ?? 0; // A temporary file was renamed meanwhile.
}

/** The user's scripts that were sampled in this thread. */
export interface SampledScripts {
  /** Adds the scripts of one more profile. */
  readonly add: (profile: inspector.Profiler.Profile) => void;
  /** Urls of the scripts, the most often sampled first. */
  readonly urls: () => readonly string[];
  /**
   * Texts by url of the scripts for which `isKnown` is false, where each file has all sampled functions at the places
   * where they ran. Null where one file does not: it was transformed in memory, or changed since.
   */
  readonly textsOnDisk: (isKnown: (url: string) => boolean) => ReadonlyMap<string, string> | null;
  /** Whether `text` can be what ran by this url: more than its top level was sampled, and it has all these functions. */
  readonly hasFunctionsIn: (url: string, text: string) => boolean;
}

type Place = Pick<inspector.Runtime.CallFrame, 'functionName' | 'lineNumber' | 'columnNumber'>;

function collectSampledScripts(): SampledScripts {
  /** Sampled functions by url; null for scripts of Node and of dependencies. */
  const scripts = new Map<string, Map<string, Place> | null>();
  const hits = new Map<string, number>();
  return {
    add: ({ nodes }) => {
      for (const { callFrame, hitCount = 0 } of nodes) {
        const { functionName, lineNumber, columnNumber, url } = callFrame;
        hits.set(url, (hits.get(url) ?? 0) + hitCount);
        if (!scripts.has(url)) scripts.set(url, notTheirs.test(url) ? null : new Map());
        scripts.get(url)?.set(`${lineNumber}:${columnNumber}`, { functionName, lineNumber, columnNumber });
      }
    },
    urls: () => {
      const own = [...scripts].flatMap(([url, functions]) => (functions === null ? [] : [url]));
      return own.toSorted((a, b) => (hits.get(b) ?? 0) - (hits.get(a) ?? 0));
    },
    textsOnDisk: (isKnown) => {
      const texts = new Map<string, string>();
      for (const [url, functions] of scripts) {
        if (functions === null || isKnown(url)) continue;
        const text = textOf(url);
        if (text === null || !hasAll(text, [...functions.values()])) return null;
        texts.set(url, text);
      }
      return texts;
    },
    hasFunctionsIn: (url, text) => {
      const functions = [...(scripts.get(url)?.values() ?? [])];
      return functions.some((one) => !isTopLevel(one)) && hasAll(text, functions);
    },
  };
}

/**
 * Urls of scripts of Node, native code, the command line, dependencies and the recorder: their source maps are on the
 * disk, or nowhere. Folders such as `node_modules/.vite-temp` do not match, because tools put transformed files of the
 * user there; `.pnpm`, which holds packages, does.
 */
export const notTheirs =
  /^$|^(node|wasm):|^\[|^evalmachine|^file:.*\/(node_modules\/(?!\.(?!pnpm\/))|recorder-[0-9a-f]{12}\.cjs$)/;

function textOf(url: string): string | null {
  try {
    const file = url.startsWith('file:') ? readPlainFile(fileURLToPath(url), MAX_SCRIPT_BYTES) : null;
    return file === null || file === 'large' ? null : file.text;
  } catch {
    return null; // The name is invented, or the file does not exist any more.
  }
}

/** For longer scripts the debugger is asked. */
const MAX_SCRIPT_BYTES = 64e6;

/** Whether a text has all functions. V8's position is where the parameters begin; a module is at 0:0 or before. */
function hasAll(text: string, functions: readonly Place[]): boolean {
  const lines = text.split('\n');
  return functions.every((one) => {
    if (isTopLevel(one)) return true;
    const { functionName, lineNumber, columnNumber } = one;
    const line = lines[lineNumber] ?? '';
    const name = /[\w$\u0080-\uffff]+$/.exec(functionName)?.[0] ?? '';
    return (
      line.slice(0, columnNumber).includes(name) && functionStart.test(line.slice(columnNumber, columnNumber + 80))
    );
  });
}

function isTopLevel({ lineNumber, columnNumber }: Place): boolean {
  return lineNumber === 0 && columnNumber <= 0;
}

/** All characters above ASCII count as letters: compiling a pattern with Unicode properties takes V8 1 ms. */
const functionStart = /^(\(|async\b|class\b|static\b|[A-Za-z$_#\u0080-\uffff][\w$\u0080-\uffff]*\s*(=>|[=;{}(]))/;
