import { creator, selection, type BaseType, type Selection, type ValueFn } from 'd3-selection';

/**
 * Stands in for d3-transition in the page's bundle (`scripts/bundles.mjs`), and makes what the chart does to its elements
 * cheap. It writes all attributes and texts of all frames each time, though nearly all are as they were, and the browser
 * then styles them and lays them out again; here only what differs is written. It listens on each frame, and nobody
 * hears it: the page has listeners of its own. It makes three transitions for each frame even where they last no time,
 * and frames would move away under the pointer. And it gives each frame a label, where most have no room for one.
 */
Object.assign(selection.prototype, { transition: itself, duration: itself, ease: itself, delay: itself, on: itself });

type Frames = Selection<Element, unknown, BaseType, unknown>;
type Written = string | number | null;

Object.assign(selection.prototype, {
  attr(this: Frames, name: string, value: Written | ValueFn<Element, unknown, Written>): Frames {
    return this.each(function write(datum, index, nodes) {
      setAttribute(this, name, typeof value === 'function' ? value.call(this, datum, index, nodes) : value);
    });
  },
  /** The chart would make nodes of its own (d3-hierarchy) of what it is given, which are nodes already. */
  datum(this: Frames, value: unknown): Frames {
    return typeof value === 'function' ? this : this.property('__data__', value);
  },
  text(this: Frames, value: Written | ValueFn<Element, unknown, Written>): Frames {
    return this.each(function write(datum, index, nodes) {
      const text = String((typeof value === 'function' ? value.call(this, datum, index, nodes) : value) ?? '');
      if (this.textContent !== text) this.textContent = text;
    });
  },
  style(this: Frames, name: string, value: string | ValueFn<Element, unknown, string>): Frames {
    return this.each(function write(datum, index, nodes) {
      if (!(this instanceof HTMLElement || this instanceof SVGElement)) return;
      const text = typeof value === 'function' ? value.call(this, datum, index, nodes) : value;
      if (this.style.getPropertyValue(name) !== text) this.style.setProperty(name, text);
    });
  },
  append(this: Frames, name: string): Frames {
    const create = creator(name);
    const within = name === 'foreignObject' ? this.filter(hasRoom) : this;
    return within.select<Element>(function appended() {
      // oxlint-disable-next-line unicorn/prefer-dom-node-append -- a frame to come is no element yet, and has no other
      return this.appendChild(create.call(this));
    });
  },
});

/** Writes an attribute where it differs; null takes it away. */
export function setAttribute(target: Element, name: string, value: Written): void {
  const before = target.getAttribute(name);
  if (value === null) {
    if (before !== null) target.removeAttribute(name);
  } else if (before !== String(value)) target.setAttribute(name, String(value));
}

/** Whether a new frame is wide enough for a label. Its `rect` has its width already. */
function hasRoom(this: Element): boolean {
  return Number(this.firstElementChild?.getAttribute('width')) >= leastLabelWidth;
}

function itself<Selected>(this: Selected): Selected {
  return this;
}

/** Width in px from which a frame has its name on it, as in the chart. */
export const leastLabelWidth = 35;

/**
 * Takes the label of a frame away that has become too narrow for a name, and makes one where a frame has become wide
 * enough: most frames are narrow, and a label is two of four elements.
 */
export function keepLabel(frame: SVGGElement, name: string): void {
  const width = Number(frame.getAttribute('width'));
  const label = frame.children[1];
  if (width < leastLabelWidth) label?.remove();
  else if (label === undefined) frame.append(labelOf(name, width, Number(frame.getAttribute('height'))));
}

function labelOf(name: string, width: number, height: number): SVGForeignObjectElement {
  const label = document.createElementNS('http://www.w3.org/2000/svg', 'foreignObject');
  label.setAttribute('width', String(width));
  label.setAttribute('height', String(height));
  label.style.setProperty('pointer-events', 'none');
  const text = document.createElement('div');
  text.className = 'd3-flame-graph-label';
  text.textContent = name;
  label.append(text);
  return label;
}
