import type { FlameFrame } from '../protocol/flame.ts';
import { duration } from '../words/formats/figures.ts';
import { differenceText } from '../words/formats/diff-texts.ts';
import { microseconds } from '../protocol/units.ts';
import { type Block, inReadingOrder } from './blocks.ts';
import { closest, element, icon } from './dom.ts';
import {
  foldedText,
  frameName,
  framePlace,
  hasSource,
  paintText,
  type Refolding,
  refoldingOf,
  share,
} from './frame-text.ts';
import type { Drawing } from './graph.ts';
import { paintOf, swatch } from './paint.ts';

export interface TableHandlers {
  readonly zoom: (id: string) => void;
  readonly refold: (change: Refolding) => void;
  readonly open: (frame: FlameFrame) => void;
}

/** Share of its caller's time from which on a row is open at first. */
const hotShare = 0.3;

/**
 * The graph as a table of rows that open. It has the same frames, for screen readers and for people who prefer to read.
 */
export class FrameTable {
  readonly element = element('div', { class: 'table' });
  readonly #heads = element('tr', {});
  readonly #body = element('tbody', {});
  readonly #handlers: TableHandlers;
  #drawing: Drawing | null = null;
  #blocks: ReadonlyMap<string, Block> = new Map();
  /** Ids of rows that the person opened (true) or closed (false). */
  #isOpen: ReadonlyMap<string, boolean> = new Map();
  #current = '';

  constructor(handlers: TableHandlers) {
    this.#handlers = handlers;
    const head = element('thead', {}, this.#heads);
    this.element.append(element('table', { role: 'treegrid', 'aria-label': 'Frames by time' }, head, this.#body));
    this.#body.addEventListener('click', (event) => this.#click(event));
    this.#body.addEventListener('dblclick', (event) => this.#handlers.zoom(idAt(event) ?? ''));
    this.#body.addEventListener('keydown', (event) => this.#key(event));
    this.#body.addEventListener('focusin', (event) => this.#setCurrent(idAt(event) ?? this.#current));
  }

  draw(drawing: Drawing): void {
    this.#drawing = drawing;
    this.#blocks = new Map(inReadingOrder(drawing.root).map((block) => [block.frame.id, block]));
    const hadFocus = this.#body.contains(document.activeElement);
    const heads = drawing.colors === 'change' ? diffHeads : usualHeads;
    this.#heads.replaceChildren(...heads.map((head) => element('th', { scope: 'col' }, head)));
    const rows = inReadingOrder(
      drawing.root,
      (block) => this.#isOpened(block),
      (a, b) => sizeOf(b) - sizeOf(a),
    );
    this.#body.replaceChildren(...rows.map((block) => rowOf(block, this.#isOpened(block), drawing)));
    this.#setCurrent(rows.some(({ frame }) => frame.id === this.#current) ? this.#current : drawing.root.frame.id);
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
    this.#rowOf(id)?.focus();
  }

  #click(event: MouseEvent): void {
    const block = this.#blocks.get(idAt(event) ?? '');
    if (block === undefined) return;
    const isSource = closest(event, '.row-source') !== null;
    if (isSource || event.ctrlKey || event.metaKey) this.#handlers.open(block.frame);
    else if (closest(event, '.row-twistie') !== null) this.#toggle(block, !this.#isOpened(block));
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
    const row = this.#rowOf(this.#current);
    const next = offset === 1 ? row?.nextElementSibling : row?.previousElementSibling;
    if (next instanceof HTMLElement) next.focus();
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

/** Deepest level that is indented. */
const mostIndent = 16;

const usualHeads = ['Function', 'Total', 'Share', 'Self', 'Kind', 'Source'];
const diffHeads = ['Function', 'Before', 'Now', 'Difference', 'Change', 'Source'];

/** What rows are sorted by: the time of a frame, and in a diff by how much that differs. */
function sizeOf({ frame: { value, diff } }: Block): number {
  return diff === undefined ? value : Math.abs(diff.is.totalUs - diff.was.totalUs);
}

function rowOf(block: Block, isOpen: boolean, { totalUs, folders, isMatch, colors }: Drawing): HTMLElement {
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
    { role: 'row', tabindex: '-1', 'data-id': frame.id, 'aria-level': String(level + 1) },
    ...cells,
  );
  row.style.setProperty('--level', String(Math.min(level, mostIndent)));
  if (children.length > 0) row.setAttribute('aria-expanded', String(isOpen));
  row.toggleAttribute('data-match', isMatch?.(block) === true);
  return row;
}

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

function idAt(event: Event): string | null {
  return closest(event, 'tr')?.dataset['id'] ?? null;
}
