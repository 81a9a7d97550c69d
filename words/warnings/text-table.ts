/** A sentence or more for each type of `Some`. */
export type Texts<Some extends { readonly type: string }> = {
  readonly [One in Some as One['type']]: (warning: One) => string;
};

/** The first three names: `a.js, b.js, c.js, …`. */
export function firstNames(names: readonly string[]): string {
  return `${names.slice(0, mostNamed).join(', ')}${names.length > mostNamed ? ', …' : ''}`;
}

const mostNamed = 3;
