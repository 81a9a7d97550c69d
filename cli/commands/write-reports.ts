import { messageOf } from '../../protocol/failure.ts';
import { randomUUID } from 'node:crypto';
import { appendFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from './replace-file.ts';
import { repositoryAround } from './check-runs.ts';
import type { WantedReport } from '../arguments/check-arguments.ts';
import { type ReportContext, ciReports, withoutCommands } from '../views/ci-reports.ts';
import { pathBelow } from '../../protocol/path-spelling.ts';
import { type Colors, type Output, plainText, type Surroundings } from '../views/terminal.ts';
import type { BudgetCheck, CheckedEntry } from '../../protocol/budget.ts';
import { checkSummary, entryName, entryText } from '../../words/formats/budget-texts.ts';
import { escapeMarkdown, markdownList, markdownTable, visible } from '../../words/formats/foreign-text.ts';
import { withLine } from '../../words/formats/figures.ts';

interface Target extends Omit<Surroundings, 'recorderFile'> {
  /** Path of the budget, as typed. */
  readonly budget: string;
  readonly out: Pick<Output, 'write'>;
}

/**
 * Writes each report to its file, as a whole or not at all, or to standard output; with `github` also the summary of the
 * step. Gives a sentence for each that could not be written.
 */
export async function writeReports(
  check: BudgetCheck,
  reports: readonly WantedReport[],
  target: Target,
): Promise<readonly string[]> {
  if (reports.length === 0) return [];
  const { cwd, env, out } = target;
  const context = await contextOf(target);
  const failures: string[] = [];
  for (const { format, file } of reports) {
    const text = ciReports[format](check, context);
    if (file === null) out.write(text);
    else failures.push(...(await attempt(file, async () => writeReport(path.resolve(cwd, file), text))));
  }
  const summary = env['GITHUB_STEP_SUMMARY'] ?? '';
  if (summary !== '' && reports.some(({ format }) => format === 'github'))
    failures.push(...(await attempt(summary, async () => appendFile(summary, checkMarkdown(check)))));
  return failures;
}

/** The text for standard output beside reports. If GitHub reads commands there, no name in it may be one. */
export function besideReports(text: string, reports: readonly WantedReport[]): string {
  const isObeyed = reports.some(({ format, file }) => format === 'github' && file === null);
  return isObeyed ? withoutCommands(text, randomUUID()) : text;
}

async function attempt(file: string, write: () => Promise<void>): Promise<readonly string[]> {
  try {
    await write();
    return [];
  } catch (error) {
    return [`${file} cannot be written: ${messageOf(error)}.`];
  }
}

async function writeReport(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await replaceFile(file, text);
}

async function contextOf({ cwd, env, budget, version }: Target): Promise<ReportContext> {
  const { root } = await repositoryAround(cwd, env);
  return { version, budget: pathBelow(path.resolve(cwd, budget), root) ?? path.basename(budget) };
}

/** A check for a terminal, what is over its budget first. Ends with a line break. */
export function checkTable(check: BudgetCheck, colors: Colors): string {
  const rows = check.entries.map((entry) => {
    const name = plainText(entryName(entry));
    return `${colorOf(entry, colors)(marks[entry.verdict])}  ${colors.bold(name)}  ${colors.cyan(placeOf(entry))}\n   ${entryText(entry)}`;
  });
  const warnings = check.warnings.map((warning) => colors.yellow(`! ${plainText(warning)}`));
  const notes = [...warnings, ...check.notes.map(plainText)];
  return `${[...rows, checkSummary(check), ...notes].join('\n')}\n`;
}

/** A check of at most `most` entries for the summary of a CI job. Nothing in a name or a path becomes markup. */
export function checkMarkdown(check: BudgetCheck): string {
  const wanted = check.entries.filter(({ verdict }) => verdict !== 'within');
  const rows = wanted.map((entry) => {
    const cells = [entry.verdict, entryName(entry), entryText(entry), placeOf(entry)];
    return `| ${cells.map((cell) => escapeMarkdown(visible(cell, MAX_CELL))).join(' | ')} |`;
  });
  const sections = [
    '### Hotspan: budget',
    escapeMarkdown(checkSummary(check)),
    markdownTable(['', 'what', 'time', 'where'], rows),
    markdownList([...check.warnings, ...check.notes]),
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

/** In UTF-16 units. */
const MAX_CELL = 500;

const marks = { over: '✗', estimated: '?', unknown: '?', near: '!', within: '✓' } as const;

function colorOf({ verdict }: CheckedEntry, colors: Colors): (text: string) => string {
  if (verdict === 'over') return colors.red;
  return verdict === 'within' ? colors.green : colors.yellow;
}

function placeOf({ place, key, kind }: CheckedEntry): string {
  if (place === null) return kind === 'function' ? plainText(key) : '';
  return plainText(withLine(place.file, place.line));
}
