import type { MeasuredTurns, SampleStream, Test, TestTimeline } from '../../read/samples/sample-stream.ts';
import { metaNodes } from '../../read/samples/call-tree.ts';
import type { TreeFacts } from '../streams/tree-facts.ts';

/** A turn, or the part of it between two changes of the running test. In µs by the clock. */
export interface TurnPiece {
  readonly turn: number;
  readonly start: number;
  readonly end: number;
  /** The test that ran, where it is known that it ran alone. */
  readonly test: Test | null;
}

/** Cuts turns where a test began or ended, because runners chain tests in one turn. Gives the pieces of each turn. */
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

/** Samples from `first` up to, but not including, `last`. */
export interface SampleRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Infers operations from sample `from` on (rule 5): runs of non-idle samples, cut where two neighbouring samples with
 * user frames share none. Samples without user frames or without known outer frames stay with the earlier side. A
 * callback, because a list of tens of thousands would outlive most collections.
 */
export function inferOperations(
  stream: SampleStream,
  facts: TreeFacts,
  from: number,
  call: (range: SampleRange) => void,
): void {
  const { nodes, truncated } = stream;
  const { outermostUser } = facts;
  const shareUserFrame = userFrameComparison(stream, facts);
  const { unplaced } = truncated;
  let first = from;
  /** Outermost user frame of the last sample that has one; −1 where there is none since the thread idled. */
  let outermost = -1;
  const { length } = nodes;
  for (let sample = from; sample < length; sample++) {
    const node = nodes[sample] ?? metaNodes.idle;
    const isIdle = node === metaNodes.idle;
    const outer = outermostUser[node] ?? -1;
    // Nearly all samples end here, and there may be millions.
    if (!isIdle && (outer === outermost || outer === -1)) continue;
    if (!isIdle && unplaced.has(sample)) continue;
    const isCut = isIdle || (outermost !== -1 && !shareUserFrame(lastUser(sample, outermost), node));
    if (isCut && first < sample) call({ first, last: sample });
    if (isCut) first = isIdle ? sample + 1 : sample;
    outermost = isIdle ? -1 : outer;
  }
  if (first < length) call({ first, last: length });

  /** Node of the last sample before this one that has this outermost user frame, and all its outer frames. */
  function lastUser(sample: number, outer: number): number {
    let before = sample - 1;
    while (outermostUser[nodes[before] ?? 0] !== outer || unplaced.has(before)) before--;
    return nodes[before] ?? metaNodes.root;
  }
}

/** Whether two stacks share a user function. It is nearly always the outermost, which is compared first. */
function userFrameComparison({ tree }: SampleStream, facts: TreeFacts): (a: number, b: number) => boolean {
  const { parent, functionId } = tree;
  const { outermostUser, userFunctions } = facts;
  const seen = new Int32Array(userFunctions.length);
  let round = 0;
  return (a, b) => {
    if (functionId[outermostUser[a] ?? 0] === functionId[outermostUser[b] ?? 0]) return true;
    round++;
    for (let node = a; node > 0; node = parent[node] ?? 0) seen[functionId[node] ?? 0] = round;
    for (let node = b; node > 0; node = parent[node] ?? 0) {
      const fn = functionId[node] ?? 0;
      if (userFunctions[fn] === 1 && seen[fn] === round) return true;
    }
    return false;
  };
}
