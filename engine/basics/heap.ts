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
