import type { Colors } from './terminal.ts';

/** What is found at a place in the code, with its figures. All texts are plain. */
export interface Finding {
  readonly figures: string;
  readonly label: string;
  /** `src/rules.ts:13` */
  readonly place: string;
  /** Behind the place; empty where there is none. */
  readonly note: string;
}

/** How the parts of a finding are coloured. */
export type FindingColors = Readonly<Record<'figures' | 'label' | 'place' | 'note', Colors['bold']>>;

/**
 * Lines for a finding: one, where it fits, also with a shorter path; else figures and names below each other. Figures
 * are wrapped, and never cut. `left` is how wide the figures are in lines of their own table.
 */
export function findingLines(
  { figures, label, place, note }: Finding,
  left: number,
  columns: number,
  colors: FindingColors,
): readonly string[] {
  const beside = columns - Math.max(left, figures.length) - label.length - note.length - 4;
  if (beside >= Math.min(place.length, leastPath)) {
    const names = `${colors.label(label)}  ${colors.place(shortPlace(place, beside))}${note === '' ? '' : colors.note(note)}`;
    return [`${colors.figures(figures.padEnd(left))}  ${names}`];
  }
  const first = wrap(figures, columns).map((line) => colors.figures(line));
  const below = columns - indent;
  const names = wrap(label, below).map((line) => colors.label(line));
  const notes = note === '' ? [] : wrap(note.trim(), below).map((line) => colors.note(line));
  const room = below - label.length - note.length - 2;
  const isOne = room >= Math.min(place.length, leastPath);
  const rest = isOne
    ? [`${names.join(' ')}  ${colors.place(shortPlace(place, room))}${note === '' ? '' : colors.note(note)}`]
    : [...names, colors.place(shortPlace(place, below)), ...notes];
  return [...first, ...indented(rest, indent)];
}

const indent = 2;

/** A path is shortened to no less than this, in characters. */
const leastPath = 28;

/**
 * A place of at most `width` characters: folders in the middle are left out, then letters in the middle of the name.
 * The number of the line stays, so the result is longer where there is room for hardly more than that.
 */
export function shortPlace(place: string, width: number): string {
  if (place.length <= width) return place;
  const line = /:\d+$/.exec(place)?.[0] ?? '';
  const parts = place.slice(0, place.length - line.length).split(/(?<=[\\/])/);
  for (let left = 1; left < parts.length - 1; left++) {
    const shorter = `${parts[0] ?? ''}…/${parts.slice(left + 1).join('')}${line}`;
    if (shorter.length <= width) return shorter;
  }
  const name = parts.at(-1) ?? '';
  const room = Math.max(width - line.length - 1, least);
  if (name.length <= room) return `…${name}${line}`;
  const start = Math.floor(room / 2);
  return `${name.slice(0, start)}…${name.slice(name.length - (room - start))}${line}`;
}

/** What is left of a name at least, in characters. */
const least = 8;

/**
 * The lines of a text, broken at spaces, each of at most `width` characters where no word is longer. A figure stays on
 * one line with its unit: `312 ms`, `14 ×`, `> 10 ms`, `12 of 30`.
 */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of unbreakable(text)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && longer.length > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** The pieces of a text between spaces where a line may end: none is after a number or a sign, or before a sign. */
function unbreakable(text: string): readonly string[] {
  return text.split(/(?<![\d×<>→≈]) (?![×→%·])/);
}

export function indented(lines: readonly string[], by: number): readonly string[] {
  return lines.map((line) => `${' '.repeat(by)}${line}`);
}
