import type { LineTicks } from '../samples/call-tree.ts';
import { TickList } from '../samples/tick-list.ts';

/**
 * The line ticks of a tree of `size` nodes after its samples went from the nodes `before` to the nodes `after`: those of
 * a node go with its samples. Where these go several ways, each gets its share, rounded up: no line is lost.
 */
export function moveTicks(ticks: LineTicks, before: Int32Array, after: Int32Array, size: number): LineTicks {
  const moves = movesOf(before, after);
  const moved = new TickList();
  for (let node = 0; node + 1 < ticks.start.length; node++) {
    if (ticks.start[node] === ticks.start[node + 1]) continue;
    const shares = moves.get(node) ?? [{ target: node, share: 1 }];
    for (let at = ticks.start[node] ?? 0; at < (ticks.start[node + 1] ?? 0); at++) {
      const count = ticks.count[at] ?? 0;
      const [frame, line] = [ticks.frame[at] ?? 0, ticks.line[at] ?? 0];
      for (const { target, share } of shares) moved.add(target, frame, line, Math.ceil(count * share));
    }
  }
  return moved.build(size);
}

/** The nodes that samples of a node are at now; share from 0 to 1. */
interface Move {
  readonly target: number;
  readonly share: number;
}

/** By node; only of those that samples have left. */
function movesOf(before: Int32Array, after: Int32Array): ReadonlyMap<number, readonly Move[]> {
  const samples = new Map<number, number[]>();
  for (const [sample, node] of before.entries()) if (after[sample] !== node) samples.set(node, []);
  for (const [sample, node] of before.entries()) samples.get(node)?.push(after[sample] ?? node);
  return new Map([...samples].map(([node, targets]) => [node, sharesOf(targets)]));
}

function sharesOf(targets: readonly number[]): readonly Move[] {
  const counts = new Map<number, number>();
  for (const target of targets) counts.set(target, (counts.get(target) ?? 0) + 1);
  return [...counts].map(([target, count]) => ({ target, share: count / targets.length }));
}
