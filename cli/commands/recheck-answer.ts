import { findInComparison, type FunctionQuery } from '../../engine/compare/find-function.ts';
import type { SideFunction } from '../../engine/compare/side.ts';
import { type ChangeVerdict, type ComparedFunction, type Comparison, isWorse } from '../../protocol/comparison.ts';
import { comparedLabel, changeText } from '../../words/formats/change-texts.ts';
import { gapNotes, hasGapOnOneSide } from '../../words/formats/comparison-notes.ts';
import { whereTooNoisy } from '../../words/given-recordings.ts';
import { firstRequests, placeFrom, withWarnings } from './compare.ts';
import { duration } from '../../words/formats/figures.ts';
import type { RecheckArguments } from '../arguments/recheck-arguments.ts';
import { rechecked } from '../../agents/compared.ts';
import { jsonText } from '../views/report-text.ts';
import { plainText, refuse, type Session } from '../views/terminal.ts';
import { severalOf, typedName } from './named-function.ts';

/** A re-check of one function. */
export interface AskedSession extends Session<RecheckArguments> {
  readonly query: FunctionQuery;
  /** What the recordings know of the function; undefined if they do not have it. */
  readonly fn: SideFunction | undefined;
}

/** Prints the answer, or why there is none, and gives the exit code; null if it is unclear and more pairs may run. */
export function answerOf(comparison: Comparison, session: AskedSession, isLast: boolean): number | null {
  const { query, options, terminal } = session;
  const found = findInComparison(query, comparison.functions, session.fn?.place ?? null);
  const [fn] = found;
  if (found.length > 1) return refuse(terminal.err, severalOf(options.function, found));
  if (fn?.verdict === 'tooNoisy' && !isLast) return null;
  if (options.format !== 'text') {
    const warned = withWarnings(comparison, { format: 'json' });
    const functions = fn === undefined ? [] : [fn];
    const isBrief = options.format === 'brief';
    terminal.out.write(
      jsonText(isBrief ? rechecked(warned, fn, options.function, session.fn?.place.label) : { ...warned, functions }),
    );
  } else {
    const lines = [plainText(answerText(fn, comparison, session)), ...firstRequests(comparison)];
    terminal.out.write(`${lines.join('\n')}\n`);
    if (fn?.verdict === 'tooNoisy') terminal.err.say(whereTooNoisy.recheck);
  }
  if (fn !== undefined && isWorse({ ...fn, isTest: false })) return 1;
  const isUnclear = fn === undefined ? session.fn === undefined : unclear.has(fn.verdict);
  const isOneSided = hasGapOnOneSide(comparison);
  if (isOneSided && options.format === 'text') terminal.err.say(gapNotes(comparison, !isUnclear).join(' '));
  return isUnclear || isOneSided ? 3 : 0;
}

const unclear: ReadonlySet<ChangeVerdict> = new Set<ChangeVerdict>(['tooNoisy', 'notReached']);

function answerText(
  fn: ComparedFunction | undefined,
  comparison: Comparison,
  { options: { function: asked }, query, fn: known, surroundings }: AskedSession,
): string {
  const below = duration(comparison.thresholdUs);
  if (fn === undefined) {
    const name = typedName(query, asked, known);
    return known === undefined
      ? `${name}: not seen in these runs. Give a command that runs it after "--".`
      : `${name}: never over ${below}, neither before nor now.`;
  }
  const place = fn.is ?? fn.was;
  const where = place === null ? asked : `${comparedLabel(fn)}, ${placeFrom(surroundings.cwd, fn)}`;
  return `${where}: ${leads[fn.verdict] ?? ''}${changeText(fn, comparison)}`;
}

/** Text before the figures of a verdict, if they do not say it. */
const leads: Readonly<Partial<Record<ChangeVerdict, string>>> = {
  ...{ faster: 'faster, was ', slower: 'slower, was ', gone: 'gone, was ' },
  ...{ moved: 'moved: ', new: 'new: ' },
};
