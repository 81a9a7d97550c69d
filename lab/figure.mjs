// How a measurement hands its numbers to `npm run nightly`, which names a file in HOTSPAN_FIGURES.
import { appendFileSync } from 'node:fs';

const { HOTSPAN_FIGURES: file } = process.env;

/** `npm run nightly` runs this process: it wants the numbers, and leaves the tables in docs/ as they are. */
export const isNightly = file !== undefined;

/** Hands over a number under the name that its row in lab/nightly/rows.mjs has. Does nothing outside of a nightly run. */
export function figure(name, value) {
  if (isNightly) appendFileSync(file, `${JSON.stringify({ name, value })}\n`);
}
