import type { FrameCategory } from '../protocol/flame.ts';
import { categoryGroups } from './categories.ts';
import { svgElement } from './dom.ts';
import type { Paint } from './paint.ts';
import { type V8Tier, v8Tiers } from '../protocol/v8-tiers.ts';

/**
 * One tile of each pattern, on a square of 8 × 8 px. Own code is plain, because people look for it. So are the tiers at
 * both ends, whose brightness differs most.
 */
const tiles: Readonly<Partial<Record<FrameCategory | V8Tier, string>>> = {
  test: 'M-2 6 6-2M2 10 10 2',
  dependency: 'M1 1.5h2M5 5.5h2',
  runner: 'M-2 2 6 10M2-2 10 6',
  node: 'M0 3.5h2.5M4 7.5h2.5',
  native: 'M3.5 0v8',
  gc: 'M0 0 8 8M8 0 0 8',
  sparkplug: 'M-2 6 6-2M2 10 10 2',
  maglev: 'M0 2h8M0 6h8',
  unknown: 'M1 1.5h1M5 5.5h1',
};

/** The `fill` of a frame: a colour and a pattern, so that it never depends on the colour alone. */
export function fillOf({ key }: Paint): string {
  return `url(#fill-${key})`;
}

/** The patterns that `fillOf` names; they must stand somewhere in the document. */
export function fillPatterns(): SVGSVGElement {
  const paints: readonly Paint[] = [
    ...categoryGroups.map(({ key }) => ({ kind: 'category', key }) as const),
    ...v8Tiers.map((key) => ({ kind: 'tier', key }) as const),
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

/** A small square of a paint, for the legend and the card. */
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
