import { changedSince } from '../../words/formats/figures.ts';
import type { ResultView } from './result-view.ts';
import { roleNote } from './shown-code.ts';
import type { Colors } from './terminal.ts';
import type { FunctionView, HotspotView, LineView } from './hotspot-view.ts';
import type { DurationClass } from '../../protocol/figures.ts';

export interface TableOptions {
  readonly colors: Colors;
  /** Most hotspots that are shown; the rest is counted. */
  readonly most: number;
}

/** What was found, for people at a terminal: worst first, each with its source lines. Ends with a line break. */
export function table(view: ResultView, { colors, most }: TableOptions): string {
  const shown = view.hotspots.slice(0, most);
  const width = Math.max(0, ...shown.map(({ figures }) => figures.length));
  const rest = view.hotspots.length - shown.length;
  const sections = [
    shown.map((hotspot) => hotspotLines(hotspot, width, colors)),
    rest > 0 ? [[colors.dim(`+${rest} more`)]] : [],
    closing(view),
    view.tiersFrom === null ? [] : [[colors.dim(view.tiersFrom)]],
    view.changed === null ? [] : [[colors.dim(view.changed)]],
    view.eventLoop.length === 0 ? [] : [view.eventLoop],
    view.leftOut === null ? [] : [[view.leftOut]],
    view.routes.length > 0 ? [[colors.bold('Who waited'), ...view.routes]] : [],
    functionsSection(view.functions, colors),
    view.processes.length > 0 ? [[colors.bold('Processes and their threads'), ...view.processes]] : [],
    shown.length > 0 ? [[colors.dim(legend)]] : [],
    view.warnings.length > 0 ? [view.warnings.map((warning) => colors.yellow(`! ${warning}`))] : [],
  ];
  return `${sections
    .flat()
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

const legend = 'worst: longest hold of the event loop · ×: how often · stacks: ways it was called · ≈: estimated';

function hotspotLines(hotspot: HotspotView, width: number, colors: Colors): readonly string[] {
  const { label, place, lines } = hotspot;
  const figures = figuresColor(hotspot, colors)(hotspot.figures.padEnd(width));
  const note = `${roleNote(hotspot.role, '  ')}${hotspot.isChanged ? `  (${changedSince})` : ''}`;
  const head = `${figures}  ${colors.bold(label)}  ${colors.cyan(place)}${note}`;
  const isDim = hotspot.tone !== 'plain';
  return [
    isDim ? `${figures}  ${colors.dim(`${label}  ${place}${note}`)}` : head,
    ...sourceLines(lines, colors),
    ...moreLines(hotspot, colors),
  ];
}

function moreLines({ byClock, tiers }: HotspotView, colors: Colors): readonly string[] {
  return [...(byClock === null ? [] : [byClock]), ...tiers].map((text) => `    ${colors.dim(text)}`);
}

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

function sourceLines(lines: readonly LineView[], colors: Colors): readonly string[] {
  const numberWidth = Math.max(...lines.map((line) => numberOf(line).length));
  const figuresWidth = Math.max(...lines.map(({ figures }) => figures?.length ?? 0));
  return lines
    .filter(({ text }) => text !== null)
    .map((line) => {
      const { text, figures } = line;
      const share = figuresWidth === 0 ? '' : ` ${(figures ?? '').padStart(figuresWidth)} `;
      return `    ${colors.dim(`${numberOf(line).padStart(numberWidth)} │${share}`)} ${text}`;
    });
}

function numberOf({ file, line }: LineView): string {
  return file === null ? String(line) : `${file}:${line}`;
}

function closing({ verdict, blamed, shortCalls }: ResultView): readonly (readonly string[])[] {
  if (verdict !== null) return [[verdict]];
  const together = shortCalls === null ? [] : [`In short calls of your code together: ${shortCalls}.`];
  const others = blamed.length === 0 ? [] : [`With no line of yours on the stack: ${blamed.join(', ')}.`];
  return [[...together, ...others]].filter((lines) => lines.length > 0);
}

function functionsSection(functions: readonly FunctionView[], colors: Colors): readonly (readonly string[])[] {
  if (functions.length === 0) return [];
  const width = functions.reduce((most, { figures }) => Math.max(most, figures.length), 0);
  const rows = functions.map(
    ({ figures, label, place }) => `${figures.padEnd(width)}  ${label}  ${colors.cyan(place)}`,
  );
  return [[colors.bold('All functions, with what they call'), ...rows]];
}
