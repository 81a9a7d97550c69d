import type { FlameAnswer } from '../protocol/flame.ts';
import type { OperationList, OperationOrder, PickedOperation } from '../protocol/time.ts';
import type { Microseconds } from '../protocol/units.ts';
import { duration } from '../words/formats/figures.ts';
import { element } from './basics/dom.ts';
import type { Drawing } from './graph.ts';
import type { PageEvent } from './basics/page-state.ts';
import { type GraphHandlers, GraphView } from './graph-view.ts';
import { OperationRows, type RowHandlers } from './operation-rows.ts';
import { pickedLines, pickedTitle } from './basics/time-text.ts';

export interface OperationHandlers extends GraphHandlers, RowHandlers {
  /** In time order, or by time; null: the other one. */
  readonly turnInTime: (isInTime: boolean | null) => void;
}

/** What the list and the order of frames do. */
export function listHandlers(
  dispatch: (event: PageEvent) => void,
): RowHandlers & Pick<OperationHandlers, 'turnInTime'> {
  return {
    pick: (operation) => dispatch({ type: 'pick', operation }),
    step: (step) => dispatch({ type: 'stepOperation', step }),
    order: (by) => dispatch({ type: 'orderOperations', by }),
    turnInTime: (isInTime) => dispatch({ type: 'inTime', isInTime }),
  };
}

/** What the view shows besides the frames. */
export interface OperationsDrawing extends Drawing {
  readonly by: OperationOrder;
  readonly isInTime: boolean;
  readonly isPart: boolean;
  readonly thresholdUs: Microseconds;
}

/** The long operations as a list, and one of them: what is known of it, and its frames in time order or by time. */
export class OperationsView {
  readonly element = element('div', { class: 'operations', hidden: '' });
  readonly #rows: OperationRows;
  readonly #none = element('p', { class: 'operations-none', role: 'status' });
  readonly #title = element('h2', { class: 'picked-title' });
  readonly #lines = element('ul', { class: 'picked-lines' });
  readonly #inTime = orderButton('In time order (T)', 'Its samples from left to right, as they came');
  readonly #byTime = orderButton('Heaviest first (T)', 'Calls of one function together, the heaviest first');
  readonly #picked: HTMLElement;
  readonly #pane = element('div', { class: 'picked-graph' });
  readonly #graph: GraphView;
  #shown: number | null = null;
  readonly #handlers: OperationHandlers;

  constructor(handlers: OperationHandlers) {
    this.#handlers = handlers;
    this.#rows = new OperationRows(handlers);
    this.#graph = new GraphView(handlers);
    const orders = element('div', { class: 'picked-orders', role: 'group', 'aria-label': 'Order of frames' });
    orders.append(this.#inTime, this.#byTime);
    this.#inTime.addEventListener('click', () => handlers.turnInTime(true));
    this.#byTime.addEventListener('click', () => handlers.turnInTime(false));
    this.#pane.append(this.#graph.element);
    const about = element('div', { class: 'picked-about', role: 'status' }, this.#title, this.#lines);
    this.#picked = element('div', { class: 'picked' }, about, orders, this.#pane);
    this.element.append(this.#none, this.#rows.element, this.#picked);
  }

  draw(drawing: OperationsDrawing, answer: FlameAnswer & { readonly operations: OperationList }): void {
    const { operations, picked } = answer;
    this.#none.hidden = operations.total > 0;
    this.#rows.element.hidden = operations.total === 0 && operations.note === null;
    this.#picked.hidden = picked === undefined;
    this.#none.textContent = noneText(drawing);
    this.#rows.draw(operations, drawing.by, picked?.number ?? null);
    if (picked !== undefined) this.#drawPicked(picked, drawing);
  }

  /** Time order, or by time: the other one. */
  turn(): void {
    this.#handlers.turnInTime(null);
  }

  reveal(): void {
    this.#rows.reveal();
  }

  clear(): void {
    this.#rows.clear();
    this.#graph.clear();
  }

  focus(): void {
    this.#graph.focus();
  }

  arrive(): void {
    this.#graph.arrive();
  }

  #drawPicked(picked: PickedOperation, drawing: OperationsDrawing): void {
    const title = pickedTitle(picked);
    const isOther = this.#shown !== picked.number || this.#title.textContent !== title;
    this.#shown = picked.number;
    if (isOther) this.#title.textContent = title;
    this.#lines.replaceChildren(...pickedLines(picked, drawing.thresholdUs).map((line) => element('li', {}, line)));
    this.#inTime.setAttribute('aria-pressed', String(drawing.isInTime));
    this.#byTime.setAttribute('aria-pressed', String(!drawing.isInTime));
    const label = drawing.isInTime ? 'Flamegraph in time order' : 'Flamegraph';
    this.#graph.draw({ ...drawing, label, width: this.#pane.clientWidth });
    if (isOther) this.#rows.reveal();
  }
}

function noneText({ thresholdUs, isPart }: OperationsDrawing): string {
  const where = isPart ? ' in this part of the run' : '';
  return `No operation held an event loop for more than ${duration(thresholdUs)}${where}.`;
}

function orderButton(label: string, title: string): HTMLButtonElement {
  return element('button', { type: 'button', class: 'text-button', title }, label);
}
