import path from 'node:path';
import type { BudgetCheck, CheckedEntry } from '../../../protocol/budget.ts';
import { checkSummary, entryName, entryText } from '../../../words/formats/budget-texts.ts';
import { oneLine, type ReportContext } from './findings.ts';

/**
 * JUnit's XML with one test case for each entry of the budget: failed where it is over it, skipped where it could not
 * be judged, else passed, with its figures as output. It holds by Jenkins's junit-10.xsd, which allows no `file` of a
 * test case.
 */
export function junitReport(check: BudgetCheck, context: ReportContext): string {
  const { entries, warnings } = check;
  const failures = entries.filter(({ verdict }) => verdict === 'over').length;
  const skipped = entries.filter(isSkipped).length;
  const counts = attributes({ tests: String(entries.length), failures: String(failures), errors: '0' });
  const suite = attributes({ name: 'Hotspan: budget', package: context.project, skipped: String(skipped) });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'Hotspan' })}${counts}>`,
    `  <testsuite${suite}${counts}>`,
    ...entries.map((entry) => testCase(entry, context)),
    `    <system-out>${escapeXml([checkSummary(check)])}</system-out>`,
    ...(warnings.length === 0 ? [] : [`    <system-err>${escapeXml(warnings)}</system-err>`]),
    '  </testsuite>',
    '</testsuites>\n',
  ].join('\n');
}

function testCase(entry: CheckedEntry, context: ReportContext): string {
  const names = attributes(namesOf(entry, context));
  return `    <testcase${names}>${outcome(entry)}</testcase>`;
}

/** The names by which services follow a test case through runs, so nothing that a run measured is in them. */
function namesOf({ kind, key }: CheckedEntry, { project }: ReportContext): Readonly<Record<string, string>> {
  const split = kind === 'function' ? key.indexOf('#') : -1;
  if (split < 0) return { classname: `hotspan ${kind}`, name: key };
  return { classname: path.posix.join(project, key.slice(0, split)), name: key.slice(split + 1) };
}

function outcome(entry: CheckedEntry): string {
  const text = [`${entryName(entry)}: ${entryText(entry)}`];
  const message = attributes({ message: entryText(entry), type: entry.verdict });
  if (entry.verdict === 'over') return `<failure${message}>${escapeXml(text)}</failure>`;
  if (isSkipped(entry)) return `<skipped${message}/>`;
  return `<system-out>${escapeXml(text)}</system-out>`;
}

function isSkipped({ verdict }: CheckedEntry): boolean {
  return verdict === 'unknown' || verdict === 'estimated';
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml([value])}"`)
    .join('');
}

/** Lines as text or an attribute of XML. */
function escapeXml(lines: readonly string[]): string {
  return lines.map((line) => oneLine(line).replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)).join('\n');
}
