import { commands } from '../../protocol/ids.ts';
import { type FixedFunction, type Headline, type Summary, type Weight, byWeight } from '../../protocol/summary.ts';
import { escapeMarkdown, visible } from '../formats/foreign-text.ts';
import { duration, hasWaited, plural, timeText, upTo, worstTime } from '../formats/figures.ts';
import { resultLabel } from '../formats/command-text.ts';
import type { RunState } from './ways.ts';

/** The status bar: the first finding, else that nothing needs an action, else what blocks, if anything is known. */
export function statusText({ headline, worst, blame, thresholdUs, isUnseen, isIncomplete }: StatusFacts): string {
  if (headline !== null) {
    const { label, now } = headline;
    const doubt = doubtOf(headline) === null ? '' : 'uncertain: ';
    return `$(flame) ${doubt}${visible(label, MAX_NAME)} ${now ?? timeText(headline)}`;
  }
  if (isIncomplete && !isUnseen) return '$(warning) not all recorded';
  if (worst !== null && blame === null) return '$(flame) nothing to do';
  if (isUnseen) return '$(flame) none of your code seen';
  if (blame === null) return `$(flame) nothing over ${duration(thresholdUs)}`;
  return `$(flame) ${blame.isOwn ? 'short calls' : visible(blame.name, MAX_NAME)} ${worstTime(blame)}`;
}

/** Why the figure of a headline is uncertain; null where it is not, and once it was re-checked or its code changed. */
function doubtOf({ doubt, now }: Pick<Headline, 'doubt' | 'now'>): string | null {
  return now === undefined ? (doubt ?? null) : null;
}

/** The status bar for a screen reader, without icons. */
export function spokenStatus(results: readonly TooltipFacts[], lastRun: string | null): string {
  const said = results.map((one) => (results.length === 1 ? one.verdict : `${resultLabel(one)}: ${one.verdict}`));
  return ['Hotspan', ...(lastRun === null ? [] : [lastRun]), ...said].map((text) => visible(text)).join('. ');
}

/** The badge on the icon of the view; undefined without findings. */
export function badgeOf({
  findingCount,
}: Pick<Summary, 'findingCount'>): { readonly value: number; readonly tooltip: string } | undefined {
  return findingCount === 0 ? undefined : { value: findingCount, tooltip: plural(findingCount, 'finding') };
}

/** Before the text about a result, if the last run has none. */
export function lastRunText({ short }: Pick<RunState, 'short'>): string {
  return `$(warning) ${short}`;
}

/** The verdict in one line of a narrow side bar: `First: 1.84 s · catalogue.js:12`. */
export function shortVerdict({
  headline,
  worst,
  longest,
  blame,
  thresholdUs,
  isForeign,
  isUnseen,
  isIncomplete,
}: ShortFacts): string {
  if (isForeign) return 'No file of this workspace';
  if (headline !== null) {
    const { us, place, label, now } = headline;
    const waited = hasWaited({ ...headline, worstUs: us }) ? ' · waited' : '';
    const name = visible(place === '' ? label : place.replace(/^.*[/\\]/s, ''), MAX_NAME);
    const doubt = doubtOf(headline);
    const rest = doubt === null ? [name] : [name, doubt];
    const lead = doubt === null ? 'First' : 'Uncertain';
    return `${lead}: ${now ?? `${timeText(headline)}${waited}`} · ${rest.join(' · ')}`;
  }
  if (isIncomplete && !isUnseen) return 'Not all recorded';
  if (worst !== null && blame === null) return `Nothing to do · worst ${timeText(worst)}`;
  if (isUnseen) return 'None of your code was seen';
  if (blame?.isOwn === true) return `Short calls of yours ${upTo(blame)}`;
  if (blame !== null) return `${visible(blame.name, MAX_NAME)} ${upTo(blame)}`;
  const nothing = `Nothing over ${duration(thresholdUs)}`;
  return longest === null ? nothing : `${nothing} · longest ${timeText(longest)}`;
}

export type ShortFacts = StatusFacts & Pick<Summary, 'longest' | 'isForeign'>;

export type StatusFacts = Pick<Summary, 'headline' | 'worst' | 'blame' | 'thresholdUs' | 'isUnseen' | 'isIncomplete'>;

/** In characters; other items of the status bar need room, too. */
const MAX_NAME = 30;

/**
 * The tooltip, as Markdown with icons. It links one command, *Profile Tests*, which asks what to run. `target` runs next
 * time; `lastRun` is about the last run if it has no result.
 */
export function statusTooltip(results: readonly TooltipFacts[], target: string, lastRun: string | null = null): string {
  const notice = lastRun === null ? [] : [`$(warning) ${escapeMarkdown(lastRun)}`];
  const [first] = results;
  if (first === undefined) return notice.join('');
  const { verdict, warnings, thresholdUs } = first;
  const all = results.map((one) => `- ${escapeMarkdown(resultLabel(one))}: ${escapeMarkdown(one.verdict)}`);
  const notes = warnings.slice(0, MAX_NOTES).map((note) => `$(info) ${escapeMarkdown(note)}`);
  return [
    ...notice,
    ...(results.length === 1 ? [escapeMarkdown(verdict), ...notes] : [all.join('\n')]),
    `Threshold: ${duration(thresholdUs)}`,
    `Last target: ${escapeMarkdown(target)} · [Change…](command:${commands.profileTests}?%5Btrue%5D)`,
  ].join('\n\n');
}

export type TooltipFacts = Pick<Summary, 'title' | 'where' | 'verdict' | 'warnings' | 'thresholdUs'>;

/** The view has all notes. */
const MAX_NOTES = 2;

/**
 * Compares results: findings first, then uncertain ones and blames, hotspots without an action, results without any, and
 * unseen code.
 */
export function byWorst(a: OrderFacts, b: OrderFacts): number {
  const kinds = kindOf(a) - kindOf(b);
  const one = weightOf(a);
  const other = weightOf(b);
  return kinds !== 0 || one === null || other === null ? kinds : byWeight(one, other);
}

function weightOf({ headline, blame, worst }: OrderFacts): Weight | null {
  return headline ?? (blame === null ? worst : { us: blame.worstUs, tone: 'plain' });
}

export type OrderFacts = Pick<Summary, 'headline' | 'worst' | 'blame' | 'isUnseen'>;

function kindOf({ headline, worst, blame, isUnseen }: OrderFacts): number {
  if (headline !== null) return doubtOf(headline) === null ? 0 : 1;
  if (isUnseen) return 4;
  if (blame !== null) return 1;
  return worst === null ? 3 : 2;
}

/** The head of the tree; null without results. */
export function shortVerdictOfAll(results: readonly Summary[]): string | null {
  const [first] = results.toSorted(byWorst);
  if (first === undefined) return null;
  const fixed = fixedText(results.flatMap((one) => one.fixed ?? []));
  const verdict = results.length === 1 ? shortVerdict(first) : `${results.length} results · ${shortVerdict(first)}`;
  return [verdict, ...(fixed === null ? [] : [fixed])].join(' · ');
}

/** `2 fixed since: string.ts:12 157 → 9 ms, …`; null where nothing was fixed. */
function fixedText(fixed: readonly FixedFunction[]): string | null {
  const [first, ...others] = fixed;
  if (first === undefined) return null;
  return `${fixed.length} fixed since: ${visible(first.place)} ${first.text}${others.length > 0 ? ', …' : ''}`;
}

/** `312 ms`, `was 312 ms`, `uncertain: ≈15 ms`; `''` if nothing is over the threshold. */
export function worstFigure({ headline, worst, blame }: Pick<Summary, 'headline' | 'worst' | 'blame'>): string {
  if (headline !== null)
    return headline.now ?? `${doubtOf(headline) === null ? '' : 'uncertain: '}${timeText(headline)}`;
  if (blame !== null) return worstTime(blame);
  return worst === null ? '' : timeText(worst);
}

/** The row of a result: its figure, then its folder if no other result has the same, else what ran and where. */
export function resultRowText(
  result: Summary,
  all: readonly Summary[],
): { readonly figure: string; readonly label: string; readonly description: string } {
  const figure = worstFigure(result);
  const isAlone = result.where !== '' && all.filter(({ where }) => where === result.where).length === 1;
  return isAlone
    ? { figure, label: result.where, description: result.title }
    : { figure, label: resultLabel(result), description: '' };
}
