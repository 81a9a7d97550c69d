import path from 'node:path';
import { attempt, host } from '../host/host.ts';
import { codeTracesFile } from '../../../protocol/recording.ts';
import type { Run } from '../host/run.ts';

/** The most that a killed process can lose, in ms. */
export const longestPart = 10_000;
/** Nothing is known of its tree yet. */
const firstPart = 2500;
/** Shorter parts cost more than they spare: each tells anew of all functions that it saw. */
export const shortestPart = 1000;
/** Longest time in ms for which writing a part may hold the loop. */
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

/**
 * Whether the files of the recording, those of all its processes, have reached its limit. Looks every ten seconds at
 * most: a long recording has thousands of files. With them counts what V8's traces of deopts have grown by since this
 * process began: other recordings of tiers write to that file too.
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
