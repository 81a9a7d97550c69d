import type { ComparedFunction, Comparison } from '../../protocol/comparison.ts';
import {
  changeText,
  comparedLabel,
  comparedPlace,
  isChange,
  untouchedText,
  verdictNames,
} from '../../words/formats/change-texts.ts';
import { comparisonNotes, comparisonSummary } from '../../words/formats/comparison-texts.ts';
import { findingLines } from './fit.ts';
import { type Colors, plainText } from './terminal.ts';
import { wrap } from './wrap.ts';

/** A comparison for people at a terminal: what changed first, then what did not. Ends with a line break. */
export function comparisonTable(
  comparison: Comparison,
  { colors, all, columns }: { colors: Colors; all: boolean; columns: number },
): string {
  const changed = comparison.functions.filter(isChange);
  const rows = (all ? comparison.functions : changed).map((fn) => {
    const note = untouchedText(fn);
    return { fn, text: figuresText(fn, comparison), note: note === '' ? '' : `  ${note}` };
  });
  const verdict = Math.max(0, ...rows.map(({ fn }) => verdictNames[fn.verdict].length));
  const figuresOf = ({ fn, text }: (typeof rows)[number]): string =>
    `${verdictNames[fn.verdict].padEnd(verdict)}  ${text}`;
  const width = Math.max(0, ...rows.map((row) => figuresOf(row).length));
  const lines = rows.flatMap((row) => {
    const name = verdictNames[row.fn.verdict];
    const figures = (text: string): string =>
      text.startsWith(name) ? `${colorOf(row.fn, colors)(name)}${text.slice(name.length)}` : text;
    return findingLines(
      { figures: figuresOf(row), label: labelOf(row.fn), place: plainText(comparedPlace(row.fn)), note: row.note },
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
    comparisonNotes(comparison)
      .flatMap((note) => wrap(`! ${plainText(note)}`, columns))
      .map(colors.yellow),
  ]
    .filter((section) => section.length > 0)
    .map((section) => section.join('\n'))
    .join('\n\n')}\n`;
}

/** What happened to a function, without the words that its column of verdicts has already. */
function figuresText(fn: ComparedFunction, comparison: Comparison): string {
  const text = plainText(changeText(fn, comparison));
  const name = `${verdictNames[fn.verdict]} `;
  return text.startsWith(name) ? text.slice(name.length) : text;
}

function colorOf({ verdict }: ComparedFunction, colors: Colors): (text: string) => string {
  if (verdict === 'slower' || verdict === 'new' || verdict === 'moreOften') return colors.red;
  if (verdict === 'faster' || verdict === 'gone' || verdict === 'lessOften') return colors.green;
  return colors.dim;
}

function labelOf(fn: ComparedFunction): string {
  return plainText(comparedLabel(fn));
}

/** The functions of which nothing can be said, and those without a change, by name. */
function quietLines({ functions }: Comparison): readonly string[] {
  return (['tooNoisy', 'noChangeSeen'] as const).flatMap((verdict) => {
    const names = functions.filter((fn) => fn.verdict === verdict).map((fn) => plainText(comparedLabel(fn)));
    const shown = names.slice(0, mostNamed).join(', ');
    const more = names.length > mostNamed ? `, and ${names.length - mostNamed} more (--all)` : '';
    return names.length === 0 ? [] : [`${verdictNames[verdict]}: ${shown}${more}`];
  });
}

const mostNamed = 6;
