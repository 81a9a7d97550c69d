import assert from 'node:assert/strict';

/** Asserts what each item of a list has, in its order: `pick` of the items equals `expected`, compared deeply. */
export function assertEach<Item>(
  items: Iterable<Item>,
  pick: (item: Item) => unknown,
  expected: readonly unknown[],
  message?: string,
): void {
  const found = Array.from(items, (item) => pick(item));
  assert.deepEqual(found, expected, message);
}

/** Asserts that no item of a list is so; fails with those that are. */
export function assertNone<Item>(items: Iterable<Item>, isSo: (item: Item) => boolean, message?: string): void {
  const found = Array.from(items).filter((item) => isSo(item));
  assert.deepEqual(found, [], message);
}
