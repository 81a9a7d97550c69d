import { visible } from '../words/formats/foreign-text.ts';
import { type FlameCode, type FlameFrame, smallId } from '../protocol/flame.ts';
import { builtFile, changedSince, plural } from '../words/formats/figures.ts';
import { changeNames, timesWithRanges } from '../words/formats/diff-texts.ts';
import { element } from './basics/dom.ts';
import {
  canBeAlone,
  foldedText,
  frameFigures,
  frameName,
  framePlace,
  hasSource,
  isBar,
  isCaller,
  isOutside,
  tierSplit,
  tierText,
  share,
  timeText,
} from './basics/frame-text.ts';
import type { Drawing } from './graph.ts';
import { paintOf, groupOf, type PaintKind, swatch } from './basics/paint.ts';

/** The card beside the frame under the pointer or with the focus. */
export class Card {
  readonly element = element('div', { class: 'card', role: 'tooltip', hidden: '' });

  /** `box` is the frame's place on screen. */
  show(frame: FlameFrame, box: DOMRect, drawing: Drawing): void {
    this.element.replaceChildren(...content(frame, drawing));
    this.element.hidden = false;
    this.#place(box);
  }

  hide(): void {
    this.element.hidden = true;
  }

  /** Below the frame, or above it if there is no room; always inside of the window. */
  #place(box: DOMRect): void {
    const gap = 6;
    const { width, height } = this.element.getBoundingClientRect();
    const isBelow = box.bottom + gap + height <= window.innerHeight || box.top < height + gap;
    const top = isBelow ? box.bottom + gap : box.top - gap - height;
    const left = Math.min(Math.max(box.left, gap), window.innerWidth - width - gap);
    this.element.style.left = `${Math.max(gap, left)}px`;
    this.element.style.top = `${Math.max(gap, Math.min(top, window.innerHeight - height - gap))}px`;
  }
}

function content(frame: FlameFrame, drawing: Drawing): readonly Node[] {
  const times = diffRows(frame, drawing) ?? timeRows(frame, drawing);
  const isPartHidden = frame.hiddenUs > 0 && frame.id !== smallId;
  const hidden: readonly Row[] = isPartHidden
    ? [['Too small to draw', `${timeText(frame.hiddenUs, drawing)}, zoom to see it`]]
    : [];
  const code = drawing.code.get(frame.functionId);
  const split = tierSplit(frame);
  const tiers: readonly Row[] = split === null ? [] : [['Tiers', split]];
  const rows = [...times, ...foldedRows(frame), ...hidden, ...tiers, ...codeRows(code)];
  const place = framePlace(frame, drawing.folders);
  const figures = frameFigures(frame, drawing.thresholdUs);
  const line = (name: string, ...children: readonly (Node | string)[]): HTMLElement =>
    element('div', { class: `card-${name}` }, ...children);
  return [
    line('name', frameName(frame)),
    ...(place === '' ? [] : [line('place', frame.changed === true ? `${place} · ${changedSince}` : place)]),
    ...(figures === '' ? [] : [line('figures', figures)]),
    ...(frame.id === '' ? [] : [line('kind', swatch(paintOf(frame, drawing.colors)), kindText(frame, drawing.colors))]),
    element('dl', {}, ...rows.flatMap(([term, text]) => [element('dt', {}, term), element('dd', {}, text)])),
    ...hints(frame, code).map((hint) => line('hint', hint)),
  ];
}

type Row = readonly [term: string, text: string];

function foldedRows(frame: FlameFrame): readonly Row[] {
  const { folded, value } = frame;
  if (folded === undefined || folded.type === 'small') return [];
  if (folded.type === 'recursion') return [['Folded', foldedText(frame)]];
  const owners = folded.owners.map(({ name, totalUs }) => `${visible(name, 100)} ${share(totalUs, value)}`);
  return [
    ['Folded', plural(folded.frames, 'frame')],
    ['In them', owners.join(' · ')],
  ];
}

function timeRows(frame: FlameFrame, drawing: Drawing): readonly Row[] {
  const { totalUs, zoomedUs, zoomedName } = drawing;
  const { value, selfUs } = frame;
  // A caller above the zoomed frame may have more time than the whole zoom.
  const isInZoom = zoomedUs < totalUs && value <= zoomedUs && !isOutside(frame);
  const ofZoom = isInZoom ? `, ${share(value, zoomedUs)} of ${zoomedName}` : '';
  const time = `${timeText(value, drawing)} · ${share(value, totalUs)} of all${ofZoom}`;
  if (isCaller(frame)) return [['Part', time]];
  return [
    ['Total', time],
    ['Self', `${timeText(selfUs, drawing)} · ${share(selfUs, value)} of its total`],
  ];
}

/** The times of both sides; null outside of a diff. */
function diffRows({ diff }: FlameFrame, { per }: Drawing): readonly Row[] | null {
  if (diff === undefined) return null;
  const { was, is, wasName } = diff;
  const unit = per === null ? '' : ` ${per}`;
  return [
    ...(wasName === undefined ? [] : [['Name before', visible(wasName, 200)] as const]),
    ['Total', `${timesWithRanges(was, is, 'total')}${unit}`],
    ['Self', `${timesWithRanges(was, is, 'self')}${unit}`],
  ];
}

/** The kind of code, also where colours show something else. */
function kindText(frame: FlameFrame, colors: PaintKind): string {
  const { label } = groupOf(frame.category);
  if (colors === 'change') return `${changeNames[frame.diff?.change ?? 'none']} · ${label}`;
  return colors === 'tier' ? `${tierText(frame)} · ${label}` : label;
}

function codeRows(code: FlameCode | undefined): readonly Row[] {
  const notes = (code?.notes ?? []).map((note): Row => ['V8', visible(note, 300)]);
  const deopts = (code?.deopts ?? []).map(({ reason, place, count }): Row => {
    return ['Deoptimized', `${count > 1 ? `${count} × ` : ''}${visible(reason, 200)}, ${visible(place, 300)}`];
  });
  return [...notes, ...deopts];
}

/** Explains why all frames together have less time than the turns above them. */
const heldTime = 'Held time: without idle time, and without known waits for a processor';

function hints(frame: FlameFrame, code: FlameCode | undefined): readonly string[] {
  const source = frame.diff?.onlyBefore === true ? 'the text that ran before' : 'the source';
  return [
    ...(frame.id === '' && frame.diff === undefined ? [heldTime] : []),
    ...(isOutside(frame) ? ['Its width is not its time: your code has the room'] : []),
    ...(frame.id === smallId ? ['A part of the run, a search and the table of functions show them'] : []),
    ...(frame.folded === undefined || frame.folded.type === 'small'
      ? []
      : [isBar(frame) ? 'A click or U unfolds them' : 'U unfolds its calls of itself']),
    ...(frame.unfolded === undefined ? [] : ['F folds it again, with what was unfolded with it']),
    ...(frame.role === 'built' ? [`It is in ${builtFile}`] : []),
    ...(hasSource(frame) ? [`Ctrl+click or Enter opens ${source}`] : []),
    ...(frame.diff !== undefined && canBeAlone(frame) ? ['W shows ms per operation of it'] : []),
    ...(frame.figures === undefined ? [] : ['W shows its worst operation alone']),
    ...((code?.deopts.length ?? 0) > 0 ? ['D opens where V8 threw its code away'] : []),
  ];
}
