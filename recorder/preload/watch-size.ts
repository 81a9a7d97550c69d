import path from 'node:path';
import { host } from './host.ts';
import { longestPart } from './rotation.ts';
import type { Run } from './run.ts';

/**
 * Whether the files of the recording, those of all its processes, have reached its limit. Looks every ten seconds at
 * most: a long recording has thousands of files.
 */
export function watchSize(run: Run): () => boolean {
  const state = { lookedAt: -Infinity };
  return () => {
    if (run.mostBytes === Infinity || host.performanceNow() - state.lookedAt < longestPart) return false;
    state.lookedAt = host.performanceNow();
    const sizes = host.readdirSync(run.directory).map((name) => sizeOf(path.join(run.directory, name)));
    return sizes.reduce((sum, size) => sum + size, 0) >= run.mostBytes;
  };
}

function sizeOf(file: string): number {
  return host.statSync(file, { throwIfNoEntry: false })?.size ?? 0; // A temporary file was renamed meanwhile.
}
