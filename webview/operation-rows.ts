import { durationClassOf } from '../protocol/figures.ts';
import { type OperationList, type OperationOrder, operationOrders, type OperationRow } from '../protocol/time.ts';
import { duration, plural } from '../words/formats/figures.ts';
import { visible } from '../words/formats/hidden-characters.ts';
import { closest, element } from './basics/dom.ts';
import { heldTime, rowSentence } from './basics/time-text.ts';

export interface RowHandlers {
  readonly pick: (operation: number) => void;
  readonly step: (step: number) => void;
  readonly order: (by: OperationOrder) => void;
}

const orderNames: Readonly<Record<OperationOrder, string>> = {
  duration: 'By duration',
  time: 'In time order',
  test: 'By test',
  route: 'By route',
};

/** The list of long operations. What has the focus is what is shown: the arrows go from one to the next. */
export class OperationRows {
  readonly element = element('div', { class: 'operation-rows' });
  readonly #orders = new Map(operationOrders.map((by) => [by, orderButton(by)]));
  readonly #note = element('p', { class: 'operations-note muted' });
  readonly #list = element('div', { class: 'operation-list', role: 'listbox', 'aria-label': 'Long operations' });
  readonly #count = element('p', { class: 'operations-note muted' });
  readonly #handlers: RowHandlers;
  #picked: number | null = null;
  /** Length of the whole list. */
  #total = 0;

  constructor(handlers: RowHandlers) {
    this.#handlers = handlers;
    const orders = element('div', { class: 'operation-orders', role: 'group', 'aria-label': 'Order of operations' });
    orders.append(...this.#orders.values());
    for (const [by, button] of this.#orders) button.addEventListener('click', () => handlers.order(by));
    this.#list.addEventListener('click', (event) => this.#click(event));
    this.#list.addEventListener('keydown', (event) => this.#key(event));
    this.element.append(orders, this.#note, this.#list, this.#count);
  }

  draw({ rows, first, total, note }: OperationList, by: OperationOrder, picked: number | null): void {
    const hadFocus = this.#list.contains(document.activeElement);
    this.#total = total;
    this.#picked = picked;
    for (const [order, button] of this.#orders) button.setAttribute('aria-pressed', String(order === by));
    this.#note.hidden = note === null;
    this.#note.textContent = note;
    this.#list.replaceChildren(...listed(rows, picked, first, total));
    const last = first + rows.length;
    this.#count.textContent =
      rows.length === total
        ? plural(total, 'long operation')
        : `${first + 1} to ${last} of ${plural(total, 'long operation')}. J and K go on.`;
    if (hadFocus) this.#rowOf(picked)?.focus({ preventScroll: true });
    if (hadFocus) this.reveal();
  }

  clear(): void {
    this.#list.replaceChildren();
  }

  reveal(): void {
    this.#rowOf(this.#picked)?.scrollIntoView({ block: 'nearest' });
  }

  #click(event: Event): void {
    const number = closest(event, '.operation-row')?.dataset['number'];
    if (number === undefined) return;
    this.#rowOf(Number(number))?.focus({ preventScroll: true });
    this.#handlers.pick(Number(number));
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // Twice as far as the list is long leads to its end from everywhere, whatever else is still awaited.
    const far = 2 * this.#total;
    const ways = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -far, End: far };
    const step = new Map(Object.entries(ways)).get(event.key);
    if (step === undefined) return;
    event.preventDefault();
    this.#handlers.step(step);
  }

  #rowOf(number: number | null): HTMLElement | null {
    return number === null ? null : this.#list.querySelector<HTMLElement>(`[data-number="${number}"]`);
  }
}

/** Rows, in groups where they belong to one. */
function listed(
  rows: readonly OperationRow[],
  picked: number | null,
  first: number,
  total: number,
): readonly HTMLElement[] {
  const made: HTMLElement[] = [];
  let group: HTMLElement | null = null;
  for (const [index, row] of rows.entries()) {
    const shown = rowOf(row, row.number === picked);
    shown.setAttribute('aria-posinset', String(first + index + 1));
    shown.setAttribute('aria-setsize', String(total));
    if (row.group === '') {
      made.push(shown);
      continue;
    }
    if (group === null || row.group !== rows[index - 1]?.group) {
      group = groupOf(visible(row.group, 300));
      made.push(group);
    }
    group.append(shown);
  }
  return made;
}

function groupOf(name: string): HTMLElement {
  const title = element('div', { class: 'operation-group', role: 'presentation', title: name }, name);
  return element('div', { role: 'group', 'aria-label': name }, title);
}

function rowOf(row: OperationRow, isPicked: boolean): HTMLElement {
  const holder = visible(row.holder, 200);
  const where = visible(row.where, 300);
  const attributes = {
    class: 'operation-row',
    role: 'option',
    tabindex: isPicked ? '0' : '-1',
    'aria-selected': String(isPicked),
    'aria-label': rowSentence(row),
    'data-number': String(row.number),
    'data-class': durationClassOf(row.heldUs),
    title: rowSentence(row),
  };
  const parts = [
    element('span', { class: 'operation-held' }, heldTime(row)),
    element('span', { class: 'operation-holder name' }, holder),
    element('span', { class: 'operation-at muted' }, `at ${duration(row.startUs)}`),
    element('span', { class: 'operation-where muted' }, where),
  ];
  return element('div', attributes, ...parts.flatMap((part) => [part, ' '])); // Else its text is one long word.
}

function orderButton(by: OperationOrder): HTMLButtonElement {
  return element('button', { type: 'button', class: 'text-button' }, orderNames[by]);
}
