import type { FrameCategory } from '../protocol/flame.ts';

/** An entry of the legend: one or two categories of the engine under one name. */
export interface CategoryGroup {
  /** Name of its colour and pattern in the style sheet. */
  readonly key: FrameCategory;
  readonly label: string;
  readonly categories: readonly FrameCategory[];
  /** False for own code and tests: without them, nothing that the person can change would be left. */
  readonly canHide: boolean;
}

export const categoryGroups: readonly CategoryGroup[] = [
  { key: 'own', label: 'Your code', categories: ['own'], canHide: false },
  { key: 'test', label: 'Tests', categories: ['test'], canHide: false },
  { key: 'dependency', label: 'Dependencies', categories: ['dependency'], canHide: true },
  { key: 'runner', label: 'Test runner', categories: ['runner'], canHide: true },
  { key: 'node', label: 'Node.js', categories: ['node'], canHide: true },
  { key: 'native', label: 'Native', categories: ['native', 'program'], canHide: true },
  { key: 'gc', label: 'GC', categories: ['gc'], canHide: true },
];

export function groupOf(category: FrameCategory): CategoryGroup {
  const group = categoryGroups.find(({ categories }) => categories.includes(category));
  if (group === undefined) throw new Error(`No group for the category ${category}`);
  return group;
}
