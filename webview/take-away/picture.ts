import type { Picture, PictureBox, PictureFill, PictureLine, PicturePattern } from './picture-data.ts';
import { headOf, type PictureHead } from './picture-head.ts';
import { clipped, lineWidth } from './text-width.ts';

/** Space around the frames, in px. */
const margin = 16;
/** Room for the title of a narrow graph, in px. */
const leastWidth = 480;

/** The picture of the frames in an element; null where none is shown. */
export function pictureOf(stage: Element, head: PictureHead): Picture | null {
  const drawn = [...stage.querySelectorAll<SVGGElement>('g.frame')].flatMap((frame) => {
    const rect = frame.querySelector('rect');
    const box = rect?.getBoundingClientRect();
    return rect === null || box === undefined || box.width === 0 ? [] : [{ frame, rect, box }];
  });
  if (drawn.length === 0) return null;
  const bounds = boundsOf(drawn.map(({ box }) => box));
  const { backgroundColor, color, fontFamily: font } = getComputedStyle(document.body);
  const colors = colorReader(backgroundColor);
  const fills = new Fills(colors);
  const width = Math.max(leastWidth, bounds.width) + 2 * margin;
  const inside = { left: margin, width: width - 2 * margin, font, color: colors(color) };
  const { lines, boxes, bottom } = headOf(head, inside, (square) => fills.of(square));
  const moved = { x: margin - bounds.left, y: bottom + margin - bounds.top };
  const frames = drawn.map((one) => boxOf(one, moved, { colors, fills, font }));
  return {
    width: Math.ceil(width),
    height: Math.ceil(bottom + 2 * margin + bounds.height),
    background: colors(backgroundColor),
    font,
    title: [head.title, head.verdict].filter((text) => text !== '').join(': '),
    lines,
    boxes: [...boxes, ...frames],
    patterns: fills.patterns,
  };
}

interface DrawnFrame {
  readonly frame: SVGGElement;
  readonly rect: SVGRectElement;
  readonly box: DOMRect;
}

interface Look {
  readonly colors: ColorReader;
  readonly fills: Fills;
  readonly font: string;
}

function boxOf(
  { frame, rect, box }: DrawnFrame,
  by: { readonly x: number; readonly y: number },
  look: Look,
): PictureBox {
  const place = { x: box.x + by.x, y: box.y + by.y, width: box.width, height: box.height };
  return {
    ...place,
    fill: look.fills.of(rect),
    opacity: Number(getComputedStyle(rect).fillOpacity),
    edge: edgeOf(rect, look.colors),
    title: frame.getAttribute('aria-label') ?? '',
    label: labelOf(frame, place, look),
  };
}

/** The outline that the style sheet draws inside of a frame, or else its border. */
function edgeOf(rect: Element, colors: ColorReader): PictureBox['edge'] {
  const { outlineStyle, outlineWidth, outlineColor, stroke, strokeWidth } = getComputedStyle(rect);
  const isOutlined = outlineStyle !== 'none' && px(outlineWidth) > 0;
  if (isOutlined)
    return {
      color: colors(outlineColor),
      width: px(outlineWidth),
      isDashed: outlineStyle === 'dashed' || outlineStyle === 'dotted',
    };
  return stroke === 'none' ? null : { color: colors(stroke), width: px(strokeWidth), isDashed: false };
}

/** Space between a frame's edge and its name, and between the name and the time. */
const [indent, gap] = [5, 8];

/** The name, as far as there is room, and the time where there is room for all of it. */
function labelOf(frame: SVGGElement, box: Omit<DOMRectInit, never>, { colors, font }: Look): readonly PictureLine[] {
  const label = frame.querySelector<HTMLElement>('.d3-flame-graph-label');
  if (label === null || label.getClientRects().length === 0) return [];
  const { color, fontSize, fontWeight } = getComputedStyle(label);
  const size = px(fontSize);
  const style = { size, color: colors(color), y: (box.y ?? 0) + (box.height ?? 0) / 2 + size * 0.36 };
  const [x, room] = [(box.x ?? 0) + indent, (box.width ?? 0) - 2 * indent];
  const name = clipped(`${signBefore(label)}${label.textContent}`, room, { size, weight: fontWeight, font });
  const used = lineWidth(name, { size, weight: fontWeight, font });
  const time = label.dataset['time'] ?? '';
  const hasTime = time !== '' && used + gap + lineWidth(time, { size, weight: '400', font }) <= room;
  return [
    ...(name === '' ? [] : [{ ...style, x, text: name, weight: fontWeight }]),
    ...(hasTime ? [{ ...style, x: x + used + gap, text: time, weight: '400' }] : []),
  ];
}

/** The sign that the style sheet puts in front of an inlined function. */
function signBefore(label: Element): string {
  const { content } = getComputedStyle(label, '::before');
  return /^"(.*)"$/.exec(content)?.[1] ?? '';
}

/** Reads fills, and numbers the patterns that they name. */
class Fills {
  readonly #colors: ColorReader;
  readonly #numbers = new Map<string, number>();
  readonly patterns: PicturePattern[] = [];

  constructor(colors: ColorReader) {
    this.#colors = colors;
  }

  of(shape: Element): PictureFill {
    const { fill } = getComputedStyle(shape);
    const id = /^url\("?#([\w-]+)"?\)/.exec(fill)?.[1];
    const pattern = id === undefined ? null : document.querySelector(`pattern#${CSS.escape(id)}`);
    if (id === undefined || pattern === null) return { type: 'color', color: this.#colors(fill) };
    const number = this.#numbers.get(id) ?? this.patterns.length;
    if (!this.#numbers.has(id)) this.patterns.push(patternOf(pattern, this.#colors));
    this.#numbers.set(id, number);
    return { type: 'pattern', pattern: number };
  }
}

function patternOf(pattern: Element, colors: ColorReader): PicturePattern {
  const [ground, lines] = [pattern.querySelector('.fill-ground'), pattern.querySelector('.fill-lines')];
  const drawn = lines === null ? null : getComputedStyle(lines);
  return {
    ground: colors(ground === null ? 'transparent' : getComputedStyle(ground).fill),
    lines: colors(drawn?.stroke ?? 'transparent'),
    lineWidth: px(drawn?.strokeWidth ?? '1px'),
    path: lines?.getAttribute('d') ?? '',
  };
}

function boundsOf(boxes: readonly DOMRect[]): DOMRect {
  const [left, top] = [least(boxes.map((box) => box.left)), least(boxes.map((box) => box.top))];
  const [right, bottom] = [-least(boxes.map((box) => -box.right)), -least(boxes.map((box) => -box.bottom))];
  return new DOMRect(left, top, right - left, bottom - top);
}

function least(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => Math.min(one, other), Infinity);
}

/** A length of a computed style, such as `1px`. */
function px(length: string): number {
  return Number(length.replace(/px$/, ''));
}

/** Turns a colour of CSS into `#rrggbb`, as it looks over a background. */
type ColorReader = (color: string) => string;

/**
 * A reader for the colours on a background. The style sheet has colours that other programs do not know (`color-mix`),
 * and translucent ones: a canvas paints each once.
 */
function colorReader(background: string): ColorReader {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [1, 1];
  const paint = canvas.getContext('2d', { willReadFrequently: true });
  const known = new Map<string, string>();
  return (color) => {
    const found = known.get(color) ?? hexOf(paint, [background, color]);
    known.set(color, found);
    return found;
  };
}

function hexOf(paint: CanvasRenderingContext2D | null, colors: readonly string[]): string {
  if (paint === null) return '#000000';
  const onPixel = paint;
  for (const color of colors) {
    onPixel.fillStyle = color;
    onPixel.fillRect(0, 0, 1, 1);
  }
  const bytes = [...onPixel.getImageData(0, 0, 1, 1).data].slice(0, 3);
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
