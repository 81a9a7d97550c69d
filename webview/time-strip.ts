import type { OperationRow, RunPart, Timeline } from '../protocol/time.ts';
import { duration } from '../words/formats/figures.ts';
import { visible } from '../words/formats/hidden-characters.ts';
import { element } from './dom.ts';
import type { PageEvent, State } from './page-state.ts';
import { axisTimes, lineHeight, lineTimes, timeChart } from './time-chart.ts';
import { Brush } from './time-brush.ts';
import { columnText, partText, timelineText } from './time-text.ts';

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
