import path from 'node:path';
import { host } from './host.ts';
import type { Run } from './run.ts';

/** Whether the files of the recording, those of all its processes, have reached its limit. */
export function isFull({ directory, mostBytes }: Run): boolean {
  if (mostBytes === Infinity) return false;
  const sizes = host.readdirSync(directory).map((name) => sizeOf(path.join(directory, name)));
  return sizes.reduce((sum, size) => sum + size, 0) >= mostBytes;
}

function sizeOf(file: string): number {
  return host.statSync(file, { throwIfNoEntry: false })?.size ?? 0; // A temporary file was renamed meanwhile.
}
