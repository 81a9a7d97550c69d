import type { ComparedPlace } from '../../../protocol/comparison.ts';
import type { Microseconds } from '../../../protocol/units.ts';
import { type ComparedRun, nodeIn, SideCollector, type SideFunction } from '../side.ts';
import { routeWaits } from '../../judge/requests/route-waits.ts';

/** What one run tells of everything that a budget can name. */
export interface RunFigures {
  readonly functions: readonly FunctionFigure[];
  /** Share of requests that others delayed for over 100 ms, by `GET /path`. */
  readonly routes: ReadonlyMap<string, number>;
  /** False where none of the person's code was seen. */
  readonly isSeen: boolean;
  /** The version of Node.js, `24.1.0`; null where that is unknown. */
  readonly node: string | null;
}

export interface FunctionFigure {
  /** `src/cart.ts#Cart>total`; the same in every run as long as nobody renames it. */
  readonly key: string;
  readonly place: ComparedPlace;
  /** The longest that it held the loop itself, without the first time if there were others; null where that was not over the threshold. */
  readonly worst: Microseconds | null;
  readonly isEstimated: boolean;
  readonly isTest: boolean;
  readonly testFiles: readonly string[];
}

export async function runFigures(run: ComparedRun): Promise<RunFigures> {
  const collector = new SideCollector();
  await collector.add(run);
  const functions = collector.functions();
  return {
    functions: functions.map((fn) => figureOf(fn, run.analysis.thresholdUs)),
    routes: new Map(
      routeWaits(run.analysis).map(({ method, path, over100Ms, requests }) => {
        return [`${method} ${path}`, requests === 0 ? 0 : over100Ms / requests];
      }),
    ),
    isSeen: functions.some(({ runs }) => runs[0] !== null),
    node: nodeIn(run.analysis)?.replaceAll(/\bv(?=\d)/g, '') ?? null,
  };
}

function figureOf(
  { identity, place, runs, testFiles, isTest }: SideFunction,
  thresholdUs: Microseconds,
): FunctionFigure {
  const [run = null] = runs;
  // What is long only the first time in its thread does not last.
  const isCold = run !== null && run.warm > 0 && run.warm <= thresholdUs;
  return {
    key: keyOf(identity),
    place,
    worst: run === null || run.longCount === 0 || isCold ? null : run.warm > 0 ? run.warm : run.worst,
    isEstimated: run?.estimated ?? false,
    isTest,
    testFiles: [...testFiles.keys()],
  };
}

/** The key of a function in a budget. Of several functions with one name the later ones are numbered. */
function keyOf({ file, names, ordinal }: SideFunction['identity']): string {
  return `${file}#${names.slice(1)}${ordinal === 0 ? '' : ` (${ordinal + 1})`}`;
}
