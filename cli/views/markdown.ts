import { nothingToDo } from '../../words/findings.ts';
import { changedSince } from '../../words/formats/figures.ts';
import { escapeMarkdown } from '../../words/formats/escape-markdown.ts';
import type { ResultView } from './result-view.ts';
import { roleNote } from './shown-code.ts';
import type { FindingView } from './finding-view.ts';
import type { FunctionView, HotspotView } from './hotspot-view.ts';

/** What was found, for the summary of a CI job or a pull request. Nothing in a name or a path becomes markup. */
export function markdown(view: ResultView, title: string): string {
  const sections = [
    `### Hotspan: ${escapeMarkdown(title)}`,
    escapeMarkdown(view.takenFor ?? ''),
    escapeMarkdown(view.waits ?? ''),
    view.found.findings.length > 0 ? tableOf(view.found.findings) : '',
    escapeMarkdown(notShown(view)),
    view.isAll && view.hotspots.length > 0 ? `**All hotspots**\n\n${tableOf(view.hotspots)}` : '',
    ...closing(view),
    view.tiersFrom ?? '',
    escapeMarkdown(view.changed ?? ''),
    view.eventLoop.map((loop) => escapeMarkdown(loop)).join('<br>\n'),
    view.leftOut === null ? '' : escapeMarkdown(view.leftOut),
    view.routes.map((route) => `- ${escapeMarkdown(route)}`).join('\n'),
    view.functions.length > 0 ? `**All functions, with what they call**\n\n${tableOf(view.functions)}` : '',
    escapeMarkdown([view.order, view.estimates].filter((text) => text !== null).join(' ')),
    view.warnings.map((warning) => `- ${escapeMarkdown(warning)}`).join('\n'),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function notShown({ found: { findings, left }, hotspots }: ResultView): string {
  const nothing = findings.length === 0 && hotspots.length > 0 && left !== null ? [nothingToDo] : [];
  return [...nothing, ...(left === null ? [] : [left])].join(' ');
}

function tableOf(rows: readonly (FunctionView | HotspotView | FindingView)[]): string {
  return ['| blocks the event loop | function | where |', '|---|---|---|', ...rows.map(rowOf)].join('\n');
}

function rowOf(row: FunctionView | HotspotView | FindingView): string {
  const isSecondary = 'tone' in row && row.tone !== 'plain';
  const figures = isSecondary ? row.figures : `**${row.figures}**`;
  const changed = 'isChanged' in row && row.isChanged ? ` (${changedSince})` : '';
  const note = `${'role' in row ? roleNote(row.role, ' ') : ''}${changed}`;
  const source = 'lines' in row ? (row.lines[0]?.text ?? null) : null;
  const where = `${escapeMarkdown(row.place)}${source === null ? '' : `<br>${codeInTable(source)}`}`;
  const more =
    'tiers' in row
      ? [...(row.ran === null ? [] : [row.ran]), ...(row.byClock === null ? [] : [row.byClock]), ...row.tiers]
      : [];
  const sentences = 'sentences' in row ? row.sentences : [];
  const notes = [...sentences, ...more].map((text) => `<br>${escapeMarkdown(text)}`).join('');
  return `| ${figures} | ${escapeMarkdown(row.label)}${note}${notes} | ${where} |`;
}

/**
 * A code span in a table. Its fence has more backticks than any row of them in the text; only a bar has to be escaped,
 * because it would end the cell.
 */
function codeInTable(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${text.replaceAll('|', String.raw`\|`)} ${fence}`;
}

function closing({ verdict, blamed, shortCalls }: ResultView): readonly string[] {
  if (verdict !== null) return [escapeMarkdown(verdict)];
  const together = shortCalls === null ? [] : [`In short calls of your code together: ${shortCalls}.`];
  const others =
    blamed.length === 0 ? [] : [`With no line of yours on the stack: ${blamed.map(escapeMarkdown).join(', ')}.`];
  return [...together, ...others];
}
