import type { Analysis } from '../../engine/analysis.ts';
import type { FunctionInfo } from '../../engine/read/functions/function-table.ts';
import { reportOf } from '../../show/report/report.ts';
import { isRecorder } from '../../engine/read/files/file-path.ts';
import type { Report } from '../../protocol/report.ts';
import { column0, line0, microseconds, toColumn1, toLine1 } from '../../protocol/units.ts';
import type { PlainFunction } from './plain-function.ts';
import type { ReferenceAnalysis } from './reference-analysis.ts';
import type { ReportCulprit, ReportFunction } from '../../protocol/report-code.ts';
import { durationClassOf } from '../../protocol/figures.ts';

/** Every figure that both have, by what it is a figure of: two analyses are equal when these are. */
type Figures = ReadonlyMap<string, readonly string[]>;

function figuresOfReport({ functions, modules, operations, recording }: Report): Figures {
  return collected([
    ...functions.map((fn) => [nameOf(fn), figuresOfFunction(fn)] as const),
    ...modules.map(
      ({ url, selfUs, totalUs, askers }) =>
        [`module ${url}`, { selfUs, totalUs, askers: askers.map((asker) => [asker.url, asker.us]) }] as const,
    ),
    ...operations.map(
      ({ startUs, durationUs, wallUs, class: durationClass, gcUs, loadUs, culprit, blame }) =>
        [
          `operation at ${startUs}`,
          {
            durationUs,
            wallUs,
            class: durationClass,
            gcUs,
            loadUs,
            culprit: culprit === null ? null : [culprit.url, culprit.line, culprit.name, culprit.us],
            blame: blame === null ? null : [blame.kind, blame.name, blame.us],
          },
        ] as const,
    ),
    ...recording.files.map(({ truncated }) => ['truncated', truncated] as const),
  ]);
}

function figuresOfReference(reference: ReferenceAnalysis): Figures {
  const { functions, times, modules, operations, threads } = reference;
  return collected([
    ...functions
      .filter((fn) => (times.get(fn)?.totalUs ?? 0) > 0 && !isRecorder(fn.url))
      .map((fn) => [nameOf(shown(fn)), functionFigures(fn, reference)] as const),
    ...[...modules]
      .filter(([, { totalUs }]) => totalUs > 0)
      .map(
        ([url, { selfUs, totalUs, askers }]) =>
          [`module ${url}`, { selfUs, totalUs, askers: longestFirst(askers) }] as const,
      ),
    ...operations.map(
      ({ operation: { start, end, held }, gc, load, culprit, blame }) =>
        [
          `operation at ${start}`,
          {
            durationUs: held,
            wallUs: end - start,
            class: durationClassOf(microseconds(held)),
            gcUs: gc,
            loadUs: load,
            culprit: culprit === null ? null : [culprit.fn.url, culprit.fn.line + 1, culprit.fn.name, culprit.us],
            blame: blame === null ? null : [blame.kind, blame.name, blame.us],
          },
        ] as const,
    ),
    ...threads.map(
      ({ grafts: { truncated, grafted, unplaced } }) =>
        ['truncated', { samples: truncated, grafted, unplaced }] as const,
    ),
  ]);
}

/**
 * One sentence for each figure that differs. What rule 19 cuts out of a function is not in the reference, so such
 * functions are left out, and the operations in which they were longest.
 */
export function differencesOf(analysis: Analysis, reference: ReferenceAnalysis): readonly string[] {
  const engine = figuresOfReport(reportOf(analysis, 'all'));
  const plain = figuresOfReference(reference);
  const { functions } = analysis.functions;
  const cut = new Set([...analysis.findings.cut].flatMap((id) => keysOf(functions[id])));
  for (const { operation, culprit } of reference.operations)
    if (culprit !== null && cut.has(nameOf(shown(culprit.fn)))) cut.add(`operation at ${operation.start}`);
  const keys = [...new Set([...engine.keys(), ...plain.keys()])].filter((key) => !cut.has(key));
  return keys.flatMap((key) => {
    const [left, right] = [engine.get(key) ?? [], plain.get(key) ?? []];
    if (left.join('\n') === right.join('\n')) return [];
    return [`${key}:\n  engine    ${left.join('\n            ')}\n  reference ${right.join('\n            ')}`];
  });
}

function keysOf(fn: FunctionInfo | undefined): readonly string[] {
  return fn === undefined ? [] : [nameOf(shown(fn))];
}

/** Several of one name (columns that are shown alike, operations of one start) are compared as a sorted list. */
function collected(named: readonly (readonly [string, object])[]): Figures {
  const figures = new Map<string, string[]>();
  for (const [name, values] of named)
    figures.set(name, [...(figures.get(name) ?? []), JSON.stringify(values)].toSorted());
  return figures;
}

function longestFirst(times: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  // A sample of no length says nothing.
  const told = [...times].filter(([, us]) => us > 0);
  return told.toSorted(([a, first], [b, second]) => (first === second ? (a < b ? -1 : 1) : second - first));
}

function nameOf({ name, url, line, column }: Pick<ReportFunction, 'name' | 'url' | 'line' | 'column'>): string {
  return `${name === '' ? '(anonymous)' : name} ${url}:${line}:${column}`;
}

function shown({
  name,
  url,
  line,
  column,
}: Pick<PlainFunction, 'name' | 'url' | 'line' | 'column'>): Parameters<typeof nameOf>[0] {
  return { name, url, line: toLine1(line0(line)), column: toColumn1(column0(column)) };
}

const numbers = ['selfUs', 'totalUs', 'gcUs', 'loadUs', 'worstUs', 'worstWarmUs', 'worstSamples'] as const;
const counts = ['estimated', 'longCount', 'distinctStacks'] as const;

function figuresOfFunction(fn: ReportFunction): object {
  const { own, role, moduleBody, presences, culprit } = fn;
  return {
    ...{ own, role: role ?? null, moduleBody },
    ...Object.fromEntries([...numbers, ...counts].map((name) => [name, fn[name]])),
    presences: Object.values(presences),
    culprit: culprit === null ? null : sorted(culpritFigures(culprit)),
  };
}

/** All but what it waited in: that is not compared yet. */
function culpritFigures(culprit: ReportCulprit): object {
  const { worstUs, worstWarmUs, longCount, distinctStacks, samples, estimated } = culprit;
  return { worstUs, worstWarmUs, longCount, distinctStacks, samples, estimated };
}

function functionFigures(fn: PlainFunction, { times, presences, culprits }: ReferenceAnalysis): object {
  const { selfUs = 0, totalUs = 0, gcUs = 0, loadUs = 0 } = times.get(fn) ?? {};
  const culprit = culprits.get(fn);
  const { worstUs = 0, worstWarmUs = 0, worstSamples = 0, estimated = false } = presences.get(fn) ?? {};
  const { longCount = 0, distinctStacks = 0, presences: classes = [0, 0, 0, 0, 0] } = presences.get(fn) ?? {};
  return {
    ...{ own: fn.kind === 'own', role: fn.role, moduleBody: fn.moduleBody },
    ...{ selfUs, totalUs, gcUs, loadUs, worstUs, worstWarmUs, worstSamples, estimated, longCount, distinctStacks },
    presences: Object.values(classes),
    culprit: culprit === undefined ? null : sorted(culprit),
  };
}

function sorted(values: object): readonly (readonly [string, unknown])[] {
  return Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
