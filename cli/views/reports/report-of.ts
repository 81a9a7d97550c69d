import type { BudgetCheck } from '../../../protocol/budget.ts';
import type { ReportFormat } from '../../arguments/parse-report.ts';
import type { ReportContext } from './findings.ts';
import { githubReport } from './github.ts';
import { gitlabReport } from './gitlab.ts';
import { junitReport } from './junit.ts';
import { sarifReport } from './sarif.ts';

/** A check as a CI service reads it. Nothing in a name or a path becomes markup or a command there. */
export function reportOf(format: ReportFormat, check: BudgetCheck, context: ReportContext): string {
  return writers[format](check, context);
}

const writers = {
  github: githubReport,
  gitlab: gitlabReport,
  sarif: sarifReport,
  junit: junitReport,
} as const satisfies Record<ReportFormat, (check: BudgetCheck, context: ReportContext) => string>;
