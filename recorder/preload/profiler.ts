import inspector from 'node:inspector';
import { profileSuffix } from '../../protocol/recording.ts';
import type { Output } from './output.ts';
import type { Run } from './run.ts';

/** V8's CPU profiler of the main thread. Each part is a `.cpuprofile` of its own; neighbours overlap a little. */
export interface Profiler {
  /** Writes what was sampled so far as one part, and goes on with the next. */
  readonly rotate: () => void;
  /** Writes the last part. Later calls do nothing. */
  readonly stop: () => void;
  /** Ends sampling and writes nothing: the recording is over. */
  readonly discard: () => void;
  readonly session: inspector.Session;
}

/**
 * Samples from here on. Throws where this process has no inspector (the parent of `node --test`).
 * `console.profile` and not `Profiler.start`: the next part begins before the last one ends, so that V8's profiler
 * stays alive; stopping and starting it costs 0.2 s each time on a large heap.
 */
export function startProfiler(run: Run, output: Output): Profiler {
  const session = new inspector.Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: run.intervalUs });
  session.on('Profiler.consoleProfileFinished', ({ params }) => {
    if (!params.title?.startsWith(prefix)) return;
    const part = params.title.slice(prefix.length);
    output.write(`${run.isolate}.${part}${profileSuffix}`, JSON.stringify(params.profile));
  });
  const profiling = inspector.console;
  const state = { part: 0, isRunning: true };
  profiling.profile(`${prefix}0`);
  return {
    session,
    rotate: () => {
      if (!state.isRunning) return;
      state.part += 1;
      profiling.profile(`${prefix}${state.part}`);
      profiling.profileEnd(`${prefix}${state.part - 1}`);
    },
    discard: () => {
      state.isRunning = false;
      session.disconnect();
    },
    stop: () => {
      if (!state.isRunning) return;
      state.isRunning = false;
      profiling.profileEnd(`${prefix}${state.part}`);
    },
  };
}

/** The most that a killed process can lose. In ms. */
export const rotationPeriod = 10_000;

/** A program may call `console.profile` itself. */
const prefix = 'hotspan ';
