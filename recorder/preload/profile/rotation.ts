import path from 'node:path';
import { attempt, host } from '../host/host.ts';
import { codeTracesFile } from '../../../protocol/recording.ts';
import type { Run } from '../host/run.ts';

/** Longest part in ms: a killed process loses at most this time. */
export const longestPart = 10_000;
/** Length of the first part in ms, when the size of the profile is not known yet. */
const firstPart = 2500;
/** Shortest part in ms. Even shorter ones cost more than they save: each part lists all its functions again. */
export const shortestPart = 1000;
/** Longest time in ms for which writing a part may hold the loop. */
const longestHold = 50;

/**
 * Calls `rotate` every ten seconds. It comes sooner at first, and also where a part took long because the profile's
 * call tree is wide: V8 takes some 7 µs for each node of it, and no request is answered meanwhile. Returns a function
 * that ends this.
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

/** Length of the next part, where writing a part of length `part` took `hold`; all in ms. */
export function nextPart(part: number, hold: number): number {
  return Math.min(longestPart, part * mostGrowth, Math.max(shortestPart, (part * longestHold) / hold));
}

/**
 * Returns a function that tells whether the files of the recording (of all its processes) have reached its limit. It
 * checks every ten seconds at most, because a long recording has thousands of files. The growth of V8's traces of
 * deopts since this process began counts too; other recordings of tiers also write to that file.
 */
export function watchSize(run: Pick<Run, 'directory' | 'shim' | 'ofTiers' | 'mostBytes'>): () => boolean {
  const state = { lookedAt: -Infinity };
  const traces = run.ofTiers && run.shim !== '' ? path.join(run.shim, codeTracesFile) : null;
  const before = traces === null ? 0 : sizeOf(traces);
  return () => {
    if (run.mostBytes === Infinity || host.performanceNow() - state.lookedAt < longestPart) return false;
    state.lookedAt = host.performanceNow();
    const sizes = host.readdirSync(run.directory).map((name) => sizeOf(path.join(run.directory, name)));
    const grown = traces === null ? 0 : Math.max(0, sizeOf(traces) - before);
    return sizes.reduce((sum, size) => sum + size, grown) >= run.mostBytes;
  };
}

function sizeOf(file: string): number {
  return host.statSync(file, { throwIfNoEntry: false })?.size ?? 0; // A temporary file was renamed meanwhile.
}
