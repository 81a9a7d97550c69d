/** Compares by several things: the first difference that is not 0, else 0. */
export function firstDifference(...differences: readonly number[]): number {
  return differences.find((difference) => difference !== 0) ?? 0;
}

/** Compares by code units, so the order is the same on every machine. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function sumOf<Item>(items: Iterable<Item>, of: (item: Item) => number): number {
  let sum = 0;
  for (const item of items) sum += of(item);
  return sum;
}

/** Groups items by key. Keys and the items of each keep the given order. (Node 20 has no `Map.groupBy`.) */
export function groupBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Calls for each run of neighbouring numbers with one key: where equal keys are neighbours, it spares a map of groups. */
export function eachRun(
  numbers: Int32Array,
  keyOf: (number: number) => number,
  call: (key: number, run: Int32Array) => void,
): void {
  for (let first = 0; first < numbers.length;) {
    const key = keyOf(numbers[first] ?? -1);
    let end = first + 1;
    while (end < numbers.length && keyOf(numbers[end] ?? -1) === key) end++;
    call(key, numbers.subarray(first, end));
    first = end;
  }
}

/** The first of `count` indexes for which `holds`, which does for all behind it; `count` where it does for none. */
export function firstWhere(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Index of the last of ascending numbers that is not greater than the limit; −1 where all are greater. */
export function lastUpTo(numbers: ArrayLike<number>, limit: number): number {
  let low = -1;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Index of the first of ascending numbers that is not below `least`; how many there are where all are below. */
export function firstFrom(numbers: ArrayLike<number>, least: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? Infinity) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A queue of items by size, with the largest on top; of equal ones the one added first. */
export class Heap {
  readonly #items: { readonly item: number; readonly size: number; readonly age: number }[] = [];
  #added = 0;

  push(item: number, size: number): void {
    const entry = { item, size, age: this.#added };
    this.#added += 1;
    let at = this.#items.push(entry) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#isBefore(at, above)) return;
      this.#swap(at, above);
      at = above;
    }
  }

  get top(): number | undefined {
    return this.#items[0]?.item;
  }

  pop(): number | undefined {
    const top = this.#items[0];
    const last = this.#items.pop();
    if (top === undefined || last === undefined || top === last) return top?.item;
    this.#items[0] = last;
    for (let at = 0; ;) {
      const first = this.#isBefore(at * 2 + 2, at * 2 + 1) ? at * 2 + 2 : at * 2 + 1;
      if (!this.#isBefore(first, at)) return top.item;
      this.#swap(first, at);
      at = first;
    }
  }

  #isBefore(index: number, other: number): boolean {
    const a = this.#items[index];
    const b = this.#items[other];
    if (a === undefined || b === undefined) return a !== undefined;
    return a.size > b.size || (a.size === b.size && a.age < b.age);
  }

  #swap(index: number, other: number): void {
    const a = this.#items[index];
    const b = this.#items[other];
    if (a === undefined || b === undefined) return;
    this.#items[index] = b;
    this.#items[other] = a;
  }
}
