import { type Summary, byWeight } from '../../protocol/summary.ts';
import { worstTime } from '../formats/figures.ts';
import { resultLabel } from '../formats/result-label.ts';
import { shortVerdict } from './status-text.ts';

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
