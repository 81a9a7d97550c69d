import { type AnalyzeResult, analyze } from '../../engine/analyze.ts';
import { describeFailure } from '../../words/failures.ts';
import type { World } from '../../engine/read/files/world.ts';
import { milliseconds } from '../../protocol/units.ts';
import { drawProfile } from '../helpers/drawn-profile.ts';
import { memoryWorld } from '../helpers/memory-world.ts';
import { warningText } from '../../words/warnings/warning-text.ts';

export const json = JSON.stringify;
export const profile = json(drawProfile('cart.ts#total cart.ts#total cart.ts#total'));
export const start = (threadId: number): string =>
  json({ type: 'start', isolate: `7-${threadId}-a`, pid: 7, threadId, argv: ['node', '/app/a.js'], at: 1e6 });

/** Analyses files of memory, and counts how many were asked for. */
export async function analysed(
  files: Readonly<Record<string, string | Uint8Array>>,
  roots = ['/app'],
): Promise<{
  readonly result: AnalyzeResult;
  readonly asked: number;
}> {
  const inMemory = memoryWorld(files);
  const counts = { asked: 0 };
  const world: World = {
    ...inMemory,
    readFile: async (path) => {
      counts.asked++;
      return inMemory.readFile(path);
    },
  };
  const result = await analyze(['/rec'], world, { thresholdUs: milliseconds(1), roots, sourceMaps: true });
  return { result, asked: counts.asked };
}

export const lines = (count: number, make: (number: number) => unknown): string =>
  Array.from({ length: count }, (_, number) => json(make(number))).join('\n');

/** The same for a recording of one thread, and files beside it. */
export async function recorded(files: Readonly<Record<string, string | Uint8Array>>): ReturnType<typeof analysed> {
  return analysed({
    '/rec/recording.json': json({ version: 2, cwd: '/app' }),
    '/rec/events.jsonl': start(0),
    '/rec/7-0-a.0.cpuprofile': profile,
    ...files,
  });
}

/** What is said of it. */
export function saidOf(result: AnalyzeResult): string {
  return result.type === 'failed'
    ? describeFailure(result.failure)
    : result.analysis.warnings.map(warningText).join('\n');
}
