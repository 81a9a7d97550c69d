import { maxOf, type DurationClass } from '../../protocol/figures.ts';
import { escapeMarkdown, markdownList, markdownTable } from '../../words/formats/foreign-text.ts';
import { changedSince, labelWithPlace } from '../../words/formats/figures.ts';
import { findingLines, indented, wrap } from './fit.ts';
import type { FindingView, FunctionView, HotspotView, LineView } from './hotspot-view.ts';
import type { ResultView } from './result-view.ts';
import { cut, roleNote } from './shown-code.ts';
import type { Colors } from './terminal.ts';
import { columnsOf, padStart } from './text-width.ts';

interface Layout {
  readonly colors: Colors;
  /** Width of a line in columns; Infinity for one that is never broken. */
  readonly columns: number;
}

/** A result for a terminal, worst first, each hotspot with its source lines. Lists at most `most`. Ends with a line break. */
export function table(view: ResultView, { most, ...layout }: Layout & { readonly most: number }): string {
  const { colors, columns } = layout;
  const { findings, left, makeSure } = view.found;
  const shown = view.isAll ? view.hotspots.slice(0, most) : [];
  const rest = view.isAll ? view.hotspots.length - shown.length : 0;
  const fit = (...texts: readonly string[]): readonly string[] => filled(texts).flatMap((text) => wrap(text, columns));
  const dim = (...texts: readonly string[]): readonly string[] => fit(...texts).map(colors.dim);
  const titled = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [colors.bold(title), ...lines];
  const sections = [
    fit(view.waits),
    ...findings.map((finding) => findingRow(finding, widestOf(findings), layout)),
    shown.length > 0 ? [colors.bold('All hotspots')] : [],
    ...shown.map((hotspot) => hotspotLines(hotspot, widestOf(shown), layout)),
    dim(rest > 0 ? `+${rest} more` : ''),
    titled(notInVerdict, functionRows(view.others, layout)),
    view.isAll || findings.length === 0 ? fit(...closing(view)) : [],
    dim(notShown(view, view.isAll || left === '' ? '' : '--all lists them.', makeSure)),
    dim(view.tiersFrom),
    dim(view.changed),
    fit(...view.eventLoop),
    fit(view.leftOut),
    titled('Who waited', fit(...view.routes)),
    titled('All functions, with what they call', functionRows(view.functions, layout)),
    titled('Processes and their threads', fit(...view.processes)),
    findings.length + shown.length === 0 ? [] : dim(...legendLines(view)),
    fit(...view.warnings.map((warning) => `! ${warning}`)).map(colors.yellow),
  ];
  const texts = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

function filled(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => text !== '');
}

function widestOf(rows: readonly FunctionView[]): number {
  return rows.reduce((widest, { figures }) => Math.max(widest, figures.length), 0);
}

function findingRow(finding: FindingView, width: number, layout: Layout): readonly string[] {
  const { colors, columns } = layout;
  const [why = [], ...others] = finding.sentences.map((text) => wrap(text, columns - CODE_INDENT));
  const sentences = [...why, ...others.flat().map(colors.dim)];
  return [...hotspotLines(finding, width, layout), ...indented(sentences, CODE_INDENT)];
}

/** What is said instead of findings, what the verdict leaves out, then `more`. */
function notShown({ found: { left }, others, instead }: ResultView, ...more: readonly string[]): string {
  return filled([instead, others.length > 0 ? '' : left, ...more]).join(' ');
}

const notInVerdict = 'Not in the verdict';

function closing({ verdict, blamed, shortCalls }: ResultView, escape = plain): readonly string[] {
  if (verdict !== '') return [escape(verdict)];
  return [
    shortCalls === '' ? '' : `In short calls of your code together: ${shortCalls}.`,
    blamed.length === 0 ? '' : `With no line of yours on the stack: ${blamed.map(escape).join(', ')}.`,
  ];
}

function legendLines({ order, estimates }: ResultView): readonly string[] {
  return [order, `${legend}${estimates === '' ? ' · ≈: estimated' : ''}`, estimates];
}

const legend = 'worst: longest hold of the event loop · ×: how often · stacks: ways it was called';

function hotspotLines(hotspot: HotspotView, width: number, { colors, columns }: Layout): readonly string[] {
  const isDim = hotspot.tone !== 'plain';
  const head = findingLines({ ...hotspot, note: noteOf(hotspot, '  ') }, width, columns, {
    figures: figuresColor(hotspot, colors),
    label: isDim ? colors.dim : colors.bold,
    place: isDim ? colors.dim : colors.cyan,
    note: isDim ? colors.dim : plain,
  });
  const details = hotspot.details.flatMap((text) => wrap(text, columns - CODE_INDENT)).map(colors.dim);
  return [...head, ...sourceLines(hotspot.lines, { colors, columns }), ...indented(details, CODE_INDENT)];
}

function plain(text: string): string {
  return text;
}

function noteOf({ role, isChanged }: HotspotView, gap: string): string {
  return `${roleNote(role, gap)}${isChanged ? `${gap}(${changedSince})` : ''}`;
}

/** In columns. */
const CODE_INDENT = 4;

function figuresColor({ tone, class: length }: HotspotView, colors: Colors): (text: string) => string {
  if (tone === 'background') return colors.gray;
  return tone === 'dim' ? colors.dim : colors[classColors[length]];
}

const classColors = {
  fast: 'yellow',
  medium: 'yellow',
  slow: 'yellow',
  verySlow: 'red',
  monster: 'magenta',
} as const satisfies Record<DurationClass, keyof Colors>;

/** The code of hot lines, each cut to one line of the terminal. */
function sourceLines(lines: readonly LineView[], { colors, columns }: Layout): readonly string[] {
  const numberWidth = maxOf(lines.map((line) => columnsOf(numberOf(line))));
  const figuresWidth = maxOf(lines.map(({ figures }) => figures?.length ?? 0));
  return lines.flatMap((line) => {
    const { text, figures } = line;
    if (text === null) return [];
    const share = figuresWidth === 0 ? '' : ` ${(figures ?? '').padStart(figuresWidth)} `;
    const start = `${padStart(numberOf(line), numberWidth)} │${share}`;
    const room = Math.max(columns - CODE_INDENT - columnsOf(start) - 1, MIN_CODE);
    return [`${' '.repeat(CODE_INDENT)}${colors.dim(start)} ${cut(text, room)}`];
  });
}

/** In columns. */
const MIN_CODE = 12;

function numberOf({ file, line }: LineView): string {
  return file === null ? String(line) : `${file}:${line}`;
}

function functionRows(functions: readonly FunctionView[], { colors, columns }: Layout): readonly string[] {
  const parts = { figures: plain, label: plain, place: colors.cyan, note: plain };
  return functions.flatMap((fn) => findingLines({ ...fn, note: '' }, widestOf(functions), columns, parts));
}

/**
 * A result for the summary of a CI job or a pull request. It begins with the verdict, short enough for a reader that pays
 * for each word; the reasons follow. Nothing in a name or a path becomes markup.
 */
export function markdown(view: ResultView, title: string): string {
  const { findings } = view.found;
  const inTable = fittingFindings(findings);
  const sections = [
    `### Hotspan: ${escapeMarkdown(cut(title, MAX_TITLE))}`,
    markdownTable(tableHead, findings.slice(0, inTable).map(verdictRow)),
    escapeMarkdown(notShown(view)),
    markdownList(findings.map((finding, index) => reasonsOf(finding, index < inTable))),
    escapeMarkdown(view.takenFor),
    escapeMarkdown(view.waits),
    view.isAll && view.hotspots.length > 0 ? `**All hotspots**\n\n${rowsTable(view.hotspots)}` : '',
    view.others.length > 0 ? `**${notInVerdict}**\n\n${rowsTable(view.others)}` : '',
    ...closing(view, escapeMarkdown),
    view.tiersFrom,
    escapeMarkdown(view.changed),
    view.eventLoop.map((loop) => escapeMarkdown(loop)).join('<br>\n'),
    escapeMarkdown(view.leftOut),
    markdownList(view.routes),
    view.functions.length > 0 ? `**All functions, with what they call**\n\n${rowsTable(view.functions)}` : '',
    escapeMarkdown(filled([view.order, view.estimates]).join(' ')),
    markdownList(view.warnings),
  ];
  return `${filled(sections).join('\n\n')}\n`;
}

/** In columns: a shell replaces a pattern of test files by thousands of names. */
const MAX_TITLE = 200;

/** How many findings fit into the table of the verdict. */
function fittingFindings(findings: readonly FindingView[]): number {
  let size = 0;
  const over = findings.findIndex((finding) => (size += verdictRow(finding).length) > MAX_VERDICT);
  return over < 0 ? findings.length : over;
}

/** In characters: with title and heading below 600 tokens of 3.5 characters. */
const MAX_VERDICT = 1_800;

function verdictRow(finding: FindingView): string {
  return markdownRow({ ...finding, details: [] });
}

function reasonsOf({ label, place, figures, sentences, details }: FindingView, isInTable: boolean): string {
  return [`${labelWithPlace(label, place)}:`, ...(isInTable ? [] : [`${figures}.`]), ...sentences, ...details].join(
    ' ',
  );
}

type Row = FunctionView | HotspotView;

const tableHead = ['blocks the event loop', 'function', 'where'];

function rowsTable(rows: readonly Row[]): string {
  return markdownTable(tableHead, rows.map(markdownRow));
}

function markdownRow(row: Row): string {
  const hot = 'tone' in row ? row : null;
  const figures = hot === null || hot.tone === 'plain' ? `**${row.figures}**` : row.figures;
  const source = hot?.lines[0]?.text ?? null;
  const where = `${escapeMarkdown(row.place)}${source === null ? '' : `<br>${codeInTable(source)}`}`;
  const notes = (hot?.details ?? []).map((text) => `<br>${escapeMarkdown(text)}`).join('');
  return `| ${figures} | ${escapeMarkdown(row.label)}${hot === null ? '' : noteOf(hot, ' ')}${notes} | ${where} |`;
}

/** A code span in a table cell. Only a bar is escaped, because it would end the cell. */
function codeInTable(text: string): string {
  const longest = Math.max(0, maxOf([...text.matchAll(/`+/g)].map(([run]) => run.length)));
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${text.replaceAll('|', String.raw`\|`)} ${fence}`;
}
