import inspector from 'node:inspector';
import path from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { profileSuffix, codeTracesFile } from '../../../protocol/recording.ts';
import type { Output } from '../host/output.ts';
import { collectSampledScripts, type SampledScripts } from './sampled-scripts.ts';
import { attempt, hasNodeOption, host } from '../host/host.ts';
import type { Run } from '../host/run.ts';

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
  /** The session with the inspector; null where this process has no inspector. */
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
  const state = { part: 0, isRunning: true };
  const sampled = collectSampledScripts();
  const write: Write = (profile, part) => {
    attempt(() => {
      output.write(nameOfPart(run, part), host.toJson(profile));
      sampled.add(profile);
    });
  };
  const goOn = isProfiledByNode() ? ownParts(session, write) : consoleParts(session, write);
  goOn(null, 0);
  return {
    session: () => session,
    sampled,
    rotate: () => {
      if (!state.isRunning) return;
      state.part += 1;
      goOn(state.part - 1, state.part);
    },
    beforeLeavingRights: () => {},
    discard: () => {
      state.isRunning = false;
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

function isProfiledByNode(): boolean {
  return !isMainThread || process.env['NODE_V8_COVERAGE'] !== undefined || hasNodeOption(/(^|\s)--cpu-prof(\s|$)/);
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
