/** Makes a value when it is first asked for, and never again. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Makes the value of a key when it is first asked for, and never again. Keys are compared as those of a `Map`. */
export function onceEach<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, { readonly value: Value }>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known.value;
    const value = make(key);
    made.set(key, { value });
    return value;
  };
}

/** Keeps what was made last, by key, and makes it where it is not known. */
export class Recent<Value> {
  /** The one that was asked for longest ago comes first. */
  readonly #kept = new Map<string, Value>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Undefined where it is not kept. */
  known(key: string): Value | undefined {
    return this.#kept.get(key);
  }

  get(key: string, make: () => Value): Value {
    const value = this.known(key) ?? make();
    this.#kept.delete(key);
    this.#kept.set(key, value);
    for (const old of this.#kept.keys()) {
      if (this.#kept.size <= this.#most) break;
      this.#kept.delete(old);
    }
    return value;
  }
}

/** The same for objects. It is a cache, not state: a value follows from its object, and goes when the object does. */
export function oncePer<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const known = made.get(key) ?? { value: make(key) };
    made.set(key, known);
    return known.value;
  };
}
