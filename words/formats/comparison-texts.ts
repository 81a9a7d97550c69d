import {
  changeVerdicts,
  type ChangeVerdict,
  type ComparedFunction,
  type Comparison,
} from '../../protocol/comparison.ts';
import {
  ratioText,
  verdictNames,
  changeText,
  comparedLabel,
  comparedPlace,
  isChange,
  untouchedText,
} from './change-texts.ts';
import { plural } from './figures.ts';
import { escapeMarkdown } from './escape-markdown.ts';

/** What is to be said of a whole comparison, on every surface. */

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

/** What was compared with what: `main (3 runs) → your work tree (3 runs), in turn`. */
export function sidesText({ base, head, order }: Pick<Comparison, 'base' | 'head' | 'order'>): string {
  const sideText = ({ name, runs }: Comparison['base'], without: string): string =>
    `${name ?? without} (${plural(runs.length, 'run')})`;
  const how = order === 'interleaved' ? 'in turn' : 'one after the other';
  return `${sideText(base, 'before')} → ${sideText(head, 'now')}, ${how}`;
}

/** What a person has to know of a comparison besides its functions. */
export function comparisonNotes({ machine, warnings }: Pick<Comparison, 'machine' | 'warnings'>): readonly string[] {
  const changed = machineText(machine);
  return [...(changed === null ? [] : [changed]), ...warnings];
}

/** Said where functions moved that nobody touched: which of both reasons it has cannot be known. */
export function machineText({ shifted, flagged, of, medianRatio }: Comparison['machine']): string | null {
  if (!shifted) return null;
  if (flagged > 0) return `${flagged} of ${plural(of, 'unchanged function')} moved too: ${reasons}`;
  return `Unchanged functions take ${ratioText(medianRatio ?? 1)} the time: ${reasons}`;
}

const reasons = 'the machine was busier for one side, or they are called for other work. Only what moved more counts.';

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

/**
 * The function that keeps a comparison from being certain: it may take 1.5 × as long; null where there is none. A
 * function that takes less time with all that it calls is none: had its own part grown for certain, it would be *moved*.
 */
export function unclearFunction({ functions }: Pick<Comparison, 'functions'>): ComparedFunction | null {
  const unclear = ({ verdict, worst, presence, isTest }: ComparedFunction): boolean =>
    !isTest && verdict === 'tooNoisy' && (worst.high ?? Infinity) >= 1.5 && (presence.high ?? Infinity) >= 1;
  return functions.find(unclear) ?? null;
}

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
  const table =
    rows.length === 0 ? [] : [['| change | worst | function | where |', '|---|---|---|---|', ...rows].join('\n')];
  const notes = comparisonNotes(comparison).map((note) => `- ${escapeMarkdown(note)}`);
  return `${[title, ...table, comparisonSummary(comparison), ...(notes.length === 0 ? [] : [notes.join('\n')])].join('\n\n')}\n`;
}

/** The same function with the name of where it moved to as plain text: all else that its text has is our own. */
function withPlainMove(fn: ComparedFunction): ComparedFunction {
  const { movedTo } = fn;
  return movedTo === undefined ? fn : { ...fn, movedTo: { ...movedTo, label: escapeMarkdown(movedTo.label) } };
}
