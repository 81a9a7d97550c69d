import { isBackground, type SampleStream } from '../read/samples/sample-stream.ts';

/**
 * Share of the time in which the program was ready to run and did, 0 to 1, over the turns of all loops that somebody
 * waits for; null where nobody counted what its threads waited.
 */
export function processorShare(streams: readonly SampleStream[]): number | null {
  let [ran, waited] = [0, 0];
  for (const { turns } of streams.filter((stream) => !isBackground(stream))) {
    for (const [turn, wait] of turns?.wait.entries() ?? []) {
      if (wait < 0) continue;
      waited += wait;
      ran += Math.max(0, turns?.run[turn] ?? 0);
    }
  }
  return ran + waited === 0 ? null : ran / (ran + waited);
}
