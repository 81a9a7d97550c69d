import { intervalRange } from '../../../protocol/recording.ts';
import { type Microseconds, microseconds } from '../../../protocol/units.ts';

export type ParsedInterval =
  | { readonly type: 'interval'; readonly intervalUs: Microseconds }
  | { readonly type: 'invalid'; readonly message: string };

/** A sampling interval in whole µs, as typed by a person or written in a setting. */
export function parseInterval(text: string): ParsedInterval {
  const value = Number(text);
  const { least, most } = intervalRange;
  if (text.trim() !== '' && Number.isInteger(value) && value >= least && value <= most)
    return { type: 'interval', intervalUs: microseconds(value) };
  return {
    type: 'invalid',
    message: `The sampling interval is a whole number of microseconds from ${least} to ${most}, not "${text}". 1000 suits most programs.`,
  };
}
