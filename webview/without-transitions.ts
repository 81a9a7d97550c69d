import { selection } from 'd3-selection';

/**
 * Stands in for d3-transition in the page's bundle (`scripts/bundles.mjs`). The chart makes three transitions for each
 * frame even where they last no time, which takes longer than all the rest of drawing, and frames would move away under
 * the pointer.
 */
Object.assign(selection.prototype, { transition: itself, duration: itself, ease: itself, delay: itself });

function itself<Selection>(this: Selection): Selection {
  return this;
}
