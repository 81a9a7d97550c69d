import { creator, selection, type BaseType, type Selection, type ValueFn } from 'd3-selection';
import { element, svgElement } from './basics/dom.ts';

/**
 * Replaces d3-transition in the page's bundle (`scripts/bundles.mjs`), and makes drawing cheap. The chart writes all
 * attributes and texts of all frames at each drawing, although nearly all of them stay the same, and the browser then
 * computes styles and layout again; here only differences are written. The chart listens on each frame, but the page has
 * its own listeners. It makes three transitions for each frame, and frames would move away under the pointer. And it
 * labels each frame, but most have no room for a label.
 */
Object.assign(selection.prototype, { transition: itself, duration: itself, ease: itself, delay: itself, on: itself });

type Frames = Selection<Element, unknown, BaseType, unknown>;
type Written = string | number | null;
type Value = Written | ValueFn<Element, unknown, Written>;

Object.assign(selection.prototype, {
  attr(this: Frames, name: string, value: Value): Frames {
    return writeEach(this, value, (target, written) => setAttribute(target, name, written));
  },
  /** The chart would make its own nodes (d3-hierarchy) from what it gets, but these already are nodes. */
  datum(this: Frames, value: unknown): Frames {
    return typeof value === 'function' ? this : this.property('__data__', value);
  },
  text(this: Frames, value: Value): Frames {
    return writeEach(this, value, (target, written) => {
      const text = String(written ?? '');
      if (target.textContent !== text) target.replaceChildren(text);
    });
  },
  style(this: Frames, name: string, value: Value): Frames {
    return writeEach(this, value, (target, written) => {
      if (!(target instanceof HTMLElement || target instanceof SVGElement)) return;
      const text = String(written);
      if (target.style.getPropertyValue(name) !== text) target.style.setProperty(name, text);
    });
  },
  append(this: Frames, name: string): Frames {
    const create = creator(name);
    const within = name === 'foreignObject' ? this.filter(hasRoom) : this;
    return within.select<Element>(function appended() {
      // oxlint-disable-next-line unicorn/prefer-dom-node-append -- the parent may be a placeholder of d3, which has only this
      return this.appendChild(create.call(this));
    });
  },
});

function writeEach(frames: Frames, value: Value, write: (target: Element, written: Written) => void): Frames {
  return frames.each(function writeOne(datum, index, nodes) {
    write(this, typeof value === 'function' ? value.call(this, datum, index, nodes) : value);
  });
}

/** Writes an attribute if it differs; null removes it. */
export function setAttribute(target: Element, name: string, value: Written): void {
  const before = target.getAttribute(name);
  if (value === null) {
    if (before !== null) target.removeAttribute(name);
  } else if (before !== String(value)) target.setAttribute(name, String(value));
}

/** Whether a new frame is wide enough for a label. Its `rect` already has its width. */
function hasRoom(this: Element): boolean {
  return Number(this.firstElementChild?.getAttribute('width')) >= MIN_LABEL_WIDTH;
}

function itself<Selected>(this: Selected): Selected {
  return this;
}

/** In px: narrower frames have no name, as in the chart. */
const MIN_LABEL_WIDTH = 35;

/** Removes or adds the label of a frame after a change of its width. Most frames are too narrow for one. */
export function keepLabel(frame: SVGGElement, name: string): void {
  const width = frame.getAttribute('width') ?? '0';
  const label = frame.children[1];
  if (Number(width) < MIN_LABEL_WIDTH) label?.remove();
  else if (label === undefined) {
    const text = element('div', { class: 'd3-flame-graph-label' }, name);
    const added = svgElement('foreignObject', { width, height: frame.getAttribute('height') ?? '' }, text);
    added.style.setProperty('pointer-events', 'none');
    frame.append(added);
  }
}
