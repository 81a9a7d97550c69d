/** How a text is written: `size` in px, `font` as in `font-family`. */
export interface TextStyle {
  readonly size: number;
  readonly weight: string;
  readonly font: string;
}

/** The same as a canvas wants it. */
export function fontOf({ size, weight, font }: TextStyle): string {
  return [weight, `${size}px`, font].join(' ');
}

/** Width of a text, in px. */
export function lineWidth(text: string, style: TextStyle): number {
  const paint = measuring.getContext('2d');
  if (paint === null) return text.length * style.size;
  paint.font = fontOf(style);
  return paint.measureText(text).width;
}

const measuring = document.createElement('canvas');

/** As much of a text as there is room for, with `…` where something is left out; `''` where there is no room. */
export function clipped(text: string, room: number, style: TextStyle): string {
  if (lineWidth(text, style) <= room) return text;
  const letters = Array.from(text); // whole code points: half of one is no letter
  let [fits, tooMany] = [0, letters.length];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (lineWidth(`${letters.slice(0, middle).join('')}…`, style) <= room) fits = middle;
    else tooMany = middle;
  }
  return fits === 0 ? '' : `${letters.slice(0, fits).join('')}…`;
}

/** A text in lines that are no wider than the room. A word that is wider is clipped. */
export function wrapped(text: string, room: number, style: TextStyle): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && lineWidth(longer, style) <= room) lines.splice(-1, 1, longer);
    else lines.push(clipped(word, room, style));
  }
  return lines.filter((line) => line !== '');
}
