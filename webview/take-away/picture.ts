import { maxOf, minOf } from '../../protocol/figures.ts';
import { element } from '../basics/dom.ts';

/**
 * The frames on screen as plain data, with the colours and widths that they have there. SVG and PNG are made from it.
 * Lengths are in px, colours `#rrggbb`.
 */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly background: string;
  readonly font: string;
  /** For screen readers. */
  readonly title: string;
  readonly lines: readonly PictureLine[];
  readonly boxes: readonly PictureBox[];
  readonly patterns: readonly PicturePattern[];
}

interface TextStyle {
  readonly size: number;
  readonly weight: string;
}

export interface PictureLine extends TextStyle {
  readonly x: number;
  /** Of the base line. */
  readonly y: number;
  readonly text: string;
  readonly color: string;
}

export type Place = Readonly<Pick<DOMRect, 'x' | 'y' | 'width' | 'height'>>;

export interface PictureBox extends Place {
  /** A colour, or an index into `Picture.patterns`. */
  readonly fill: string | number;
  /** Of the fill, 0 to 1. */
  readonly opacity: number;
  readonly edge: { readonly color: string; readonly width: number; readonly isDashed: boolean } | null;
  /** The sentence about the frame; `''` for a square of the legend. */
  readonly title: string;
  readonly label: readonly PictureLine[];
}

/** A tile of `TILE_SIZE` × `TILE_SIZE`. */
export interface PicturePattern {
  readonly ground: string;
  readonly lines: string;
  readonly lineWidth: number;
  readonly path: string;
}

export const TILE_SIZE = 8;

/** Space around the frames, in px. */
const MARGIN = 16;
/** Room for the title of a narrow graph, in px. */
const MIN_WIDTH = 480;

/** The picture of the frames on the page; null where there are none. */
export function readPicture(
  page: HTMLElement,
  title: string,
  verdict: string,
  facts: readonly string[],
): Picture | null {
  const drawn = [...page.querySelectorAll<SVGGElement>('g.frame')].flatMap((frame) => {
    const rect = frame.querySelector('rect');
    const box = rect?.getBoundingClientRect();
    return rect === null || box === undefined || box.width === 0 ? [] : [{ frame, rect, box }];
  });
  const canvas = element('canvas', { width: '1', height: '1' }).getContext('2d', { willReadFrequently: true });
  if (drawn.length === 0 || canvas === null) return null;
  const styles = new PageStyles(page, canvas);
  const bounds = findBounds(drawn.map(({ box }) => box));
  const width = Math.max(MIN_WIDTH, bounds.width);
  const head = placeHead(styles, width, title, [verdict, facts.join(' · ')]);
  const legend = placeLegend(page, styles, width, head.bottom + 8);
  const by = { x: MARGIN - bounds.left, y: legend.bottom + MARGIN - bounds.top };
  const frames = drawn.map(({ frame, rect, box }) => {
    const place = { x: box.x + by.x, y: box.y + by.y, width: box.width, height: box.height };
    return readBox(frame, rect, place, styles);
  });
  return {
    width: Math.ceil(width + 2 * MARGIN),
    height: Math.ceil(legend.bottom + 2 * MARGIN + bounds.height),
    background: styles.background,
    font: styles.font,
    title: [title, verdict].filter((text) => text !== '').join(': '),
    lines: [...head.lines, ...legend.lines],
    boxes: [...legend.boxes, ...frames],
    patterns: styles.patterns,
  };
}

const titleStyle: TextStyle = { size: 15, weight: '600' };
const textStyle: TextStyle = { size: 13, weight: '400' };
const [TOP, SQUARE_SIZE, ENTRY_GAP] = [12, 12, 14];
/** Height of a line, relative to the size of its letters. */
const LINE_HEIGHT = 1.45;

/** Title and texts, one below the other, with the y below the last line. */
function placeHead(styles: PageStyles, width: number, title: string, texts: readonly string[]) {
  const wrapped = [
    ...styles.wrapped(title, width, titleStyle).map((text) => ({ ...titleStyle, text })),
    ...texts.flatMap((text) => styles.wrapped(text, width, textStyle)).map((text) => ({ ...textStyle, text })),
  ];
  let y = TOP;
  const lines = wrapped.map((line): PictureLine => {
    y += line.size * LINE_HEIGHT;
    return { ...line, x: MARGIN, y, color: styles.color(styles.textColor) };
  });
  return { lines, bottom: y };
}

/** The entries of the legends on the page whose colours are in use, in rows from `top` on. */
function placeLegend(page: HTMLElement, styles: PageStyles, width: number, top: number) {
  const [boxes, lines]: [PictureBox[], PictureLine[]] = [[], []];
  const color = styles.color(styles.textColor);
  let [x, y] = [MARGIN, top];
  for (const entry of page.querySelectorAll('.entry')) {
    const square = entry.querySelector('.swatch > rect');
    if (square === null || square.getBoundingClientRect().width === 0) continue;
    const texts = [...entry.querySelectorAll('span')].map(({ textContent }) => textContent.trim());
    const text = texts.filter((each) => each !== '').join(' ');
    const entryWidth = SQUARE_SIZE + 5 + styles.lineWidth(text, textStyle);
    if (x > MARGIN && x + entryWidth > MARGIN + width) [x, y] = [MARGIN, y + textStyle.size * LINE_HEIGHT];
    boxes.push({
      ...{ x, y, width: SQUARE_SIZE, height: SQUARE_SIZE, fill: styles.fill(square), opacity: 1 },
      ...{ edge: { color, width: 1, isDashed: false }, title: '', label: [] },
    });
    lines.push({ ...textStyle, x: x + SQUARE_SIZE + 5, y: y + SQUARE_SIZE - 1.5, text, color });
    x += entryWidth + ENTRY_GAP;
  }
  return { boxes, lines, bottom: boxes.length === 0 ? top - 8 : y + SQUARE_SIZE };
}

function readBox(frame: SVGGElement, rect: SVGRectElement, place: Place, styles: PageStyles): PictureBox {
  const edge = readEdge(rect, styles);
  return {
    ...place,
    fill: styles.fill(rect),
    opacity: Number(getComputedStyle(rect).fillOpacity),
    edge: edge !== null && Math.min(place.width, place.height) >= 2 * edge.width ? edge : null,
    title: frame.getAttribute('aria-label') ?? '',
    label: readLabel(frame, place, styles),
  };
}

/** The outline that the style sheet draws inside of a frame, otherwise its border. */
function readEdge(rect: Element, styles: PageStyles): PictureBox['edge'] {
  const { outlineStyle, outlineWidth, outlineColor, stroke, strokeWidth } = getComputedStyle(rect);
  if (outlineStyle !== 'none' && px(outlineWidth) > 0) {
    const isDashed = outlineStyle === 'dashed' || outlineStyle === 'dotted';
    return { color: styles.color(outlineColor), width: px(outlineWidth), isDashed };
  }
  return stroke === 'none' ? null : { color: styles.color(stroke), width: px(strokeWidth), isDashed: false };
}

/** Space between a frame's edge and its name, and between the name and the time, in px. */
const [INDENT, GAP] = [5, 8];

/** The name, clipped to the frame, and the time if all of it fits. */
function readLabel(frame: SVGGElement, place: Place, styles: PageStyles): readonly PictureLine[] {
  const label = frame.querySelector<HTMLElement>('.d3-flame-graph-label');
  if (label === null || label.getClientRects().length === 0) return [];
  const { color, fontSize, fontWeight: weight } = getComputedStyle(label);
  const size = px(fontSize);
  const line = { size, color: styles.color(color), y: place.y + place.height / 2 + size * 0.36 };
  const [x, room] = [place.x + INDENT, place.width - 2 * INDENT];
  // The style sheet puts a sign before the name of an inlined function.
  const sign = /^"(.*)"$/.exec(getComputedStyle(label, '::before').content)?.[1] ?? '';
  const name = styles.clipped(`${sign}${label.textContent}`, room, { size, weight });
  const used = styles.lineWidth(name, { size, weight });
  const time = label.dataset['time'] ?? '';
  const hasTime = time !== '' && used + GAP + styles.lineWidth(time, { size, weight: '400' }) <= room;
  return [
    ...(name === '' ? [] : [{ ...line, x, text: name, weight }]),
    ...(hasTime ? [{ ...line, x: x + used + GAP, text: time, weight: '400' }] : []),
  ];
}

/**
 * Reads fonts, colours and fills from the page. Other programs do not know all colours of the style sheet (`color-mix`),
 * and some are translucent: a canvas paints each one on the background.
 */
class PageStyles {
  readonly font: string;
  readonly background: string;
  readonly textColor: string;
  readonly patterns: PicturePattern[] = [];
  readonly #canvas: CanvasRenderingContext2D;
  readonly #ground: string;
  readonly #colors = new Map<string, string>();
  /** Indices of patterns by their ids. */
  readonly #numbers = new Map<string, number>();

  constructor(page: HTMLElement, canvas: CanvasRenderingContext2D) {
    const { backgroundColor, color, fontFamily } = getComputedStyle(page);
    this.#canvas = canvas;
    this.#ground = backgroundColor;
    this.font = fontFamily;
    this.background = this.color(backgroundColor);
    this.textColor = color;
  }

  /** A CSS colour on the background, as `#rrggbb`. */
  color(color: string): string {
    const known = this.#colors.get(color);
    if (known !== undefined) return known;
    for (const layer of [this.#ground, color]) {
      this.#canvas.fillStyle = layer;
      this.#canvas.fillRect(0, 0, 1, 1);
    }
    const bytes = [...this.#canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
    const hex = `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
    this.#colors.set(color, hex);
    return hex;
  }

  fill(shape: Element): string | number {
    const { fill } = getComputedStyle(shape);
    const id = /^url\("?#([\w-]+)"?\)/.exec(fill)?.[1];
    const pattern = id === undefined ? null : document.querySelector(`pattern#${CSS.escape(id)}`);
    if (id === undefined || pattern === null) return this.color(fill);
    const number = this.#numbers.get(id) ?? this.patterns.length;
    if (!this.#numbers.has(id)) this.patterns.push(this.#pattern(pattern));
    this.#numbers.set(id, number);
    return number;
  }

  #pattern(pattern: Element): PicturePattern {
    const [ground, lines] = [pattern.querySelector('.fill-ground'), pattern.querySelector('.fill-lines')];
    const drawn = lines === null ? null : getComputedStyle(lines);
    return {
      ground: this.color(ground === null ? 'transparent' : getComputedStyle(ground).fill),
      lines: this.color(drawn?.stroke ?? 'transparent'),
      lineWidth: px(drawn?.strokeWidth ?? '1px'),
      path: lines?.getAttribute('d') ?? '',
    };
  }

  lineWidth(text: string, style: TextStyle): number {
    this.#canvas.font = fontOf(style, this.font);
    return this.#canvas.measureText(text).width;
  }

  /** As much of a text as fits, with `…` if something is cut off; `''` without room. */
  clipped(text: string, room: number, style: TextStyle): string {
    if (this.lineWidth(text, style) <= room) return text;
    const letters = Array.from(text); // Whole code points, so that no letter is cut in half.
    let [fits, tooMany] = [0, letters.length];
    while (tooMany - fits > 1) {
      const middle = Math.floor((fits + tooMany) / 2);
      if (this.lineWidth(`${letters.slice(0, middle).join('')}…`, style) <= room) fits = middle;
      else tooMany = middle;
    }
    return fits === 0 ? '' : `${letters.slice(0, fits).join('')}…`;
  }

  /** A text in lines that fit. A wider word is clipped. */
  wrapped(text: string, room: number, style: TextStyle): readonly string[] {
    const lines: string[] = [];
    for (const word of text.split(' ')) {
      const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
      if (lines.length > 0 && this.lineWidth(longer, style) <= room) lines.splice(-1, 1, longer);
      else lines.push(this.clipped(word, room, style));
    }
    return lines.filter((line) => line !== '');
  }
}

/** A font for a canvas. */
export function fontOf({ size, weight }: TextStyle, family: string): string {
  return [weight, `${size}px`, family].join(' ');
}

function findBounds(boxes: readonly DOMRect[]): DOMRect {
  const [left, top] = [minOf(boxes.map((box) => box.left)), minOf(boxes.map((box) => box.top))];
  const [right, bottom] = [maxOf(boxes.map((box) => box.right)), maxOf(boxes.map((box) => box.bottom))];
  return new DOMRect(left, top, right - left, bottom - top);
}

/** A length of a computed style, such as `1px`. */
function px(length: string): number {
  return Number(length.replace(/px$/, ''));
}
