import { type DurationClass, durationClasses, durationClassOf } from '../protocol/figures.ts';
import type { Timeline } from '../protocol/time.ts';
import { type Microseconds, microseconds, milliseconds } from '../protocol/units.ts';
import { svgElement } from './basics/dom.ts';

/** Heights in the chart's own units: turns stand on top, collections and delays below them. */
const rows = { turns: 44, gcTop: 47, gc: 8, delayTop: 58, delay: 14, all: 72 } as const;

/** The times that have a line: the bounds of the classes. */
export const lineTimes = [milliseconds(10), milliseconds(100), milliseconds(1000)] as const;

/**
 * Turns, collections and delays as one picture, a column for each of the timeline's. Heights of times are logarithmic, so
 * that turns of 10 ms and of 10 s can both be seen: each class begins at the same height.
 */
export function timeChart(timeline: Timeline): SVGSVGElement {
  const count = timeline.longest.length;
  const scale = heightScale(timeline);
  const turns = turnPaths(timeline.longest, scale).map(([key, d]) =>
    svgElement('path', { class: 'time-turns', 'data-class': key, d }),
  );
  const lines = lineTimes.flatMap((us) => {
    const y = rows.turns * (1 - scale(us));
    return y > 0 ? [svgElement('path', { class: 'time-line', d: `M0 ${y.toFixed(1)}h${count}` })] : [];
  });
  const gc = bars(timeline.collecting, (share) => share * rows.gc, rows.gcTop + rows.gc);
  const delay = bars(timeline.delays, (us) => scale(us) * rows.delay, rows.delayTop + rows.delay);
  return svgElement(
    'svg',
    { viewBox: `0 0 ${count} ${rows.all}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    ...turns,
    ...lines,
    svgElement('path', { class: 'time-gc', 'data-category': 'gc', d: gc }),
    svgElement('path', { class: 'time-delay', d: delay }),
  );
}

/** Share of the height of the turns at which a time stands, from 0 to 1. */
export function lineHeight(timeline: Timeline, us: number): number {
  return heightScale(timeline)(us);
}

/**
 * Where the axis has a mark, in µs since the start of the run: 1, 2 or 5 times a power of ten apart, and as many as there
 * is room for in `width` pixels. The start has none.
 */
export function axisTimes({ durationUs }: Pick<Timeline, 'durationUs'>, width: number): readonly Microseconds[] {
  const atLeast = (durationUs * markWidth) / Math.max(1, width);
  const power = 10 ** Math.floor(Math.log10(Math.max(1, atLeast)));
  const step = [1, 2, 5, 10].map((times) => times * power).find((us) => us >= atLeast) ?? power;
  return Array.from({ length: Math.floor(durationUs / step) }, (_, index) => microseconds((index + 1) * step));
}

/** Room for a mark of the axis with its time, in pixels. */
const markWidth = 64;

/** 1 ms is the lowest that is drawn, and the longest turn, of at least 100 ms, the highest. */
function heightScale({ longest }: Timeline): (us: number) => number {
  const most = longest.reduce((high, us) => Math.max(high, us), milliseconds(100));
  const whole = Math.log(most / least);
  return (us) => (us <= 0 ? 0 : Math.max(lowest, Math.min(1, Math.log(us / least) / whole)));
}

const least = 1000;
/** What is just over 1 ms can be seen, too. */
const lowest = 0.05;

function turnPaths(longest: readonly number[], scale: (us: number) => number): readonly [DurationClass, string][] {
  const classes = longest.map((us) => durationClassOf(microseconds(us)));
  return durationClasses.flatMap((key): readonly [DurationClass, string][] => {
    const ofClass = longest.map((us, column) => (us > 0 && classes[column] === key ? us : 0));
    const d = bars(ofClass, (us) => scale(us) * rows.turns, rows.turns);
    return d === '' ? [] : [[key, d]];
  });
}

/** Bars that stand on a line; neighbours of one height are one. */
function bars(values: readonly number[], heightOf: (value: number) => number, bottom: number): string {
  const parts: string[] = [];
  for (let column = 0; column < values.length;) {
    const value = values[column] ?? 0;
    let end = column + 1;
    while (end < values.length && values[end] === value) end += 1;
    if (value > 0) parts.push(`M${column} ${bottom}v${(-heightOf(value)).toFixed(1)}h${end - column}V${bottom}z`);
    column = end;
  }
  return parts.join('');
}
