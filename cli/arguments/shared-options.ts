import path from 'node:path';
import { defaultThresholdUs } from '../../protocol/figures.ts';
import { isBaselineName } from '../../protocol/formats/folder-names.ts';
import { isFolderThere, type PathRule } from '../../protocol/path-spelling.ts';
import { intervalRange } from '../../protocol/recording.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { type Given, type Invalid, invalid, isInvalid, type Option } from './command.ts';

/** For commands that judge what blocks. */
export const thresholdOption = {
  value: { name: 'TIME', kind: 'text', standard: '10ms' },
  help: 'what counts as blocking: 25, 25ms, 0.5s, 500us',
} as const satisfies Option;

export function readThreshold(given: Given<'threshold'>): Microseconds | Invalid {
  return parseTime('threshold', given.text('threshold')) ?? defaultThresholdUs;
}

/** A time above 0, rounded to µs; without a unit it is in ms. Null if the option is not given. */
export function parseTime(option: string, text: string | null): Microseconds | Invalid | null {
  if (text === null) return null;
  const us = usOf(text, 1000);
  return us !== null && us > 0 && us <= MAX_TIME_US
    ? microseconds(Math.max(1, Math.round(us)))
    : invalid(`--${option} is a time above 0, such as 10 (milliseconds), 10ms, 0.5s or 500us, not "${text}".`);
}

/** The sampling interval: a whole number of µs in the range that V8 keeps. Without a unit it is in µs. */
export function parseInterval(text: string): Microseconds | Invalid {
  const { least, most } = intervalRange;
  const us = usOf(text, 1);
  if (us !== null && Number.isInteger(us) && us >= least && us <= most) return microseconds(us);
  return invalid(
    `--interval is a whole number of microseconds from ${least} to ${most}, such as 200, 200us or 0.2ms, not "${text}". 1000 suits most programs.`,
  );
}

/** Parses a number with an optional unit to µs; null if it is not one. `usual`: the unit of a bare number, in µs. */
function usOf(text: string, usual: number): number | null {
  const [, digits = '', unit = ''] = /^(\d+\.?\d*|\.\d+) ?(ms|s|us|µs|μs)?$/i.exec(text) ?? [];
  // 0.15 × 1000 is not a whole number in binary.
  return digits === '' ? null : Number((Number(digits) * (unitsInUs[unit.toLowerCase()] ?? usual)).toPrecision(12));
}

/** The Greek letter and the micro sign look the same. */
const unitsInUs: Readonly<Record<string, number>> = { s: 1e6, ms: 1000, us: 1, µs: 1, μs: 1 };

/** Eleven days. */
const MAX_TIME_US = 1e12;

/** For commands that read recordings, which may be from another machine. */
export const mapOption = {
  map: {
    value: { name: 'FROM=TO', kind: 'text', isRepeated: true },
    help: 'files that were recorded in the folder FROM of another machine are in the folder TO here',
  },
} as const satisfies Record<string, Option>;

/** The given rules, each with the folder here as typed. */
export function readMaps(given: Given<'map'>): readonly PathRule[] | Invalid {
  const texts = given.texts('map');
  const rules = texts.map((text) => {
    const split = text.lastIndexOf('=');
    return { from: text.slice(0, Math.max(0, split)), to: text.slice(split + 1) };
  });
  const wrong = rules.findIndex(({ from, to }) => to === '' || !isFolderThere(from));
  return wrong < 0
    ? rules
    : invalid(
        `"--map ${texts[wrong]}" names no two folders: write --map /app=packages/api, the absolute folder of the recording first.`,
      );
}

/** The rules with absolute folders here. */
export function pathRulesOf(maps: readonly PathRule[], currentFolder: string): readonly PathRule[] {
  return maps.map(({ from, to }) => ({ from, to: folderFrom(to, currentFolder) }));
}

/**
 * The absolute path of a folder as typed. A path with a Windows drive is absolute on every system, because a profile may
 * come from such a machine.
 */
export function folderFrom(typed: string, currentFolder: string): string {
  return /^([a-z]:[\\/]|\\\\)/i.test(typed) ? typed : path.resolve(currentFolder, typed);
}

/** For commands that read several recordings. */
export const severalOptions = {
  runs: { help: 'several recordings are runs of one thing: medians, with the range of the runs' },
  shards: { help: 'several recordings are parts of one thing: they count together' },
} as const satisfies Record<string, Option>;

/** How several recordings are combined; null if the recordings decide. */
export type TakenFor = 'runs' | 'shards' | null;

export function readTakenFor(given: Given<'runs' | 'shards'>): TakenFor | Invalid {
  if (given.has('runs') && given.has('shards')) return invalid('Choose one of --runs and --shards.');
  return given.has('runs') ? 'runs' : given.has('shards') ? 'shards' : null;
}

/** How a command prints its result. */
export type Format = 'table' | 'markdown' | 'json';

export function readFormat(given: Given<'json' | 'markdown'>): Format | Invalid {
  if (given.has('json') && given.has('markdown')) return invalid('Choose one of --json and --markdown.');
  return given.has('json') ? 'json' : given.has('markdown') ? 'markdown' : 'table';
}

export const briefOption = {
  brief: { help: 'with --json: the small answer that agents get' },
} as const satisfies Record<string, Option>;

/** The format, or `brief` for small JSON. */
export function orBrief<Known extends string>(
  format: Known | Invalid,
  given: Given<'brief'>,
): Known | 'brief' | Invalid {
  if (isInvalid(format) || !given.has('brief')) return format;
  return format === 'json' ? 'brief' : invalid('--brief is for --json: add that, or leave it out.');
}

export function checkBaselineName(name: string): string | Invalid {
  return isBaselineName(name) ? name : invalid(`A baseline's name has letters, digits, "-" and "_", not "${name}".`);
}
