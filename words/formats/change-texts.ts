import {
  type ChangeVerdict,
  type ComparedFunction,
  type ComparedRequest,
  type ComparedTimes,
  type Comparison,
  type RequestVerdict,
  changeVerdicts,
  isChange,
} from '../../protocol/comparison.ts';
import { systemPath } from '../../protocol/path-spelling.ts';
import { maxOf, median, minOf } from '../../protocol/figures.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { duration, durationRange, plural, ratioText, withLine } from './figures.ts';
import { comparisonNotes, isLossy } from './comparison-notes.ts';
import { escapeMarkdown, markdownList, markdownTable } from './foreign-text.ts';

/** How comparisons read on every surface. The figure of a side is the median of its runs. */

export const verdictNames: Readonly<Record<ChangeVerdict, string>> = {
  slower: 'slower',
  new: 'new',
  moreOften: 'more often',
  faster: 'faster',
  gone: 'gone',
  lessOften: 'less often',
  moved: 'moved',
  notReached: 'not seen',
  tooNoisy: 'too noisy to say',
  noChangeSeen: 'no change seen',
};

type Change = Pick<
  ComparedFunction,
  'verdict' | 'worst' | 'withCallees' | 'firstCall' | 'presence' | 'longCount' | 'pairs' | 'movedTo'
>;
type Runs = Pick<Comparison, 'order' | 'base' | 'head' | 'thresholdUs'>;

/** `312 → 41 ms (40–44, 5 pairs)`, `no change seen (±8 %)`; with `; first call only` where it was long in no other. */
export function changeText(change: Change, runs: Runs): string {
  return `${textOfVerdict(change, runs)}${change.firstCall === true ? '; first call only' : ''}`;
}

function textOfVerdict(change: Change, runs: Runs): string {
  const { verdict, worst } = change;
  const inAll = `in all of ${plural(worst.isUs.length, 'run')}`;
  const figure = changeFigure(change, runs);
  switch (verdict) {
    case 'slower':
    case 'faster':
      return isUnder(verdict === 'slower' ? worst.wasUs : worst.isUs, runs)
        ? `${figure}, ${inAll}`
        : `${figure} (${rangeNow(worst)}, ${runsText(change, runs)})`;
    case 'new':
      return `${figure}, ${inAll}, and not seen before`;
    case 'gone':
      return `${figure}, and not seen any more`;
    case 'moved':
      return movedText(change);
    case 'moreOften':
    case 'lessOften':
      return `same time, ${verdictNames[verdict]}: ${figure}`;
    case 'noChangeSeen':
      return `no change seen (${figure})`;
    case 'tooNoisy':
      return `too noisy to say (${[figure, ...shareText(runs)].join('; ')})`;
    case 'notReached':
      return `${notSeenText(worst)}${seeText(change)}`;
  }
}

/** What one run says of a change that is beyond doubt: `157 → ≈9 ms, 1 run`. `isBelow`: `worst` is an upper bound. */
export function earlyText(
  wasUs: Microseconds,
  { worst, isBelow }: { readonly worst: Microseconds; readonly isBelow: boolean },
): string {
  if (isBelow) return `${belowText(wasUs, worst)}, 1 run`;
  return `${timesText(wasUs, worst).replace('→ ', '→ ≈')}, 1 run`;
}

/** The figure of a change: `312 → 41 ms`, `±8 %`. */
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
      return sideReached(worst);
  }
}

/** `not seen now, was 312 ms`. Where other tests show it: `not seen now where it was 312 ms, elsewhere 14 ms`. */
function notSeenText(worst: ComparedTimes): string {
  const [was, is] = [middle(worst.wasUs), middle(worst.isUs)];
  const figure = sideReached(worst);
  if (was > 0 && is > 0)
    return `not seen now where it ${figure}, elsewhere ${worst.isBelow ? atMost(is) : duration(is)}`;
  if (was > 0 || is > 0) return `not seen ${is > 0 ? 'before' : 'now'}, ${figure}`;
  return `not seen: ${figure} before or now`;
}

/** `was 312 ms`, `now ≤ 2 ms`: of the side that reached it, the base first. */
function sideReached({ wasUs, isUs, wasBelow, isBelow }: ComparedTimes): string {
  const [was, is] = [middle(wasUs), middle(isUs)];
  if (was > 0) return `was ${wasBelow ? atMost(was) : duration(was)}`;
  return is > 0 ? `now ${isBelow ? atMost(is) : duration(is)}` : 'no figures';
}

/** For a lens: `961 → 9 ms`, `no change seen`. */
export function shortChange(change: Change, runs: Pick<Runs, 'thresholdUs'>): string {
  const { verdict } = change;
  if (verdict === 'noChangeSeen' || verdict === 'tooNoisy' || verdict === 'notReached') return verdictNames[verdict];
  const figure = changeFigure(change, runs);
  if (verdict === 'new') return `not seen → ${figure}`;
  return verdict === 'gone' ? `${figure} → not seen` : figure;
}

/** Up to this share of the threshold a function is certainly no hotspot, and its time is only an upper bound. */
const CLEARLY_BELOW = 0.8;

function isUnder(times: readonly Microseconds[], { thresholdUs }: Pick<Runs, 'thresholdUs'>): boolean {
  return times.every((us) => us <= thresholdUs * CLEARLY_BELOW);
}

function clearlyBelow({ thresholdUs }: Pick<Runs, 'thresholdUs'>): string {
  return duration(microseconds(Math.round(thresholdUs * CLEARLY_BELOW)));
}

/** `its own part 271 → 135 ms; with what it calls 271 → 265 ms: see half`. */
function movedText(change: Change): string {
  const { worst, presence } = change;
  const isGone = middle(presence.isUs) === 0;
  const times = `its own part ${fromTo(worst)}; with what it calls ${fromTo(presence)}`;
  return `${isGone ? `${duration(middle(worst.wasUs))}, and not there any more` : times}${seeText(change)}`;
}

function seeText({ movedTo }: Change): string {
  return movedTo === undefined ? '' : `: see ${movedTo.label}`;
}

/** `0.5 × as long as before (from 0.48 × to 0.52 ×)`; null if the base took no time. */
export function intervalText({ ratio, low, high }: ComparedTimes): string | null {
  if (ratio === null || low === null || high === null) return null;
  return `${ratioText(ratio)} as long as before (from ${ratioText(low)} to ${ratioText(high)})`;
}

/** The time of each run, below `CLEARLY_BELOW` as an upper bound. */
export function runTimes(all: readonly Microseconds[], { thresholdUs }: Pick<Comparison, 'thresholdUs'>): string {
  return all.map((us) => (us <= thresholdUs * CLEARLY_BELOW ? atMost(us) : duration(us))).join(', ');
}

/** `312 → 41 ms`, with `≤` for a side that was always below the threshold. */
export function fromTo({ wasUs, isUs, wasBelow, isBelow }: ComparedTimes): string {
  const [was, is] = [middle(wasUs), middle(isUs)];
  if (!wasBelow && !isBelow) return timesText(was, is);
  return wasBelow ? `${atMost(was)} → ${isBelow ? atMost(is) : duration(is)}` : belowText(was, is);
}

/** `312 → ≤ 7 ms`, or `312 ms → not seen`. */
function belowText(was: Microseconds, is: Microseconds): string {
  return is === 0 ? `${duration(was)} → ${atMost(is)}` : timesText(was, is).replace('→ ', '→ ≤ ');
}

/** An upper bound. It is 0 where no sample shows the function. */
function atMost(us: Microseconds): string {
  return us === 0 ? 'not seen' : `≤ ${duration(us)}`;
}

/** `312 → 41 ms`, or `840 ms → 1.2 s`. */
export function timesText(was: Microseconds, is: Microseconds): string {
  const [before, now] = [duration(was), duration(is)];
  const unit = unitOf(now);
  return `${before.endsWith(unit) ? before.slice(0, -unit.length) : before} → ${now}`;
}

/** `40–44`, with units if they differ, or for one time. */
export function spread(times: readonly Microseconds[]): string {
  const text = durationRange(times);
  return /[^ ]–/.test(text) ? text.slice(0, -unitOf(text).length) : text;
}

/** The range of the times now; beside a median that is an upper bound, the longest of them. */
function rangeNow({ isUs, isBelow }: ComparedTimes): string {
  return isBelow ? `median, at most ${duration(microseconds(maxOf(isUs)))}` : spread(isUs);
}

/** ` ms` of `40 ms`; `''` without a unit. */
function unitOf(text: string): string {
  return / \S+$/.exec(text)?.[0] ?? '';
}

/** `6 pairs`, or `3 of 6 pairs` where the times are those of the first ones, which narrower runs confirm. */
function runsText({ worst, pairs, withCallees }: Change, { order, base, head }: Runs): string {
  const measured = worst.isUs.length < pairs ? `${worst.isUs.length} of ` : '';
  const all =
    order === 'interleaved'
      ? `${measured}${plural(pairs, 'pair')}`
      : `${base.runs.length} and ${plural(head.runs.length, 'run')}`;
  return withCallees === true ? `${all}, with what it calls` : all;
}

/** The possible change: `±8 %`; the range of the times, `9.2–11 ms`, without a ratio. */
function withinText({ wasUs, isUs, low, high }: ComparedTimes): string {
  if (low === null || high === null) return durationRange([...wasUs, ...isUs]);
  const most = Math.max(high - 1, 1 - low);
  return most > 1 ? `from ${ratioText(low)} to ${ratioText(high)}` : `±${Math.round(100 * most)} %`;
}

/** The smallest CPU share of a run; empty if it is nearly all. */
function shareText({ base, head }: Runs): readonly string[] {
  const shares = [...base.runs, ...head.runs].flatMap(({ share }) => share ?? []);
  const least = Math.min(1, minOf(shares));
  return least > 0.9 ? [] : [`in one run the processor was yours ${Math.round(100 * least)} % of the time`];
}

/** `parse`, `parse (was read)`. */
export function comparedLabel({ is, was }: Pick<ComparedFunction, 'is' | 'was'>): string {
  const before = was !== null && is !== null && was.label !== is.label ? ` (was ${was.label})` : '';
  return `${is?.label ?? was?.label ?? ''}${before}`;
}

/** Where a function is now, else where it was: `src/cart.ts:12`, and `src\cart.ts:12` on Windows. */
export function comparedPlace({ is, was }: Pick<ComparedFunction, 'is' | 'was'>): string {
  const place = is ?? was;
  if (place === null) return '';
  const path = place.url.replace(/^file:\/{3}(?=[a-z]:)|^file:(?=\/\/[^/])/i, '');
  return withLine(systemPath(place.file, path), place.line);
}

/** About a function that is slower without an edit, which points to its callers. */
export function untouchedText({ verdict, textChanged }: Pick<ComparedFunction, 'verdict' | 'textChanged'>): string {
  return textChanged === false && (verdict === 'slower' || verdict === 'new') ? 'its code did not change' : '';
}

function middle(times: readonly Microseconds[]): Microseconds {
  return microseconds(median(times));
}

/** `2 slower · 1 faster · no change seen in 14 · too noisy to say for 3`, without zeros. */
export function comparisonSummary({
  functions,
  leftOut = 0,
  base,
  head,
  thresholdUs,
}: Pick<Comparison, 'functions' | 'leftOut' | 'base' | 'head' | 'thresholdUs'>): string {
  if (base.runs.length + head.runs.length === 0) return 'Nothing to judge.';
  const counted = (verdict: ChangeVerdict, text: (count: number) => string): readonly string[] => {
    const count = functions.filter((fn) => fn.verdict === verdict).length;
    return count === 0 ? [] : [text(count)];
  };
  const all = [
    ...changeVerdicts.flatMap((verdict) => counted(verdict, (count) => `${count} ${verdictNames[verdict]}`)),
    ...counted('noChangeSeen', (count) => `no change seen in ${count}`),
    ...counted('tooNoisy', (count) => `too noisy to say for ${count}`),
    ...(leftOut === 0 ? [] : [`${leftOut} that no change is seen to reach`]),
  ];
  return all.length === 0 ? nothingLong({ base, head, thresholdUs }) : all.join(' · ');
}

function nothingLong({ base, head, thresholdUs }: Pick<Comparison, 'base' | 'head' | 'thresholdUs'>): string {
  const recorded = [base, head].some(({ runs }) => runs.some(isLossy)) ? ' that was recorded' : '';
  return `None of your code${recorded} held the event loop for more than ${duration(thresholdUs)} on either side.`;
}

/** Why nothing was run. */
export function nothingToJudgeText(baseName: string): string {
  return `No code differs from ${baseName}: there is nothing to judge.`;
}

/**
 * The first function that may take 1.5 × as long; null if there is none. Excludes functions that certainly take less time
 * with what they call: an own part that grew would be *moved*.
 */
export function unclearFunction({ functions }: Pick<Comparison, 'functions'>): ComparedFunction | null {
  const unclear = ({ verdict, worst, presence, isTest }: ComparedFunction): boolean =>
    !isTest && verdict === 'tooNoisy' && (worst.high ?? Infinity) >= 1.5 && (presence.high ?? Infinity) >= 1;
  return functions.find(unclear) ?? null;
}

/** How the requests of a load were answered on both sides, changes first: `GET /orders p99 540 → 38 ms`. */
export function requestTexts({ requests = [] }: Pick<Comparison, 'requests'>): readonly string[] {
  return requests.map(requestText);
}

/** `GET /orders p99 540 → 38 ms`: medians of the runs. */
export function requestText({ title, was, is, verdict, reason }: ComparedRequest): string {
  if (was.p99Us.length === 0 || is.p99Us.length === 0)
    return `${title} was sent ${was.p99Us.length === 0 ? 'only now' : 'only before'}`;
  const p99 = `${title} p99 ${timesText(middle(was.p99Us), middle(is.p99Us))}`;
  if (verdict !== 'notCompared') return `${p99}${doubts[verdict]}`;
  if (reason === 'unanswered') return `${title} cannot be compared: a run had no answer`;
  if (reason === 'otherLoad') return `${title} cannot be compared: it was sent in another way before`;
  const [before, now] = [was, is].map(
    ({ sent, refused }) => `${Math.round(median(refused))} of ${Math.round(median(sent))}`,
  );
  return `${title} cannot be compared: ${before} were refused before, ${now} now`;
}

const doubts: Readonly<Record<Exclude<RequestVerdict, 'notCompared'>, string>> = {
  ...{ faster: '', slower: '' },
  noChangeSeen: ', no change seen',
  tooNoisy: ', too noisy to say',
};

/** A comparison for a pull request. Nothing in a name or a path becomes markup. */
export function comparisonMarkdown(comparison: Comparison): string {
  const { base, head, functions } = comparison;
  const title = `### Hotspan: ${escapeMarkdown(`${base.name ?? 'before'} → ${head.name ?? 'now'}`)}`;
  const rows = functions
    .filter(isChange)
    .map(
      (fn) =>
        `| **${verdictNames[fn.verdict]}** | ${[changeText(withPlainMove(fn), comparison), untouchedText(fn)].filter(Boolean).join('; ')} | ${escapeMarkdown(comparedLabel(fn))} | ${escapeMarkdown(comparedPlace(fn))} |`,
    );
  const sections = [
    title,
    markdownTable(['change', 'worst', 'function', 'where'], rows),
    markdownList(requestTexts(comparison).map(escapeMarkdown)),
    comparisonSummary(comparison),
    markdownList(comparisonNotes(comparison)),
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

/** Escapes the only foreign name in the text of a change. */
function withPlainMove(fn: ComparedFunction): ComparedFunction {
  const { movedTo } = fn;
  return movedTo === undefined ? fn : { ...fn, movedTo: { ...movedTo, label: escapeMarkdown(movedTo.label) } };
}
