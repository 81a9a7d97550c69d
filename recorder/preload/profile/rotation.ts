import { attempt, host } from '../host/host.ts';

/** The most that a killed process can lose, in ms. */
export const longestPart = 10_000;
/** Nothing is known of its tree yet. */
const firstPart = 2500;
/** Shorter parts cost more than they spare: each tells anew of all functions that it saw. */
export const shortestPart = 1000;
/** For so long, in ms, the loop may be held to write a part. */
const longestHold = 50;

/**
 * Calls `rotate` every ten seconds; sooner at first, and where that took long because the profile's tree of calls is wide:
 * V8 takes some 7 µs for each of its nodes, and meanwhile no request is answered. Returns what ends it.
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
  const state = { timer: plan(firstPart), isOver: false };
  return () => {
    state.isOver = true;
    host.clearTimeout(state.timer);
  };
}

const mostGrowth = 4;

/** How long the next part should be, where it took `hold` to write one of `part`; all in ms. */
export function nextPart(part: number, hold: number): number {
  return Math.min(longestPart, part * mostGrowth, Math.max(shortestPart, (part * longestHold) / hold));
}
