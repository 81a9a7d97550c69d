import {
  changeVerdicts,
  type ChangeVerdict,
  type ComparedFunction,
  type ComparedTimes,
  type Comparison,
} from '../../protocol/comparison.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { duration, plural } from './figures.ts';

/** How changes read, on every surface. Medians over the runs stand for each side. */

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
  const below = duration(microseconds(Math.round(runs.thresholdUs * 0.8)));
  switch (verdict) {
    case 'slower':
    case 'faster':
      return `${fromTo(worst)} (${spread(worst.isUs)}, ${runsText(change, runs)})`;
    case 'new':
      return `${duration(middle(worst.isUs))}, in all of ${plural(worst.isUs.length, 'run')}, and under ${below} before`;
    case 'gone':
      return `${duration(middle(worst.wasUs))} → under ${below}, in all of ${plural(worst.isUs.length, 'run')}`;
    case 'moved':
      return movedText(change);
    case 'moreOften':
    case 'lessOften': {
      const often = verdict === 'moreOften' ? 'more often' : 'less often';
      return `same time, ${often}: ${middleCount(longCount.was)} → ${middleCount(longCount.is)} ×`;
    }
    case 'noChangeSeen':
      return `no change seen (${withinText(worst)})`;
    case 'tooNoisy':
      return `too noisy to say (${[withinText(worst), ...shareText(runs)].join('; ')})`;
    case 'notReached':
      return 'not reached by all of these runs';
  }
}

/** `its own part 271 → 135 ms; with what it calls 271 → 265 ms, now in half`. */
function movedText({ worst, presence, movedTo }: Change): string {
  const where = movedTo === undefined ? '' : `: see ${movedTo.label}`;
  return `its own part ${fromTo(worst)}; with what it calls ${fromTo(presence)}${where}`;
}

/** `312 → 41 ms`. A side that was always below the threshold is named by the most that it can have been. */
function fromTo({ wasUs, isUs, wasBelow, isBelow }: ComparedTimes): string {
  const [was, is] = [duration(middle(wasUs)), duration(middle(isUs))];
  const unit = unitOf(is);
  const isShort = was.endsWith(unit) && !wasBelow;
  return `${wasBelow ? '≤ ' : ''}${isShort ? was.slice(0, -unit.length) : was} → ${isBelow ? '≤ ' : ''}${is}`;
}

/** `40–44`, with units only where they differ. */
function spread(times: readonly Microseconds[]): string {
  const [low, high] = [Math.min(...times), Math.max(...times)].map((us) => duration(microseconds(us)));
  if (low === undefined || high === undefined || low === high) return low ?? '';
  const unit = unitOf(high);
  return low.endsWith(unit) ? `${low.slice(0, -unit.length)}–${high.slice(0, -unit.length)}` : `${low} – ${high}`;
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
  if (low === null || high === null) {
    const all = spread([...wasUs, ...isUs]);
    return unitOf(all) === '' ? all + unitOf(duration(microseconds(Math.max(...wasUs, ...isUs)))) : all;
  }
  const most = Math.max(high - 1, 1 - low);
  return most > 1 ? `from ${times(low)} to ${times(high)}` : `±${Math.round(100 * most)} %`;
}

function times(ratio: number): string {
  return `${ratio < 10 ? Number(ratio.toPrecision(2)) : Math.round(ratio)} ×`;
}

/** How much of the time the program had the processor, in the run with least of it; nothing where that is nearly all. */
function shareText({ base, head }: Runs): readonly string[] {
  const shares = [...base.runs, ...head.runs].flatMap(({ share }) => share ?? []);
  const least = Math.min(1, ...shares);
  return least > 0.9 ? [] : [`the processor was ours ${Math.round(100 * least)} % of the time`];
}

/** Said where functions moved that nobody touched. */
export function machineText({ shifted, flagged, of, medianRatio }: Comparison['machine']): string | null {
  if (!shifted) return null;
  if (flagged > 0)
    return `The machine changed meanwhile: ${flagged} of ${plural(of, 'unchanged function')} moved too. Only what moved more counts.`;
  return `The machine changed meanwhile: unchanged functions take ${times(medianRatio ?? 1)} the time. Only what moved more counts.`;
}

/** Sentences about sides on which the command failed: what did not run there has no figures. */
export function failureTexts({ base, head }: Pick<Comparison, 'base' | 'head'>): readonly string[] {
  return [base, head].flatMap(({ name, runs }, side) => {
    const failed = runs.filter(({ exitCode }) => exitCode !== null && exitCode !== 0);
    const where = name ?? (side === 0 ? 'the base' : 'the head');
    return failed.length === 0
      ? []
      : [
          `The command failed on ${where} in ${failed.length} of ${plural(runs.length, 'run')}: what did not run there has no figures.`,
        ];
  });
}

/** Whether the command failed on one side alone, so that the sides are not of the same tests. */
export function failsOnOneSide(sides: Pick<Comparison, 'base' | 'head'>): boolean {
  return failureTexts(sides).length === 1;
}

/** The function that keeps a comparison from being certain: it may take 1.5 × as long; null where there is none. */
export function unclearFunction({ functions }: Pick<Comparison, 'functions'>): ComparedFunction | null {
  const unclear = ({ verdict, worst, isTest }: ComparedFunction): boolean =>
    !isTest && verdict === 'tooNoisy' && (worst.high ?? Infinity) >= 1.5;
  return functions.find(unclear) ?? null;
}

/** `2 slower · 1 faster · no change seen in 14 · too noisy to say for 3`; what there is none of is left out. */
export function comparisonSummary({ functions }: Pick<Comparison, 'functions'>): string {
  const counted = (verdict: ChangeVerdict): number => functions.filter((fn) => fn.verdict === verdict).length;
  const changes = changeVerdicts.flatMap((verdict) => {
    const count = counted(verdict);
    return count === 0 ? [] : [`${count} ${verdictNames[verdict]}`];
  });
  const [quiet, noisy] = [counted('noChangeSeen'), counted('tooNoisy')];
  const rest = [
    ...(quiet === 0 ? [] : [`no change seen in ${quiet}`]),
    ...(noisy === 0 ? [] : [`too noisy to say for ${noisy}`]),
  ];
  const all = [...changes, ...rest];
  return all.length === 0 ? 'Nothing held the event loop on either side.' : all.join(' · ');
}

function middle(times: readonly Microseconds[]): Microseconds {
  return microseconds(middleCount(times));
}

/** The middle of some numbers; of two the mean. */
function middleCount(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)] ?? 0, sorted[Math.floor(sorted.length / 2)] ?? 0];
  return (low + high) / 2;
}
