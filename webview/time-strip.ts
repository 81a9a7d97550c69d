import type { RunPart, Timeline, TimeRange } from '../protocol/time.ts';
import { duration, pointInTime } from '../words/formats/figures.ts';
import { visible } from '../words/formats/foreign-text.ts';
import { element, setText, svgElement, textButton } from './basics/dom.ts';
import { type Actions, freshChoices, type PagePart, type State } from './basics/page-state.ts';
import { columnText, partText, timelineText } from './basics/time-text.ts';
import { type DurationClass, durationClasses, durationClassOf } from '../protocol/figures.ts';
import { type Microseconds, microseconds, milliseconds } from '../protocol/units.ts';

/** How far an arrow moves a handle, as a share of the run. */
const KEY_STEP = 0.01;

/** Shorter moves of the pointer are clicks, in px. */
const MIN_DRAG = 3;

/** The run over time. A drag chooses a part of it, and so do two handles by keyboard. */
export class TimeStrip implements PagePart {
  readonly element = element('section', { class: 'time', 'aria-label': 'Turns over time', hidden: '' });
  readonly #text = element('span', { class: 'time-text', role: 'status' });
  readonly #pointed = element('span', { class: 'time-pointed muted', 'aria-hidden': 'true' });
  readonly #lanes = element('select', { class: 'time-lanes', 'aria-label': 'Process', title: 'Process' });
  readonly #all = textButton('Show All of the Run', () => this.#choose(freshChoices.part));
  readonly #chart = element('div', { class: 'time-chart' });
  readonly #labels = element('div', { class: 'time-labels', 'aria-hidden': 'true' });
  readonly #axis = element('div', { class: 'time-axis muted', 'aria-hidden': 'true' });
  readonly #picked = element('div', { class: 'time-picked', hidden: '' });
  readonly #brush: Brush;
  readonly #dispatch: Actions['dispatch'];
  #timeline: Timeline | null = null;
  /** Width of the drawn axis, in px. */
  #axisWidth = 0;
  #part = freshChoices.part;

  constructor({ dispatch }: Actions) {
    this.#dispatch = dispatch;
    this.#brush = new Brush({
      choose: (range) => this.#choose({ ...this.#part, range }),
      click: (share) => this.#click(share),
      point: (share) => this.#point(share),
    });
    const line = element('p', { class: 'time-bar' }, this.#text, this.#pointed, this.#lanes, this.#all);
    const names = ['Turns', 'GC', 'Delay'].map((name) => element('span', {}, name));
    const gutter = element('div', { class: 'time-rows muted', 'aria-hidden': 'true' }, ...names);
    const plot = element('div', { class: 'time-plot' }, this.#chart, this.#labels, this.#picked, this.#brush.element);
    this.element.append(line, element('div', { class: 'time-graph' }, gutter, plot, this.#axis));
    this.#lanes.addEventListener('change', () => {
      const { value } = this.#lanes;
      this.#choose({ ...this.#part, lane: value === '' ? null : Number(value) });
    });
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
    setText(this.#text, text === '' ? timelineText(timeline) : text);
    this.#all.hidden = text === '';
    this.#lanes.value = String(part.lane ?? '');
    this.#brush.update(part.range, timeline.durationUs);
    const rows = [...(answer?.picked === undefined ? [] : [answer.picked]), ...(answer?.operations?.rows ?? [])];
    const row = operation === null ? undefined : rows.find(({ number }) => number === operation);
    const marked = row === undefined ? null : { from: row.startUs, until: row.endUs };
    placeAt(this.#picked, marked, timeline.durationUs);
  }

  #draw(timeline: Timeline): void {
    this.#chart.replaceChildren(timeChart(timeline));
    this.#labels.replaceChildren(
      ...lineTimes.flatMap((us) => {
        const height = heightScale(timeline)(us);
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
    const times = axisTimes(timeline, width);
    const [step = 0] = times;
    this.#axis.replaceChildren(
      ...times.map((us) => {
        const mark = element('span', {}, pointInTime(us, step));
        mark.style.setProperty('--share', String(us / timeline.durationUs));
        return mark;
      }),
    );
  }

  #choose(part: RunPart): void {
    this.#dispatch({ type: 'part', part });
  }

  /** A click on a long turn shows it. A click elsewhere, or outside of the chosen part, shows the whole run. */
  #click(share: number): void {
    const operation = this.#timeline?.operations[this.#columnAt(share)] ?? -1;
    const { range } = this.#part;
    const at = share * (this.#timeline?.durationUs ?? 0);
    const isInPart = range === null || (at >= range.from && at <= range.until);
    if (operation >= 0 && isInPart) this.#dispatch({ type: 'pick', operation });
    else if (range !== null) this.#choose({ ...this.#part, range: null });
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
  /** Null for the whole run. */
  readonly choose: (range: TimeRange | null) => void;
  /** A click without a drag, at this share of the run, from 0 to 1. */
  readonly click: (share: number) => void;
  readonly point: (share: number | null) => void;
}

/** The part of the run between two shares of it, which may be in any order. */
function makeRange(one: number, other: number, durationUs: number): TimeRange {
  const [from, until] = [Math.min(one, other), Math.max(one, other)];
  return { from: microseconds(Math.round(from * durationUs)), until: microseconds(Math.round(until * durationUs)) };
}

function isDrag({ x }: { readonly x: number }, { clientX }: PointerEvent): boolean {
  return Math.abs(clientX - x) >= MIN_DRAG;
}

/** Places an element over a part of the run, and hides it for null. */
function placeAt(target: HTMLElement, range: TimeRange | null, durationUs: number): void {
  target.toggleAttribute('hidden', range === null);
  if (range === null) return;
  target.style.setProperty('left', `${(100 * range.from) / durationUs}%`);
  target.style.setProperty('width', `${(100 * (range.until - range.from)) / durationUs}%`);
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

/** Lies over the chart: a drag chooses a part of the run, and so do two handles by keyboard. */
class Brush {
  readonly element = element('div', { class: 'time-brush', role: 'group', 'aria-label': 'Part of the run' });
  readonly #chosen = element('div', { class: 'time-chosen', hidden: '' });
  readonly #handles = [handle('Start'), handle('End')] as const;
  readonly #handlers: BrushHandlers;
  #durationUs = microseconds(0);
  #range: TimeRange | null = null;
  /** Where the drag began: share of the run, and x on the page in px; null without a drag. */
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
    if (this.#drag === null) placeAt(this.#chosen, range, durationUs);
    const ends = this.#ends;
    for (const [index, one] of this.#handles.entries()) {
      const at = index === 0 ? ends.from : ends.until;
      one.style.left = `${(100 * at) / durationUs}%`;
      one.setAttribute('aria-valuemax', String(Math.round(durationUs / 1000)));
      one.setAttribute('aria-valuenow', String(Math.round(at / 1000)));
      one.setAttribute('aria-valuetext', pointInTime(at, durationUs * KEY_STEP));
    }
  }

  get #ends(): TimeRange {
    return this.#range ?? { from: microseconds(0), until: this.#durationUs };
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
      placeAt(this.#chosen, makeRange(this.#drag.share, share, this.#durationUs), this.#durationUs);
  }

  #up(event: PointerEvent): void {
    const drag = this.#drag;
    this.#end();
    if (drag === null) return;
    const share = this.#shareAt(event);
    if (isDrag(drag, event)) this.#handlers.choose(makeRange(drag.share, share, this.#durationUs));
    else this.#handlers.click(share);
  }

  #end(): void {
    this.#drag = null;
    placeAt(this.#chosen, this.#range, this.#durationUs);
  }

  #key(event: KeyboardEvent): void {
    const moved = event.ctrlKey || event.metaKey || event.altKey ? null : this.#rangeAfter(event);
    if (moved === null) return;
    event.preventDefault();
    event.stopPropagation(); // Escape and the arrows mean other things elsewhere on the page.
    if (moved !== 'same') this.#handlers.choose(moved === 'all' ? null : moved);
  }

  /** The range after a key on a handle; null for other keys. */
  #rangeAfter({ key, shiftKey, target }: KeyboardEvent): TimeRange | 'all' | 'same' | null {
    const { from, until } = this.#ends;
    if (key === 'Escape' || key === 'Delete') return this.#range === null ? null : 'all';
    const step = this.#durationUs * (shiftKey ? 10 * KEY_STEP : KEY_STEP);
    const arrows = { ArrowRight: step, ArrowUp: step, ArrowLeft: -step, ArrowDown: -step };
    const by = new Map(Object.entries({ ...arrows, Home: -Infinity, End: Infinity })).get(key);
    if (by === undefined) return null;
    const least = this.#durationUs * 0.001;
    const moved =
      target === this.#handles[0]
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

/** Heights in the chart's own units: turns on top, then GC, then delays. */
const rows = { turns: 44, gcTop: 47, gc: 8, delayTop: 58, delay: 14, all: 72 } as const;

/** The times with a line: the bounds of the duration classes. */
const lineTimes = [milliseconds(10), milliseconds(100), milliseconds(1000)] as const;

/**
 * Turns, GC and delays as one picture, with the timeline's columns. Heights of times are logarithmic, so that turns of
 * 10 ms and of 10 s are both visible.
 */
function timeChart(timeline: Timeline): SVGSVGElement {
  const count = timeline.longest.length;
  const scale = heightScale(timeline);
  const turns = turnPaths(timeline.longest, scale).map(([key, d]) =>
    svgElement('path', { class: 'time-turns', 'data-class': key, d }),
  );
  const lines = lineTimes.flatMap((us) => {
    const y = rows.turns * (1 - scale(us));
    return y > 0 ? [svgElement('path', { class: 'time-line', d: `M0 ${y.toFixed(1)}h${count}` })] : [];
  });
  const gc = bars(timeline.collecting, (share) => share * rows.gc, rows.gcTop + rows.gc);
  const delay = bars(timeline.delays, (us) => scale(us) * rows.delay, rows.delayTop + rows.delay);
  return svgElement(
    'svg',
    { viewBox: `0 0 ${count} ${rows.all}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    ...turns,
    ...lines,
    svgElement('path', { class: 'time-gc', 'data-category': 'gc', d: gc }),
    svgElement('path', { class: 'time-delay', d: delay }),
  );
}

/**
 * Marks of the axis, in µs since the start of the run (which has none): 1, 2 or 5 times a power of ten apart, as many as
 * fit into `width` px.
 */
export function axisTimes({ durationUs }: Pick<Timeline, 'durationUs'>, width: number): readonly Microseconds[] {
  const atLeast = (durationUs * MARK_WIDTH) / Math.max(1, width);
  const power = 10 ** Math.floor(Math.log10(Math.max(1, atLeast)));
  const step = [1, 2, 5, 10].map((times) => times * power).find((us) => us >= atLeast) ?? power;
  return Array.from({ length: Math.floor(durationUs / step) }, (_, index) => microseconds((index + 1) * step));
}

/** Room for a mark with its time, in px. */
const MARK_WIDTH = 64;

/** Height of a time, from 0 to 1: from 1 ms to the longest turn, or to 100 ms if that is longer. */
function heightScale({ longest }: Timeline): (us: number) => number {
  const highest = longest.reduce((high, us) => Math.max(high, us), milliseconds(100));
  const whole = Math.log(highest / LOWEST_US);
  return (us) => (us <= 0 ? 0 : Math.max(MIN_HEIGHT, Math.min(1, Math.log(us / LOWEST_US) / whole)));
}

const LOWEST_US = 1000;
/** Makes times just over 1 ms visible. */
const MIN_HEIGHT = 0.05;

function turnPaths(longest: readonly number[], scale: (us: number) => number): readonly [DurationClass, string][] {
  const classes = longest.map((us) => durationClassOf(microseconds(us)));
  return durationClasses.flatMap((key): readonly [DurationClass, string][] => {
    const ofClass = longest.map((us, column) => (us > 0 && classes[column] === key ? us : 0));
    const d = bars(ofClass, (us) => scale(us) * rows.turns, rows.turns);
    return d === '' ? [] : [[key, d]];
  });
}

/** Bars on a common base line. Neighbours of the same value become one bar. */
function bars(values: readonly number[], heightOf: (value: number) => number, bottom: number): string {
  const parts: string[] = [];
  for (let column = 0; column < values.length;) {
    const value = values[column] ?? 0;
    let end = column + 1;
    while (end < values.length && values[end] === value) end += 1;
    if (value > 0) parts.push(`M${column} ${bottom}v${(-heightOf(value)).toFixed(1)}h${end - column}V${bottom}z`);
    column = end;
  }
  return parts.join('');
}
