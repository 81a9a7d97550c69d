import type { Analysis } from '../../engine/analysis.ts';
import { startOf } from '../../engine/samples/sample-stream.ts';
import { duration, plural } from '../../words/formats/figures.ts';
import { microseconds } from '../../protocol/units.ts';

/**
 * One line for each thread, such as `process 7, worker 2 (background) · 1.2 s · 1100 samples · longest operation 312
 * ms`; empty where there is only one.
 */
export function processViews({ streams, operations }: Analysis): readonly string[] {
  if (streams.length === 1) return [];
  const longest = streams.map(() => 0);
  for (const { stream, held } of operations) longest[stream] = Math.max(longest[stream] ?? 0, held);
  return streams.map((stream, index) => {
    const { pid, threadId, threadKind, path } = stream.isolate;
    const process = pid === null ? path : `process ${pid}`;
    const thread = threadId === null || threadId === 0 ? '' : `, worker ${threadId} (${threadKind})`;
    if (stream.times.length === 0) return `${process}${thread} · no samples`;
    const figures = [
      duration(microseconds(stream.end - startOf(stream))),
      plural(stream.times.length, 'sample'),
      `longest operation ${stream.turns === null ? '≈' : ''}${duration(microseconds(longest[index] ?? 0))}`,
    ];
    return [`${process}${thread}`, ...figures].join(' · ');
  });
}
