import { commands } from '../../protocol/ids.ts';
import type { Headline, Summary } from '../../protocol/summary.ts';
import { escapeMarkdown } from '../formats/escape-markdown.ts';
import { duration, hasWaited, plural, upTo, worstTime } from '../formats/figures.ts';
import { resultLabel } from '../formats/command-text.ts';
import { visible } from '../formats/hidden-characters.ts';
import type { RunState } from './ways.ts';
import { byWeight } from '../../protocol/results.ts';

/**
 * The text of the status bar about a result: name and figure of the first finding, else that nothing needs an action, else
 * what blocks, else that nothing does, or that nothing is known.
 */
export function statusText({ headline, worst, blame, thresholdUs, isUnseen }: StatusFacts): string {
  if (headline !== null) {
    const doubt = headline.doubt === undefined ? '' : 'uncertain: ';
    return `$(flame) ${doubt}${visible(headline.label, longestName)} ${timeOf(headline)}`;
  }
  if (worst !== null) return '$(flame) nothing to do';
  if (isUnseen) return '$(flame) none of your code seen';
  if (blame === null) return `$(flame) nothing over ${duration(thresholdUs)}`;
  return `$(flame) ${blame.isOwn ? 'short calls' : visible(blame.name, longestName)} ${duration(blame.worstUs)}`;
}

/** The same as a sentence for those who hear it: icons are no words. */
export function spokenStatus(results: readonly TooltipFacts[], lastRun: string | null): string {
  const said = results.map((one) => (results.length === 1 ? one.verdict : `${resultLabel(one)}: ${one.verdict}`));
  return ['Hotspan', ...(lastRun === null ? [] : [lastRun]), ...said].map((text) => visible(text)).join('. ');
}

/** The badge on the icon of the view after a run: how many things there are to look at; none where there are none. */
export function badgeOf({
  findingCount,
}: Pick<Summary, 'findingCount'>): { readonly value: number; readonly tooltip: string } | undefined {
  return findingCount === 0 ? undefined : { value: findingCount, tooltip: plural(findingCount, 'finding') };
}

/** What stands before the text about a result where the last run has none. */
export function lastRunText({ short }: Pick<RunState, 'short'>): string {
  return `$(warning) ${short}`;
}

/**
 * The verdict in so few words that they are one line over a list in a narrow side bar: `First: 1.84 s · catalogue.js:12`.
 */
export function shortVerdict({
  headline,
  worst,
  longest,
  blame,
  thresholdUs,
  isForeign,
  isUnseen,
}: ShortFacts): string {
  if (isForeign) return 'No file of this workspace';
  if (headline !== null) {
    const { us, place, label } = headline;
    const waited = hasWaited({ ...headline, worstUs: us }) ? ' · waited' : '';
    const name = visible(place === '' ? label : baseName(place), longestName);
    const rest = headline.doubt === undefined ? [name] : [name, headline.doubt];
    const lead = headline.doubt === undefined ? 'First' : 'Uncertain';
    return `${lead}: ${timeOf(headline)}${waited} · ${rest.join(' · ')}`;
  }
  if (worst !== null) return `Nothing to do · worst ${timeOf(worst)}`;
  if (isUnseen) return 'None of your code was seen';
  if (blame?.isOwn === true) return `Short calls of yours ${upTo(blame)}`;
  if (blame !== null) return `${visible(blame.name, longestName)} ${upTo(blame)}`;
  const nothing = `Nothing over ${duration(thresholdUs)}`;
  return longest === null ? nothing : `${nothing} · longest ${timeOf(longest)}`;
}

export type ShortFacts = StatusFacts & Pick<Summary, 'longest' | 'isForeign'>;

function timeOf(time: Headline): string {
  return worstTime({ ...time, worstUs: time.us });
}

function baseName(place: string): string {
  return place.slice(Math.max(place.lastIndexOf('/'), place.lastIndexOf('\\')) + 1);
}

export type StatusFacts = Pick<Summary, 'headline' | 'worst' | 'blame' | 'thresholdUs' | 'isUnseen'>;

/** Longest name of a package in characters: other items of the status bar need room, too. */
const longestName = 30;

/**
 * The tooltip, as Markdown with icons: what is known of each result. It links one command, *Profile Tests*, which asks
 * what to run. `target` is what runs next time; `lastRun` is said of the last run where it has no result.
 */
export function statusTooltip(results: readonly TooltipFacts[], target: string, lastRun: string | null = null): string {
  const said = lastRun === null ? [] : [`$(warning) ${escapeMarkdown(lastRun)}`];
  const [first] = results;
  if (first === undefined) return said.join('');
  const { verdict, warnings, thresholdUs } = first;
  const all = results.map((one) => `- ${escapeMarkdown(resultLabel(one))}: ${escapeMarkdown(one.verdict)}`);
  const notes = warnings.slice(0, mostNotes).map((note) => `$(info) ${escapeMarkdown(note)}`);
  return [
    ...said,
    ...(results.length === 1 ? [escapeMarkdown(verdict), ...notes] : [all.join('\n')]),
    `Threshold: ${duration(thresholdUs)}`,
    `Last target: ${escapeMarkdown(target)} · [Change…](command:${commands.profileTests}?%5Btrue%5D)`,
  ].join('\n\n');
}

export type TooltipFacts = Pick<Summary, 'title' | 'where' | 'verdict' | 'warnings' | 'thresholdUs'>;

/** Most notes in the tooltip. The view has all of them. */
const mostNotes = 2;

/**
 * Orders results as the status bar does, which speaks of the first: by what they are named after, then hotspots that need
 * no action, then what blocks without one, then results in which nothing does, then those that know nothing. Equal ones
 * keep their order.
 */
export function byWorst(a: OrderFacts, b: OrderFacts): number {
  const kinds = kindOf(a) - kindOf(b);
  if (kinds !== 0) return kinds;
  if (a.headline !== null && b.headline !== null) return byWeight(a.headline, b.headline);
  if (a.worst !== null && b.worst !== null) return byWeight(a.worst, b.worst);
  return a.blame === null || b.blame === null ? 0 : b.blame.worstUs - a.blame.worstUs;
}

export type OrderFacts = Pick<Summary, 'headline' | 'worst' | 'blame' | 'isUnseen'>;

function kindOf({ headline, worst, blame, isUnseen }: OrderFacts): number {
  if (headline !== null) return 0;
  if (worst !== null) return 1;
  if (isUnseen) return 4;
  return blame === null ? 3 : 2;
}

/** One line about all results, for the head of the tree; null where there is none. */
export function shortVerdictOfAll(results: readonly Summary[]): string | null {
  const [first] = results.toSorted(byWorst);
  if (first === undefined) return null;
  return results.length === 1 ? shortVerdict(first) : `${results.length} results · ${shortVerdict(first)}`;
}

/** The figure of a result: `312 ms`; `''` where nothing is over the threshold. */
export function worstFigure({ headline, worst, blame }: Pick<Summary, 'headline' | 'worst' | 'blame'>): string {
  const time = headline ?? worst;
  if (time !== null) return worstTime({ ...time, worstUs: time.us });
  return blame === null ? '' : worstTime({ ...blame, estimated: false });
}

/** How the row of a result reads among those of others. */
interface ResultRowText {
  /** Its worst; `''` where nothing is over the threshold. */
  readonly figure: string;
  readonly label: string;
  /** What ran, where the label does not say it. */
  readonly description: string;
}

/** A row begins with the figure. Then comes what tells the results apart: the folder alone, where each has its own. */
export function resultRowText(result: Summary, all: readonly Summary[]): ResultRowText {
  const figure = worstFigure(result);
  const isAlone = result.where !== '' && all.filter(({ where }) => where === result.where).length === 1;
  const name = isAlone ? result.where : resultLabel(result);
  return { figure, label: name, description: isAlone ? result.title : '' };
}
