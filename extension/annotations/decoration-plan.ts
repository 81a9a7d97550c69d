import type { LineMark, Tone } from '../../protocol/requests.ts';

/** One look of marks. Each is one decoration type, so that a file is drawn in a few batches. */
export interface Style {
  readonly key: string;
  readonly class: MarkedClass;
  readonly tone: Tone;
}

export type MarkedClass = 'medium' | 'slow' | 'verySlow' | 'monster';

export const styles: readonly Style[] = [
  ...(['medium', 'slow', 'verySlow', 'monster'] as const).flatMap((mark) => [style(mark, 'plain'), style(mark, 'dim')]),
  style('slow', 'background'),
];

/**
 * The marks of a file by style key. Every key is present, so that setting all of them removes the old marks.
 * `dimmed` is true while a run goes on: these are the figures of the run before.
 */
export function planOf(marks: readonly LineMark[], dimmed: boolean): ReadonlyMap<string, readonly LineMark[]> {
  return new Map(styles.map(({ key }) => [key, marks.filter((mark) => keyOf(mark, dimmed) === key)]));
}

function keyOf(mark: LineMark, dimmed: boolean): string {
  if (mark.tone === 'background') return style('slow', 'background').key;
  // A function shown by its total time may never have blocked for long: it gets the look of the lowest class.
  const shown = mark.class === 'fast' ? 'medium' : mark.class;
  return style(shown, dimmed ? 'dim' : mark.tone).key;
}

function style(mark: MarkedClass, tone: Tone): Style {
  return { key: `${mark}-${tone}`, class: mark, tone };
}
