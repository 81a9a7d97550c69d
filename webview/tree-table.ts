import type { FlameFrame } from '../protocol/flame.ts';
import { microseconds } from '../protocol/units.ts';
import { differenceText } from '../words/formats/diff-texts.ts';
import { duration, plural } from '../words/formats/figures.ts';
import { type Block, inReadingOrder } from './basics/blocks.ts';
import { closest, element, icon } from './basics/dom.ts';
import { foldedText, frameName, isOutside, paintText, share, timeText, type Whole } from './basics/frame-text.ts';
import type { FrameActions } from './basics/page-state.ts';
import { paintOf, swatch } from './basics/paint.ts';
import { callerOfZoom, type FrameCommand, frameCommands, pressKeyOn } from './graph-view.ts';
import type { Drawing } from './graph.ts';
import { opensSource, rowIdAt, sourceCell, TableRows } from './table-rows.ts';

/** Deeper levels have the same indent. */
const MAX_INDENT = 16;
/** Rows on the page: one has up to 16 elements, and the page should have at most 3000. */
const MAX_ROWS = 160;
/** A row is open at first from this share of its caller's time. */
const HOT_SHARE = 0.3;

/**
 * The graph as a table of rows that open, for screen readers and for people who prefer to read. Of a long table only the
 * rows around the current one are on the page; arrows and two buttons go on to the others.
 */
export class FrameTable {
  readonly element = element('div', { class: 'table' });
  readonly #heads = element('tr');
  readonly #shown = new TableRows();
  readonly #grid = element('table', { role: 'treegrid', 'aria-label': 'Frames by time' });
  readonly #actions: FrameActions;
  readonly #commands: readonly FrameCommand[];
  #drawing: Drawing | null = null;
  #blocks: ReadonlyMap<string, Block> = new Map();
  /** All rows from top to bottom, the index of each by id, and the index of the first one on the page. */
  #rows: readonly Block[] = [];
  #indices: ReadonlyMap<string, number> = new Map();
  #first = 0;
  /** Ids of rows that the person opened (true) or closed (false). */
  #isOpen: ReadonlyMap<string, boolean> = new Map();

  constructor(actions: FrameActions) {
    this.#actions = actions;
    this.#commands = frameCommands(actions, () => this.#drawing);
    const { body } = this.#shown;
    this.#grid.append(element('thead', {}, this.#heads), body);
    this.element.append(this.#grid);
    body.addEventListener('click', (event) => this.#click(event));
    body.addEventListener('dblclick', (event) => {
      const id = rowIdAt(event);
      if (id !== null) actions.zoom(id);
    });
    body.addEventListener('keydown', (event) => this.#key(event));
  }

  draw(drawing: Drawing): void {
    this.#drawing = drawing;
    this.#blocks = new Map(inReadingOrder(drawing.root).map((block) => [block.frame.id, block]));
    const { hasFocus, current } = this.#shown;
    const heads = drawing.colors === 'change' ? diffHeads : usualHeads;
    this.#heads.replaceChildren(...heads.map((head) => element('th', { scope: 'col' }, head)));
    this.#rows = inReadingOrder(
      drawing.root,
      (block) => this.#isOpened(block),
      (a, b) => rankOf(b) - rankOf(a),
    );
    this.#indices = new Map(this.#rows.map(({ frame }, index) => [frame.id, index]));
    this.#grid.setAttribute('aria-rowcount', String(this.#rows.length + 1)); // The heads are a row, too.
    this.#drawAround(this.#indices.has(current) ? current : drawing.root.frame.id, drawing);
    if (hasFocus) this.focus();
  }

  clear(): void {
    this.#shown.clear();
  }

  reveal(): void {
    this.#shown.row()?.scrollIntoView({ block: 'center' });
  }

  focus(id: string = this.#shown.current): void {
    if (this.#shown.row(id) === null && this.#indices.has(id) && this.#drawing !== null)
      this.#drawAround(id, this.#drawing);
    this.#shown.row(id)?.focus();
  }

  /** Makes a row the current one, and draws the rows around it. Rows on the page stay there if it is one of them. */
  #drawAround(id: string, drawing: Drawing): void {
    const { length } = this.#rows;
    const index = this.#indices.get(id) ?? 0;
    const isWithin = index >= this.#first && index < this.#first + MAX_ROWS;
    const first = isWithin ? this.#first : index - Math.floor(MAX_ROWS / 2);
    this.#first = Math.max(0, Math.min(first, length - MAX_ROWS));
    const shown = this.#rows.slice(this.#first, this.#first + MAX_ROWS);
    const below = length - this.#first - shown.length;
    this.#shown.body.replaceChildren(
      ...(this.#first > 0 ? [leftOutRow(this.#first, 'above')] : []),
      ...shown.map((block, offset) => makeRow(block, this.#first + offset, this.#isOpened(block), drawing)),
      ...(below > 0 ? [leftOutRow(below, 'below')] : []),
    );
    this.#shown.setCurrent(id);
  }

  /** Goes on to the rows on one side of those on the page. */
  #goOn(side: string | undefined): void {
    if (side === undefined) return;
    this.#focusAt(side === 'above' ? this.#first - 1 : this.#first + MAX_ROWS);
    this.reveal();
  }

  #focusAt(index: number): void {
    this.focus(this.#rows[index]?.frame.id);
  }

  #click(event: MouseEvent): void {
    const id = rowIdAt(event);
    const block = id === null ? undefined : this.#blocks.get(id);
    if (id === null) this.#goOn(closest(event, '[data-side]')?.dataset['side']);
    if (block === undefined) return;
    if (opensSource(event)) this.#actions.open(block.frame);
    else if (closest(event, '.row-twistie') !== null) this.#toggle(block, !this.#isOpened(block));
  }

  #key(event: KeyboardEvent): void {
    const { current } = this.#shown;
    const block = this.#blocks.get(current);
    if (block === undefined || this.#drawing === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const isOpened = this.#isOpened(block);
    const index = this.#indices.get(current) ?? 0;
    if (event.key === 'ArrowDown') this.#focusAt(index + 1);
    else if (event.key === 'ArrowUp') this.#focusAt(index - 1);
    else if (event.key === 'ArrowRight' && isOpened) this.#focusAt(index + 1);
    else if (event.key === 'ArrowRight') this.#toggle(block, true);
    else if (event.key === 'ArrowLeft' && isOpened) this.#toggle(block, false);
    else if (event.key === 'ArrowLeft') this.focus(block.parent?.frame.id);
    else if (event.key === '-') this.#actions.zoom(callerOfZoom(this.#drawing));
    else if (!pressKeyOn(block.frame, event.key, this.#commands, this.#actions)) return;
    event.preventDefault();
  }

  #toggle(block: Block, isOpen: boolean): void {
    if (block.children.length === 0 || this.#drawing === null) return;
    this.#isOpen = new Map([...this.#isOpen, [block.frame.id, isOpen]]);
    this.draw(this.#drawing);
  }

  #isOpened(block: Block): boolean {
    if (block.children.length === 0) return false;
    const isHot = block.fade || block.parent === null || sizeOf(block) >= HOT_SHARE * sizeOf(block.parent);
    return this.#isOpen.get(block.frame.id) ?? isHot;
  }
}

const usualHeads = ['Function', 'Total', 'Share', 'Self', 'Kind', 'Source'];
const diffHeads = ['Function', 'Before', 'Now', 'Difference', 'Change', 'Source'];

/** The width of a frame in the graph; in a diff the difference of its times. In µs. */
function sizeOf({ value, frame: { diff } }: Block): number {
  return diff === undefined ? value : Math.abs(diff.is.totalUs - diff.was.totalUs);
}

/** Sorts rows by size; the frame outside of own code comes last. */
function rankOf(block: Block): number {
  return isOutside(block.frame) ? -1 : sizeOf(block);
}

/** `index` is the row's place among all rows, from 0. */
function makeRow({ frame, level, children }: Block, index: number, isOpen: boolean, drawing: Drawing): HTMLElement {
  const { folders, isMatch, colors } = drawing;
  const twistie = children.length === 0 ? [] : [icon(isOpen ? 'expanded' : 'collapsed')];
  const kind = frame.id === '' ? [] : [swatch(paintOf(frame, colors)), paintText(frame, colors)];
  const cells = [
    element('td', { class: 'row-name' }, element('span', { class: 'row-twistie' }, ...twistie), makeName(frame)),
    ...figureTexts(frame, drawing).map((figure) => element('td', { class: 'figure' }, figure)),
    element('td', { class: 'row-kind' }, ...kind),
    sourceCell(frame, folders),
  ];
  for (const cell of cells) cell.setAttribute('role', 'gridcell');
  const aria = { 'aria-level': String(level + 1), 'aria-rowindex': String(index + 2) };
  const row = element('tr', { role: 'row', tabindex: '-1', 'data-id': frame.id, ...aria }, ...cells);
  row.style.setProperty('--level', String(Math.min(level, MAX_INDENT)));
  if (children.length > 0) row.setAttribute('aria-expanded', String(isOpen));
  row.toggleAttribute('data-match', isMatch?.(frame) === true);
  return row;
}

/** Counts the rows that are not on the page; a click goes on to them. It spans the columns that a narrow panel has. */
function leftOutRow(count: number, side: 'above' | 'below'): HTMLElement {
  const text = `${plural(count, 'row')} ${side}`;
  const button = element('button', { type: 'button', class: 'text-button', tabindex: '-1', 'data-side': side }, text);
  return element('tr', { role: 'row', class: 'left-out' }, element('td', { role: 'gridcell', colspan: '4' }, button));
}

function figureTexts({ value, selfUs, diff }: FlameFrame, whole: Whole): readonly string[] {
  if (diff === undefined) return [timeText(value, whole), share(value, whole.totalUs), timeText(selfUs, whole)];
  const { totalUs: was } = diff.was;
  const { totalUs: is } = diff.is;
  return [duration(was), duration(is), differenceText(microseconds(is - was))];
}

function makeName(frame: FlameFrame): HTMLElement {
  const name = frameName(frame);
  const hidden = frame.hiddenUs > 0 && frame.children.length === 0 ? ['zoom to see what it calls'] : [];
  const notes = [...(frame.folded === undefined ? [] : [foldedText(frame)]), ...hidden];
  const note = notes.length === 0 ? '' : ` (${notes.join(', ')})`;
  return element(
    'span',
    { class: 'name', title: name },
    element('bdi', {}, name),
    element('span', { class: 'muted' }, note),
  );
}
