import type { BudgetCheck } from '../../../protocol/budget.ts';
import { findingsOf, hashOf, oneLine, type ReportContext } from './findings.ts';

/**
 * GitLab's Code Quality, a JSON list. GitLab shows no warnings beside it, so what kept the check from judging is an
 * issue of the budget: an empty list would say that all is well.
 */
export function gitlabReport(check: BudgetCheck, context: ReportContext): string {
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
    fingerprint: hashOf(['warning', context.project, String(index)]),
    severity: 'minor',
    location: { path: context.budget, lines: { begin: 1 } },
  }));
  return `${JSON.stringify([...found, ...notes], null, 2)}\n`;
}
