/** Branded numbers: µs, ms and lines cannot be mixed up. Only this file converts them. */

declare const unit: unique symbol;
type Branded<Unit extends string> = number & { readonly [unit]: Unit };

/** A time or a duration in microseconds. Times are on the recorder's clock (CLOCK_MONOTONIC, as V8's profiles). */
export type Microseconds = Branded<'µs'>;
/** A line counted from 0, as in CDP call frames and LSP positions. −1 where V8 knows none (native functions). */
export type Line0 = Branded<'line0'>;
/** A line counted from 1, as on screen, in the JSON report and in CDP `positionTicks`. 0 where there is none. */
export type Line1 = Branded<'line1'>;
/** A column counted from 0, in UTF-16 units. −1 where V8 knows none; less for a wrapper before the file's text. */
export type Column0 = Branded<'column0'>;
/** A column counted from 1, as on screen and in the JSON report. 0 where there is none. */
export type Column1 = Branded<'column1'>;

export const microseconds = (value: number): Microseconds => value as Microseconds;
export const milliseconds = (value: number): Microseconds => (value * 1000) as Microseconds;
export const toMilliseconds = (time: Microseconds): number => time / 1000;

export const line0 = (value: number): Line0 => value as Line0;
export const line1 = (value: number): Line1 => value as Line1;
export const toLine1 = (line: Line0): Line1 => (line + 1) as Line1;
export const toLine0 = (line: Line1): Line0 => (line - 1) as Line0;

export const column0 = (value: number): Column0 => value as Column0;
/** Converts a column. Columns before the text (wrappers) and unknown ones are 0 on screen. */
export const toColumn1 = (column: Column0): Column1 => Math.max(0, column + 1) as Column1;
