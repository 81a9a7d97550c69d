import inspector from 'node:inspector';
import path from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { profileSuffix } from '../../../protocol/recording.ts';
import { attempt, host } from '../host/host.ts';
import type { Output } from '../host/output.ts';
import type { Run } from '../host/run.ts';
import { collectSampledScripts, type SampledScripts } from './sampled-scripts.ts';

/**
 * V8's CPU profiler of a thread. Each part is a `.cpuprofile` of its own; consecutive parts overlap a little.
 */
export interface Profiler {
  /** Writes the samples so far as one part, and begins the next part. */
  readonly rotate: () => void;
  /** Called before the program may lose access to our files. */
  readonly beforeLeavingRights: () => void;
  /** Writes the last part. Later calls do nothing. */
  readonly stop: () => void;
  /** Ends sampling without writing: the recording is over. */
  readonly discard: () => void;
  /** The session of the inspector; null where this process has no inspector. */
  readonly session: () => inspector.Session | null;
  /** Scripts that were sampled in the parts written so far. */
  readonly sampled: Pick<SampledScripts, 'urls' | 'textsOnDisk' | 'standsIn'>;
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
  const write = (profile: inspector.Profiler.Profile, part: string): void => {
    attempt(() => {
      output.write(nameOfPart(run, part), host.toJson(profile));
      sampled.add(profile);
    });
  };
  const parts = isProfiledByNode() ? startOwnParts(session, write) : startConsoleParts(session, write);
  parts.begin('0');
  return {
    session: () => session,
    sampled,
    rotate: () => {
      if (!state.isRunning) return;
      state.part += 1;
      parts.next(`${state.part - 1}`, `${state.part}`);
    },
    beforeLeavingRights: () => {},
    discard: () => {
      state.isRunning = false;
      session.disconnect();
    },
    stop: () => {
      if (!state.isRunning) return;
      state.isRunning = false;
      parts.end(`${state.part}`);
    },
  };
}

/**
 * Insures the profile of a worker thread, which Node itself writes when the thread ends, against an end of the process by
 * SIGKILL. From the first rotation on a second profiler writes parts, which are deleted at the end of the thread. Not
 * earlier: its start takes up to 30 ms, and most threads of pools are short.
 */
export function insureProfile(run: Run, output: Output): Profiler {
  const state: { profiler: Profiler | null; parts: number } = { profiler: null, parts: 0 };
  const discard = (): void => state.profiler?.discard();
  return {
    session: () => null,
    sampled: { urls: () => [], textsOnDisk: () => null, standsIn: () => false },
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

function nameOfPart({ isolate }: Run, part: number | string): string {
  return `${isolate}.${part}${profileSuffix}`;
}

interface Parts {
  readonly begin: (part: string) => void;
  readonly next: (last: string, part: string) => void;
  readonly end: (part: string) => void;
}

type Write = (profile: inspector.Profiler.Profile, part: string) => void;

/**
 * Takes parts by `console.profile`. The next part begins before the last one ends, so that V8's profiler stays alive:
 * starting it again costs 0.2 s on a large heap.
 */
function startConsoleParts(session: inspector.Session, write: Write): Parts {
  session.on('Profiler.consoleProfileFinished', ({ params }) => {
    if (params.title?.startsWith(prefix) === true) write(params.profile, params.title.slice(prefix.length));
  });
  const profiling = inspector.console;
  return {
    begin: (part) => profiling.profile(prefix + part),
    next: (last, part) => {
      profiling.profile(prefix + part);
      profiling.profileEnd(prefix + last);
    },
    end: (part) => profiling.profileEnd(prefix + part),
  };
}

/**
 * Takes parts by `Profiler.start` and `stop`, for what Node profiles itself (worker threads, `--cpu-prof`, or
 * NODE_V8_COVERAGE as c8 sets it): there Node would print the profiles of `console.profile`.
 */
function startOwnParts(session: inspector.Session, write: Write): Parts {
  const begin = (): void => session.post('Profiler.start');
  const end = (part: string): void =>
    session.post('Profiler.stop', (error, answer) => {
      if (error === null) write(answer.profile, part);
    });
  return {
    begin,
    next: (last) => {
      end(last);
      begin();
    },
    end,
  };
}

function isProfiledByNode(): boolean {
  if (!isMainThread || process.env['NODE_V8_COVERAGE'] !== undefined) return true;
  return [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some((text) => /(^|\s)--cpu-prof(\s|$)/.test(text));
}

/** In front of the names of our profiles: a program may call `console.profile` itself. */
const prefix = 'hotspan ';
