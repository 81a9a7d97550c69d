import type { BudgetCheck, CheckedEntry } from '../../protocol/budget.ts';
import { checkSummary, entryName, entryText } from '../../words/formats/budget-texts.ts';
import { escapeMarkdown } from '../../words/formats/escape-markdown.ts';
import { withLine } from '../../words/formats/figures.ts';
import { visible } from '../../words/formats/hidden-characters.ts';
import { type Colors, plainText } from './terminal.ts';

/** A check for people at a terminal: what is over its budget first. Ends with a line break. */
export function checkTable(check: BudgetCheck, colors: Colors): string {
  const rows = check.entries.map((entry) => {
    const name = plainText(entryName(entry));
    return `${colorOf(entry, colors)(markOf(entry))}  ${colors.bold(name)}  ${colors.cyan(placeOf(entry))}\n   ${entryText(entry)}`;
  });
  const warnings = check.warnings.map((warning) => colors.yellow(`! ${plainText(warning)}`));
  const notes = [...warnings, ...check.notes.map(plainText)];
  return `${[...rows, checkSummary(check), ...notes].join('\n')}\n`;
}

/** A check for the summary of a CI job, of at most `most` entries. Nothing in a name or a path becomes markup. */
export function checkMarkdown(check: BudgetCheck, most = Infinity): string {
  const wanted = check.entries.filter(({ verdict }) => verdict !== 'within');
  const rows = wanted.slice(0, most).map((entry) => {
    const cells = [entry.verdict, entryName(entry), entryText(entry), placeOf(entry)];
    return `| ${cells.map((cell) => escapeMarkdown(visible(cell, longestCell))).join(' | ')} |`;
  });
  const rest = wanted.length > rows.length ? [`… and ${wanted.length - rows.length} more.`] : [];
  const table = rows.length === 0 ? [] : [['| | what | time | where |', '|---|---|---|---|', ...rows].join('\n')];
  const notes = [...check.warnings, ...check.notes].map((note) => `- ${escapeMarkdown(note)}`);
  const sections = ['### Hotspan: budget', escapeMarkdown(checkSummary(check)), ...table, ...rest];
  return `${[...sections, ...(notes.length === 0 ? [] : [notes.join('\n')])].join('\n\n')}\n`;
}

/** Longest text of a cell in UTF-16 units. */
const longestCell = 500;

const marks = { over: '✗', estimated: '?', unknown: '?', near: '!', within: '✓' } as const;

function markOf({ verdict }: CheckedEntry): string {
  return marks[verdict];
}

function colorOf({ verdict }: CheckedEntry, colors: Colors): (text: string) => string {
  if (verdict === 'over') return colors.red;
  return verdict === 'within' ? colors.green : colors.yellow;
}

function placeOf({ place, key, kind }: CheckedEntry): string {
  if (place === null) return kind === 'function' ? plainText(key) : '';
  return plainText(withLine(place.file, place.line));
}
