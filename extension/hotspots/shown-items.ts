/** A file has at most this many lines decorated, a group as many rows; the rest waits behind one row. */
const most = 20;

export function shownItems<Item>(items: readonly Item[]): { readonly shown: readonly Item[]; readonly more: number } {
  return { shown: items.slice(0, most), more: Math.max(0, items.length - most) };
}

/** Whether the item of this number is among the rest. */
export function isLeft(index: number): boolean {
  return index >= most;
}
