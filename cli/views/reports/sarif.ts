import type { BudgetCheck, CheckedEntry } from '../../../protocol/budget.ts';
import { type Finding, findingsOf, type Location, oneLine, type ReportContext } from './findings.ts';

/**
 * SARIF 2.1.0, as GitHub's code scanning and editors read it. Paths are relative to `%SRCROOT%`, the root of the
 * repository. Source: docs.oasis-open.org/sarif/sarif/v2.1.0.
 */
export function sarifReport(check: BudgetCheck, context: ReportContext): string {
  const rules = kinds.map((kind) => ({
    id: ruleId(kind),
    name: ruleNames[kind],
    shortDescription: { text: shortTexts[kind] },
    fullDescription: { text: fullTexts[kind] },
    help: { text: helpText },
    defaultConfiguration: { level: 'error' },
    properties: { tags: ['performance'] },
  }));
  const notifications = check.warnings.map((warning) => ({
    level: 'warning',
    message: { text: escapeMessage(oneLine(warning)) },
  }));
  const run = {
    tool: { driver: { name: 'Hotspan', semanticVersion: context.version, version: context.version, rules } },
    automationDetails: { id: `hotspan/${uriOf(context.project)}${context.project === '' ? '' : '/'}` },
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
    message: { text: escapeMessage(text) },
    locations: [{ physicalLocation: physical(location) }],
    // GitHub goes by the first of these alone: given here, it does not make one of the line's text.
    partialFingerprints: { primaryLocationLineHash: `${fingerprint}:1`, 'budgetEntry/v1': fingerprint },
  };
}

function physical({ path, line }: Location): object {
  return { artifactLocation: { uri: uriOf(path), uriBaseId: root }, region: { startLine: line ?? 1 } };
}

const kinds = ['function', 'file', 'route', 'whole'] as const satisfies readonly CheckedEntry['kind'][];

function ruleId(kind: CheckedEntry['kind']): string {
  return `hotspan-${kind}-budget`;
}

const ruleNames = {
  function: 'FunctionBudget',
  file: 'FileBudget',
  route: 'RouteBudget',
  whole: 'WholeBudget',
} as const satisfies Record<CheckedEntry['kind'], string>;

const shortTexts = {
  function: 'How long a function may hold the event loop.',
  file: 'How long a function of these files may hold the event loop.',
  route: 'How many requests of a route may be delayed.',
  whole: 'How long a function without a budget of its own may hold the event loop.',
} as const satisfies Record<CheckedEntry['kind'], string>;

const fullTexts = {
  function: 'While one function computes, every request waits. The budget says how long this function may do so.',
  file: 'While one function computes, every request waits. The budget says how long a function of these files may do so.',
  route: 'The budget says what share of the requests of this route others may delay for over 100 ms.',
  whole:
    'While one function computes, every request waits. The budget says how long a function without one of its own may do so.',
} as const satisfies Record<CheckedEntry['kind'], string>;

const helpText =
  'Run "hotspan record" with the same command to see the lines that take the time. If the time is meant, raise the entry in the budget.';

/** A path as a relative URI. Halves of characters, which a URI cannot hold, become U+FFFD. */
function uriOf(path: string): string {
  return path
    .replaceAll(/\p{Cs}/gu, '\uFFFD')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
}

/** In a message of SARIF, brackets make links and braces are places for arguments (§3.11.5 and §3.11.6). */
function escapeMessage(text: string): string {
  return text.replaceAll(/[\\[\]]/g, String.raw`\$&`).replaceAll(/[{}]/g, '$&$&');
}
