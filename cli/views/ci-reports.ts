import { maxOf } from '../../protocol/figures.ts';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { firstDifference } from '../../engine/basics/lists.ts';
import { entryName, entryText, checkSummary } from '../../words/formats/budget-texts.ts';
import { visible } from '../../words/formats/foreign-text.ts';
import { plural } from '../../words/formats/figures.ts';
import type { ReportFormat } from '../arguments/check-arguments.ts';
import { type BudgetCheck, type CheckedEntry, splitKey } from '../../protocol/budget.ts';

/** A check as CI services read it. Nothing in a name or a path becomes markup or a command there. */
export const ciReports: Readonly<Record<ReportFormat, (check: BudgetCheck, context: ReportContext) => string>> = {
  github: githubReport,
  gitlab: gitlabReport,
  sarif: sarifReport,
  junit: junitReport,
};

/** All paths have `/`. */
export interface ReportContext {
  /** Path of the budget from the root of the repository. */
  readonly budget: string;
  readonly version: string;
}

/** An entry of the budget with any verdict but `within`. */
interface Finding {
  readonly entry: CheckedEntry;
  /** `warning`: it is near its budget, or could not be judged. */
  readonly severity: 'error' | 'warning';
  /** One line: `snapshot: 312 ms, over its budget of 200 ms`. */
  readonly text: string;
  readonly location: Location;
  /**
   * 64 hexadecimal digits by which a service recognizes an entry. Without lines and times, so it changes only when the
   * function or its file is renamed.
   */
  readonly fingerprint: string;
}

interface Location {
  /** Path from the root of the repository; that of the budget if the entry names no file of the repository. */
  readonly path: string;
  /** Counted from 1; null if unknown. */
  readonly line: number | null;
}

/** Errors first, then by verdict, the furthest over its budget first. */
function findingsOf(check: BudgetCheck, context: ReportContext): readonly Finding[] {
  const findings = check.entries
    .filter(({ verdict }) => verdict !== 'within')
    .map((entry): Finding => ({
      entry,
      severity: entry.verdict === 'over' ? 'error' : 'warning',
      text: oneLine(`${entryName(entry)}: ${entryText(entry)}`),
      location: locationOf(entry, context),
      fingerprint: hashOf([entry.kind, entry.key]),
    }));
  return findings.toSorted((a, b) =>
    firstDifference(order.indexOf(a.entry.verdict) - order.indexOf(b.entry.verdict), excess(b.entry) - excess(a.entry)),
  );
}

/** A foreign text on one line, without hidden characters and lone surrogates, which no format can hold. */
function oneLine(text: string): string {
  return visible(text, MAX_TEXT).replaceAll(/[\p{Cs}\uFFFE\uFFFF]/gu, '\uFFFD');
}

/** In UTF-16 units; GitHub cuts an annotation at 4096 bytes. */
const MAX_TEXT = 1000;

const order: readonly CheckedEntry['verdict'][] = ['over', 'estimated', 'unknown', 'near'];

function excess({ measured, budget }: CheckedEntry): number {
  return Math.max(0, maxOf(measured)) / budget;
}

function locationOf({ place, budgetLine }: CheckedEntry, context: ReportContext): Location {
  const file = place === null ? null : inRepository(place.file);
  if (place === null || file === null) return { path: context.budget, line: budgetLine };
  return { path: file, line: place.line < 1 ? null : place.line };
}

/** The path from the root of the repository; null for a url, and for a file outside. */
function inRepository(file: string): string | null {
  if (path.posix.isAbsolute(file) || path.win32.isAbsolute(file) || /^[a-z][a-z\d+.-]+:/i.test(file)) return null;
  const plain = path.posix.normalize(file);
  return plain === '..' || plain.startsWith('../') ? null : plain;
}

function hashOf(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex');
}

/**
 * Annotations as GitHub's workflow commands, one a line. GitHub shows ten errors and ten warnings of a step, so these
 * are the worst ten of each; a notice counts the rest. What kept the check from judging comes first among the warnings.
 */
function githubReport(check: BudgetCheck, context: ReportContext): string {
  const findings = findingsOf(check, context);
  const errors = findings.filter(({ severity }) => severity === 'error').map(annotation);
  const notes = check.warnings.map((warning) =>
    command('warning', { title: 'Hotspan: not all could be judged' }, oneLine(warning)),
  );
  const warnings = [...notes, ...findings.filter(({ severity }) => severity === 'warning').map(annotation)];
  const shown = [...errors.slice(0, MAX_ANNOTATIONS), ...warnings.slice(0, MAX_ANNOTATIONS)];
  const left = errors.length + warnings.length - shown.length;
  const rest =
    left === 0
      ? []
      : [command('notice', { title: 'Hotspan' }, `${plural(left, 'more annotation')} did not fit: see the summary.`)];
  const notices = check.notes.map((note) => command('notice', { title: 'Hotspan' }, oneLine(note)));
  return [...shown, ...rest, ...notices].map((line) => `${line}\n`).join('');
}

const MAX_ANNOTATIONS = 10;

/** Text for GitHub's log in which no line is a command. `token` must be impossible to guess. */
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
  return `::${name} ${written.join(',')}::${escapeGithub(message)}`;
}

function escapeGithub(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeGithub(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/**
 * GitLab's Code Quality, a JSON list. It has no warnings, so what kept the check from judging is an issue of the budget:
 * an empty list would say that all is well.
 */
function gitlabReport(check: BudgetCheck, context: ReportContext): string {
  const found = findingsOf(check, context).map(({ entry, severity, text, location, fingerprint }) => ({
    description: text,
    check_name: `hotspan-${entry.kind}-budget`,
    fingerprint,
    severity: severity === 'error' ? 'major' : 'minor',
    location: { path: location.path, lines: { begin: location.line ?? 1 } },
  }));
  const notes = check.warnings.map((warning, index) => ({
    description: oneLine(warning),
    check_name: 'hotspan-not-judged',
    fingerprint: hashOf(['warning', String(index)]),
    severity: 'minor',
    location: { path: context.budget, lines: { begin: 1 } },
  }));
  return `${JSON.stringify([...found, ...notes], null, 2)}\n`;
}

/**
 * JUnit's XML with one test case for each entry of the budget: failed if it is over it, skipped if it could not be judged,
 * else passed, with its figures as output. Valid by Jenkins's junit-10.xsd, which allows no `file` of a test case.
 */
function junitReport(check: BudgetCheck): string {
  const { entries, warnings } = check;
  const failures = entries.filter(({ verdict }) => verdict === 'over').length;
  const skipped = entries.filter(isSkipped).length;
  const counts = attributes({ tests: String(entries.length), failures: String(failures), errors: '0' });
  const suite = attributes({ name: 'Hotspan: budget', skipped: String(skipped) });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'Hotspan' })}${counts}>`,
    `  <testsuite${suite}${counts}>`,
    ...entries.map((entry) => `    <testcase${attributes(namesOf(entry))}>${outcome(entry)}</testcase>`),
    `    <system-out>${escapeXml([checkSummary(check)])}</system-out>`,
    ...(warnings.length === 0 ? [] : [`    <system-err>${escapeXml(warnings)}</system-err>`]),
    '  </testsuite>',
    '</testsuites>\n',
  ].join('\n');
}

/** The names by which services follow a test case through runs, so they contain nothing measured. */
function namesOf({ kind, key, place }: CheckedEntry): Readonly<Record<string, string>> {
  if (kind !== 'function') return { classname: `hotspan ${kind}`, name: key };
  const [file, name] = splitKey(key, place?.file ?? null);
  return { classname: file, name };
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

/**
 * SARIF 2.1.0, as GitHub's code scanning and editors read it. Paths are relative to `%SRCROOT%`, the root of the
 * repository. Source: docs.oasis-open.org/sarif/sarif/v2.1.0.
 */
function sarifReport(check: BudgetCheck, context: ReportContext): string {
  const rules = kinds.map((kind) => ({
    id: ruleId(kind),
    name: sarifRules[kind].name,
    shortDescription: { text: sarifRules[kind].short },
    fullDescription: { text: sarifRules[kind].full },
    help: { text: helpText },
    defaultConfiguration: { level: 'error' },
    properties: { tags: ['performance'] },
  }));
  const notifications = check.warnings.map((warning) => ({
    level: 'warning',
    message: { text: escapeSarif(oneLine(warning)) },
  }));
  const run = {
    tool: { driver: { name: 'Hotspan', semanticVersion: context.version, version: context.version, rules } },
    automationDetails: { id: 'hotspan/' },
    originalUriBaseIds: { [root]: { description: { text: 'The root of the repository.' } } },
    invocations: [{ executionSuccessful: true, toolExecutionNotifications: notifications }],
    columnKind: 'utf16CodeUnits',
    results: findingsOf(check, context).map(resultOf),
  };
  return `${JSON.stringify({ $schema: schema, version: '2.1.0', runs: [run] }, null, 2)}\n`;
}

const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const root = '%SRCROOT%';

function resultOf({ entry, severity, text, location, fingerprint }: Finding): object {
  return {
    ruleId: ruleId(entry.kind),
    ruleIndex: kinds.indexOf(entry.kind),
    level: severity,
    message: { text: escapeSarif(text) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(location.path), uriBaseId: root },
          region: { startLine: location.line ?? 1 },
        },
      },
    ],
    // GitHub reads only the first, and would otherwise make one from the text of the line.
    partialFingerprints: { primaryLocationLineHash: `${fingerprint}:1`, 'budgetEntry/v1': fingerprint },
  };
}

const kinds = ['function', 'file', 'route', 'whole'] as const satisfies readonly CheckedEntry['kind'][];

function ruleId(kind: CheckedEntry['kind']): string {
  return `hotspan-${kind}-budget`;
}

const whileComputing = 'While one function computes, every request waits. The budget says how long';

const sarifRules = {
  function: {
    name: 'FunctionBudget',
    short: 'How long a function may hold the event loop.',
    full: `${whileComputing} this function may do so.`,
  },
  file: {
    name: 'FileBudget',
    short: 'How long a function of these files may hold the event loop.',
    full: `${whileComputing} a function of these files may do so.`,
  },
  route: {
    name: 'RouteBudget',
    short: 'How many requests of a route may be delayed.',
    full: 'The budget says what share of the requests of this route others may delay for over 100 ms.',
  },
  whole: {
    name: 'WholeBudget',
    short: 'How long a function without a budget of its own may hold the event loop.',
    full: `${whileComputing} a function without one of its own may do so.`,
  },
} as const satisfies Record<CheckedEntry['kind'], object>;

const helpText =
  'Run "hotspan record" with the same command to see the lines that take the time. If the time is meant, raise the entry in the budget.';

/** A path as a relative URI. Lone surrogates, which a URI cannot hold, become U+FFFD. */
function uriOf(path: string): string {
  return path
    .replaceAll(/\p{Cs}/gu, '\uFFFD')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
}

/** In a SARIF message, brackets make links and braces are placeholders (§3.11.5, §3.11.6). */
function escapeSarif(text: string): string {
  return text.replaceAll(/[\\[\]]/g, String.raw`\$&`).replaceAll(/[{}]/g, '$&$&');
}
