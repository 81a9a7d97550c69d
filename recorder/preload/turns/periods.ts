import { type TurnLine, heldTime } from '../../../protocol/recording-lines.ts';
import { attempt, host } from '../host/host.ts';
import { watchCollections } from './collections.ts';
import type { Metrics } from './metrics.ts';
import type { TurnLog } from './turn-log.ts';
import { measureTurns, type Turns } from './turns.ts';

/** The turns of at most 10 s. */
export interface Period {
  readonly line: Extract<TurnLine, readonly ['histogram', ...unknown[]]>;
  /** 0 where all are shorter than 1 ms. */
  readonly longestUs: number;
}

/**
 * Measures in production: sums the turns up every 10 s and when the process exits, for `onPeriod`. With `metrics` the
 * garbage collections, too; both are in them by then. The result ends it.
 */
export function measurePeriods(metrics: Metrics | null, onPeriod: (period: Period, turns: Turns) => void): () => void {
  const state: { longestUs: number; ended: Period | null; isOver: boolean } = {
    longestUs: 0,
    ended: null,
    isOver: false,
  };
  const add = (line: TurnLine): void => {
    if (line[0] === 'turn') state.longestUs = Math.max(state.longestUs, heldTime(line));
    metrics?.add(line, state.longestUs);
    if (line[0] !== 'histogram') return;
    state.ended = { line, longestUs: state.longestUs };
    state.longestUs = 0;
  };
  const flush = (): void => {
    if (state.ended !== null && !state.isOver) onPeriod(state.ended, turns);
  };
  const log: TurnLog = { add, flush, flushInTime: () => {}, flushSoon: () => {} };
  // An ES module may load this when the loop runs already.
  const turns = measureTurns(log, metrics === null ? null : watchCollections(log), 'between turns');
  const timer = host.setInterval(() => attempt(() => turns.own(turns.sumUp)), PERIOD_MS).unref();
  const finish = (): void => attempt(turns.finish);
  process.once('exit', finish);
  return () => {
    state.isOver = true;
    process.removeListener('exit', finish);
    host.clearInterval(timer);
    finish();
    attempt(turns.stop);
  };
}

const PERIOD_MS = 10_000;
