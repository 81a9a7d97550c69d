import type { FlameDirection } from '../protocol/webview.ts';

/** A drawn frame, as the arrow keys need it. The cells are those wide enough to be seen, in reading order. */
export interface Cell {
  readonly id: string;
  readonly parent: string | null;
  readonly level: number;
}

/**
 * The frame that a key goes to from another: its caller, its heaviest callee, or its neighbour in the row. The arrows
 * follow the picture, so up and down change places with the direction. Null where there is none, or for other keys.
 */
export function frameTowards(
  key: string,
  from: Cell,
  cells: readonly Cell[],
  direction: FlameDirection,
): string | null {
  switch (key) {
    case direction === 'icicle' ? 'ArrowUp' : 'ArrowDown':
      return from.parent;
    case direction === 'icicle' ? 'ArrowDown' : 'ArrowUp':
      return cells.find(({ parent }) => parent === from.id)?.id ?? null;
    case 'ArrowLeft':
      return besides(from, cells, -1);
    case 'ArrowRight':
      return besides(from, cells, 1);
    case 'Home':
      return cells[0]?.id ?? null;
    default:
      return null;
  }
}

function besides(from: Cell, cells: readonly Cell[], offset: number): string | null {
  const row = cells.filter(({ level }) => level === from.level);
  const place = row.findIndex(({ id }) => id === from.id);
  return row[place + offset]?.id ?? null;
}
