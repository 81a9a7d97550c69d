import path from 'node:path';
import { codeTracesFile } from '../../../protocol/recording.ts';
import { host } from '../host/host.ts';
import { longestPart } from './rotation.ts';
import type { Run } from '../host/run.ts';

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
