// What `npm run nightly` says of numbers: pure functions.

/** The middle of some numbers, of two middle ones the mean; NaN where there are none. */
export function medianOf(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return values.length === 0 ? Number.NaN : (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
}

/**
 * `missed`: the target is not reached, or there is no number. `worse`: the number is beyond the latest one by more than
 * the row's tolerance, a share of the latest. Times of another machine say nothing about this one.
 */
export function flagsOf({ unit, atMost, atLeast, tolerance }, value, latest, isSameMachine = true) {
  if (value === undefined) return ['missed'];
  const isMissed = value > (atMost ?? Infinity) || value < (atLeast ?? -Infinity);
  const isComparable = latest !== undefined && (isSameMachine || !['ms', 's', 'µs'].includes(unit));
  const isWorse = atLeast === undefined ? value > latest * (1 + tolerance) : value < latest * (1 - tolerance);
  return [...(isMissed ? ['missed'] : []), ...(isComparable && isWorse ? ['worse'] : [])];
}

/** The rows with one of the words in their name, in any case; all where there is no word. Sources without a row are left out. */
export function chooseRows(sources, words) {
  const isChosen = (name) =>
    words.length === 0 || words.some((word) => name.toLowerCase().includes(word.toLowerCase()));
  return sources
    .map((source) => ({ ...source, rows: source.rows.filter(({ name }) => isChosen(fullName(source, { name }))) }))
    .filter(({ rows }) => rows.length > 0);
}

export function fullName(source, row) {
  return `${source.name}: ${row.name}`;
}

/** A line of the table, and of its head, in columns as wide as the longest name. */
export function lineOf(cells, nameWidth) {
  const [name, ...numbers] = cells;
  const [value, target, latest, flags] = numbers;
  return `| ${name.padEnd(nameWidth)} | ${value.padStart(9)} | ${target.padStart(10)} | ${latest.padStart(9)} | ${flags} |`;
}

/** Three digits where it has a fraction: `0.67 ×`, `104 ms`. */
export function numberText(value, unit) {
  if (value === undefined) return '–';
  const rounded = Number.isInteger(value) || Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
  return unit === '' ? String(rounded) : `${rounded} ${unit}`;
}

export function targetText({ unit, atMost, atLeast }) {
  return `${atLeast === undefined ? '≤' : '≥'} ${numberText(atLeast ?? atMost, unit)}`;
}

/** `3 h 5 min`. */
export function durationText(minutes) {
  const [hours, rest] = [Math.floor(Math.round(minutes) / 60), Math.round(minutes) % 60];
  return [...(hours > 0 ? [`${hours} h`] : []), ...(rest > 0 || hours === 0 ? [`${rest} min`] : [])].join(' ');
}

/** `3 rows: 1 missed, 1 worse`. `flags`: those of each row. */
export function summaryOf(flags) {
  const count = (flag) => flags.filter((one) => one.includes(flag)).length;
  return `${flags.length} rows: ${count('missed')} missed, ${count('worse')} worse`;
}

/** The latest values with those of this run in place of older ones. Those of another machine are dropped. */
export function withValues(latest, { machine, node, values, date }) {
  const kept = JSON.stringify(latest?.machine) === JSON.stringify(machine) ? latest.rows : {};
  const own = Object.entries(values).map(([name, value]) => [name, { value, date }]);
  const rows = [...Object.entries(kept), ...own];
  return { machine, node, rows: Object.fromEntries(new Map(rows.toSorted(([a], [b]) => (a < b ? -1 : 1)))) };
}
