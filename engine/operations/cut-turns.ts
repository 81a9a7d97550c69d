import { milliseconds } from '../../protocol/units.ts';
import type { MeasuredTurns } from '../samples/sample-stream.ts';
import type { Test, TestTimeline } from '../samples/test-timeline.ts';

/** A turn, or what lies in it between two changes of the test that runs. */
export interface TurnPiece {
  /** In µs. */
  readonly start: number;
  readonly end: number;
  /** In µs, −1 where it was not measured; of a piece its share of the turn's. */
  readonly cpu: number;
  /** Time of the recorder in it, in µs; of a piece its share of the turn's. */
  readonly own: number;
  /** The test that ran, where it is known to have been alone. */
  readonly test: Test | null;
}

/**
 * Cuts turns where a test began or ended: runners chain synchronous tests, and what lies between them, in one turn.
 * Pieces that are shorter than what counts as a turn are left out, as such turns are.
 */
export function cutTurns({ starts, ends, cpu, own }: MeasuredTurns, tests: TestTimeline | null): readonly TurnPiece[] {
  const changes = tests?.changes ?? new Float64Array(0);
  const pieces: TurnPiece[] = [];
  let next = 0;
  for (const [turn, turnStart] of starts.entries()) {
    const turnEnd = ends[turn] ?? turnStart;
    const turnCpu = cpu[turn] ?? -1;
    const turnOwn = own[turn] ?? 0;
    let start = turnStart;
    while ((changes[next] ?? Infinity) <= turnStart) next++;
    for (let isLast = false; !isLast; next += isLast ? 0 : 1) {
      const change = changes[next] ?? Infinity;
      isLast = change >= turnEnd;
      const end = isLast ? turnEnd : change;
      const isWhole = end - start === turnEnd - turnStart;
      if (isWhole || end - start >= leastPiece) {
        // A turn that others left nothing of is whole too.
        const share = isWhole ? 1 : (end - start) / (turnEnd - turnStart);
        const test = tests?.running[next - 1] ?? null;
        const pieceCpu = turnCpu < 0 ? -1 : Math.round(turnCpu * share);
        pieces.push({ start, end, cpu: pieceCpu, own: turnOwn * share, test });
      }
      start = end;
    }
  }
  return pieces;
}

/** In µs. Source: the recorder, which keeps no shorter turns. */
const leastPiece = milliseconds(1);
