import type { Analysis } from './analysis.ts';
import type { FunctionInfo } from './read/functions/function-table.ts';
import { culpritFigures } from './judge/function-figures/figure-tally.ts';
import type { CulpritFigures, FunctionFigures, Waited } from './judge/function-figures/function-figures.ts';
import { plainUrl } from './read/files/file-path.ts';
import { fileNameOf } from '../protocol/machine-path.ts';
import type { Tone, Figures, FirstTime } from '../protocol/figures.ts';
import { type Microseconds, microseconds } from '../protocol/units.ts';
import { firstDifference } from './basics/lists.ts';
import type { ReportWait } from '../protocol/report-code.ts';

/** A function that is to blame for at least one long operation, with the figures that every surface shows. */
export interface HotFunction extends Figures {
  readonly functionId: number;
  readonly tone: Tone;
  /** Present only for a function that was long only the first time; else null. */
  readonly firstTime: FirstTime | null;
  readonly totalUs: Microseconds;
}

/**
 * All hot functions, without those that only collected garbage or slept: app code, tests, built files, background
 * threads, cold ones; each group worst first. Of several runs, functions in fewer than half of them come last in their
 * group.
 */
export function hotFunctions(analysis: Analysis): readonly HotFunction[] {
  const found = analysis.figures.flatMap((figures, functionId): readonly HotFunction[] => {
    const fn = analysis.functions.functions[functionId];
    const culprit = figures.culprit ?? figures.backgroundCulprit;
    if (analysis.findings.unmarked.has(functionId)) return [];
    return fn === undefined || culprit === null ? [] : [hotFunction(fn, figures, culprit, analysis)];
  });
  return found.toSorted((a, b) =>
    firstDifference(
      rankOf(a, analysis) - rankOf(b, analysis),
      Number(isRare(a)) - Number(isRare(b)),
      b.worstUs - a.worstUs,
      a.functionId - b.functionId,
    ),
  );
}

/**
 * Hot functions of some operations, with their figures there, worst first. `parts`: numbers of the own parts there.
 * `all`: the hot functions of the recording by id; others are left out. Of several runs, operations and figures are of
 * one run.
 */
export function hotFunctionsIn(
  parts: readonly number[],
  all: ReadonlyMap<number, HotFunction>,
  analysis: Analysis,
): readonly HotFunction[] {
  const found = [...culpritFigures(analysis.ownParts, parts)].flatMap(([id, culprit]): readonly HotFunction[] => {
    const hot = all.get(id);
    if (hot === undefined) return [];
    const { tone, firstTime, totalUs } = hot;
    const { worst: worstUs, longCount, distinctStacks, estimated } = culprit;
    const waited = waitOf(culprit.waited, id, analysis);
    return [{ functionId: id, worstUs, longCount, distinctStacks, estimated, waited, tone, firstTime, totalUs }];
  });
  return found.toSorted((a, b) => firstDifference(b.worstUs - a.worstUs, a.functionId - b.functionId));
}

function hotFunction(
  fn: FunctionInfo,
  figures: FunctionFigures,
  culprit: CulpritFigures,
  analysis: Analysis,
): HotFunction {
  const firstTime = firstTimeOf(figures, analysis);
  return {
    functionId: fn.id,
    worstUs: culprit.worst,
    longCount: culprit.longCount,
    distinctStacks: culprit.distinctStacks,
    estimated: culprit.estimated,
    waited: waitOf(culprit.waited, fn.id, analysis),
    ...(culprit.runs === undefined ? {} : { runs: culprit.runs }),
    tone: figures.culprit === null ? 'background' : firstTime !== null || fn.role !== 'app' ? 'dim' : 'plain',
    firstTime,
    totalUs: microseconds(figures.total),
  };
}

export function firstTimeOf(figures: FunctionFigures, analysis: Analysis): FirstTime | null {
  const culprit = figures.culprit ?? figures.backgroundCulprit;
  if (culprit === null) return null;
  const { worstWarm } = figures.culprit === null ? figures.background : figures.presence;
  const loads = loadedName(culprit.loaded, analysis);
  const isCold = worstWarm > 0 && worstWarm <= analysis.thresholdUs;
  return isCold || loads !== null ? { loads, thenUs: isCold ? worstWarm : null } : null;
}

/** Display name of a loaded module, such as `ejs` or `cart.ts`; null where nothing was loaded. */
function loadedName(loaded: number | null, { functions }: Analysis): string | null {
  if (loaded === null) return null;
  const body = functions.functions[loaded];
  if (body === undefined) return 'modules';
  return body.packageName ?? fileNameOf(body.path ?? plainUrl(body.url));
}

/** The kind of a hot function, in the order of the list. */
export function rankOf({ functionId, firstTime, tone }: HotFunction, { functions }: Analysis): number {
  if (firstTime !== null) return firstTime.loads === null ? 4 : 5;
  if (tone === 'background') return 3;
  const role = functions.functions[functionId]?.role;
  return role === 'built' ? 2 : role === 'test' ? 1 : 0;
}

/** Whether the function is over the threshold in fewer than half of the runs. */
export function isRare({ runs }: Figures): boolean {
  return runs !== undefined && runs.worstUs.filter((us) => us !== null).length * 2 < runs.worstUs.length;
}

/** The name of the call in which a function's thread slept while it held the loop. */
export function waitOf(
  waited: Waited | null,
  functionId: number,
  { functions: { functions }, atomicsWaiters }: Pick<Analysis, 'functions' | 'atomicsWaiters'>,
): ReportWait | null {
  if (waited === null) return null;
  const name = typeof waited.in === 'number' ? functions[waited.in]?.name : undefined;
  return { us: waited.us, in: name ?? (waited.in === null && atomicsWaiters.has(functionId) ? 'Atomics.wait' : null) };
}
