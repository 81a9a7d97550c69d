import { isRecorder } from '../functions/classify.ts';
import type { FunctionInfo } from '../functions/function-table.ts';
import type { World } from '../files/world.ts';

/**
 * Paths of files in which the functions stand, the person's own first, as far as they have changed since `begin`, in ms since
 * the epoch. Of a file that is not there nothing is known, as on another machine; our own is put there anew by each run.
 */
export async function filesChangedSince(
  begin: number,
  functions: readonly FunctionInfo[],
  world: Pick<World, 'changedAt'>,
): Promise<ReadonlySet<string>> {
  const ordered = [...functions.filter(({ own }) => own), ...functions];
  const known = ordered.map(({ path }) => path).filter((path) => path !== null);
  const paths = [...new Set(known)].filter((path) => !isRecorder(path));
  const times = await Promise.all(paths.map(async (path) => world.changedAt?.(path)));
  return new Set(paths.filter((_path, index) => (times[index] ?? 0) > begin));
}

/** In ms since the epoch, when the first of two runs began; Infinity where neither says. */
export function firstBegin(...runs: readonly { readonly startedAt: string | null }[]): number {
  const begins = runs.map(({ startedAt }) => Date.parse(startedAt ?? ''));
  return begins.reduce((least, begin) => (begin < least ? begin : least), Infinity);
}
