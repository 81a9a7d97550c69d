import type { Analysis } from '../engine/analysis.ts';
import type { Finding } from '../engine/judge/findings/finding.ts';
import { isUncertain } from '../engine/judge/findings/seen-again.ts';
import type { HotFunction } from '../engine/hot-functions.ts';
import type { Headline, NamedTime } from '../protocol/summary.ts';
import { findingName, reasonNames } from './findings.ts';
import { placeOf, placeText } from './places.ts';

/** What a result is named after on every surface: the first finding. */

/**
 * The first open finding with its own worst. Where none is open it is the first one in own code that more runs could
 * confirm, with that reason; null where there is none either. Several runs that are shown together have no findings: there
 * it is the worst culprit.
 */
export function headlineOf(analysis: Analysis, hot: readonly HotFunction[], worst: NamedTime | null): Headline | null {
  if (analysis.several?.takenFor === 'runs') return worst;
  const finding = firstFinding(analysis);
  if (finding === undefined) return null;
  const { subject, parts, worstUs: us, estimated, closedBecause } = finding;
  const alone = parts.length === 0 && subject.type === 'function' ? subject.functionId : null;
  const waited = hot.find(({ functionId }) => functionId === alone)?.waited ?? null;
  return {
    label: findingName(finding, analysis),
    place: placeOfFinding(finding, analysis),
    ...{ us, estimated, tone: 'plain' },
    ...(waited === null ? {} : { waited }),
    ...(closedBecause === null ? {} : { doubt: reasonNames[closedBecause] }),
  };
}

/**
 * Id of the function that the flamegraph opens at: that of the headline. Null for a package, whose frames are folded, and
 * where nothing is over the threshold; the worst culprit where there is no headline.
 */
export function opensAt(analysis: Analysis, worst: NamedTime | null): number | null {
  const finding = firstFinding(analysis);
  if (finding === undefined) return worst?.functionId ?? null;
  return finding.subject.type === 'function' ? finding.subject.functionId : null;
}

function firstFinding({ findings: { all }, functions: { functions } }: Analysis): Finding | undefined {
  const mayBeOne = ({ subject, closedBecause }: Finding): boolean =>
    isUncertain(closedBecause) && subject.type === 'function' && functions[subject.functionId]?.role !== 'test';
  return all.find(({ open }) => open) ?? all.find(mayBeOne);
}

/** Of a package its first import in own code; empty where none is known. */
function placeOfFinding({ subject }: Finding, analysis: Analysis): string {
  if (subject.type === 'package') {
    const [first] = analysis.packages.find(({ name }) => name === subject.name)?.imports ?? [];
    return first === undefined ? '' : placeText(first, analysis);
  }
  const fn = subject.type === 'function' ? analysis.functions.functions[subject.functionId] : undefined;
  return fn === undefined ? '' : placeOf(fn, analysis);
}
