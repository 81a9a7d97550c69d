import type { Construct } from './constructs.ts';
import { type Judged, type Mark, type Verdict, verdicts } from './judge.ts';
import { firstDifference } from '../../engine/basics/lists.ts';
import { lineReasonText } from '../../words/places.ts';

/** What was judged on one Node. */
export interface Column {
  readonly version: string;
  readonly judged: readonly Judged[];
}

const signs: Readonly<Record<Verdict, string>> = {
  right: '✓',
  honest: '≈',
  whole: 'ƒ',
  missed: '≠',
  wrong: '✗',
  lost: '∅',
};

/** A row for each construct, a column for each Node: `✓ 60 → 61 ms :34`. */
export function constructTable(constructs: readonly Construct[], columns: readonly Column[]): string {
  const rows = constructs.map(({ name, group, hot }) => {
    const lines = hot.map(({ line }) => line).join(' ');
    const cells = columns.map(({ judged }) => cellOf(judged.find(({ construct }) => construct.name === name)));
    return `| ${[name, `${group}:${lines}`, ...cells].join(' | ')} |`;
  });
  const heads = ['construct', 'slow line', ...columns.map(({ version }) => `Node ${version}`)];
  return [`| ${heads.join(' | ')} |`, `|${'---|'.repeat(heads.length)}`, ...rows].join('\n');
}

function cellOf(judged: Judged | undefined): string {
  if (judged === undefined) return '–';
  const { truth, verdict, marks } = judged;
  const [first] = marks.toSorted((a, b) => firstDifference(Number(b.isHot) - Number(a.isHot), b.worst - a.worst));
  const shown = first === undefined ? 'nothing' : `${inMs(first.worst)} ms :${first.line}`;
  return `${signs[verdict]} ${inMs(truth)} → ${shown}`;
}

/** How many of each verdict there are on each Node, and the share of the time that is told. */
export function summaryTable(columns: readonly Column[]): string {
  const rows = columns.map(({ version, judged }) => {
    const counts = verdicts.map((verdict) => judged.filter((each) => each.verdict === verdict).length);
    return `| ${[version, judged.length, ...counts, `${(shareTold(judged) * 100).toFixed(1)} %`].join(' | ')} |`;
  });
  const named = verdicts.map((verdict) => `${verdict} ${signs[verdict]}`);
  const heads = ['Node', 'constructs', ...named, 'of the time right or honest'];
  return [`| ${heads.join(' | ')} |`, `|${'---|'.repeat(heads.length)}`, ...rows].join('\n');
}

/** Share of the true time of all that is on lines that are right or honest, 0 to 1. */
export function shareTold(judged: readonly Judged[]): number {
  const all = judged.reduce((sum, { truth }) => sum + truth, 0);
  return judged.reduce((sum, { told }) => sum + told, 0) / all;
}

/** A line for each construct with such a verdict, with all that is said of it. */
export function troubles({ version, judged }: Column, wanted: readonly Verdict[]): readonly string[] {
  return judged
    .filter(({ verdict }) => wanted.includes(verdict))
    .map(({ construct, verdict, truth, marks }) => {
      const said = marks.map(markText).join('; ');
      const lines = construct.hot.map(({ file, line }) => `${file}:${line}`).join(' ');
      return `Node ${version} ${verdict}: ${construct.name} (${lines}, ${inMs(truth)} ms) → ${said === '' ? 'nothing' : said}`;
    });
}

function markText({ line, precision, worst, reason }: Mark): string {
  return `:${line} ${precision} ${inMs(worst)} ms${reason === null ? '' : ` (${lineReasonText(reason)})`}`;
}

function inMs(us: number): string {
  return (us / 1000).toFixed(us < 10_000 ? 1 : 0);
}
