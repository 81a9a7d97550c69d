import type { BudgetCheck, CheckedEntry } from '../../../protocol/budget.ts';
import { line1 } from '../../../protocol/units.ts';
import type { ReportContext } from '../../../cli/views/ci-reports.ts';

export const context: ReportContext = { budget: 'hotspan.budget.json', version: '0.1.0' };

/** A function of 312 ms that may take 200, with changes. */
export function entry(changes: Partial<CheckedEntry> = {}): CheckedEntry {
  return {
    ...{ kind: 'function', key: 'src/cart.ts#snapshot', verdict: 'over', budget: 200_000, measured: [312_000] },
    budgetLine: null,
    meant: null,
    isEstimated: false,
    leftOut: null,
    place: { label: 'snapshot', file: 'src/cart.ts', line: line1(12) },
    ...changes,
  };
}

export function checkOf(entries: readonly CheckedEntry[], warnings: readonly string[] = []): BudgetCheck {
  const verdict = entries.some((one) => one.verdict === 'over') ? 'over' : 'within';
  return { version: 1, kind: 'check', verdict, runs: [['/recordings/1']], entries, warnings, notes: [] };
}

/** One entry of each verdict and kind. */
export const mixed = checkOf(
  [
    entry(),
    entry({ key: 'src/cart.ts#total', verdict: 'estimated' }),
    entry({ key: 'src/gone.ts#old', verdict: 'unknown', measured: [], place: null }),
    entry({ kind: 'file', key: 'src/**', verdict: 'near', measured: [190_000] }),
    entry({ kind: 'route', key: 'GET /orders', verdict: 'over', budget: 0.05, measured: [0.4], place: null }),
    entry({ kind: 'whole', key: 'whole', verdict: 'within', measured: [20_000] }),
  ],
  ['The command failed (exit code 1), so what did not run was not judged.'],
);

/** Names and paths as somebody might choose them to be obeyed or to break a format. */
const evil =
  '::set-output name=a::b\r\n::error::x %0A ##[add-mask]y <b>&"\']]></testcase> [a](http://x) {0} \u202E\uD800\u0000|';
export const hostile = checkOf(
  [
    entry({ key: `${evil}#${evil}`, place: { label: evil, file: `src/${evil}:a,b/%41 ü#?.ts`, line: line1(3) } }),
    entry({ key: `b${evil}#${evil}`, verdict: 'unknown', measured: [], place: null }),
    entry({ kind: 'route', key: evil, verdict: 'near', budget: 0.05, measured: [0.04], place: null }),
  ],
  [evil],
);
