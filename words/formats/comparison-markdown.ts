import type { ComparedFunction, Comparison } from '../../protocol/comparison.ts';
import { changeText, comparedLabel, comparedPlace, isChange, untouchedText, verdictNames } from './change-texts.ts';
import { comparisonNotes, comparisonSummary } from './comparison-texts.ts';
import { escapeMarkdown } from './escape-markdown.ts';

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
