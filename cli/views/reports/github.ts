import type { BudgetCheck, CheckedEntry } from '../../../protocol/budget.ts';
import { plural } from '../../../words/formats/figures.ts';
import { type Finding, findingsOf, oneLine, type ReportContext } from './findings.ts';

/**
 * Annotations as GitHub's workflow commands, one a line. GitHub shows ten errors and ten warnings of a step, so these
 * are the worst ten of each, and a notice says how many more there are. What kept the check from judging comes first
 * among the warnings.
 */
export function githubReport(check: BudgetCheck, context: ReportContext): string {
  const findings = findingsOf(check, context);
  const errors = findings.filter(({ severity }) => severity === 'error').map(annotation);
  const notes = check.warnings.map((warning) =>
    command('warning', { title: 'Hotspan: not all could be judged' }, oneLine(warning)),
  );
  const warnings = [...notes, ...findings.filter(({ severity }) => severity === 'warning').map(annotation)];
  const shown = [...errors.slice(0, mostShown), ...warnings.slice(0, mostShown)];
  const left = errors.length + warnings.length - shown.length;
  const rest =
    left === 0
      ? []
      : [command('notice', { title: 'Hotspan' }, `${plural(left, 'more annotation')} did not fit: see the summary.`)];
  const told = check.notes.map((note) => command('notice', { title: 'Hotspan' }, oneLine(note)));
  return [...shown, ...rest, ...told].map((line) => `${line}\n`).join('');
}

const mostShown = 10;

/** Text for GitHub's log in which no line is a command, whatever it holds. `token` must be one that nobody can guess. */
export function withoutCommands(text: string, token: string): string {
  return `::stop-commands::${token}\n${text}${text.endsWith('\n') ? '' : '\n'}::${token}::\n`;
}

function annotation({ entry, severity, text, location }: Finding): string {
  const line = location.line === null ? {} : { line: String(location.line) };
  return command(severity, { file: oneLine(location.path), ...line, title: `Hotspan: ${titles[entry.verdict]}` }, text);
}

const titles = {
  over: 'over budget',
  estimated: 'perhaps over budget',
  unknown: 'could not be judged',
  near: 'near its budget',
  within: 'within budget',
} as const satisfies Record<CheckedEntry['verdict'], string>;

/** Escaped as `@actions/core` does it. */
function command(name: string, properties: Readonly<Record<string, string>>, message: string): string {
  const written = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(value)}`);
  return `::${name} ${written.join(',')}::${escapeMessage(message)}`;
}

function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
