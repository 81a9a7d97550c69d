export interface ParentsFirst {
  /** Old number by new one. */
  readonly old: Int32Array;
  /** New number by old one. */
  readonly renumbered: Int32Array;
  /** New number of the parent by new number; −1 for a root. */
  readonly parent: Int32Array;
}

/** Renumbers nodes so that parents come before their children; null where nodes are their own ancestors. */
export function parentsFirst(parent: Int32Array): ParentsFirst | null {
  if (isParentsFirst(parent)) return unchanged(parent);
  const children = childrenOf(parent);
  const old = new Int32Array(parent.length);
  let size = 0;
  for (const [node, above] of parent.entries()) if (above === -1) old[size++] = node;
  for (let next = 0; next < size; next++) {
    for (let child = children.first[old[next] ?? 0] ?? -1; child !== -1; child = children.sibling[child] ?? -1) {
      old[size++] = child;
    }
  }
  if (size < parent.length) return null;
  const renumbered = new Int32Array(size);
  for (const [number, node] of old.entries()) renumbered[node] = number;
  return { old, renumbered, parent: old.map((node) => above(parent[node] ?? -1, renumbered)) };
}

/** As V8 writes them. */
function isParentsFirst(parent: Int32Array): boolean {
  for (let node = 0; node < parent.length; node++) if ((parent[node] ?? 0) >= node) return false;
  return true;
}

function unchanged(parent: Int32Array): ParentsFirst {
  const numbers = new Int32Array(parent.length);
  for (let node = 0; node < numbers.length; node++) numbers[node] = node;
  return { old: numbers, renumbered: numbers, parent };
}

function above(node: number, renumbered: Int32Array): number {
  return node === -1 ? -1 : (renumbered[node] ?? -1);
}

/** Linked lists: the first child of each node, the next sibling of each child; −1 ends. In the order of the numbers. */
function childrenOf(parent: Int32Array): { first: Int32Array; sibling: Int32Array } {
  const first = new Int32Array(parent.length).fill(-1);
  const sibling = new Int32Array(parent.length).fill(-1);
  for (let node = parent.length - 1; node >= 0; node--) {
    const above = parent[node] ?? -1;
    if (above === -1) continue;
    sibling[node] = first[above] ?? -1;
    first[above] = node;
  }
  return { first, sibling };
}
