import type { ReportFinding, ReportPlace } from '../../protocol/report-findings.ts';
import { line1, toLine1 } from '../../protocol/units.ts';
import { causeText, createWhoWaits, findingName, type WhoWaits } from '../../words/findings.ts';
import type { Analysis } from '../../engine/analysis.ts';
import { plainUrl } from '../../engine/read/files/file-path.ts';
import type { Finding } from '../../engine/judge/findings/finding.ts';

/** The findings of the report, in the order of the verdict. */
export function findingsReport(analysis: Analysis): readonly ReportFinding[] {
  const whoWaits = createWhoWaits(analysis);
  return analysis.findings.all.map((finding) => findingOf(finding, whoWaits(finding), analysis));
}

function findingOf(finding: Finding, { tests, routes }: WhoWaits, analysis: Analysis): ReportFinding {
  const { open, closedBecause, removesUs, worstUs, longCount, distinctStacks, estimated, remedy } = finding;
  return {
    ...subjectOf(finding, analysis),
    label: findingName(finding, analysis),
    ...{ open, closedBecause, removesUs, operations: finding.operations.length },
    ...{ worstUs, longCount, distinctStacks, estimated },
    cause: { kind: finding.cause.kind, text: causeText(finding, analysis) },
    callers: finding.callers.map((id) => placeOf(id, analysis)),
    ...{ tests, routes, remedy },
    parts: finding.parts.map(({ functionId, us }) => ({ ...placeOf(functionId, analysis), us })),
  };
}

function subjectOf({ subject }: Finding, analysis: Analysis): ReportPlace {
  switch (subject.type) {
    case 'function':
      return placeOf(subject.functionId, analysis);
    case 'package': {
      const [first] = analysis.packages.find(({ name }) => name === subject.name)?.imports ?? [];
      return { name: subject.name, url: first?.url ?? '', line: first?.line ?? line1(0) };
    }
    case 'garbage':
      return { name: '(garbage collector)', url: '', line: line1(0) };
    case 'loading':
      return { name: '(loader)', url: '', line: line1(0) };
  }
}

function placeOf(functionId: number, { functions: { functions } }: Analysis): ReportPlace {
  const fn = functions[functionId];
  const line = fn === undefined || fn.line < 0 ? line1(0) : toLine1(fn.line);
  return { name: fn?.name ?? '', url: plainUrl(fn?.url ?? ''), line };
}
