import { diffArrays } from 'diff';

/**
 * Where the lines of a text are in a later state of it. Lines count from 0. White space at their ends makes no
 * difference.
 */
export interface LineMap {
  /** Number of the line in the later text; −1 where it is gone or has changed. */
  readonly lineOf: (line: number) => number;
  /** Where the line would be: after the nearest line above that is still there. */
  readonly nearest: (line: number) => number;
  /** The later text, line by line, without white space at line ends. */
  readonly now: readonly string[];
}

/** Most lines inserted and deleted: with more, the texts have nothing to do with each other. */
const mostEdits = 2_000;

export function mapLines(before: string, now: string): LineMap {
  const old = trimmedLines(before);
  const current = trimmedLines(now);
  const map = new Int32Array(old.length).fill(-1);
  const head = commonHead(old, current);
  const tail = commonTail(old, current, head);
  for (let line = 0; line < head; line++) map[line] = line;
  for (let line = 1; line <= tail; line++) map[old.length - line] = current.length - line;
  const middle = commonLines(old.slice(head, old.length - tail), current.slice(head, current.length - tail));
  for (const [from, to] of middle) map[head + from] = head + to;
  return {
    now: current,
    lineOf: (line) => map[line] ?? -1,
    nearest: (line) => {
      for (let above = line; above >= 0; above--) {
        const there = map[above] ?? -1;
        if (there >= 0) return Math.min(there + (above === line ? 0 : 1), current.length - 1);
      }
      return 0;
    },
  };
}

export function trimmedLines(text: string): readonly string[] {
  return text.split('\n').map((line) => line.trim());
}

function commonHead(a: readonly string[], b: readonly string[]): number {
  const least = Math.min(a.length, b.length);
  let head = 0;
  while (head < least && a[head] === b[head]) head++;
  return head;
}

function commonTail(a: readonly string[], b: readonly string[], head: number): number {
  const least = Math.min(a.length, b.length) - head;
  let tail = 0;
  while (tail < least && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return tail;
}

/**
 * Pairs of equal lines, found by a diff. Little differs while the person types; after a checkout of another branch,
 * much may differ.
 */
function* commonLines(old: readonly string[], current: readonly string[]): Generator<readonly [number, number]> {
  if (old.length === 0 || current.length === 0) return;
  const changes = diffArrays([...old], [...current], { maxEditLength: mostEdits });
  let from = 0;
  let to = 0;
  for (const { added, removed, count } of changes ?? []) {
    if (!added && !removed) for (let line = 0; line < count; line++) yield [from + line, to + line];
    if (!added) from += count;
    if (!removed) to += count;
  }
}
