import { logVariable } from '../../../protocol/recording.ts';
import { attempt, host } from '../host/host.ts';
import { writeFile } from '../host/output.ts';
import type { TurnLog } from './turn-log.ts';
import { measureTurns } from './turns.ts';
import { type HistogramLine, type TurnLine, heldTime, turnClassBounds } from '../../../protocol/recording-lines.ts';

/**
 * The mode for production: no profiler, and no files but one log. Every 10 s, and at the end, it writes one line of
 * JSON with the number of turns of each length: to the file that HOTSPAN_LOG names, else to stderr.
 */
export function logHistogram(env: NodeJS.ProcessEnv): void {
  const file = env[logVariable];
  const state = { longest: 0 };
  const add = (line: TurnLine): void => {
    if (line[0] === 'turn') state.longest = Math.max(state.longest, heldTime(line));
    if (line[0] !== 'histogram') return;
    const text = `${host.toJson(histogramLine(line, state.longest))}\n`;
    state.longest = 0;
    attempt(() => {
      if (file === undefined || file === '') host.writeSync(2, text);
      else writeFile(file, 'log', text);
    });
  };
  const log: TurnLog = { add, flush: () => {}, flushInTime: () => {}, flushSoon: () => {} };
  const turns = measureTurns(log, null);
  host.setInterval(() => attempt(() => turns.own(turns.sumUp)), period).unref();
  process.once('exit', () => attempt(turns.finish));
}

/** Period of the log in ms. */
const period = 10_000;

function histogramLine(
  [, from, to, counts, times]: Extract<TurnLine, readonly ['histogram', ...unknown[]]>,
  longestUs: number,
): HistogramLine {
  return {
    hotspan: 'histogram',
    at: new Date(host.wallClock()).toISOString(),
    pid: process.pid,
    seconds: Math.round((to - from) / 1000) / 1000,
    belowUs: [...turnClassBounds, null],
    turns: counts,
    sumUs: times,
    longestUs,
  };
}
