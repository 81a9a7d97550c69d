import { nothingToDo } from '../../words/findings.ts';
import { changedSince } from '../../words/formats/figures.ts';
import type { ResultView } from './result-view.ts';
import { findingLines } from './fit.ts';
import { cut, roleNote } from './shown-code.ts';
import type { Colors } from './terminal.ts';
import { indented, wrap } from './wrap.ts';
import type { FunctionView, HotspotView, LineView } from './hotspot-view.ts';
import type { DurationClass } from '../../protocol/figures.ts';

export interface TableOptions {
  readonly colors: Colors;
  /** Most hotspots that are shown; the rest is counted. */
  readonly most: number;
  /** Width of a line in characters; Infinity for one that nobody breaks. */
  readonly columns: number;
}

/** What was found, for people at a terminal: worst first, each with its source lines. Ends with a line break. */
export function table(view: ResultView, { colors, most, columns }: TableOptions): string {
  const shown = view.isAll ? view.hotspots.slice(0, most) : [];
  const width = Math.max(0, ...shown.map(({ figures }) => figures.length));
  const rest = view.isAll ? view.hotspots.length - shown.length : 0;
  const fit = (texts: readonly string[]): readonly string[] => texts.flatMap((text) => wrap(text, columns));
  const dim = (text: string | null): readonly (readonly string[])[] =>
    text === null ? [] : [fit([text]).map(colors.dim)];
  const sections = [
    view.waits === null ? [] : [fit([view.waits])],
    verdictRows(view, { colors, columns }),
    shown.length > 0 ? [[colors.bold('All hotspots')]] : [],
    shown.map((hotspot) => hotspotLines(hotspot, width, { colors, columns })),
    dim(rest > 0 ? `+${rest} more` : null),
    (view.isAll || view.found.findings.length === 0 ? closing(view) : []).map(fit),
    dim(notShown(view)),
    dim(view.tiersFrom),
    dim(view.changed),
    view.eventLoop.length === 0 ? [] : [fit(view.eventLoop)],
    view.leftOut === null ? [] : [fit([view.leftOut])],
    view.routes.length > 0 ? [[colors.bold('Who waited'), ...fit(view.routes)]] : [],
    functionsSection(view.functions, { colors, columns }),
    view.processes.length > 0 ? [[colors.bold('Processes and their threads'), ...fit(view.processes)]] : [],
    view.found.findings.length + shown.length === 0 ? [] : [fit(legendLines(view)).map(colors.dim)],
    view.warnings.length > 0 ? [fit(view.warnings.map((warning) => `! ${warning}`)).map(colors.yellow)] : [],
  ];
  return `${sections
    .flat()
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** What would disappear if it were fixed, each with its cause and what to do. */
function verdictRows({ found: { findings } }: ResultView, layout: Layout): readonly (readonly string[])[] {
  const { colors, columns } = layout;
  const width = Math.max(0, ...findings.map(({ figures }) => figures.length));
  return findings.map((finding) => {
    const [why = [], ...others] = finding.sentences.map((text) => wrap(text, columns - codeIndent));
    const sentences = [...why, ...others.flat().map(colors.dim)];
    return [...hotspotLines(finding, width, layout), ...indented(sentences, codeIndent)];
  });
}

/** What the verdict leaves out; null where that is nothing. */
function notShown({ found: { findings, left, makeSure }, isAll, hotspots }: ResultView): string | null {
  const nothing = findings.length === 0 && hotspots.length > 0 && left !== null ? [nothingToDo] : [];
  const more = left === null ? [] : [isAll ? left : `${left} --all lists them.`];
  const sentences = [...nothing, ...more, ...(makeSure === null ? [] : [makeSure])];
  return sentences.length === 0 ? null : sentences.join(' ');
}

function legendLines({ order, estimates, isAll }: ResultView): readonly string[] {
  return [
    ...(order === null || !isAll ? [] : [order]),
    `${legend}${estimates === null ? ' · ≈: estimated' : ''}`,
    ...(estimates === null ? [] : [estimates]),
  ];
}

const legend = 'worst: longest hold of the event loop · ×: how often · stacks: ways it was called';

type Layout = Pick<TableOptions, 'colors' | 'columns'>;

function hotspotLines(hotspot: HotspotView, width: number, { colors, columns }: Layout): readonly string[] {
  const isDim = hotspot.tone !== 'plain';
  const note = `${roleNote(hotspot.role, '  ')}${hotspot.isChanged ? `  (${changedSince})` : ''}`;
  const head = findingLines({ ...hotspot, note }, width, columns, {
    figures: figuresColor(hotspot, colors),
    label: isDim ? colors.dim : colors.bold,
    place: isDim ? colors.dim : colors.cyan,
    note: isDim ? colors.dim : plain,
  });
  return [...head, ...sourceLines(hotspot.lines, { colors, columns }), ...moreLines(hotspot, { colors, columns })];
}

function plain(text: string): string {
  return text;
}

function moreLines({ ran, byClock, tiers }: HotspotView, { colors, columns }: Layout): readonly string[] {
  const texts = [...(ran === null ? [] : [ran]), ...(byClock === null ? [] : [byClock]), ...tiers].flatMap((text) =>
    wrap(text, columns - codeIndent),
  );
  return indented(texts.map(colors.dim), codeIndent);
}

/** In characters. */
const codeIndent = 4;

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

/** The code of hot lines, cut where a line of the terminal ends. */
function sourceLines(lines: readonly LineView[], { colors, columns }: Layout): readonly string[] {
  const numberWidth = Math.max(...lines.map((line) => numberOf(line).length));
  const figuresWidth = Math.max(...lines.map(({ figures }) => figures?.length ?? 0));
  return lines
    .filter(({ text }) => text !== null)
    .map((line) => {
      const { text, figures } = line;
      const share = figuresWidth === 0 ? '' : ` ${(figures ?? '').padStart(figuresWidth)} `;
      const start = `${numberOf(line).padStart(numberWidth)} │${share}`;
      const room = Math.max(columns - codeIndent - start.length - 1, leastCode);
      return `${' '.repeat(codeIndent)}${colors.dim(start)} ${cut(text ?? '', room)}`;
    });
}

/** Characters of a line of code that are shown at least. */
const leastCode = 12;

function numberOf({ file, line }: LineView): string {
  return file === null ? String(line) : `${file}:${line}`;
}

function closing({ verdict, blamed, shortCalls }: ResultView): readonly (readonly string[])[] {
  if (verdict !== null) return [[verdict]];
  const together = shortCalls === null ? [] : [`In short calls of your code together: ${shortCalls}.`];
  const others = blamed.length === 0 ? [] : [`With no line of yours on the stack: ${blamed.join(', ')}.`];
  return [[...together, ...others]].filter((lines) => lines.length > 0);
}

function functionsSection(
  functions: readonly FunctionView[],
  { colors, columns }: Layout,
): readonly (readonly string[])[] {
  if (functions.length === 0) return [];
  const width = functions.reduce((most, { figures }) => Math.max(most, figures.length), 0);
  const parts = { figures: plain, label: plain, place: colors.cyan, note: plain };
  const rows = functions.flatMap((fn) => findingLines({ ...fn, note: '' }, width, columns, parts));
  return [[colors.bold('All functions, with what they call'), ...rows]];
}
