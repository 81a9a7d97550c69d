import { defaultThresholdUs } from '../../protocol/figures.ts';
import { intervalRange } from '../../protocol/recording.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { type Given, type Invalid, invalid, type Option } from './command.ts';

type Time<Us> = { readonly type: 'time'; readonly us: Us } | Invalid;

/** A time above 0, in milliseconds where no unit is named, to the microsecond; null where the option is not given. */
export function parseTime(option: string, text: string | undefined): Time<Microseconds | null> {
  if (text === undefined) return { type: 'time', us: null };
  const us = usOf(text, 1000);
  return us !== null && us > 0 && us <= longestTime
    ? { type: 'time', us: microseconds(Math.max(1, Math.round(us))) }
    : invalid(`--${option} is a time above 0, such as 10 (milliseconds), 10ms, 0.5s or 500us, not "${text}".`);
}

/** What `--threshold` names, else the default. */
export function readThreshold(given: Given<'threshold'>): Time<Microseconds> {
  const threshold = parseTime('threshold', given.text('threshold'));
  return threshold.type === 'invalid' ? threshold : { type: 'time', us: threshold.us ?? defaultThresholdUs };
}

/** The option of commands that judge what blocks. */
export const thresholdOption = {
  value: { name: 'TIME', kind: 'text', standard: '10ms' },
  help: 'what counts as blocking: 25, 25ms, 0.5s, 500us',
} as const satisfies Option;

/** The time between two samples, in microseconds where no unit is named: whole ones, in the range that V8 can keep. */
export function parseInterval(text: string): Time<Microseconds> {
  const { least, most } = intervalRange;
  const us = usOf(text, 1);
  if (us !== null && Number.isInteger(us) && us >= least && us <= most) return { type: 'time', us: microseconds(us) };
  return invalid(
    `--interval is a whole number of microseconds from ${least} to ${most}, such as 200, 200us or 0.2ms, not "${text}". 1000 suits most programs.`,
  );
}

/** A number with a unit or none, in µs; null where it is something else. `usual`: the usual unit, in µs. */
function usOf(text: string, usual: number): number | null {
  const [, digits = '', unit = ''] = /^(\d+\.?\d*|\.\d+) ?(ms|s|us|µs|μs)?$/i.exec(text) ?? [];
  // Of 0.15 ms binary fractions would make no whole number.
  return digits === '' ? null : Number((Number(digits) * (unitsInUs[unit.toLowerCase()] ?? usual)).toPrecision(12));
}

/** The Greek letter and the sign for micro look the same. */
const unitsInUs: Readonly<Record<string, number>> = { s: 1e6, ms: 1000, us: 1, µs: 1, μs: 1 };

/** Eleven days, in µs. */
const longestTime = 1e12;
