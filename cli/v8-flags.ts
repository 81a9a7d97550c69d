import v8 from 'node:v8';

const { variables } = process.config;
/** From Node 24 on. */
const hasMaglev = 'v8_enable_maglev' in variables && variables.v8_enable_maglev === 1;

/**
 * Sets what has to be set before the command itself is compiled. A command ends before V8's slowest compiler pays (up to
 * a quarter of the processor time), and on most recordings before most of what the one in the middle, Maglev,
 * compiles does (another tenth). Loops over samples do not wait for that many calls.
 */
export function setCompilers(): void {
  if (hasMaglev) v8.setFlagsFromString('--no-opt --invocation-count-for-maglev=4000');
}

/**
 * Lets the young generation grow no more, once the command is loaded. What is read stays until the end, so a larger one
 * (up to 64 MB) spares no collection, and is an eighth to a fifth of all memory. With the few MB that it has by then
 * as with up to 16 MB, most recordings take the same processor time; that of a server takes up to a tenth more.
 */
export function keepYoungGenerationSmall(): void {
  if (hasMaglev) v8.setFlagsFromString('--semi-space-growth-factor=1');
}
