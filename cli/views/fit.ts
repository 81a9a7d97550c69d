import type { Colors } from './terminal.ts';
import { columnsOf, endWithin, startWithin } from './text-width.ts';

/** Figures of a place in the code. All texts are plain. */
interface Finding {
  readonly figures: string;
  readonly label: string;
  /** `src/rules.ts:13` */
  readonly place: string;
  /** After the place; may be empty. */
  readonly note: string;
}

type FindingColors = Readonly<Record<'figures' | 'label' | 'place' | 'note', Colors['bold']>>;

/**
 * One line, if it fits with a shorter path; else figures above names. Figures are wrapped, never cut. `left`: the width of
 * the column of figures.
 */
export function findingLines(
  { figures, label, place, note }: Finding,
  left: number,
  columns: number,
  colors: FindingColors,
): readonly string[] {
  const [ofNames, ofPath] = [columnsOf(label) + columnsOf(note), Math.min(columnsOf(place), MIN_PATH)];
  const beside = columns - Math.max(left, columnsOf(figures)) - ofNames - 4;
  if (beside >= ofPath) {
    const names = `${colors.label(label)}  ${colors.place(shortPlace(place, beside))}${note === '' ? '' : colors.note(note)}`;
    return [`${colors.figures(figures.padEnd(left))}  ${names}`];
  }
  const first = wrap(figures, columns).map((line) => colors.figures(line));
  const below = columns - indent;
  const names = wrap(label, below).map((line) => colors.label(line));
  const notes = note === '' ? [] : wrap(note.trim(), below).map((line) => colors.note(line));
  const room = below - ofNames - 2;
  const rest =
    room >= ofPath
      ? [`${names.join(' ')}  ${colors.place(shortPlace(place, room))}${note === '' ? '' : colors.note(note)}`]
      : [...names, colors.place(shortPlace(place, below)), ...notes];
  return [...first, ...indented(rest, indent)];
}

const indent = 2;

/** Shortened paths have at least this many columns. */
const MIN_PATH = 28;

/**
 * Shortens a place to `width` columns: leaves out folders in the middle, then letters in the middle of the name. Keeps
 * the line and MIN_NAME columns of the name, so the result may be longer.
 */
export function shortPlace(place: string, width: number): string {
  if (columnsOf(place) <= width) return place;
  const line = /:\d+$/.exec(place)?.[0] ?? '';
  const parts = place.slice(0, place.length - line.length).split(/(?<=[\\/])/);
  for (let left = 1; left < parts.length - 1; left++) {
    const shorter = `${parts[0] ?? ''}…/${parts.slice(left + 1).join('')}${line}`;
    if (columnsOf(shorter) <= width) return shorter;
  }
  const name = parts.at(-1) ?? '';
  const room = Math.max(width - line.length - 1, MIN_NAME);
  if (columnsOf(name) <= room) return `…${name}${line}`;
  const start = Math.floor(room / 2);
  return `${startWithin(name, start)}…${endWithin(name, room - start)}${line}`;
}

const MIN_NAME = 8;

/** Breaks a text at spaces into lines of at most `width` columns, but never inside `312 ms`, `14 ×`, `> 10 ms`. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  // No line ends after a number or a sign, or before a sign.
  for (const word of text.split(/(?<![\d×<>→≈]) (?![×→%·])/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && columnsOf(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

export function indented(lines: readonly string[], by: number): readonly string[] {
  return lines.map((line) => `${' '.repeat(by)}${line}`);
}
