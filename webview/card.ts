import { visible } from '../words/formats/hidden-characters.ts';
import { type FlameCode, type FlameFrame, smallId } from '../protocol/flame.ts';
import { builtFile, changedSince, duration, plural } from '../words/formats/figures.ts';
import { type Microseconds, microseconds } from '../protocol/units.ts';
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
  isOutside,
  tierSplit,
  tierText,
  share,
} from './basics/frame-text.ts';
import { paintOf, groupOf, type PaintKind, swatch } from './basics/paint.ts';

/** What the figures and the path on a card are relative to. */
export interface Scale {
  readonly totalUs: Microseconds;
  readonly zoomedUs: number;
  readonly thresholdUs: Microseconds;
  /** The workspace's folders, as paths or `file:` urls. */
  readonly folders: readonly string[];
  readonly colors: PaintKind;
  /** By what times are divided: `per run`, `per operation`; null where they are not. */
  readonly per: string | null;
  /** What V8 made of functions, by id. */
  readonly code: ReadonlyMap<number, FlameCode>;
}

/** The card beside the frame under the pointer or with the focus. */
export class Card {
  readonly element = element('div', { class: 'card', role: 'tooltip', hidden: '' });

  /** Shows the card. `box` is that of the frame, on screen. */
  show(frame: FlameFrame, box: DOMRect, scale: Scale): void {
    this.element.replaceChildren(...content(frame, scale));
    this.element.hidden = false;
    this.#place(box);
  }

  hide(): void {
    this.element.hidden = true;
  }

  /** Below the frame, above it where there is no room; always inside the window. */
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

function content(frame: FlameFrame, scale: Scale): readonly Node[] {
  const isZoomed = scale.zoomedUs < scale.totalUs;
  // A caller above the zoomed frame may have more time than the whole zoom.
  const ofZoom = isZoomed && frame.value <= scale.zoomedUs ? `, ${share(frame.value, scale.zoomedUs)} of the zoom` : '';
  const rows: Row[] = diffRows(frame, scale) ?? [
    ['Total', `${duration(microseconds(frame.value))} · ${share(frame.value, scale.totalUs)} of all${ofZoom}`],
    ['Self', `${duration(frame.selfUs)} · ${share(frame.selfUs, frame.value)} of its total`],
  ];
  rows.push(...foldedRows(frame));
  if (frame.hiddenUs > 0 && frame.id !== smallId)
    rows.push(['Too small to draw', `${duration(frame.hiddenUs)}, zoom to see it`]);
  const code = scale.code.get(frame.functionId);
  const place = framePlace(frame, scale.folders);
  const figures = frameFigures(frame, scale.thresholdUs);
  return [
    element('div', { class: 'card-name' }, frameName(frame)),
    ...(place === '' ? [] : [element('div', { class: 'card-place' }, placeText(place, frame))]),
    ...(figures === '' ? [] : [element('div', { class: 'card-figures' }, figures)]),
    ...(frame.id === ''
      ? []
      : [element('div', { class: 'card-kind' }, swatch(paintOf(frame, scale.colors)), kindText(frame, scale.colors))]),
    element(
      'dl',
      {},
      ...[...rows, ...tierRows(frame), ...codeRows(code)].flatMap(([term, text]) => [
        element('dt', {}, term),
        element('dd', {}, text),
      ]),
    ),
    ...hints(frame, code).map((hint) => element('div', { class: 'card-hint' }, hint)),
  ];
}

/** What is folded into a frame. */
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

/** What a frame took and takes; null where it is not of a diff. */
function diffRows({ diff }: FlameFrame, { per }: Scale): Row[] | null {
  if (diff === undefined) return null;
  const { was, is, wasName } = diff;
  const unit = per === null ? '' : ` ${per}`;
  return [
    ...(wasName === undefined ? [] : [['Name before', visible(wasName, 200)] as const]),
    ['Total', `${timesWithRanges(was, is, 'total')}${unit}`],
    ['Self', `${timesWithRanges(was, is, 'self')}${unit}`],
  ];
}

function placeText(place: string, { changed }: FlameFrame): string {
  return changed === true ? `${place} · ${changedSince}` : place;
}

type Row = readonly [term: string, text: string];

/** The kind of code. Tier mode needs it as text, because no colour shows it there. */
function kindText(frame: FlameFrame, colors: PaintKind): string {
  const { label } = groupOf(frame.category);
  if (colors === 'change') return `${changeNames[frame.diff?.change ?? 'none']} · ${label}`;
  return colors === 'tier' ? `${tierText(frame)} · ${label}` : label;
}

function tierRows(frame: FlameFrame): readonly Row[] {
  const split = tierSplit(frame);
  return split === null ? [] : [['Tiers', split]];
}

function codeRows(code: FlameCode | undefined): readonly Row[] {
  const notes = (code?.notes ?? []).map((note): Row => ['V8', visible(note, 300)]);
  const deopts = (code?.deopts ?? []).map(({ reason, place, count }): Row => {
    return ['Deoptimized', `${count > 1 ? `${count} × ` : ''}${visible(reason, 200)}, ${visible(place, 300)}`];
  });
  return [...notes, ...deopts];
}

function sourceHint({ diff }: FlameFrame): string {
  const what = diff?.onlyBefore === true ? 'the text that ran before' : 'the source';
  return `Ctrl+click or Enter opens ${what}`;
}

/** Why all frames together take less than the turns above them, and shares of them are larger than those of the run. */
const heldTime = 'Held time: without idling, and without what it is known to have waited for a processor';

function hints(frame: FlameFrame, code: FlameCode | undefined): readonly string[] {
  return [
    ...(frame.id === '' && frame.diff === undefined ? [heldTime] : []),
    ...(isOutside(frame) ? ['Its width is not its time: your code has the room'] : []),
    ...(frame.id === smallId ? ['A part of the run, a search and the table of functions show them'] : []),
    ...(frame.folded === undefined || frame.folded.type === 'small'
      ? []
      : [isBar(frame) ? 'A click or U unfolds them' : 'U unfolds its calls of itself']),
    ...(frame.unfolded === undefined ? [] : ['F folds it again, with what was unfolded with it']),
    ...(frame.role === 'built' ? [`It stands in ${builtFile}`] : []),
    ...(hasSource(frame) ? [sourceHint(frame)] : []),
    ...(frame.diff !== undefined && canBeAlone(frame) ? ['W shows ms per operation of it'] : []),
    ...(frame.figures === undefined ? [] : ['W shows its worst operation alone']),
    ...((code?.deopts.length ?? 0) > 0 ? ['D opens where V8 threw its code away'] : []),
  ];
}
