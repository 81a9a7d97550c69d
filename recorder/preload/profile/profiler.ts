import inspector from 'node:inspector';
import { profileSuffix } from '../../../protocol/recording.ts';
import { host } from '../host/host.ts';
import type { Output } from '../host/output.ts';
import type { Run } from '../host/run.ts';
import { collectSampledScripts, type SampledScripts } from './sampled-scripts.ts';

/**
 * V8's CPU profiler of the main thread. Each part is a `.cpuprofile` of its own; consecutive parts overlap a little.
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

/** Starts to sample. Throws where this process has no inspector (the parent of `node --test`). */
export function startProfiler(run: Run, output: Output): Profiler {
  const session = new inspector.Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: run.intervalUs });
  const state = { part: 0, isRunning: true };
  const sampled = collectSampledScripts();
  const write = (profile: inspector.Profiler.Profile, part: string): void => {
    output.write(`${run.isolate}.${part}${profileSuffix}`, host.toJson(profile));
    sampled.add(profile);
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
 * Takes parts by `Profiler.start` and `stop`, for processes that Node profiles itself (`--cpu-prof`, or
 * NODE_V8_COVERAGE as c8 sets it): there Node would print the profiles of `console.profile`.
 */
function startOwnParts(session: inspector.Session, write: Write): Parts {
  const begin = (): void => session.post('Profiler.start');
  const end = (part: string): void =>
    session.post('Profiler.stop', (error, { profile }) => {
      if (error === null) write(profile, part);
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
  if (process.env['NODE_V8_COVERAGE'] !== undefined) return true;
  return [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some((text) => /(^|\s)--cpu-prof(\s|$)/.test(text));
}

/** In front of the names of our profiles: a program may call `console.profile` itself. */
const prefix = 'hotspan ';
