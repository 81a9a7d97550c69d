import {
  type FlameFrame,
  functionColumns,
  type FunctionColumn,
  type FunctionList,
  type FunctionOrder,
  tierOf,
} from '../protocol/flame.ts';
import { countRange, duration, plural, worstTime } from '../words/formats/figures.ts';
import { microseconds } from '../protocol/units.ts';
import { closest, element, icon } from './basics/dom.ts';
import { frameName, framePlace, hasSource, share, tierLabel } from './basics/frame-text.ts';
import { groupOf, swatch } from './basics/paint.ts';

export interface FunctionTableHandlers {
  readonly open: (frame: FlameFrame) => void;
  readonly around: (functionId: number) => void;
  readonly sort: (by: FunctionColumn) => void;
}

/** What the table shows. */
export interface FunctionDrawing {
  readonly list: FunctionList;
  readonly order: FunctionOrder;
  /** Time of the whole recording in µs, of which shares are shown. */
  readonly totalUs: number;
  readonly folders: readonly string[];
  readonly isMatch: ((frame: FlameFrame) => boolean) | null;
}

/** All functions with their figures, in an order that a click on a column's head changes. */
export class FunctionTable {
  readonly element = element('div', { class: 'functions', hidden: '' });
  readonly #heads = element('tr', {});
  readonly #body = element('tbody', {});
  readonly #note = element('p', { class: 'functions-note muted' });
  readonly #handlers: FunctionTableHandlers;
  #rows: ReadonlyMap<string, FlameFrame> = new Map();
  #current = '';

  constructor(handlers: FunctionTableHandlers) {
    this.#handlers = handlers;
    const head = element('thead', {}, this.#heads);
    this.element.append(element('table', { 'aria-label': 'Functions' }, head, this.#body), this.#note);
    this.#heads.addEventListener('click', (event) => this.#sort(event));
    this.#body.addEventListener('click', (event) => this.#click(event));
    this.#body.addEventListener('keydown', (event) => this.#key(event));
    this.#body.addEventListener('focusin', (event) => this.#setCurrent(idAt(event) ?? this.#current));
  }

  draw(drawing: FunctionDrawing): void {
    const { list, order } = drawing;
    const hadFocus = this.#body.contains(document.activeElement);
    const sortedBy = document.activeElement?.closest('th')?.dataset['column'];
    const isTiered = list.rows.some(({ tiers }) => tiers !== undefined);
    const columns = functionColumns.filter((column) => isTiered || column !== 'tier');
    this.#rows = new Map(list.rows.map((row) => [row.id, row]));
    this.#heads.replaceChildren(
      ...columns.map((column) => headOf(column, order)),
      element('th', { scope: 'col' }, 'Source'),
    );
    this.#body.replaceChildren(...list.rows.map((row) => rowOf(row, columns, drawing)));
    this.#note.textContent = noteOf(list);
    this.#setCurrent(this.#rows.has(this.#current) ? this.#current : (list.rows[0]?.id ?? ''));
    if (hadFocus) this.focus();
    if (sortedBy !== undefined) this.#heads.querySelector<HTMLElement>(`[data-column=${sortedBy}] button`)?.focus();
  }

  clear(): void {
    this.#body.replaceChildren();
  }

  reveal(): void {
    this.#rowOf(this.#current)?.scrollIntoView({ block: 'nearest' });
  }

  focus(): void {
    this.#rowOf(this.#current)?.focus();
  }

  arrive(): void {
    this.focus();
  }

  #sort(event: Event): void {
    const column = closest(event, 'th')?.dataset['column'];
    const by = functionColumns.find((one) => one === column);
    if (by !== undefined) this.#handlers.sort(by);
  }

  #click(event: MouseEvent): void {
    const row = this.#rows.get(idAt(event) ?? '');
    if (row === undefined) return;
    const isSource = closest(event, '.row-source') !== null;
    if (isSource || event.ctrlKey || event.metaKey) this.#handlers.open(row);
    else if (closest(event, '.row-around') !== null) this.#handlers.around(row.functionId);
  }

  #key(event: KeyboardEvent): void {
    const row = this.#rows.get(this.#current);
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'ArrowDown') this.#move(1);
    else if (event.key === 'ArrowUp') this.#move(-1);
    else if (event.key === 'Enter') this.#handlers.open(row);
    else if (event.key === ' ' || event.key === 'c') this.#handlers.around(row.functionId);
    else return;
    event.preventDefault();
  }

  #move(offset: 1 | -1): void {
    const row = this.#rowOf(this.#current);
    const next = offset === 1 ? row?.nextElementSibling : row?.previousElementSibling;
    if (next instanceof HTMLElement) next.focus();
  }

  #setCurrent(id: string): void {
    this.#rowOf(this.#current)?.setAttribute('tabindex', '-1');
    this.#current = id;
    this.#rowOf(id)?.setAttribute('tabindex', '0');
  }

  #rowOf(id: string): HTMLElement | null {
    return this.#body.querySelector<HTMLElement>(`tr[data-id="${CSS.escape(id)}"]`);
  }
}

const heads: Readonly<Record<FunctionColumn, readonly [label: string, title: string]>> = {
  name: ['Function', 'Sort by name'],
  total: ['Total', 'Time with what it calls. Each µs counts once, however often the function calls itself.'],
  self: ['Self', 'Time in the function itself'],
  worst: ['Worst', 'Longest time for which it held the event loop'],
  count: ['Count', 'How often it held the event loop for longer than the threshold'],
  stacks: ['Stacks', 'In how many ways it was called then'],
  tier: ['Tier', 'How V8 ran it most of the time'],
};

function headOf(column: FunctionColumn, { by, isDescending }: FunctionOrder): HTMLElement {
  const [label, title] = heads[column];
  const isSorted = by === column;
  const sign = isSorted ? [icon(isDescending ? 'descending' : 'ascending')] : [];
  const button = element('button', { type: 'button', class: 'head', title }, label, ...sign);
  const order = isSorted ? (isDescending ? 'descending' : 'ascending') : 'none';
  return element('th', { scope: 'col', 'data-column': column, 'aria-sort': order }, button);
}

function rowOf(row: FlameFrame, columns: readonly FunctionColumn[], drawing: FunctionDrawing): HTMLElement {
  const cells = columns.map((column) => cellOf(column, row, drawing));
  const made = element(
    'tr',
    { tabindex: '-1', 'data-id': row.id },
    ...cells,
    element('td', {}, sourceOf(row, drawing.folders)),
  );
  made.toggleAttribute('data-match', drawing.isMatch?.(row) === true);
  return made;
}

function cellOf(column: FunctionColumn, row: FlameFrame, { totalUs }: FunctionDrawing): HTMLElement {
  const { figures, value, selfUs } = row;
  const figure = (text: string): HTMLElement => element('td', { class: 'figure' }, text);
  switch (column) {
    case 'name': {
      const name = frameName(row);
      const { label, key } = groupOf(row.category);
      const title = `${name} (${label}): shows its callers and callees`;
      const kind = swatch({ kind: 'category', key });
      return element(
        'td',
        {},
        kind,
        element('button', { type: 'button', class: 'row-around name', tabindex: '-1', title }, name),
      );
    }
    case 'total':
      return figure(`${duration(microseconds(value))} · ${share(value, totalUs)}`);
    case 'self':
      return figure(duration(selfUs));
    case 'worst':
      return figure(figures === undefined ? '–' : worstTime(figures));
    case 'count':
      return figure(figures === undefined ? '–' : countRange(figures.longCount, figures.runs?.longCount));
    case 'stacks':
      return figure(figures === undefined ? '–' : countRange(figures.distinctStacks, figures.runs?.distinctStacks));
    case 'tier':
      return element('td', {}, tierLabel(tierOf(row.tiers)));
  }
}

function sourceOf(row: FlameFrame, folders: readonly string[]): HTMLElement {
  const place = framePlace(row, folders);
  const path = element('span', {}, place);
  if (!hasSource(row)) return element('span', { class: 'path muted', title: place }, path);
  return element('button', { type: 'button', class: 'path row-source', tabindex: '-1', title: place }, path);
}

/** What is not in the list: `120 more functions. 340 functions of folded kinds are not listed.` */
function noteOf({ more, folded }: FunctionList): string {
  const parts = [
    ...(more > 0 ? [`${plural(more, 'more function')}.`] : []),
    ...(folded > 0 ? [`${plural(folded, 'function')} of folded kinds ${folded === 1 ? 'is' : 'are'} not listed.`] : []),
  ];
  return parts.join(' ');
}

function idAt(event: Event): string | null {
  return closest(event, 'tr')?.dataset['id'] ?? null;
}
