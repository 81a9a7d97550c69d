import {
  changeVerdicts,
  type ChangeVerdict,
  type ComparedFunction,
  type ComparedTimes,
  type Comparison,
} from '../../protocol/comparison.ts';
import { median } from '../../protocol/median.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { duration, durationRange, plural, withLine } from './figures.ts';

/** How the change of a function reads, on every surface. Medians over the runs stand for each side. */

/** Names of verdicts, as headings and for lists. */
export const verdictNames: Readonly<Record<ChangeVerdict, string>> = {
  slower: 'slower',
  new: 'new',
  moreOften: 'more often',
  faster: 'faster',
  gone: 'gone',
  lessOften: 'less often',
  moved: 'moved',
  notReached: 'not reached',
  tooNoisy: 'too noisy to say',
  noChangeSeen: 'no change seen',
};

type Change = Pick<ComparedFunction, 'verdict' | 'worst' | 'presence' | 'longCount' | 'pairs' | 'movedTo'>;
type Runs = Pick<Comparison, 'order' | 'base' | 'head' | 'thresholdUs'>;

/** What happened to a function: `312 → 41 ms (40–44, 5 pairs)`, `no change seen (±8 %)`. */
export function changeText(change: Change, runs: Runs): string {
  const { verdict, worst, longCount } = change;
  const inRuns = plural(worst.isUs.length, 'run');
  switch (verdict) {
    case 'slower':
      return isUnder(worst.wasUs, runs)
        ? `${duration(middle(worst.isUs))}, in all of ${inRuns}, and under ${clearlyBelow(runs)} before`
        : `${fromTo(worst)} (${spread(worst.isUs)}, ${runsText(change, runs)})`;
    case 'faster':
      return isUnder(worst.isUs, runs)
        ? `${duration(middle(worst.wasUs))} → under ${clearlyBelow(runs)}, in all of ${inRuns}`
        : `${fromTo(worst)} (${spread(worst.isUs)}, ${runsText(change, runs)})`;
    case 'new':
      return `${duration(middle(worst.isUs))}, in all of ${inRuns}, and not seen before`;
    case 'gone':
      return `${duration(middle(worst.wasUs))}, and not seen any more`;
    case 'moved':
      return movedText(change);
    case 'moreOften':
    case 'lessOften': {
      const often = verdict === 'moreOften' ? 'more often' : 'less often';
      return `same time, ${often}: ${median(longCount.was)} → ${median(longCount.is)} ×`;
    }
    case 'noChangeSeen':
      return `no change seen (${withinText(worst)})`;
    case 'tooNoisy':
      return `too noisy to say (${[withinText(worst), ...shareText(runs)].join('; ')})`;
    case 'notReached':
      return 'not reached by all of these runs';
  }
}

/** What one run says of a change that is beyond doubt: `157 → ≈9 ms, 1 run`. `isBelow`: `worst` is an upper bound. */
export function earlyText(
  wasUs: Microseconds,
  { worst, isBelow }: { readonly worst: Microseconds; readonly isBelow: boolean },
): string {
  return `${timesText(wasUs, worst).replace('→ ', isBelow ? '→ ≤ ' : '→ ≈')}, 1 run`;
}

/** The figure alone, for a row under the name of its verdict: `312 → 41 ms`, `±8 %`. */
export function changeFigure({ verdict, worst, longCount }: Change, runs: Pick<Runs, 'thresholdUs'>): string {
  switch (verdict) {
    case 'slower':
      return isUnder(worst.wasUs, runs)
        ? `under ${clearlyBelow(runs)} → ${duration(middle(worst.isUs))}`
        : fromTo(worst);
    case 'faster':
      return isUnder(worst.isUs, runs)
        ? `${duration(middle(worst.wasUs))} → under ${clearlyBelow(runs)}`
        : fromTo(worst);
    case 'moved':
      return fromTo(worst);
    case 'new':
      return duration(middle(worst.isUs));
    case 'gone':
      return duration(middle(worst.wasUs));
    case 'moreOften':
    case 'lessOften':
      return `${median(longCount.was)} → ${median(longCount.is)} ×`;
    case 'noChangeSeen':
    case 'tooNoisy':
      return withinText(worst);
    case 'notReached':
      return middle(worst.isUs) > 0 ? `now ${duration(middle(worst.isUs))}` : `was ${duration(middle(worst.wasUs))}`;
  }
}

/** The same for a lens, which has little room: `961 → 9 ms`, `no change seen`. */
export function shortChange(change: Change, runs: Pick<Runs, 'thresholdUs'>): string {
  const { verdict } = change;
  if (verdict === 'noChangeSeen' || verdict === 'tooNoisy' || verdict === 'notReached') return verdictNames[verdict];
  const figure = changeFigure(change, runs);
  return verdict === 'gone' ? `${figure} → not seen` : figure;
}

/** Whether a function was clearly below the threshold in all runs of a side, where its time is only a bound. */
function isUnder(times: readonly Microseconds[], { thresholdUs }: Pick<Runs, 'thresholdUs'>): boolean {
  return times.every((us) => us <= thresholdUs * 0.8);
}

/** What is below it is certainly no hotspot: `8 ms`. */
function clearlyBelow({ thresholdUs }: Pick<Runs, 'thresholdUs'>): string {
  return duration(microseconds(Math.round(thresholdUs * 0.8)));
}

/** `its own part 271 → 135 ms; with what it calls 271 → 265 ms, now in half`. */
function movedText({ worst, presence, movedTo }: Change): string {
  const where = movedTo === undefined ? '' : `: see ${movedTo.label}`;
  return `its own part ${fromTo(worst)}; with what it calls ${fromTo(presence)}${where}`;
}

/** By how much the time of a function changed, with the interval over the runs; null where the base took none. */
export function intervalText({ ratio, low, high }: ComparedTimes): string | null {
  if (ratio === null || low === null || high === null) return null;
  return `${ratioText(ratio)} as long as before (from ${ratioText(low)} to ${ratioText(high)})`;
}

/** The time of each run. Up to four fifths of the threshold it is the most that it can have been. */
export function runTimes(all: readonly Microseconds[], { thresholdUs }: Pick<Comparison, 'thresholdUs'>): string {
  const text = (us: Microseconds): string =>
    us === 0 ? 'not seen' : `${us <= thresholdUs * 0.8 ? '≤ ' : ''}${duration(us)}`;
  return all.map(text).join(', ');
}

/** `312 → 41 ms`. A side that was always below the threshold is named by the most that it can have been. */
export function fromTo({ wasUs, isUs, wasBelow, isBelow }: ComparedTimes): string {
  const [was, is] = [middle(wasUs), middle(isUs)];
  if (!wasBelow && !isBelow) return timesText(was, is);
  if (wasBelow) return `≤ ${duration(was)} → ${isBelow ? '≤ ' : ''}${duration(is)}`;
  return timesText(was, is).replace('→ ', '→ ≤ ');
}

/** `312 → 41 ms`, with units only where they differ. */
export function timesText(was: Microseconds, is: Microseconds): string {
  const [before, now] = [duration(was), duration(is)];
  const unit = unitOf(now);
  return `${before.endsWith(unit) ? before.slice(0, -unit.length) : before} → ${now}`;
}

/** `40–44`, with units only where they differ, or where there is one time. */
export function spread(times: readonly Microseconds[]): string {
  const text = durationRange(times);
  return /[^ ]–/.test(text) ? text.slice(0, -unitOf(text).length) : text;
}

/** ` ms` of `40 ms`; empty where there is none. */
function unitOf(text: string): string {
  return / \S+$/.exec(text)?.[0] ?? '';
}

function runsText({ pairs }: Change, { order, base, head }: Runs): string {
  if (order === 'interleaved') return plural(pairs, 'pair');
  return `${base.runs.length} and ${plural(head.runs.length, 'run')}`;
}

/** `±8 %`, by how much the change may differ from none; `9.2–11 ms` where a ratio tells nothing. */
function withinText({ wasUs, isUs, low, high }: ComparedTimes): string {
  if (low === null || high === null) return durationRange([...wasUs, ...isUs]);
  const most = Math.max(high - 1, 1 - low);
  return most > 1 ? `from ${ratioText(low)} to ${ratioText(high)}` : `±${Math.round(100 * most)} %`;
}

/** `0.48 ×`, `12 ×`. */
export function ratioText(ratio: number): string {
  return `${ratio < 10 ? Number(ratio.toPrecision(2)) : Math.round(ratio)} ×`;
}

/** How much of the time the program had the processor, in the run with least of it; nothing where that is nearly all. */
function shareText({ base, head }: Runs): readonly string[] {
  const shares = [...base.runs, ...head.runs].flatMap(({ share }) => share ?? []);
  const least = Math.min(1, ...shares);
  return least > 0.9 ? [] : [`the processor was ours ${Math.round(100 * least)} % of the time`];
}

/** The name of a function now, with the one that it had before where that is another. */
export function comparedLabel({ is, was }: Pick<ComparedFunction, 'is' | 'was'>): string {
  const before = was !== null && is !== null && was.label !== is.label ? ` (was ${was.label})` : '';
  return `${is?.label ?? was?.label ?? ''}${before}`;
}

/** Where a function is now, else where it was: `src/cart.ts:12`. */
export function comparedPlace({ is, was }: Pick<ComparedFunction, 'is' | 'was'>): string {
  const place = is ?? was;
  return place === null ? '' : withLine(place.file, place.line);
}

/** What is slower without an edit of it is called for more, such as by a new test: one looks at its callers first. */
export function untouchedText({ verdict, textChanged }: Pick<ComparedFunction, 'verdict' | 'textChanged'>): string {
  return textChanged === false && (verdict === 'slower' || verdict === 'new') ? 'its code did not change' : '';
}

/** Whether something changed, or may have: what a list shows first. */
export function isChange({ verdict }: Pick<ComparedFunction, 'verdict'>): boolean {
  return changeVerdicts.some((one) => one === verdict);
}

function middle(times: readonly Microseconds[]): Microseconds {
  return microseconds(median(times));
}
