import { createRequire } from 'node:module';
import path from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { modeVariable } from '../../../protocol/recording.ts';
import { attempt, host, isLoaded, leaveProgram, pathIn, realPath } from '../host/host.ts';
import { isBystander, isPlainNode } from '../host/run.ts';
import { Metrics } from '../turns/metrics.ts';
import { measurePeriods } from '../turns/periods.ts';
import type { registerIn as Declared } from './metrics.cjs';
import { recorderOf, type Recorder } from './open-telemetry.ts';
import { isRegistry, promMetrics } from './prom-client.ts';

/**
 * The module `hotspan/metrics`: measures the turns of this process from here on, as `HOTSPAN_METRICS` does, and registers
 * the figures where the program keeps its own.
 */
const metrics = new Metrics();
const prom = promMetrics(metrics);
const state: { isOn: boolean; hasRegistry: boolean; api: unknown; record: Recorder | null; periods: number } = {
  isOn: false,
  hasRegistry: false,
  api: undefined,
  record: null,
  periods: 0,
};

export const registerIn: typeof Declared = (registry: unknown) => {
  if (!isRegistry(registry)) throw new TypeError('registerIn of hotspan/metrics needs a Registry of prom-client.');
  // Zeros would be wrong where nothing is measured.
  if (!state.isOn) return;
  state.hasRegistry = true;
  for (const metric of prom) registry.registerMetric(metric);
};

function begin(): void {
  if (!isMainThread || isBystander({ evaluated: true })) return;
  if (!isPlainNode()) {
    say('measures Node.js alone, and not with --permission.');
    return;
  }
  if (isLoaded()) {
    // The output of what `hotspan record` runs stays the same.
    if (process.env[modeVariable] !== 'run') say('measures nothing, because hotspan/recorder does. Load one of them.');
    return;
  }
  state.isOn = true;
  const stop = measurePeriods(metrics, (period, turns) => {
    state.periods += 1;
    search();
    if (!state.hasRegistry && state.api === undefined) giveUp(stop);
    else state.record?.(period, turns.own);
  });
  // After the entry script, when the program has loaded what it uses.
  host.setImmediate(() => attempt(search));
}

function search(): void {
  // What is not there at the end of the first period does not come.
  if (state.periods <= 1) {
    const register = state.hasRegistry ? undefined : pathIn(packageOf('prom-client'), 'register');
    if (isRegistry(register)) registerIn(register);
    state.api ??= packageOf('@opentelemetry/api');
  }
  // The program may start its SDK late.
  state.record ??= recorderOf(state.api, metrics);
  if (state.record === null && !state.hasRegistry && state.periods === MAX_WAIT)
    say(`finds no MeterProvider in @opentelemetry/api. Start an SDK with a metric reader, or ${toFile}.`);
}

function giveUp(stop: () => void): void {
  state.isOn = false;
  say(
    `measures nothing: the program has neither prom-client nor @opentelemetry/api. Install one of them, or ${toFile}.`,
  );
  host.setImmediate(() => {
    stop();
    leaveProgram();
  });
}

const toFile = 'write a file instead: HOTSPAN_METRICS=turns.prom node --require hotspan/recorder';

/** In periods: a minute. */
const MAX_WAIT = 6;

/** A package as the program has loaded it, or would load it; undefined where it has none. */
function packageOf(name: string): unknown {
  const folder = `${path.sep}${path.join('node_modules', name)}${path.sep}`;
  const loaded = Object.keys(host.modules()).filter((file) => file.includes(folder));
  const scripts = process.argv.slice(1, 2).map(realPath);
  for (const place of [...loaded.slice(0, 1), ...scripts, path.resolve('program.js')]) {
    try {
      const exported: unknown = createRequire(place)(name);
      return exported;
    } catch {
      // It is not there, or does not load.
    }
  }
  return undefined;
}

function say(sentence: string): void {
  attempt(() => void host.writeSync(2, `hotspan/metrics ${sentence}\n`));
}

attempt(begin);
