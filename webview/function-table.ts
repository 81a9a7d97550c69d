import type { FlameAnswer, FlameFrame, FunctionColumn, FunctionOrder } from '../protocol/flame.ts';
import { functionColumns, tierOf } from '../protocol/flame.ts';
import { countRange, worstTime } from '../words/formats/figures.ts';
import { closest, element, icon } from './basics/dom.ts';
import { frameName, notListed, share, tierLabel, timeText, type Whole } from './basics/frame-text.ts';
import type { FrameActions, State } from './basics/page-state.ts';
import { groupOf, swatch } from './basics/paint.ts';
import type { Drawing } from './graph.ts';
import { opensSource, rowIdAt, sourceCell, TableRows } from './table-rows.ts';

/** All functions with their figures. A click on the head of a column sorts by it. */
export class FunctionTable {
  readonly element = element('div', { class: 'functions', hidden: '' });
  readonly #heads = element('tr');
  readonly #rows = new TableRows();
  readonly #note = element('p', { class: 'functions-note muted' });
  readonly #actions: FrameActions;
  #functions: ReadonlyMap<string, FlameFrame> = new Map();

  constructor(actions: FrameActions) {
    this.#actions = actions;
    const { body } = this.#rows;
    const head = element('thead', {}, this.#heads);
    this.element.append(element('table', { 'aria-label': 'Functions' }, head, body), this.#note);
    this.#heads.addEventListener('click', (event) => this.#sort(event));
    body.addEventListener('click', (event) => this.#click(event));
    body.addEventListener('keydown', (event) => this.#key(event));
  }

  draw(drawing: Drawing, { functions: list }: FlameAnswer, { shown: { order } }: State): void {
    if (list === undefined) return;
    const { hasFocus, current } = this.#rows;
    const sortedBy = document.activeElement?.closest('th')?.dataset['column'];
    const isTiered = list.rows.some(({ tiers }) => tiers !== undefined);
    const columns = functionColumns.filter((column) => isTiered || column !== 'tier');
    this.#functions = new Map(list.rows.map((row) => [row.id, row]));
    const source = element('th', { scope: 'col' }, 'Source');
    this.#heads.replaceChildren(...columns.map((column) => makeHead(column, order)), source);
    this.#rows.body.replaceChildren(...list.rows.map((row) => makeRow(row, columns, drawing)));
    this.#note.textContent = notListed(list.more, list.folded);
    this.#rows.setCurrent(this.#functions.has(current) ? current : (list.rows[0]?.id ?? ''));
    if (hasFocus) this.focus();
    if (sortedBy !== undefined) this.#heads.querySelector<HTMLElement>(`[data-column=${sortedBy}] button`)?.focus();
  }

  clear(): void {
    this.#rows.clear();
  }

  reveal(): void {
    this.#rows.row()?.scrollIntoView({ block: 'nearest' });
  }

  focus(): void {
    this.#rows.row()?.focus();
  }

  #sort(event: Event): void {
    const column = closest(event, 'th')?.dataset['column'];
    const by = functionColumns.find((one) => one === column);
    if (by !== undefined) this.#actions.dispatch({ type: 'sort', by });
  }

  #click(event: MouseEvent): void {
    const row = this.#functions.get(rowIdAt(event) ?? '');
    if (row === undefined) return;
    if (opensSource(event)) this.#actions.open(row);
    else if (closest(event, '.row-around') !== null) this.#around(row);
  }

  #key(event: KeyboardEvent): void {
    const row = this.#functions.get(this.#rows.current);
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'ArrowDown') this.#focus(this.#rows.row()?.nextElementSibling);
    else if (event.key === 'ArrowUp') this.#focus(this.#rows.row()?.previousElementSibling);
    else if (event.key === 'Enter') this.#actions.open(row);
    else if (event.key === ' ' || event.key.toLowerCase() === 'c') this.#around(row);
    else return;
    event.preventDefault();
  }

  #focus(row: Element | null | undefined): void {
    if (row instanceof HTMLElement) row.focus();
  }

  #around({ functionId }: FlameFrame): void {
    this.#actions.dispatch({ type: 'around', functionId });
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

function makeHead(column: FunctionColumn, { by, isDescending }: FunctionOrder): HTMLElement {
  const [label, title] = heads[column];
  const isSorted = by === column;
  const direction = isDescending ? 'descending' : 'ascending';
  const sign = isSorted ? [icon(direction)] : [];
  const button = element('button', { type: 'button', class: 'head', title }, label, ...sign);
  const sort = isSorted ? direction : 'none';
  return element('th', { scope: 'col', 'data-column': column, 'aria-sort': sort }, button);
}

function makeRow(row: FlameFrame, columns: readonly FunctionColumn[], drawing: Drawing): HTMLElement {
  const cells = columns.map((column) => makeCell(column, row, drawing));
  const source = sourceCell(row, drawing.folders);
  const made = element('tr', { tabindex: '-1', 'data-id': row.id }, ...cells, source);
  made.toggleAttribute('data-match', drawing.isMatch?.(row) === true);
  return made;
}

function makeCell(column: FunctionColumn, row: FlameFrame, whole: Whole): HTMLElement {
  const { figures, value, selfUs } = row;
  const figure = (text = '–'): HTMLElement => element('td', { class: 'figure' }, text);
  switch (column) {
    case 'name': {
      const name = frameName(row);
      const { label, key } = groupOf(row.category);
      const title = `${name} (${label}): shows its callers and callees`;
      const attributes = { type: 'button', class: 'row-around name', tabindex: '-1', title };
      return element('td', {}, swatch({ kind: 'category', key }), element('button', attributes, name));
    }
    case 'total':
      return figure(`${timeText(value, whole)} · ${share(value, whole.totalUs)}`);
    case 'self':
      return figure(timeText(selfUs, whole));
    case 'worst':
      return figure(figures && worstTime(figures));
    case 'count':
      return figure(figures && countRange(figures.longCount, figures.runs?.longCount));
    case 'stacks':
      return figure(figures && countRange(figures.distinctStacks, figures.runs?.distinctStacks));
    case 'tier':
      return element('td', {}, tierLabel(tierOf(row.tiers)));
  }
}
