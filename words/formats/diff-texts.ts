import type {
  DiffRule,
  DiffView,
  FlameDiff,
  FlameSide,
  FrameChange,
  FrameDiff,
  SideTimes,
} from '../../protocol/diff.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { spread, timesText } from './change-texts.ts';
import { duration, plural } from './figures.ts';
import { visible } from './foreign-text.ts';

interface DiffRuns {
  readonly base: number;
  readonly head: number;
  readonly order: 'interleaved' | 'blocks';
}

export function diffVerdict({ base, head, order }: DiffRuns): string {
  const turns = order === 'interleaved' ? 'which took turns' : 'one side recorded after the other';
  return `${plural(base, 'run')} before and ${plural(head, 'run')} now, ${turns}`;
}

/** When a frame gets a color. */
export function ruleText(rule: DiffRule): string {
  return rule === 'apart'
    ? 'A color means that the runs of both sides are apart, and their medians differ by 20 %, 2 ms and 1.5 × the wider range.'
    : 'A color means twice as long, or half, and 2 ms: three runs of each side, in turn, would show smaller changes, too.';
}

export const changeNames: Readonly<Record<FrameChange, string>> = {
  slower: 'Slower',
  new: 'New',
  faster: 'Faster',
  gone: 'Gone',
  none: 'Within the noise',
};

export const diffViewNames: Readonly<Record<DiffView, string>> = {
  now: 'Now',
  before: 'Before',
  gone: 'Gone',
  new: 'New',
};

/** The tooltip of each view's button. */
export const diffViewHints: Readonly<Record<DiffView, string>> = {
  now: 'As wide as it takes now',
  before: 'As wide as it took before',
  gone: 'Only what took time before, and has no sample now: it does not run here, or is too quick to be seen',
  new: 'Only what takes time now, and had no sample before: it did not run here, or was too quick to be seen',
};

/** `ms per run (3 before, 3 now)`, `ms per operation of cloneCatalogue (12 before, 12 now)`. */
export function perText({ of, was, is }: Pick<FlameDiff, 'of' | 'was' | 'is'>): string {
  const counts = `(${countText(was)} before, ${countText(is)} now)`;
  return of === null ? `ms per run ${counts}` : `ms per operation of ${visible(of.name, 200)} ${counts}`;
}

function countText({ count, estimated }: FlameSide): string {
  return `${estimated ? '≈' : ''}${count}`;
}

/** `312 → 41 ms`, or `no sample before, 41 ms`. */
export function changedTimes({ change, was, is }: FrameDiff): string {
  if (change === 'gone') return `no sample now, was ${duration(was.totalUs)}`;
  return change === 'new' ? `no sample before, ${duration(is.totalUs)}` : timesText(was.totalUs, is.totalUs);
}

/** `312 → 41 ms (before 300–320 ms, now 40–44 ms)`, with the ranges of several runs. */
export function timesWithRanges(was: SideTimes, is: SideTimes, of: 'total' | 'self'): string {
  const [before, now] = of === 'total' ? [was.totalRange, is.totalRange] : [was.selfRange, is.selfRange];
  const times = of === 'total' ? timesText(was.totalUs, is.totalUs) : timesText(was.selfUs, is.selfUs);
  const isOne = before[0] === before[1] && now[0] === now[1];
  return isOne ? times : `${times} (before ${spread(before)}, now ${spread(now)})`;
}

/** `−271 ms`, `+34 ms`, `0 ms`. */
export function differenceText(us: Microseconds): string {
  const size = duration(microseconds(Math.abs(us)));
  return Math.abs(us) < 5 ? '0 ms' : us < 0 ? `−${size}` : `+${size}`;
}

/** Why a view of a diff is empty. */
export function emptyText({ view, of, was, is }: FlameDiff): string {
  if (view === 'gone') return 'Nothing is gone beyond the noise: what took time before still has samples.';
  if (view === 'new') return 'Nothing is new beyond the noise: what takes time now had samples before, too.';
  const when = view === 'now' ? 'now' : 'before';
  const other = view === 'now' ? was : is;
  const name = of === null ? 'the program' : visible(of.name, 200);
  const hint = other.count > 0 ? ` See ${view === 'now' ? diffViewNames.before : diffViewNames.now}.` : '';
  return `No sample ${when} is in ${name}.${hint}`;
}
