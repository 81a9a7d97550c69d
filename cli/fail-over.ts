import { filePathOf } from '../engine/sourcemap/file-path.ts';
import { duration } from '../protocol/figures.ts';
import type { Report } from '../protocol/report.ts';
import type { Microseconds } from '../protocol/units.ts';
import { shownPath } from './shown-path.ts';

/**
 * A sentence that names the worst culprit over the limit, or null. Only what is certain fails a build: application code, on
 * an event loop that somebody waits on, warm, in measured operations, not estimated.
 */
export function overLimit(report: Report, limitUs: Microseconds, currentFolder: string): string | null {
  const over = report.functions
    .flatMap(({ culprit, role, label, url, line }) =>
      culprit !== null && role === 'app' && !culprit.estimated && culprit.worstWarmUs > limitUs
        ? [
            {
              worstUs: culprit.worstWarmUs,
              where: `${label}, ${shownPath(filePathOf(url) ?? url, currentFolder)}:${line}`,
            },
          ]
        : [],
    )
    .toSorted((a, b) => b.worstUs - a.worstUs);
  const [worst, ...others] = over;
  if (worst === undefined) return null;
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return `Over the limit of ${duration(limitUs)}: ${duration(worst.worstUs)} in ${worst.where}${more}.`;
}
