import type { LineTicks } from '../samples/call-tree.ts';
import { TickList } from '../samples/tick-list.ts';

/** Where the samples of some nodes went: all of each node, those that stayed included. */
export class Moves {
  readonly #counts = new Map<number, Map<number, number>>();

  add(from: number, to: number): void {
    const targets = this.#counts.get(from) ?? new Map<number, number>();
    this.#counts.set(from, targets.set(to, (targets.get(to) ?? 0) + 1));
  }

  /** Shares of a node, which add up to 1. */
  sharesOf(node: number): readonly Share[] {
    const targets = this.#counts.get(node);
    if (targets === undefined) return [{ target: node, share: 1 }];
    let samples = 0;
    for (const count of targets.values()) samples += count;
    return Array.from(targets, ([target, count]) => ({ target, share: count / samples }));
  }
}

/** A node where samples of another node, or of itself, are now, and which part of them, from 0 to 1. */
interface Share {
  readonly target: number;
  readonly share: number;
}

/**
 * The line ticks of a tree of `size` nodes after its samples moved: the ticks of a node go with its samples. Where
 * these go several ways, each way gets its share, rounded up, so no line is lost.
 */
export function moveTicks(ticks: LineTicks, moves: Moves, size: number): LineTicks {
  const moved = new TickList();
  for (let node = 0; node + 1 < ticks.start.length; node++) {
    if (ticks.start[node] === ticks.start[node + 1]) continue;
    const shares = moves.sharesOf(node);
    for (let at = ticks.start[node] ?? 0; at < (ticks.start[node + 1] ?? 0); at++) {
      const count = ticks.count[at] ?? 0;
      const [frame, line] = [ticks.frame[at] ?? 0, ticks.line[at] ?? 0];
      for (const { target, share } of shares) moved.add(target, frame, line, Math.ceil(count * share));
    }
  }
  return moved.build(size);
}
