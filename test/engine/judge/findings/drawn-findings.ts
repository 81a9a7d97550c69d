import type { ReportFinding } from '../../../../protocol/report-findings.ts';
import { type DrawnOptions, hotspotsOf } from '../../../helpers/drawn-hotspots.ts';

/** The findings of a drawn profile, in the order of the verdict. */
export async function findingsOf(drawing: string, options: DrawnOptions = {}): Promise<readonly ReportFinding[]> {
  return (await hotspotsOf(drawing, options)).report.findings;
}

/** `count` samples with one stack, its frames from the outermost: a row each. */
export function columns(...runs: readonly (readonly [count: number, ...frames: readonly string[]])[]): string {
  const depth = Math.max(...runs.map(([, ...frames]) => frames.length));
  const rows = Array.from({ length: depth }, (_, row) =>
    runs.flatMap(([count, ...frames]) => Array.from({ length: count }, () => frames[row] ?? '.')).join(' '),
  );
  return rows.join('\n');
}

/** The same runs several times. */
export function times<Run>(count: number, runs: readonly Run[]): readonly Run[] {
  return Array.from({ length: count }, () => runs).flat();
}

/** What a test looks at: the name, what it removes in ms, and why it is collapsed, or `open`. */
export function shown(findings: readonly ReportFinding[]): readonly (readonly [string, number, string])[] {
  return findings.map(({ name, removesUs, open, closedBecause }) => [
    name,
    removesUs / 1000,
    open ? 'open' : (closedBecause ?? 'small'),
  ]);
}
