import type { Analysis } from '../../engine/analysis.ts';
import { originsOfTicks, type Ticks } from '../../engine/judge/lines/line-shares.ts';
import { line1 } from '../../protocol/units.ts';
import type { SourceMapper } from '../../engine/read/sourcemap/source-mapper.ts';

/** The lines of an innermost frame by their part of its samples: where V8 has ticks. Others have their function's line. */
export type LeafLines = (stream: number, node: number) => readonly { readonly line: number; readonly share: number }[];

/** V8 knows lines of innermost frames alone. A tick in another file than its function's is left out: it was inlined. */
export async function leafLines(
  { streams, functions }: Analysis,
  mapper: Pick<SourceMapper, 'lines'> | null,
): Promise<LeafLines> {
  const ticks = streams.map(({ tree }) => tree.ticks());
  const every = new Map<string, Ticks>();
  for (const { frame, line } of ticks)
    for (const [index, of] of frame.entries()) {
      const at = line1(line[index] ?? 0);
      every.set(`${of}:${at}`, { frame: of, line: at, count: 1 });
    }
  const origins = await originsOfTicks(every.values(), functions, mapper);
  return (stream, node) => {
    const { start, frame, line, count } = ticks[stream] ?? {};
    const fn = functions.functions[streams[stream]?.tree.functionId[node] ?? -1];
    const counts = new Map<number, number>();
    for (let tick = start?.[node] ?? 0; tick < (start?.[node + 1] ?? 0); tick++) {
      const url = functions.frames[frame?.[tick] ?? -1]?.url ?? '';
      const at = line1(line?.[tick] ?? 0);
      const [origin] = origins.get(url)?.get(at) ?? [{ url, line: at }];
      if (origin?.url === fn?.url && origin !== undefined)
        counts.set(origin.line, (counts.get(origin.line) ?? 0) + (count?.[tick] ?? 0));
    }
    const all = [...counts.values()].reduce((sum, one) => sum + one, 0);
    return [...counts].map(([of, one]) => ({ line: of, share: one / all }));
  };
}
