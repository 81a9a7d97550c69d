import { commandText, commandTextIn } from '../formats/command-text.ts';
import type { ChangeVerdict, ComparedFunction, Comparison } from '../../protocol/comparison.ts';
import type { FindingItem } from '../../protocol/list-rows.ts';
import {
  changeFigure,
  changeText,
  comparedLabel,
  comparedPlace,
  fromTo,
  intervalText,
  runTimes,
  verdictNames,
} from '../formats/change-texts.ts';
import { plural, duration } from '../formats/figures.ts';
import { visible } from '../formats/foreign-text.ts';
import type { ListeningServer } from '../../protocol/recording-lines.ts';
import type { Microseconds } from '../../protocol/units.ts';
/**
 * Pads the figures of a list to one width, so that units and names form columns. In proportional fonts all digits have one
 * width, a point half of it, and `m` one and a half. U+2007 is as wide as a digit, U+2008 as a point.
 */
export function alignedFigures(figures: readonly string[]): (figure: string) => string {
  const widest = figures.reduce((most, figure) => Math.max(most, halfDigits(figure)), 0);
  return (figure) => {
    const missing = figure === '' ? 0 : Math.max(0, widest - halfDigits(figure));
    return '\u2007'.repeat(Math.floor(missing / 2)) + '\u2008'.repeat(missing % 2) + figure;
  };
}

/** Width of a figure in halves of a digit. */
function halfDigits(figure: string): number {
  return figure
    .split('')
    .reduce((sum, letter) => sum + (letter === 'm' ? 3 : letter === '.' || letter === ' ' ? 1 : 2), 0);
}

export const allHotspots = { text: 'All hotspots', description: 'grouped and sorted as you choose' } as const;

/** The row of the findings that re-checks have shown to be fixed: `1 fixed since`, `string.ts:12 157 → 9 ms`. */
export function fixedRow(fixed: readonly FindingItem[]): { readonly text: string; readonly description: string } {
  const results = fixed.map(({ label, recheck }) => `${visible(label, 60)} ${recheck?.text ?? ''}`);
  return { text: `${fixed.length} fixed since`, description: results.join(', ') };
}

/** The row of what the verdict leaves out; `left`: `Not shown: seen once (3).` */
export function leftRow(left: string): { readonly text: string; readonly description: string } {
  return { text: 'Not in the verdict', description: left.replace(/^Not shown: /, '').replace(/\.$/, '') };
}

export const makeSureTooltip =
  'Runs the tests in which the uncertain findings were twice more: what is long again joins the verdict, and what is not is dropped.';

export function rowLabel(alignedFigure: string, name: string): string {
  return alignedFigure === '' ? name : `${alignedFigure}\u2002${name}`;
}

/** A row for a screen reader: signs become words. */
export function spokenRow(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .join(', ')
    .replaceAll(' · ', ', ')
    .replaceAll(/(?<!\d)1 ×/g, '1 time')
    .replaceAll(' × >', ' times over ')
    .replaceAll(' ×', ' times')
    .replaceAll('≈', 'about ')
    .replaceAll(/(\d)–(?=\d)/g, '$1 to ')
    .replaceAll(/ ?:(\d+)(?=,|$)/g, ' line $1');
}

/** The part of `Target` (recorder/launch/target.ts) that a list needs. */
interface ListedTarget {
  readonly kind: string;
  readonly label: string;
  readonly description: string;
  readonly folder: string;
  readonly command: readonly string[];
  readonly script?: string;
  readonly notes: readonly string[];
}

export interface TargetRow<Target> {
  readonly label: string;
  readonly description: string;
  /** The command and its notes. */
  readonly detail: string;
  readonly target: Target;
}

/** The rows of a quick pick. A note of several targets is shown at the first of them. */
export function targetRows<Target extends ListedTarget>(targets: readonly Target[]): readonly TargetRow<Target>[] {
  const said = new Set<string>();
  return targets.map((target) => {
    const notes = target.notes.filter((note) => !said.has(note));
    for (const note of notes) said.add(note);
    const { label, description } = target;
    return { label, description, detail: [...commandParts(target), ...notes].join(' · '), target };
  });
}

/** The command, and in brackets its script, unless the row has them already. */
function commandParts({ kind, label, folder, command, script }: ListedTarget): readonly string[] {
  // Their descriptions have the script.
  if (script !== undefined && (kind === 'script' || kind === 'app')) return [];
  const isLabel = commandText(command) === label;
  if (isLabel) return script === undefined ? [] : [script];
  const text = commandTextIn(folder, command);
  return [script === undefined ? text : `${text} (${script})`];
}

/** The functions of a comparison with one verdict, for a tree. */
export interface ComparisonGroup {
  readonly verdict: ChangeVerdict;
  readonly title: string;
  /** `3 functions`. */
  readonly description: string;
  /** Whether the group is open at first. */
  readonly isOpen: boolean;
  readonly rows: readonly ComparisonRow[];
}

export interface ComparisonRow {
  /** In the functions of the comparison. */
  readonly index: number;
  /** `312 → 41 ms  cloneCatalogue`. */
  readonly label: string;
  /** `src/cart.ts:12`. */
  readonly description: string;
  /** All facts, one a line. */
  readonly tooltip: string;
}

/** The most urgent first. */
const order: readonly ChangeVerdict[] = [
  ...(['slower', 'new', 'moreOften', 'faster', 'gone', 'lessOften', 'moved', 'tooNoisy'] as const),
  ...(['notReached', 'noChangeSeen'] as const),
];

const closed: ReadonlySet<ChangeVerdict> = new Set<ChangeVerdict>(['notReached', 'noChangeSeen']);

/** The rows of a comparison by verdict, without empty groups. */
export function comparisonGroups(comparison: Comparison): readonly ComparisonGroup[] {
  const all = comparison.functions.map((fn, index) => ({ fn, index }));
  return order.flatMap((verdict) => {
    const found = all.filter(({ fn }) => fn.verdict === verdict);
    if (found.length === 0) return [];
    const rows = found.map(({ fn, index }) => rowOf(fn, index, comparison));
    const description = plural(rows.length, 'function');
    return [{ verdict, title: capital(verdictNames[verdict]), description, isOpen: !closed.has(verdict), rows }];
  });
}

function rowOf(fn: ComparedFunction, index: number, comparison: Comparison): ComparisonRow {
  return {
    index,
    label: visible(`${changeFigure(fn, comparison)}  ${comparedLabel(fn)}`),
    description: visible(comparedPlace(fn)),
    tooltip: tooltipOf(fn, comparison)
      .map((line) => visible(line))
      .join('\n'),
  };
}

function tooltipOf(fn: ComparedFunction, comparison: Comparison): readonly string[] {
  const { worst, presence, was, is, isTest, verdict } = fn;
  const hasMoved = was !== null && is !== null && was.file !== is.file;
  const interval = intervalText(worst);
  return [
    `${comparedLabel(fn)}, ${comparedPlace(fn)}`,
    `${verdictNames[verdict]}: ${changeText(fn, comparison)}`,
    ...(interval === null ? [] : [interval]),
    `before: ${runTimes(worst.wasUs, comparison)}`,
    `now: ${runTimes(worst.isUs, comparison)}`,
    `with what it calls: ${fromTo(presence)}`,
    ...(hasMoved ? [`it was in ${was.file}`] : []),
    ...(is === null ? ['the sources have no such function any more'] : []),
    ...(isTest ? ['code of tests: no user waits for it'] : []),
  ];
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

type ShownServer = Pick<ListeningServer, 'port' | 'path' | 'protocol'> & { readonly readyUs: Microseconds };

/** `listening on :3000 and :9090, 0.9 s after its start`; empty without servers. */
export function listeningText(servers: readonly ShownServer[]): string {
  const [first] = servers;
  if (first === undefined) return '';
  const names = servers.slice(0, MAX_SERVERS).map(({ protocol, ...at }) => `${addressText(at)}${notes[protocol]}`);
  const more = servers.length > MAX_SERVERS ? ` and ${servers.length - MAX_SERVERS} more` : '';
  return `listening on ${names.join(', ')}${more}, ${duration(first.readyUs)} after its start`;
}

const MAX_SERVERS = 3;

const notes: Readonly<Record<ListeningServer['protocol'], string>> = {
  ...{ http: '', https: ' (TLS)', http2: ' (HTTP/2)', other: ' (not HTTP)' },
};

/** `:3000`, or the path of a socket. */
export function addressText({ port, path }: Pick<ListeningServer, 'port' | 'path'>): string {
  return port < 0 ? path : `:${port}`;
}
