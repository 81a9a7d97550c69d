import { type PlainBlame, plainBlame } from './plain-blame.ts';
import { type JudgedOperation, type PlainCulprit, isMostlyAlone, plainCulprits } from './plain-culprits.ts';
import { type PlainFunction, PlainFunctions, type PlainWorkspace, comparePlainFunctions } from './plain-function.ts';
import { type PlainModule, plainLoad, plainModules } from './plain-load.ts';
import { plainOwnParts } from './plain-own-parts.ts';
import { FunctionIds, type PlainPresence, operationsInTime, plainPresences } from './plain-presence.ts';
import { type LostFrames, type PlainIsolate, type PlainThread, plainThread } from './plain-thread.ts';
import { firstDifference } from '../../engine/basics/lists.ts';

/** What docs/definition.md says of a recording. It is slow and plain, and was written from the text alone. */
export interface ReferenceAnalysis {
  readonly threads: readonly PlainThread[];
  readonly functions: readonly PlainFunction[];
  readonly times: ReadonlyMap<PlainFunction, PlainTimes>;
  readonly presences: ReadonlyMap<PlainFunction, PlainPresence>;
  readonly culprits: ReadonlyMap<PlainFunction, PlainCulprit>;
  readonly modules: ReadonlyMap<string, PlainModule>;
  /** By their start. */
  readonly operations: readonly PlainVerdict[];
}

export interface PlainVerdict extends JudgedOperation {
  /** In µs. */
  readonly gc: number;
  readonly load: number;
  readonly culprit: { readonly fn: PlainFunction; readonly us: number } | null;
  /** Only where it is over the threshold, and beside a culprit only what is over it. */
  readonly blame: PlainBlame | null;
}

export function referenceAnalysis(
  isolates: readonly PlainIsolate[],
  workspace: PlainWorkspace,
  thresholdUs: number,
  lost: LostFrames = () => null,
): ReferenceAnalysis {
  const functions = new PlainFunctions(workspace);
  const ids = new FunctionIds();
  const threads = isolates.map((isolate, number) =>
    plainThread(isolate, functions, (sample, depth) => lost(number, sample, depth)),
  );
  const judged = operationsInTime(threads).map((one) => ({ ...one, ...plainOwnParts(one.operation, thresholdUs) }));
  const culprits = plainCulprits(judged, ids);
  return {
    threads,
    functions: functions.all,
    times: plainTimes(threads),
    presences: new Map(
      [...plainPresences(threads, thresholdUs, ids)].map(([fn, presence]) => {
        const isShortLater = culprits.has(fn) && !fn.moduleBody && presence.worstWarmUs <= thresholdUs;
        const worstWarmUs = isShortLater && isMostlyAlone(fn, judged) ? 0 : presence.worstWarmUs;
        return [fn, { ...presence, worstWarmUs }];
      }),
    ),
    culprits,
    modules: plainModules(judged.flatMap(({ untaken }) => untaken)),
    operations: judged.map((one) => verdictOf(one, thresholdUs)),
  };
}

function verdictOf(judged: JudgedOperation, thresholdUs: number): PlainVerdict {
  const { operation, parts, untaken, thread } = judged;
  const [largest] = parts.toSorted((a, b) => firstDifference(b.weight - a.weight, comparePlainFunctions(a.fn, b.fn)));
  const blame = plainBlame(untaken, { hasCulprit: largest !== undefined, inTestParent: thread.isolate.testParent });
  const isBlamed = operation.held > thresholdUs && (largest === undefined || (blame?.us ?? 0) > thresholdUs);
  return {
    ...judged,
    gc: operation.samples.reduce((sum, { gc, weight }) => (gc ? sum + weight : sum), 0),
    load: plainLoad(untaken),
    culprit: largest === undefined ? null : { fn: largest.fn, us: largest.weight },
    blame: isBlamed ? blame : null,
  };
}

/** Rule 10, of one function, over the whole recording: each sample once. In µs. */
export interface PlainTimes {
  selfUs: number;
  totalUs: number;
  /** The part of the self time in which garbage collections interrupted the function. */
  gcUs: number;
  /** The part of the total time under a loader frame deeper than the function. */
  loadUs: number;
}

function plainTimes(threads: readonly PlainThread[]): ReadonlyMap<PlainFunction, PlainTimes> {
  const times = new Map<PlainFunction, PlainTimes>();
  const timesOf = (fn: PlainFunction): PlainTimes => {
    const made = times.get(fn) ?? { selfUs: 0, totalUs: 0, gcUs: 0, loadUs: 0 };
    times.set(fn, made);
    return made;
  };
  for (const { weight, meta, stack } of threads.flatMap(({ samples }) => samples)) {
    const loader = stack.findLastIndex((fn) => fn.loader);
    for (const fn of new Set(stack)) {
      timesOf(fn).totalUs += weight;
      if (loader > stack.indexOf(fn)) timesOf(fn).loadUs += weight;
    }
    const innermost = stack.at(-1);
    if (innermost === undefined) continue;
    timesOf(innermost).selfUs += weight;
    if (meta === '(garbage collector)') timesOf(innermost).gcUs += weight;
  }
  return times;
}
