import type { FlameFrame } from '../protocol/flame.ts';
import { type Block, inReadingOrder } from './basics/blocks.ts';
import { closest, element, icon } from './basics/dom.ts';
import {
  isOutside,
  type Refolding,
  refoldingOf,
  foldedText,
  frameName,
  framePlace,
  hasSource,
  paintText,
  share,
} from './basics/frame-text.ts';
import type { Drawing } from './graph.ts';
import { differenceText } from '../words/formats/diff-texts.ts';
import { duration, plural } from '../words/formats/figures.ts';
import { microseconds } from '../protocol/units.ts';
import { paintOf, swatch } from './basics/paint.ts';

/** Deepest level that is indented. */
const mostIndent = 16;

export interface TableHandlers {
  readonly zoom: (id: string) => void;
  readonly refold: (change: Refolding) => void;
  readonly open: (frame: FlameFrame) => void;
}

/** Most rows on the page: one has up to 16 elements, and the page at most 3000. */
const mostRows = 160;

/** Share of its caller's time from which on a row is open at first. */
const hotShare = 0.3;

/**
 * The graph as a table of rows that open. It has the same frames, for screen readers and for people who prefer to read.
 * Of very many rows those around the current one are there; arrows and two buttons go on to the others.
 */
export class FrameTable {
  readonly element = element('div', { class: 'table' });
  readonly #heads = element('tr', {});
  readonly #body = element('tbody', {});
  readonly #grid = element('table', { role: 'treegrid', 'aria-label': 'Frames by time' });
  readonly #handlers: TableHandlers;
  #drawing: Drawing | null = null;
  #blocks: ReadonlyMap<string, Block> = new Map();
  /** All rows, from top to bottom, where each stands, and the first one that is there. */
  #rows: readonly Block[] = [];
  #indices: ReadonlyMap<string, number> = new Map();
  #first = 0;
  /** Ids of rows that the person opened (true) or closed (false). */
  #isOpen: ReadonlyMap<string, boolean> = new Map();
  #current = '';

  constructor(handlers: TableHandlers) {
    this.#handlers = handlers;
    const head = element('thead', {}, this.#heads);
    this.#grid.append(head, this.#body);
    this.element.append(this.#grid);
    this.#body.addEventListener('click', (event) => this.#click(event));
    this.#body.addEventListener('dblclick', (event) => this.#zoom(idAt(event)));
    this.#body.addEventListener('keydown', (event) => this.#key(event));
    this.#body.addEventListener('focusin', (event) => this.#setCurrent(idAt(event) ?? this.#current));
  }

  draw(drawing: Drawing): void {
    this.#drawing = drawing;
    this.#blocks = new Map(inReadingOrder(drawing.root).map((block) => [block.frame.id, block]));
    const hadFocus = this.#body.contains(document.activeElement);
    const heads = drawing.colors === 'change' ? diffHeads : usualHeads;
    this.#heads.replaceChildren(...heads.map((head) => element('th', { scope: 'col' }, head)));
    this.#rows = inReadingOrder(
      drawing.root,
      (block) => this.#isOpened(block),
      (a, b) => rankOf(b) - rankOf(a),
    );
    this.#indices = new Map(this.#rows.map(({ frame }, index) => [frame.id, index]));
    this.#grid.setAttribute('aria-rowcount', String(this.#rows.length + 1)); // With that of the heads.
    this.#drawAround(this.#indices.has(this.#current) ? this.#current : drawing.root.frame.id);
    if (hadFocus) this.focus();
  }

  clear(): void {
    this.#body.replaceChildren();
  }

  /** Scrolls to the row that has the focus, or had it last. */
  reveal(): void {
    this.#rowOf(this.#current)?.scrollIntoView({ block: 'center' });
  }

  focus(id: string = this.#current): void {
    if (this.#rowOf(id) === null && this.#indices.has(id)) this.#drawAround(id);
    this.#rowOf(id)?.focus();
  }

  arrive(): void {
    this.focus();
  }

  /** Puts rows on the page, a row among them, which becomes the current one. The others stay where that has room. */
  #drawAround(id: string): void {
    const { length } = this.#rows;
    const index = this.#indices.get(id) ?? 0;
    const isWithin = index >= this.#first && index < this.#first + mostRows;
    const first = isWithin ? this.#first : index - Math.floor(mostRows / 2);
    this.#first = Math.max(0, Math.min(first, length - mostRows));
    const shown = this.#rows.slice(this.#first, this.#first + mostRows);
    const below = length - this.#first - shown.length;
    this.#body.replaceChildren(
      ...(this.#first > 0 ? [leftOutRow(this.#first, 'above')] : []),
      ...shown.flatMap((block, offset) => this.#row(block, this.#first + offset)),
      ...(below > 0 ? [leftOutRow(below, 'below')] : []),
    );
    this.#setCurrent(id);
  }

  #row(block: Block, index: number): readonly HTMLElement[] {
    if (this.#drawing === null) return [];
    return [frameRow(block, { index, isOpen: this.#isOpened(block) }, this.#drawing)];
  }

  /** Goes on to the rows on one side of those that are there. */
  #goOn(side: string | undefined): void {
    if (side === undefined) return;
    this.#focusAt(side === 'above' ? this.#first - 1 : this.#first + mostRows);
    this.reveal();
  }

  #focusAt(index: number): void {
    const block = this.#rows[index];
    if (block !== undefined) this.focus(block.frame.id);
  }

  #click(event: MouseEvent): void {
    const id = idAt(event);
    const block = id === null ? undefined : this.#blocks.get(id);
    if (id === null) this.#goOn(closest(event, '[data-side]')?.dataset['side']);
    if (block === undefined) return;
    const isSource = closest(event, '.row-source') !== null;
    if (isSource || event.ctrlKey || event.metaKey) this.#handlers.open(block.frame);
    else if (closest(event, '.row-twistie') !== null) this.#toggle(block, !this.#isOpened(block));
  }

  #zoom(id: string | null): void {
    if (id !== null) this.#handlers.zoom(id);
  }

  #key(event: KeyboardEvent): void {
    const block = this.#blocks.get(this.#current);
    if (block === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const isOpened = this.#isOpened(block);
    if (event.key === 'ArrowDown') this.#move(1);
    else if (event.key === 'ArrowUp') this.#move(-1);
    else if (event.key === 'ArrowRight' && isOpened) this.#move(1);
    else if (event.key === 'ArrowRight') this.#toggle(block, true);
    else if (event.key === 'ArrowLeft' && isOpened) this.#toggle(block, false);
    else if (event.key === 'ArrowLeft') this.focus(block.parent?.frame.id);
    else if (event.key === 'Enter') this.#handlers.open(block.frame);
    else if (event.key === 'u') this.#refold(block, 'unfold');
    else if (event.key === 'f') this.#refold(block, 'fold');
    else if (event.key === ' ' || event.key === '+') this.#handlers.zoom(block.frame.id);
    else if (event.key === '-') this.#handlers.zoom(block.parent?.frame.id ?? '');
    else return;
    event.preventDefault();
  }

  #refold({ frame }: Block, type: Refolding['type']): void {
    const change = refoldingOf(frame, type);
    if (change !== null) this.#handlers.refold(change);
  }

  #move(offset: 1 | -1): void {
    this.#focusAt((this.#indices.get(this.#current) ?? 0) + offset);
  }

  #toggle(block: Block, isOpen: boolean): void {
    if (block.children.length === 0 || this.#drawing === null) return;
    this.#isOpen = new Map([...this.#isOpen, [block.frame.id, isOpen]]);
    this.draw(this.#drawing);
  }

  #isOpened(block: Block): boolean {
    if (block.children.length === 0) return false;
    const isHot = block.fade || block.parent === null || sizeOf(block) >= hotShare * sizeOf(block.parent);
    return this.#isOpen.get(block.frame.id) ?? isHot;
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

const usualHeads = ['Function', 'Total', 'Share', 'Self', 'Kind', 'Source'];
const diffHeads = ['Function', 'Before', 'Now', 'Difference', 'Change', 'Source'];

/** What rows are sorted by: what a frame is as wide as in the graph, and in a diff by how much its time differs. */
function sizeOf({ value, frame: { diff } }: Block): number {
  return diff === undefined ? value : Math.abs(diff.is.totalUs - diff.was.totalUs);
}

/** Rows come by their size, and what is outside of own code after all others. */
function rankOf(block: Block): number {
  return isOutside(block.frame) ? -1 : sizeOf(block);
}

function idAt(event: Event): string | null {
  return closest(event, 'tr')?.dataset['id'] ?? null;
}

/** Where a row stands among all rows, and whether it is open. */
interface RowPlace {
  /** From 0. */
  readonly index: number;
  readonly isOpen: boolean;
}

/** The row of a frame. */
function frameRow(
  block: Block,
  { index, isOpen }: RowPlace,
  { totalUs, folders, isMatch, colors }: Drawing,
): HTMLElement {
  const { frame, level, children } = block;
  const cells = [
    element('td', { class: 'row-name' }, twistie(block, isOpen), nameOf(frame)),
    ...figuresOf(frame, totalUs).map((figure) => element('td', { class: 'figure' }, figure)),
    element(
      'td',
      { class: 'row-kind' },
      ...(frame.id === '' ? [] : [swatch(paintOf(frame, colors)), paintText(frame, colors)]),
    ),
    element('td', {}, sourceOf(frame, folders)),
  ];
  for (const cell of cells) cell.setAttribute('role', 'gridcell');
  const row = element(
    'tr',
    {
      role: 'row',
      tabindex: '-1',
      'data-id': frame.id,
      'aria-level': String(level + 1),
      'aria-rowindex': String(index + 2),
    },
    ...cells,
  );
  row.style.setProperty('--level', String(Math.min(level, mostIndent)));
  if (children.length > 0) row.setAttribute('aria-expanded', String(isOpen));
  row.toggleAttribute('data-match', isMatch?.(block) === true);
  return row;
}

/**
 * Stands for rows that are left out on one side of those that are there; a click goes on to them. It is as wide as the
 * columns that a narrow panel has.
 */
function leftOutRow(count: number, side: LeftOutSide): HTMLElement {
  const text = `${plural(count, 'row')} ${side}`;
  const button = element('button', { type: 'button', class: 'text-button', tabindex: '-1', 'data-side': side }, text);
  return element('tr', { role: 'row', class: 'left-out' }, element('td', { role: 'gridcell', colspan: '4' }, button));
}

type LeftOutSide = 'above' | 'below';

function figuresOf({ value, selfUs, diff }: FlameFrame, totalUs: number): readonly string[] {
  if (diff === undefined) return [duration(microseconds(value)), share(value, totalUs), duration(selfUs)];
  const { totalUs: was } = diff.was;
  const { totalUs: is } = diff.is;
  return [duration(was), duration(is), differenceText(microseconds(is - was))];
}

function twistie({ children }: Block, isOpen: boolean): HTMLElement {
  return element(
    'span',
    { class: 'row-twistie' },
    ...(children.length === 0 ? [] : [icon(isOpen ? 'expanded' : 'collapsed')]),
  );
}

function nameOf(frame: FlameFrame): HTMLElement {
  const name = frameName(frame);
  const hidden = frame.hiddenUs > 0 && frame.children.length === 0 ? ['zoom to see what it calls'] : [];
  const notes = [...(frame.folded === undefined ? [] : [foldedText(frame)]), ...hidden];
  const note = notes.length === 0 ? '' : ` (${notes.join(', ')})`;
  return element('span', { class: 'name', title: name }, name, element('span', { class: 'muted' }, note));
}

function sourceOf(frame: FlameFrame, folders: readonly string[]): HTMLElement {
  const place = framePlace(frame, folders);
  const path = element('span', {}, place);
  if (!hasSource(frame)) return element('span', { class: 'path muted', title: place }, path);
  return element('button', { type: 'button', class: 'path row-source', tabindex: '-1', title: place }, path);
}
