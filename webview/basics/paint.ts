import { type FrameChange, frameChanges } from '../../protocol/diff.ts';
import { type FlameAnswer, type FlameFrame, type FrameCategory, tierOf } from '../../protocol/flame.ts';
import type { FlameColors } from '../../protocol/webview.ts';
import { type V8Tier, v8Tiers } from '../../protocol/v8-tiers.ts';
import { svgElement } from './dom.ts';

/** A colour with its pattern: `data-category`, `data-tier` or `data-change` in the style sheet. */
export type Paint =
  | { readonly kind: 'category'; readonly key: FrameCategory }
  | { readonly kind: 'tier'; readonly key: V8Tier }
  | { readonly kind: 'change'; readonly key: FrameChange };

/** What the colours of a graph mean. In a diff they always mean the change. */
export type PaintKind = FlameColors | 'change';

export function paintOf({ category, tiers, diff, folded }: FlameFrame, colors: PaintKind): Paint {
  if (colors === 'change') return { kind: 'change', key: diff?.change ?? 'none' };
  const isBar = folded?.type === 'others' || folded?.type === 'outside';
  if (colors === 'tier' && !isBar) return { kind: 'tier', key: tierOf(tiers) };
  return { kind: 'category', key: groupOf(category).key };
}

/** An entry of the legend: one or two categories of frames. */
export interface CategoryGroup {
  /** Name of its colour and pattern in the style sheet. */
  readonly key: FrameCategory;
  readonly label: string;
  readonly categories: readonly FrameCategory[];
  /** False for own code and tests. */
  readonly canFold: boolean;
}

const groups: Readonly<Record<Exclude<FrameCategory, 'program'>, CategoryGroup>> = {
  own: { key: 'own', label: 'Your code', categories: ['own'], canFold: false },
  test: { key: 'test', label: 'Tests', categories: ['test'], canFold: false },
  dependency: { key: 'dependency', label: 'Dependencies', categories: ['dependency'], canFold: true },
  runner: { key: 'runner', label: 'Test runner', categories: ['runner'], canFold: true },
  node: { key: 'node', label: 'Node.js', categories: ['node'], canFold: true },
  native: { key: 'native', label: 'Native', categories: ['native', 'program'], canFold: true },
  gc: { key: 'gc', label: 'GC', categories: ['gc'], canFold: true },
};

/** In the order of the legend. */
export const categoryGroups: readonly CategoryGroup[] = Object.values(groups);

/** Self time of some categories in the zoomed frame, in µs. */
export function selfTime({ selfByCategory }: FlameAnswer, categories: readonly FrameCategory[]): number {
  return categories.reduce((sum, category) => sum + selfByCategory[category], 0);
}

export function groupOf(category: FrameCategory): CategoryGroup {
  return groups[category === 'program' ? 'native' : category];
}

/** The `fill` of a frame: a colour and a pattern, because colour alone is not accessible. */
export function fillOf({ key }: Paint): string {
  return `url(#fill-${key})`;
}

/** The patterns that `fillOf` names; the document must contain them. */
export function fillPatterns(): SVGSVGElement {
  const paints: readonly Paint[] = [
    ...categoryGroups.map(({ key }) => ({ kind: 'category', key }) as const),
    ...v8Tiers.map((key) => ({ kind: 'tier', key }) as const),
    ...frameChanges.map((key) => ({ kind: 'change', key }) as const),
  ];
  const patterns = paints.map(({ kind, key }) => {
    const size = { width: '8', height: '8' };
    const ground = svgElement('rect', { ...size, class: 'fill-ground' });
    const lines = svgElement('path', { d: tiles[key] ?? '', class: 'fill-lines' });
    const attributes = { ...size, id: `fill-${key}`, [`data-${kind}`]: key, patternUnits: 'userSpaceOnUse' };
    return svgElement('pattern', attributes, ground, lines);
  });
  return svgElement('svg', { class: 'patterns', 'aria-hidden': 'true' }, svgElement('defs', {}, ...patterns));
}

/** A small square, for the legend and the card. */
export function swatch(paint: Paint): SVGSVGElement {
  const square = svgElement('rect', { width: '12', height: '12', fill: fillOf(paint) });
  const attributes = {
    class: 'swatch',
    [`data-${paint.kind}`]: paint.key,
    viewBox: '0 0 12 12',
    'aria-hidden': 'true',
  };
  return svgElement('svg', attributes, square);
}

/**
 * One tile of each pattern, on a square of 8 × 8 px. Own code is plain, because people look for it. So are the first and
 * the last tier, whose brightness differs most. In a diff slower has diagonals, faster has lines, and what is only on one
 * side has a grid.
 */
const tiles: Readonly<Partial<Record<FrameCategory | V8Tier | FrameChange, string>>> = {
  test: 'M-2 6 6-2M2 10 10 2',
  dependency: 'M1 1.5h2M5 5.5h2',
  runner: 'M-2 2 6 10M2-2 10 6',
  node: 'M0 3.5h2.5M4 7.5h2.5',
  native: 'M3.5 0v8',
  gc: 'M0 0 8 8M8 0 0 8',
  sparkplug: 'M-2 6 6-2M2 10 10 2',
  maglev: 'M0 2h8M0 6h8',
  unknown: 'M1 1.5h1M5 5.5h1',
  slower: 'M-2 6 6-2M2 10 10 2',
  new: 'M-2 6 6-2M2 10 10 2M-2 2 6 10M2-2 10 6',
  faster: 'M0 4h8',
  gone: 'M0 4h8M4 0v8',
};
