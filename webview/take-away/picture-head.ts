import type { PictureBox, PictureFill, PictureLine } from './picture-data.ts';
import { lineWidth, type TextStyle, wrapped } from './text-width.ts';

/** What stands above the frames of a picture. */
export interface PictureHead {
  readonly title: string;
  readonly verdict: string;
  /** What of the recording is shown. */
  readonly facts: readonly string[];
  readonly legend: readonly LegendEntry[];
}

export interface LegendEntry {
  /** The square with the colour and the pattern. */
  readonly square: Element;
  readonly text: string;
}

/** The entries of the legends on the page whose colours are used now. */
export function shownLegend(page: ParentNode): readonly LegendEntry[] {
  return [...page.querySelectorAll('.entry')].flatMap((entry) => {
    const square = entry.querySelector('.swatch > rect');
    if (square === null || square.getBoundingClientRect().width === 0) return [];
    const texts = [...entry.querySelectorAll('span')].map(({ textContent }) => textContent.trim());
    return [{ square, text: texts.filter((text) => text !== '').join(' ') }];
  });
}

interface Room {
  readonly left: number;
  readonly width: number;
  readonly font: string;
  readonly color: string;
}

interface DrawnHead {
  readonly lines: readonly PictureLine[];
  readonly boxes: readonly PictureBox[];
  /** Where the next thing may stand, in px. */
  readonly bottom: number;
}

const [titleSize, textSize, top] = [15, 13, 12];
/** Height of a line, as a part of the size of its letters. */
const lineHeight = 1.45;
const [squareSize, entryGap] = [12, 14];

/** Title, verdict, facts and legend, one below the other. `fillOf` reads the colour of a square. */
export function headOf(head: PictureHead, room: Room, fillOf: (square: Element) => PictureFill): DrawnHead {
  const texts = [
    ...wrapped(head.title, room.width, { size: titleSize, weight: '600', font: room.font }).map((text) => ({
      text,
      size: titleSize,
      weight: '600',
    })),
    ...[head.verdict, head.facts.join(' · ')].flatMap((text) =>
      wrapped(text, room.width, { size: textSize, weight: '400', font: room.font }).map((line) => ({
        text: line,
        size: textSize,
        weight: '400',
      })),
    ),
  ];
  let y = top;
  const lines = texts.map(({ text, size, weight }): PictureLine => {
    y += size * lineHeight;
    return { x: room.left, y, text, size, weight, color: room.color };
  });
  const legend = legendOf(head.legend, room, y + 8, fillOf);
  return { lines: [...lines, ...legend.lines], boxes: legend.boxes, bottom: legend.bottom };
}

function legendOf(
  entries: readonly LegendEntry[],
  { left, width, font, color }: Room,
  from: number,
  fillOf: (square: Element) => PictureFill,
): DrawnHead {
  const style: TextStyle = { size: textSize, weight: '400', font };
  let [x, y] = [left, from];
  const placed = entries.map(({ square, text }) => {
    const entryWidth = squareSize + 5 + lineWidth(text, style);
    if (x > left && x + entryWidth > left + width) [x, y] = [left, y + textSize * lineHeight];
    const at = { x, y };
    x += entryWidth + entryGap;
    return { ...at, square, text };
  });
  return {
    boxes: placed.map((at) => ({
      ...{ x: at.x, y: at.y, width: squareSize, height: squareSize, fill: fillOf(at.square), opacity: 1 },
      ...{ edge: { color, width: 1, isDashed: false }, title: '', label: [] },
    })),
    lines: placed.map((at) => ({
      ...{ x: at.x + squareSize + 5, y: at.y + squareSize - 1.5, text: at.text },
      ...{ size: textSize, weight: '400', color },
    })),
    bottom: entries.length === 0 ? from - 8 : y + squareSize,
  };
}
