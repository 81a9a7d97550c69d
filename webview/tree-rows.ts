import type { FlameFrame } from '../protocol/flame.ts';
import { differenceText } from '../words/formats/diff-texts.ts';
import { duration, plural } from '../words/formats/figures.ts';
import { microseconds } from '../protocol/units.ts';
import type { Block } from './blocks.ts';
import { element, icon } from './dom.ts';
import { foldedText, frameName, framePlace, hasSource, paintText, share } from './frame-text.ts';
import type { Drawing } from './graph.ts';
import { paintOf, swatch } from './paint.ts';

/** Where a row stands among all rows, and whether it is open. */
export interface RowPlace {
  /** From 0. */
  readonly index: number;
  readonly isOpen: boolean;
}

/** The row of a frame. */
export function frameRow(
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

/** Deepest level that is indented. */
const mostIndent = 16;

/**
 * Stands for rows that are left out on one side of those that are there; a click goes on to them. It is as wide as the
 * columns that a narrow panel has.
 */
export function leftOutRow(count: number, side: LeftOutSide): HTMLElement {
  const text = `${plural(count, 'row')} ${side}`;
  const button = element('button', { type: 'button', class: 'text-button', tabindex: '-1', 'data-side': side }, text);
  return element('tr', { role: 'row', class: 'left-out' }, element('td', { role: 'gridcell', colspan: '4' }, button));
}

export type LeftOutSide = 'above' | 'below';

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
