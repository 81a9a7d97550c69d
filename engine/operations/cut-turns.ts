import type { MeasuredTurns } from '../samples/sample-stream.ts';
import type { Test, TestTimeline } from '../samples/test-timeline.ts';

/** A turn, or the part of it between two changes of the running test. In µs by the clock. */
export interface TurnPiece {
  readonly turn: number;
  readonly start: number;
  readonly end: number;
  /** The test that ran, where it is known that it ran alone. */
  readonly test: Test | null;
}

/**
 * Cuts turns where a test began or ended, because runners chain synchronous tests, and the code between them, in one
 * turn. The result has the pieces of each turn, in order.
 */
export function cutTurns(
  { starts, ends }: Pick<MeasuredTurns, 'starts' | 'ends'>,
  tests: TestTimeline | null,
): readonly (readonly TurnPiece[])[] {
  const changes = tests?.changes ?? new Float64Array(0);
  let next = 0;
  return Array.from(starts, (turnStart, turn) => {
    const turnEnd = ends[turn] ?? turnStart;
    const pieces: TurnPiece[] = [];
    while ((changes[next] ?? Infinity) <= turnStart) next++;
    let start = turnStart;
    for (; (changes[next] ?? Infinity) < turnEnd; next++) {
      const end = changes[next] ?? turnEnd;
      if (end > start) pieces.push({ turn, start, end, test: tests?.running[next - 1] ?? null });
      start = end;
    }
    pieces.push({ turn, start, end: turnEnd, test: tests?.running[next - 1] ?? null });
    return pieces;
  });
}
