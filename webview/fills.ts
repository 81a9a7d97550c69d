import type { FrameCategory } from '../protocol/flame.ts';
import { categoryGroups, groupOf } from './categories.ts';
import { svgElement } from './dom.ts';

/** One tile of each pattern, on a square of 8 × 8 px. Own code is plain: it is what one looks for. */
const tiles: Readonly<Partial<Record<FrameCategory, string>>> = {
  test: 'M-2 6 6-2M2 10 10 2',
  dependency: 'M1 1.5h2M5 5.5h2',
  runner: 'M-2 2 6 10M2-2 10 6',
  node: 'M0 3.5h2.5M4 7.5h2.5',
  native: 'M3.5 0v8',
  gc: 'M0 0 8 8M8 0 0 8',
};

/** The `fill` of a frame: a colour and a pattern, so that it never depends on the colour alone. */
export function fillOf(category: FrameCategory): string {
  return `url(#fill-${groupOf(category).key})`;
}

/** The patterns that `fillOf` names; they must stand somewhere in the document. */
export function fillPatterns(): SVGSVGElement {
  const patterns = categoryGroups.map(({ key }) => {
    const size = { width: '8', height: '8' };
    const ground = svgElement('rect', { ...size, class: 'fill-ground' });
    const lines = svgElement('path', { d: tiles[key] ?? '', class: 'fill-lines' });
    const attributes = { ...size, id: `fill-${key}`, 'data-category': key, patternUnits: 'userSpaceOnUse' };
    return svgElement('pattern', attributes, ground, lines);
  });
  return svgElement('svg', { class: 'patterns', 'aria-hidden': 'true' }, svgElement('defs', {}, ...patterns));
}

/** A small square in a category's fill, for the legend and the card. */
export function swatch(category: FrameCategory): SVGSVGElement {
  const square = svgElement('rect', { width: '12', height: '12', fill: fillOf(category) });
  const attributes = {
    class: 'swatch',
    'data-category': groupOf(category).key,
    viewBox: '0 0 12 12',
    'aria-hidden': 'true',
  };
  return svgElement('svg', attributes, square);
}
