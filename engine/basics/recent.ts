/** Keeps what was made last, by key, and makes it where it is not known. */
export class Recent<Value> {
  /** The one that was asked for longest ago comes first. */
  readonly #kept = new Map<string, Value>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string, make: () => Value): Value {
    const known = this.#kept.get(key);
    const value = known ?? make();
    this.#kept.delete(key);
    this.#kept.set(key, value);
    for (const old of this.#kept.keys()) {
      if (this.#kept.size <= this.#most) break;
      this.#kept.delete(old);
    }
    return value;
  }
}
