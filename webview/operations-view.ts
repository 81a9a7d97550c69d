import { durationClassOf } from '../protocol/figures.ts';
import type { FlameAnswer } from '../protocol/flame.ts';
import { type OperationList, type OperationOrder, operationOrders, type OperationRow } from '../protocol/time.ts';
import { duration, plural } from '../words/formats/figures.ts';
import { visible } from '../words/formats/foreign-text.ts';
import { type Choice, choice, closest, element, setText, textButton } from './basics/dom.ts';
import { type Actions, type FrameActions, isWholeRun, type State } from './basics/page-state.ts';
import { beganAt, heldTime, pickedLines, pickedTitle, rowSentence } from './basics/time-text.ts';
import type { Drawing } from './graph.ts';
import { GraphView } from './graph-view.ts';

const orderNames: Readonly<Record<OperationOrder, string>> = {
  duration: 'By duration',
  time: 'In time order',
  test: 'By test',
  route: 'By route',
};

const frameOrders = {
  inTime: ['In time order (T)', 'Its samples from left to right, as they came'],
  byTime: ['Heaviest first (T)', 'Calls of one function together, the heaviest first'],
} as const;

/**
 * The list of long operations, with what is known about one of them and its frames in time order or by time. The row with
 * the focus is the operation that is shown; arrows go to its neighbours.
 */
export class OperationsView {
  readonly element = element('div', { class: 'operations', hidden: '' });
  readonly #dispatch: Actions['dispatch'];
  readonly #none = element('p', { class: 'operations-none', role: 'status' });
  readonly #orders: Choice<OperationOrder>;
  readonly #note = element('p', { class: 'operations-note muted' });
  readonly #list = element('div', { class: 'operation-list', role: 'listbox', 'aria-label': 'Long operations' });
  readonly #count = element('p', { class: 'operations-note muted' });
  readonly #rows: HTMLElement;
  readonly #title = element('h2', { class: 'picked-title' });
  readonly #lines = element('ul', { class: 'picked-lines' });
  readonly #frameOrders: Choice<'inTime' | 'byTime'>;
  readonly #pane = element('div', { class: 'picked-graph' });
  readonly #picked: HTMLElement;
  readonly #graph: GraphView;
  #number: number | null = null;
  /** Length of the whole list. */
  #total = 0;

  constructor(actions: FrameActions) {
    const { dispatch } = actions;
    this.#dispatch = dispatch;
    this.#orders = choice('operation-orders', 'Order of operations', operationOrders, (by) =>
      textButton(orderNames[by], () => dispatch({ type: 'choose', choices: { operations: by } })),
    );
    this.#frameOrders = choice('picked-orders', 'Order of frames', ['inTime', 'byTime'], (order) => {
      const [label, title] = frameOrders[order];
      return textButton(label, () => dispatch({ type: 'inTime', isInTime: order === 'inTime' }), title);
    });
    this.#graph = new GraphView(actions);
    this.#pane.append(this.#graph.element);
    const list = [this.#orders.element, this.#note, this.#list, this.#count];
    this.#rows = element('div', { class: 'operation-rows' }, ...list);
    const about = element('div', { class: 'picked-about', role: 'status' }, this.#title, this.#lines);
    this.#picked = element('div', { class: 'picked' }, about, this.#frameOrders.element, this.#pane);
    this.element.append(this.#none, this.#rows, this.#picked);
    this.#list.addEventListener('click', (event) => this.#click(event));
    this.#list.addEventListener('keydown', (event) => this.#key(event));
  }

  draw(drawing: Drawing, { operations, picked }: FlameAnswer, { shown }: State): void {
    if (operations === undefined) return;
    const before = this.#number;
    this.#number = picked?.number ?? null;
    const where = isWholeRun(shown.part) ? '' : ' in this part of the run';
    this.#none.hidden = operations.total > 0;
    this.#none.textContent = `No operation held an event loop for more than ${duration(drawing.thresholdUs)}${where}.`;
    this.#rows.hidden = operations.total === 0 && operations.note === null;
    this.#orders.select(shown.operations);
    this.#drawRows(operations);
    this.#picked.hidden = picked === undefined;
    if (picked === undefined) return;
    const title = pickedTitle(picked);
    const isOther = before !== picked.number || this.#title.textContent !== title;
    setText(this.#title, title);
    this.#lines.replaceChildren(...pickedLines(picked, drawing.thresholdUs).map((line) => element('li', {}, line)));
    this.#frameOrders.select(shown.isInTime ? 'inTime' : 'byTime');
    const label = shown.isInTime ? 'Flamegraph in time order' : 'Flamegraph';
    this.#graph.draw({ ...drawing, label, width: this.#pane.clientWidth });
    if (isOther) this.reveal();
  }

  clear(): void {
    this.#list.replaceChildren();
    this.#graph.clear();
  }

  reveal(): void {
    this.#rowOf(this.#number)?.scrollIntoView({ block: 'nearest' });
  }

  readonly focus = (): void => this.#graph.focus();
  readonly arrive = (): void => this.#graph.arrive();

  #drawRows({ rows, first, total, note }: OperationList): void {
    const hadFocus = this.#list.contains(document.activeElement);
    this.#total = total;
    this.#note.hidden = note === null;
    this.#note.textContent = note;
    this.#list.replaceChildren(...listed(rows, this.#number, first, total));
    const count = plural(total, 'long operation');
    const range = `${first + 1} to ${first + rows.length} of ${count}. J and K go on.`;
    this.#count.textContent = rows.length === total ? count : range;
    if (!hadFocus) return;
    this.#rowOf(this.#number)?.focus({ preventScroll: true });
    this.reveal();
  }

  #click(event: Event): void {
    const number = closest(event, '.operation-row')?.dataset['number'];
    if (number === undefined) return;
    this.#rowOf(Number(number))?.focus({ preventScroll: true });
    this.#dispatch({ type: 'pick', operation: Number(number) });
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // Twice the length of the list leads to its end from every row, also with unanswered steps.
    const far = 2 * this.#total;
    const ways = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -far, End: far };
    const step = new Map(Object.entries(ways)).get(event.key);
    if (step === undefined) return;
    event.preventDefault();
    this.#dispatch({ type: 'stepOperation', step });
  }

  #rowOf(number: number | null): HTMLElement | null {
    return number === null ? null : this.#list.querySelector<HTMLElement>(`[data-number="${number}"]`);
  }
}

/** Rows, in groups if they have one. */
function listed(rows: readonly OperationRow[], picked: number | null, first: number, total: number): readonly Node[] {
  const made: HTMLElement[] = [];
  let group: HTMLElement | null = null;
  for (const [index, row] of rows.entries()) {
    const shown = makeRow(row, row.number === picked, first + index + 1, total);
    if (row.group === '') made.push(shown);
    else {
      if (group === null || row.group !== rows[index - 1]?.group) {
        group = makeGroup(visible(row.group, 300));
        made.push(group);
      }
      group.append(shown);
    }
  }
  return made;
}

function makeGroup(name: string): HTMLElement {
  const title = element('div', { class: 'operation-group', role: 'presentation', title: name }, name);
  return element('div', { role: 'group', 'aria-label': name }, title);
}

/** `place` is the row's place in the whole list, from 1. */
function makeRow(row: OperationRow, isPicked: boolean, place: number, total: number): HTMLElement {
  const attributes = {
    class: 'operation-row',
    role: 'option',
    tabindex: isPicked ? '0' : '-1',
    'aria-selected': String(isPicked),
    'aria-label': rowSentence(row),
    'aria-posinset': String(place),
    'aria-setsize': String(total),
    'data-number': String(row.number),
    'data-class': durationClassOf(row.heldUs),
    title: rowSentence(row),
  };
  const parts = [
    element('span', { class: 'operation-held' }, heldTime(row)),
    element('span', { class: 'operation-holder name' }, visible(row.holder, 200)),
    element('span', { class: 'operation-at muted' }, beganAt(row)),
    element('span', { class: 'operation-where muted' }, visible(row.where, 300)),
  ];
  return element('div', attributes, ...parts.flatMap((part) => [part, ' '])); // Spaces separate the words of its text.
}
