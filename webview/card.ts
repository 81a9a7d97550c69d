import type { FlameFrame } from '../protocol/flame.ts';
import { duration, lineFigures } from '../protocol/figures.ts';
import { type Microseconds, microseconds } from '../protocol/units.ts';
import { groupOf } from './categories.ts';
import { element } from './dom.ts';
import { swatch } from './fills.ts';
import { frameName, framePlace, hasSource, share } from './frame-text.ts';

/** What the figures and the path on a card are measured by. */
export interface Scale {
  readonly totalUs: Microseconds;
  readonly zoomedUs: number;
  readonly thresholdUs: Microseconds;
  /** The workspace's, as paths or `file:` urls. */
  readonly folders: readonly string[];
}

/** The card beside the frame under the pointer or with the focus. */
export class Card {
  readonly element = element('div', { class: 'card', role: 'tooltip', hidden: '' });

  /** `box`: of the frame, on screen. */
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
  // A caller above the zoomed frame has more than all of it.
  const ofZoom = isZoomed && frame.value <= scale.zoomedUs ? `, ${share(frame.value, scale.zoomedUs)} of the zoom` : '';
  const rows: [string, string][] = [
    ['Total', `${duration(microseconds(frame.value))} · ${share(frame.value, scale.totalUs)} of all${ofZoom}`],
    ['Self', `${duration(frame.selfUs)} · ${share(frame.selfUs, frame.value)} of its total`],
  ];
  if (frame.hiddenUs > 0) rows.push(['Too small to draw', `${duration(frame.hiddenUs)}, zoom to see it`]);
  const place = framePlace(frame, scale.folders);
  return [
    element('div', { class: 'card-name' }, frameName(frame)),
    ...(place === '' ? [] : [element('div', { class: 'card-place' }, place)]),
    ...(frame.figures === undefined
      ? []
      : [element('div', { class: 'card-figures' }, lineFigures(frame.figures, scale.thresholdUs))]),
    ...(frame.id === ''
      ? []
      : [element('div', { class: 'card-kind' }, swatch(frame.category), groupOf(frame.category).label)]),
    element('dl', {}, ...rows.flatMap(([term, text]) => [element('dt', {}, term), element('dd', {}, text)])),
    ...(hasSource(frame) ? [element('div', { class: 'card-hint' }, 'Ctrl+click or Enter opens the source')] : []),
  ];
}
