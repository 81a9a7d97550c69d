import type { OperationRow, RunPart, Timeline, TimeRange } from '../protocol/time.ts';
import { duration } from '../words/formats/figures.ts';
import { visible } from '../words/formats/hidden-characters.ts';
import { element } from './basics/dom.ts';
import type { PageEvent, State } from './basics/page-state.ts';
import { axisTimes, lineHeight, lineTimes, timeChart } from './time-chart.ts';
import { columnText, partText, timelineText } from './basics/time-text.ts';
import { type Microseconds, microseconds } from '../protocol/units.ts';

/** Shorter moves of the pointer are clicks, in px. */
const leastDrag = 3;

/** The run over time, above everything else: a part of it is chosen by dragging, or by the two handles with the keyboard. */
export class TimeStrip {
  readonly element = element('section', { class: 'time', 'aria-label': 'Turns over time', hidden: '' });
  readonly #text = element('span', { class: 'time-text', role: 'status' });
  readonly #pointed = element('span', { class: 'time-pointed muted', 'aria-hidden': 'true' });
  readonly #lanes = element('select', { class: 'time-lanes', 'aria-label': 'Process', title: 'Process' });
  readonly #all = element('button', { type: 'button', class: 'text-button' }, 'Show All of the Run');
  readonly #chart = element('div', { class: 'time-chart' });
  readonly #labels = element('div', { class: 'time-labels', 'aria-hidden': 'true' });
  readonly #axis = element('div', { class: 'time-axis muted', 'aria-hidden': 'true' });
  readonly #picked = element('div', { class: 'time-picked', hidden: '' });
  readonly #brush: Brush;
  readonly #dispatch: (event: PageEvent) => void;
  #timeline: Timeline | null = null;
  /** The width that the axis was made for, in px. */
  #axisWidth = 0;
  #part: RunPart = { lane: null, range: null };

  constructor(dispatch: (event: PageEvent) => void) {
    this.#dispatch = dispatch;
    this.#brush = new Brush({
      choose: (range) => dispatch({ type: 'part', part: { ...this.#part, range } }),
      click: (share) => this.#click(share),
      point: (share) => this.#point(share),
    });
    const line = element('p', { class: 'time-bar' }, this.#text, this.#pointed, this.#lanes, this.#all);
    const names = ['Turns', 'GC', 'Delay'].map((name) => element('span', {}, name));
    const gutter = element('div', { class: 'time-rows muted', 'aria-hidden': 'true' }, ...names);
    const plot = element('div', { class: 'time-plot' }, this.#chart, this.#labels, this.#picked, this.#brush.element);
    this.element.append(line, element('div', { class: 'time-graph' }, gutter, plot, this.#axis));
    this.#all.addEventListener('click', () => dispatch({ type: 'part', part: { lane: null, range: null } }));
    this.#lanes.addEventListener('change', () => this.#chooseLane());
  }

  update({ timeline, choices: { part, operation }, answer, width }: State): void {
    this.element.hidden = timeline === null || timeline.durationUs <= 0;
    const isNew = timeline !== this.#timeline;
    this.#timeline = timeline;
    this.#part = part;
    if (timeline === null) return;
    if (isNew) this.#draw(timeline);
    if (isNew || width !== this.#axisWidth) this.#drawAxis(timeline, width);
    const text = partText(part, timeline);
    const said = text === '' ? timelineText(timeline) : text;
    if (this.#text.textContent !== said) this.#text.textContent = said;
    this.#all.hidden = text === '';
    this.#lanes.value = String(part.lane ?? '');
    this.#brush.update(part.range, timeline.durationUs);
    const rows = [...(answer?.picked === undefined ? [] : [answer.picked]), ...(answer?.operations?.rows ?? [])];
    this.#mark(operation === null ? undefined : rows.find(({ number }) => number === operation), timeline);
  }

  #draw(timeline: Timeline): void {
    this.#chart.replaceChildren(timeChart(timeline));
    this.#labels.replaceChildren(
      ...lineTimes.flatMap((us) => {
        const height = lineHeight(timeline, us);
        if (height >= 1) return [];
        const label = element('span', {}, duration(us));
        label.style.setProperty('--height', String(height));
        return [label];
      }),
    );
    this.#lanes.hidden = timeline.lanes.length < 2;
    this.#lanes.replaceChildren(
      element('option', { value: '' }, 'All processes'),
      ...timeline.lanes.map(({ number, name }) => element('option', { value: String(number) }, visible(name, 80))),
    );
  }

  #drawAxis(timeline: Timeline, width: number): void {
    this.#axisWidth = width;
    this.#axis.replaceChildren(
      ...axisTimes(timeline, width).map((us) => {
        const mark = element('span', {}, duration(us));
        mark.style.setProperty('--share', String(us / timeline.durationUs));
        return mark;
      }),
    );
  }

  /** Marks where the operation that is looked at was. */
  #mark(row: OperationRow | undefined, { durationUs }: Timeline): void {
    this.#picked.hidden = row === undefined;
    if (row === undefined) return;
    this.#picked.style.left = `${(100 * row.startUs) / durationUs}%`;
    this.#picked.style.width = `${(100 * (row.endUs - row.startUs)) / durationUs}%`;
  }

  #chooseLane(): void {
    const { value } = this.#lanes;
    this.#dispatch({ type: 'part', part: { ...this.#part, lane: value === '' ? null : Number(value) } });
  }

  /** A click on a long turn shows it; elsewhere, and outside of the chosen part, it ends that choice. */
  #click(share: number): void {
    const operation = this.#timeline?.operations[this.#columnAt(share)] ?? -1;
    const { range } = this.#part;
    const at = share * (this.#timeline?.durationUs ?? 0);
    const isInPart = range === null || (at >= range.from && at <= range.until);
    if (operation >= 0 && isInPart) this.#dispatch({ type: 'pick', operation });
    else if (range !== null) this.#dispatch({ type: 'part', part: { ...this.#part, range: null } });
  }

  #point(share: number | null): void {
    const timeline = this.#timeline;
    this.#pointed.textContent = share === null || timeline === null ? '' : columnText(timeline, this.#columnAt(share));
  }

  #columnAt(share: number): number {
    const count = this.#timeline?.longest.length ?? 0;
    return Math.max(0, Math.min(count - 1, Math.floor(share * count)));
  }
}

interface BrushHandlers {
  /** Takes a stretch of the run; null for all of it. */
  readonly choose: (range: TimeRange | null) => void;
  /** A click without a drag, at this share of the run, from 0 to 1. */
  readonly click: (share: number) => void;
  readonly point: (share: number | null) => void;
}

/** A stretch of the run from two shares of it, in any order. */
function rangeOf(one: number, other: number, durationUs: number): TimeRange {
  const [from, until] = [Math.min(one, other), Math.max(one, other)];
  return { from: microseconds(Math.round(from * durationUs)), until: microseconds(Math.round(until * durationUs)) };
}

function isDrag({ x }: { readonly x: number }, { clientX }: PointerEvent): boolean {
  return Math.abs(clientX - x) >= leastDrag;
}

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

/** Lies over the chart: a drag chooses a stretch, and so do two handles by keyboard. */
class Brush {
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
