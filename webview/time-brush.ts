import type { TimeRange } from '../protocol/time.ts';
import { type Microseconds, microseconds } from '../protocol/units.ts';
import { duration } from '../words/formats/figures.ts';
import { element } from './dom.ts';

export interface BrushHandlers {
  /** Takes a stretch of the run; null for all of it. */
  readonly choose: (range: TimeRange | null) => void;
  /** A click without a drag, at this share of the run, from 0 to 1. */
  readonly click: (share: number) => void;
  readonly point: (share: number | null) => void;
}

/** Lies over the chart: a drag chooses a stretch, and so do two handles by keyboard. */
export class Brush {
  readonly element = element('div', { class: 'time-brush', role: 'group', 'aria-label': 'Part of the run' });
  readonly #chosen = element('div', { class: 'time-chosen', hidden: '' });
  readonly #handles = [handle('Start'), handle('End')] as const;
  readonly #handlers: BrushHandlers;
  #durationUs = microseconds(0);
  #range: TimeRange | null = null;
  /** Share of the run at which a drag began, and its place on the page in px; null while there is none. */
  #drag: { readonly share: number; readonly x: number } | null = null;

  constructor(handlers: BrushHandlers) {
    this.#handlers = handlers;
    this.element.append(this.#chosen, ...this.#handles);
    this.element.addEventListener('pointerdown', (event) => this.#down(event));
    this.element.addEventListener('pointermove', (event) => this.#move(event));
    this.element.addEventListener('pointerup', (event) => this.#up(event));
    this.element.addEventListener('pointercancel', () => this.#end());
    this.element.addEventListener('pointerleave', () => handlers.point(null));
    this.element.addEventListener('keydown', (event) => this.#key(event));
  }

  update(range: TimeRange | null, durationUs: Microseconds): void {
    this.#range = range;
    this.#durationUs = durationUs;
    if (this.#drag === null) this.#show(range);
    const ends = this.#ends;
    for (const [index, one] of this.#handles.entries()) {
      const at = index === 0 ? ends.from : ends.until;
      one.style.left = `${(100 * at) / durationUs}%`;
      one.setAttribute('aria-valuemax', String(Math.round(durationUs / 1000)));
      one.setAttribute('aria-valuenow', String(Math.round(at / 1000)));
      one.setAttribute('aria-valuetext', duration(at));
    }
  }

  get #ends(): TimeRange {
    return this.#range ?? { from: microseconds(0), until: this.#durationUs };
  }

  #show(range: TimeRange | null): void {
    this.#chosen.hidden = range === null;
    if (range === null) return;
    this.#chosen.style.left = `${(100 * range.from) / this.#durationUs}%`;
    this.#chosen.style.width = `${(100 * (range.until - range.from)) / this.#durationUs}%`;
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.#drag = { share: this.#shareAt(event), x: event.clientX };
    this.element.setPointerCapture(event.pointerId);
  }

  #move(event: PointerEvent): void {
    const share = this.#shareAt(event);
    this.#handlers.point(share);
    if (this.#drag !== null && isDrag(this.#drag, event))
      this.#show(rangeOf(this.#drag.share, share, this.#durationUs));
  }

  #up(event: PointerEvent): void {
    const drag = this.#drag;
    this.#end();
    if (drag === null) return;
    const share = this.#shareAt(event);
    if (isDrag(drag, event)) this.#handlers.choose(rangeOf(drag.share, share, this.#durationUs));
    else this.#handlers.click(share);
  }

  #end(): void {
    this.#drag = null;
    this.#show(this.#range);
  }

  #key(event: KeyboardEvent): void {
    const moved = event.ctrlKey || event.metaKey || event.altKey ? null : this.#rangeAfter(event);
    if (moved === null) return;
    event.preventDefault();
    event.stopPropagation(); // Escape and the arrows mean other things elsewhere on the page.
    if (moved !== 'same') this.#handlers.choose(moved === 'all' ? null : moved);
  }

  /** The range after a key on one of the handles; null for a key that moves none. */
  #rangeAfter({ key, shiftKey, target }: KeyboardEvent): TimeRange | 'all' | 'same' | null {
    const [first] = this.#handles;
    const isStart = target === first;
    const { from, until } = this.#ends;
    if (key === 'Escape' || key === 'Delete') return this.#range === null ? null : 'all';
    const step = this.#durationUs * (shiftKey ? 0.1 : 0.01);
    const ways = { ArrowRight: step, ArrowUp: step, ArrowLeft: -step, ArrowDown: -step };
    const far = { Home: -Infinity, End: Infinity };
    const by = new Map(Object.entries({ ...ways, ...far })).get(key);
    if (by === undefined) return null;
    const least = this.#durationUs * 0.001;
    const moved = isStart
      ? { from: within(0, from + by, until - least), until }
      : { from, until: within(from + least, until + by, this.#durationUs) };
    if (moved.from === from && moved.until === until) return 'same';
    return moved.from <= 0 && moved.until >= this.#durationUs ? 'all' : moved;
  }

  #shareAt({ clientX }: PointerEvent): number {
    const { left, width } = this.element.getBoundingClientRect();
    return Math.max(0, Math.min(1, (clientX - left) / Math.max(1, width)));
  }
}

/** A stretch of the run from two shares of it, in any order. */
function rangeOf(one: number, other: number, durationUs: number): TimeRange {
  const [from, until] = [Math.min(one, other), Math.max(one, other)];
  return { from: microseconds(Math.round(from * durationUs)), until: microseconds(Math.round(until * durationUs)) };
}

function isDrag({ x }: { readonly x: number }, { clientX }: PointerEvent): boolean {
  return Math.abs(clientX - x) >= leastDrag;
}

/** Shorter moves of the pointer are clicks, in px. */
const leastDrag = 3;

function within(low: number, value: number, high: number): Microseconds {
  return microseconds(Math.round(Math.max(low, Math.min(high, value))));
}

function handle(end: 'Start' | 'End'): HTMLElement {
  return element('div', {
    class: 'time-handle',
    role: 'slider',
    tabindex: '0',
    'aria-label': `${end} of the part that is shown`,
    'aria-valuemin': '0',
  });
}
