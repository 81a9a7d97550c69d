import { type ComparedFunction, type Comparison, changeVerdicts } from '../../protocol/comparison.ts';
import { changeText, comparisonSummary, machineText, verdictNames } from '../../words/formats/change-texts.ts';
import { escapeMarkdown } from '../../words/formats/escape-markdown.ts';
import { withLine } from '../../words/formats/figures.ts';
import { findingLines } from './fit.ts';
import { type Colors, plainText } from './terminal.ts';
import { wrap } from './wrap.ts';

/** A comparison for people at a terminal: what changed first, then what did not. Ends with a line break. */
export function comparisonTable(
  comparison: Comparison,
  { colors, all, columns }: { colors: Colors; all: boolean; columns: number },
): string {
  const changed = comparison.functions.filter(isChange);
  const rows = (all ? comparison.functions : changed).map((fn) => ({
    fn,
    text: plainText(changeText(fn, comparison)),
  }));
  const verdict = Math.max(0, ...rows.map(({ fn }) => verdictNames[fn.verdict].length));
  const figuresOf = ({ fn, text }: (typeof rows)[number]): string =>
    `${verdictNames[fn.verdict].padEnd(verdict)}  ${text}`;
  const width = Math.max(0, ...rows.map((row) => figuresOf(row).length));
  const lines = rows.flatMap((row) => {
    const name = verdictNames[row.fn.verdict];
    const figures = (text: string): string =>
      text.startsWith(name) ? `${colorOf(row.fn, colors)(name)}${text.slice(name.length)}` : text;
    return findingLines(
      { figures: figuresOf(row), label: labelOf(row.fn), place: placeOf(row.fn), note: '' },
      width,
      columns,
      { figures, label: colors.bold, place: colors.cyan, note: colors.dim },
    );
  });
  const quiet = all ? [] : quietLines(comparison);
  return `${[
    lines,
    wrap(comparisonSummary(comparison), columns),
    quiet.flatMap((text) => wrap(text, columns)).map(colors.dim),
    notesOf(comparison)
      .flatMap((note) => wrap(`! ${note}`, columns))
      .map(colors.yellow),
  ]
    .filter((section) => section.length > 0)
    .map((section) => section.join('\n'))
    .join('\n\n')}\n`;
}

/** A comparison for a pull request. Nothing in a name or a path becomes markup. */
export function comparisonMarkdown(comparison: Comparison): string {
  const { base, head, functions } = comparison;
  const title = `### Hotspan: ${escapeMarkdown(`${base.name ?? 'before'} → ${head.name ?? 'now'}`)}`;
  const rows = functions
    .filter(isChange)
    .map(
      (fn) =>
        `| **${verdictNames[fn.verdict]}** | ${changeText(withPlainMove(fn), comparison)} | ${escapeMarkdown(labelOf(fn))} | ${escapeMarkdown(placeOf(fn))} |`,
    );
  const table =
    rows.length === 0 ? [] : [['| change | worst | function | where |', '|---|---|---|---|', ...rows].join('\n')];
  const notes = notesOf(comparison).map((note) => `- ${escapeMarkdown(note)}`);
  return `${[title, ...table, comparisonSummary(comparison), ...(notes.length === 0 ? [] : [notes.join('\n')])].join('\n\n')}\n`;
}

/** The same function with the name of where it moved to as plain text: all else that its text has is our own. */
function withPlainMove(fn: ComparedFunction): ComparedFunction {
  const { movedTo } = fn;
  return movedTo === undefined ? fn : { ...fn, movedTo: { ...movedTo, label: escapeMarkdown(movedTo.label) } };
}

function isChange({ verdict }: ComparedFunction): boolean {
  return changeVerdicts.some((one) => one === verdict);
}

function colorOf({ verdict }: ComparedFunction, colors: Colors): (text: string) => string {
  if (verdict === 'slower' || verdict === 'new' || verdict === 'moreOften') return colors.red;
  if (verdict === 'faster' || verdict === 'gone' || verdict === 'lessOften') return colors.green;
  return colors.dim;
}

function labelOf({ is, was }: ComparedFunction): string {
  const label = is?.label ?? was?.label ?? '';
  const before = was !== null && is !== null && was.label !== is.label ? ` (was ${was.label})` : '';
  return plainText(`${label}${before}`);
}

function placeOf({ is, was }: ComparedFunction): string {
  const place = is ?? was;
  return place === null ? '' : plainText(withLine(place.file, place.line));
}

/** The functions of which nothing can be said, and those without a change, by name. */
function quietLines({ functions }: Comparison): readonly string[] {
  return (['tooNoisy', 'noChangeSeen'] as const).flatMap((verdict) => {
    const names = functions.filter((fn) => fn.verdict === verdict).map(labelOf);
    const shown = names.slice(0, mostNamed).join(', ');
    const more = names.length > mostNamed ? `, and ${names.length - mostNamed} more (--all)` : '';
    return names.length === 0 ? [] : [`${verdictNames[verdict]}: ${shown}${more}`];
  });
}

const mostNamed = 6;

function notesOf(comparison: Comparison): readonly string[] {
  const machine = machineText(comparison.machine);
  return [...(machine === null ? [] : [machine]), ...comparison.warnings.map(plainText)];
}
