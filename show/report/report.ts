import type {
  Report,
  ReportFile,
  ReportOperation,
  ReportRoute,
  ReportCollections,
  ReportLoopPeriod,
} from '../../protocol/report.ts';
import type { Column1, Line0, Line1, Microseconds } from '../../protocol/units.ts';
import { line1, microseconds, toColumn1, toLine1 } from '../../protocol/units.ts';
import type { Verdict } from '../../engine/judge/hotspots/judged-run.ts';
import { type FunctionInfo, compareFunctions } from '../../engine/read/functions/function-table.ts';
import type { CulpritFigures, FunctionFigures } from '../../engine/judge/function-figures/function-figures.ts';
import type { Operation } from '../../engine/cut/operations/operation.ts';
import { firstTimeOf, waitOf } from '../../engine/hot-functions.ts';
import { type RouteWaits, routeWaits } from '../../engine/judge/requests/route-waits.ts';
import { type SampleStream, startOf, busyTime } from '../../engine/read/samples/sample-stream.ts';
import { compareTexts, firstDifference } from '../../engine/basics/lists.ts';
import type { HotLine } from '../../engine/judge/lines/hot-lines.ts';
import type { ReportCulprit, ReportFunction, ReportLine } from '../../protocol/report-code.ts';
import { durationClassOf, type FigureRuns } from '../../protocol/figures.ts';
import { takenForText, warningTexts } from '../../words/given-recordings.ts';
import type { ReportFinding, ReportPlace } from '../../protocol/report-findings.ts';
import { causeText, createWhereabouts, findingName, type Whereabouts } from '../../words/findings.ts';
import { isRecorder, plainUrl } from '../../engine/read/files/file-path.ts';
import type { Finding } from '../../engine/judge/findings/finding.ts';
import type { Analysis } from '../../engine/analysis.ts';
import { byTier } from '../../protocol/v8-tiers.ts';
import { delaysOf, waitedIn, waitsIn } from '../../engine/cut/event-loop/program-loops.ts';

/** What `--json` prints: every function with total time, the worst first, and the long operations, or all, in order. */
export function reportOf(analysis: Analysis, which: OperationsShown = 'long'): Report {
  const report = lazyReportOf(analysis, which);
  return { ...report, functions: [...report.functions], operations: [...report.operations] };
}

/** A report that makes its long lists item by item, as they are read: whole lists took as much memory as the analysis. */
export type LazyReport = Omit<Report, 'functions' | 'operations'> & {
  readonly functions: Iterable<ReportFunction>;
  readonly operations: Iterable<ReportOperation>;
};

/** Which operations are in the report: those over the threshold, or all. */
export type OperationsShown = 'long' | 'all';

/** The report for a reader that reads each list once. */
export function lazyReportOf(analysis: Analysis, which: OperationsShown): LazyReport {
  const { exitCode: _, signal: __, seenAgain: ___, isAttached: ____, ...recording } = analysis.recording;
  const secondRun = analysis.tiers?.secondRun ?? null;
  const { paths, profiled } = analysis.changed;
  const changedFiles = [...paths, ...profiled.map(({ path }) => path)].toSorted(compareTexts);
  const whoWaits = createWhereabouts(analysis);
  return {
    version: 3,
    thresholdUs: analysis.thresholdUs,
    ...severalOf(analysis),
    recording: {
      ...recording,
      ...(secondRun === null ? {} : { tiersFrom: secondRun }),
      ...(changedFiles.length === 0 ? {} : { changedFiles }),
      files: analysis.streams.map(fileOf),
    },
    findings: analysis.findings.all.map((finding) => findingOf(finding, whoWaits(finding), analysis)),
    functions: functionsOf(analysis),
    lines: analysis.lines.filter((line) => !line.background).map((line) => reportLineOf(line, analysis)),
    modules: analysis.modules.map(({ url, self, total, askers }) => ({ url, selfUs: self, totalUs: total, askers })),
    imports: analysis.importLines,
    packages: analysis.packages.map(({ name, worst, longCount, imports, runs }) => {
      return { name, worstUs: worst, longCount, imports, ...runsOf(runs) };
    }),
    operations: operationsOf(analysis, which),
    shorterOperations:
      which === 'all' ? 0 : analysis.operations.filter(({ held }) => held <= analysis.thresholdUs).length,
    eventLoop: analysis.streams.flatMap(loopPeriodsOf),
    gc: analysis.streams.flatMap(collectionsOf),
    routes: routeWaits(analysis).map((route) => routeOf(route, analysis)),
    warnings: warningTexts(analysis),
  };
}

function severalOf({ several }: Analysis): Pick<Report, 'several'> {
  if (several === undefined) return {};
  const { takenFor, paths, middle, leftOut } = several;
  return {
    several: {
      ...{ takenFor, sentence: takenForText(several), recordings: paths },
      middle: middle === null ? null : (paths[middle] ?? null),
      leftOut: leftOut.map(({ path }) => path),
    },
  };
}

function runsOf(runs: FigureRuns | undefined): { readonly runs?: FigureRuns } {
  return runs === undefined ? {} : { runs };
}

function routeOf(
  { method, path, requests, over10Ms, over100Ms, over1S, behind }: RouteWaits,
  analysis: Analysis,
): ReportRoute {
  const [first] = behind;
  const fn = analysis.functions.functions[first?.functionId ?? -1];
  return {
    method,
    path,
    requests,
    delayedOver10Ms: over10Ms,
    delayedOver100Ms: over100Ms,
    delayedOver1S: over1S,
    behind: fn === undefined || first === undefined ? null : { ...namedPlace(fn), us: microseconds(first.us) },
  };
}

function fileOf(stream: SampleStream): ReportFile {
  const { path, parts, pid, threadId, threadKind, nodeVersion, ended } = stream.isolate;
  return {
    path,
    parts,
    pid,
    threadId,
    threadKind,
    nodeVersion,
    samples: stream.times.length,
    durationUs: microseconds(stream.end - startOf(stream)),
    turns: stream.turns === null ? 'inferred' : 'measured',
    heldBy: heldBy(stream.turns),
    truncated: { ...stream.truncated, unplaced: stream.truncated.unplaced.size },
    ended,
  };
}

function heldBy(turns: SampleStream['turns']): ReportFile['heldBy'] {
  if (turns === null) return 'clock';
  if (turns.wait.some((us) => us >= 0)) return 'scheduler';
  return turns.run.some((us) => us >= 0) ? 'cpu' : 'clock';
}

function reportLineOf(
  { url, line, worst, longCount, distinctStacks, precision, estimated, waited, functionIds, runs }: HotLine,
  analysis: Analysis,
): ReportLine {
  const figures = { worstUs: worst, longCount, distinctStacks, precision, estimated };
  const isChanged = functionIds.some((id) => analysis.changed.functionIds.has(id));
  return {
    url: plainUrl(url),
    line,
    ...figures,
    waited: waitOf(waited, functionIds[0] ?? -1, analysis),
    ...(isChanged ? { changed: true } : {}),
    ...runsOf(runs),
  };
}

function* functionsOf(analysis: Analysis): Generator<ReportFunction, void> {
  const { functions, figures, streams } = analysis;
  const knowsTests = streams.some(({ tests }) => tests !== null);
  const shown = functions.functions
    .flatMap((fn) => {
      const found = figures[fn.id];
      return found === undefined || found.total <= 0 || isRecorder(fn.path) ? [] : { fn, found };
    })
    .toSorted((a, b) => firstDifference(b.found.presence.worst - a.found.presence.worst, compareFunctions(a.fn, b.fn)));
  for (const { fn, found } of shown)
    yield { ...functionOf(fn, found, knowsTests, analysis), ...tiersOf(analysis, fn.id, found.self) };
}

function functionOf(
  fn: FunctionInfo,
  figures: FunctionFigures,
  knowsTests: boolean,
  analysis: Analysis,
): ReportFunction {
  const { presence, culprit } = figures;
  return {
    name: fn.name,
    label: fn.label,
    url: plainUrl(fn.url),
    ...placeOf(fn),
    ...(fn.generated === null ? {} : { generated: { url: fn.generated.url, ...placeOf(fn.generated) } }),
    own: fn.own,
    ...(fn.role === null ? {} : { role: fn.role }),
    moduleBody: fn.moduleBody,
    worstUs: presence.worst,
    worstWarmUs: presence.worstWarm,
    worstSamples: presence.worstSamples,
    estimated: presence.estimated,
    longCount: presence.longCount,
    distinctStacks: presence.distinctStacks,
    selfUs: figures.self,
    totalUs: figures.total,
    gcUs: figures.gc,
    loadUs: figures.load,
    tests: knowsTests ? presence.tests.length : null,
    presences: presence.byClass,
    culprit:
      culprit === null ? null : { ...culpritOf(culprit, fn.id, analysis), firstTime: firstTimeOf(figures, analysis) },
    ...(analysis.changed.functionIds.has(fn.id) ? { changed: true } : {}),
    ...runsOf(presence.runs),
  };
}

function culpritOf(culprit: CulpritFigures, functionId: number, analysis: Analysis): Omit<ReportCulprit, 'firstTime'> {
  return {
    worstUs: culprit.worst,
    worstWarmUs: culprit.worstWarm,
    longCount: culprit.longCount,
    distinctStacks: culprit.distinctStacks,
    samples: culprit.samples,
    estimated: culprit.estimated,
    waited: waitOf(culprit.waited, functionId, analysis),
    ...runsOf(culprit.runs),
  };
}

function* operationsOf(analysis: Analysis, which: OperationsShown): Generator<ReportOperation, void> {
  for (const [number, operation] of analysis.operations.entries()) {
    const verdict = analysis.verdicts[number];
    const isShown = which === 'all' || operation.held > analysis.thresholdUs;
    if (verdict !== undefined && isShown) yield operationOf(analysis, operation, verdict);
  }
}

function operationOf(analysis: Analysis, operation: Operation, verdict: Verdict): ReportOperation {
  const isolate = analysis.streams[operation.stream]?.isolate;
  const culprit = verdict.culprit === null ? undefined : analysis.functions.functions[verdict.culprit.functionId];
  return {
    startUs: operation.start,
    durationUs: operation.held,
    wallUs: microseconds(operation.end - operation.start),
    waitUs: operation.thread.wait,
    runUs: operation.thread.run,
    sleepUs: operation.thread.slept,
    class: durationClassOf(operation.held),
    pid: isolate?.pid ?? null,
    threadId: isolate?.threadId ?? null,
    gcUs: verdict.gc,
    loadUs: verdict.load,
    ...(operation.test === null ? {} : { test: operation.test.name, testFile: operation.test.file }),
    culprit:
      culprit === undefined || verdict.culprit === null ? null : { ...namedPlace(culprit), us: verdict.culprit.us },
    blame: verdict.blame,
  };
}

function placeOf({ line, column }: Pick<FunctionInfo, 'line' | 'column'>): { line: Line1; column: Column1 } {
  return { line: lineOf(line), column: toColumn1(column) };
}

/** From 1; 0 for native functions, and where there is no function. */
function lineOf(line: Line0 | undefined): Line1 {
  return line === undefined || line < 0 ? line1(0) : toLine1(line);
}

/** Periods of at most 10 s of one event loop, in order; empty where turns were not measured. */
function loopPeriodsOf({ turns, isolate: { pid, threadId } }: SampleStream): readonly ReportLoopPeriod[] {
  if (turns === null) return [];
  return turns.loop.periods.map((period) => {
    const waited = Math.round(waitedIn(period, turns));
    const { p50, p90, p99, most } = delaysOf(waitsIn(period, turns), period.end - period.start - waited);
    return {
      pid,
      threadId,
      startUs: period.start,
      durationUs: microseconds(period.end - period.start),
      waitUs: turns.wait.some((us) => us >= 0) ? microseconds(waited) : null,
      busyUs: microseconds(busyTime(period)),
      turns: period.classes.map(({ below, count, time }) => ({ belowUs: below, count, us: time })),
      delay: { p50Us: p50, p90Us: p90, p99Us: p99, mostUs: most },
    };
  });
}

/** The collections of one thread by period and kind. */
function collectionsOf({ turns, isolate: { pid, threadId } }: SampleStream): readonly ReportCollections[] {
  return (turns?.loop.collections ?? []).map((one) => ({
    pid,
    threadId,
    startUs: one.start,
    durationUs: microseconds(one.end - one.start),
    kind: one.kind,
    count: one.count,
    us: one.time,
    longestUs: one.longest,
    usedBeforeBytes: one.usedBefore,
    usedAfterBytes: one.usedAfter,
  }));
}

function findingOf(finding: Finding, { tests, routes }: Whereabouts, analysis: Analysis): ReportFinding {
  const { functions } = analysis.functions;
  const { open, closedBecause, removesUs, worstUs, longCount, distinctStacks, estimated, remedy } = finding;
  return {
    ...subjectOf(finding, analysis),
    label: findingName(finding, analysis),
    ...{ open, closedBecause, removesUs, operations: finding.operations.length },
    ...{ worstUs, longCount, distinctStacks, estimated },
    cause: { kind: finding.cause.kind, text: causeText(finding, analysis) },
    callers: finding.callers.map((id) => namedPlace(functions[id])),
    ...{ tests, routes, remedy },
    parts: finding.parts.map(({ functionId, us }) => ({ ...namedPlace(functions[functionId]), us })),
  };
}

function subjectOf({ subject }: Finding, { packages, functions: { functions } }: Analysis): ReportPlace {
  switch (subject.type) {
    case 'function':
      return namedPlace(functions[subject.functionId]);
    case 'package': {
      const [first] = packages.find(({ name }) => name === subject.name)?.imports ?? [];
      return { name: subject.name, url: first?.url ?? '', line: first?.line ?? line1(0) };
    }
    case 'garbage':
      return { name: '(garbage collector)', url: '', line: line1(0) };
    case 'loading':
      return { name: '(loader)', url: '', line: line1(0) };
  }
}

function namedPlace(fn: FunctionInfo | undefined): ReportPlace {
  return { name: fn?.name ?? '', url: plainUrl(fn?.url ?? ''), line: lineOf(fn?.line) };
}

/** Empty without tiers. A function without a tick has no tiers; if a second run has the tiers, all of its time is unknown. */
function tiersOf({ tiers, functions }: Analysis, id: number, self: Microseconds): Pick<ReportFunction, 'tiers'> {
  const found = tiers?.functions.get(id);
  if (found === undefined && (tiers?.secondRun ?? null) === null) return {};
  const times = found?.times ?? byTier((tier) => (tier === 'unknown' ? self : microseconds(0)));
  return {
    tiers: {
      ignitionUs: times.ignition,
      sparkplugUs: times.sparkplug,
      maglevUs: times.maglev,
      turbofanUs: times.turbofan,
      unknownUs: times.unknown,
      inlinedInto: (found?.hosts ?? []).map(({ functionId, time }) => {
        const host = functions.functions[functionId];
        return { name: host?.name ?? null, url: host?.url ?? '', line: lineOf(host?.line), us: time };
      }),
      compilations: (found?.code.compilations ?? []).map(({ time, tier, osr }) => ({ atUs: time, tier, osr })),
      deopts: (found?.code.deopts ?? []).map(({ time, tier, kind, reason, place }) => {
        return { atUs: time, tier, kind, reason, ...place };
      }),
      madeAnewIn: found?.madeIn ?? null,
    },
  };
}
