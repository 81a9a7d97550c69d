import type { Analysis } from '../../engine/analysis.ts';
import { firstDifference } from '../../engine/basics/lists.ts';
import type { RunOfSeveral } from '../../engine/compare/runs/analyze-several.ts';
import { lossesOfOwnCode } from '../../engine/judge/hotspots/losses.ts';
import { filePathOf } from '../../engine/read/files/file-path.ts';
import { isBackground } from '../../engine/read/samples/sample-stream.ts';
import { maxOf, median } from '../../protocol/figures.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { duration, durationRange, extraDigits, labelWithPlace, plural, withLine } from '../../words/formats/figures.ts';
import { declaredPlace } from '../../words/places.ts';
import { bareOf, hasOwnCode, isForeign } from '../../words/summary.ts';
import { warningText } from '../../words/warnings/warning-text.ts';
import { shownPath } from '../views/shown-code.ts';

interface LimitVerdict {
  /**
   * Exit code. 1: something certain is over the limit; 3: only estimates are, or what no JavaScript was seen in, or no
   * own code was seen.
   */
  readonly code: 0 | 1 | 3;
  /** Null if certainly nothing is over the limit. */
  readonly sentence: string | null;
}

/**
 * Checks a limit, and names the worst function over it. Counts application code on an event loop that something waits for,
 * each operation by itself, so that a longer estimated one hides no certain one. Of several runs a function fails only if
 * it is over the limit in all of them, because one slow moment of the machine is not a failure. `merged` has the functions of
 * all runs.
 */
export function checkLimit(
  merged: Analysis,
  runs: readonly RunOfSeveral[],
  limitUs: Microseconds,
  currentFolder: string,
): LimitVerdict {
  const unread = merged.several?.leftOut.length ?? 0;
  if (unread > 0) return { code: 3, sentence: `${plural(unread, 'run')} ${unreadText}` };
  const one = { path: 'this run', analysis: merged, ids: merged.functions.functions.map(({ id }) => id) };
  const all = runs.length > 1 ? runs : [one];
  const unseen = all.find(({ analysis }) => !hasOwnCode(analysis) || isForeign(analysis));
  const nothing = `Nothing is known about ${limitText(limitUs)}`;
  if (unseen !== undefined) return { code: 3, sentence: `${nothing}: none of your code was seen in ${unseen.path}.` };
  const said = (times: OverInRuns[number]): Said => saidOf(times, limitUs, merged, currentFolder);
  const cold = overLimit(all, limitUs, wholeTime, true);
  const [certain, ...others] = overLimit(all, limitUs, certainTime).filter(({ us }) => us.length === all.length);
  if (certain === undefined) return uncertainVerdict(merged, all, limitUs, cold[0], said);
  const { limit, time } = said(certain);
  const inRuns = all.length === 1 ? '' : ` in all ${all.length} runs`;
  const first = cold.find(({ functionId }) => functionId === certain.functionId)?.wholeUs ?? [];
  const after = maxOf(first) > maxOf(certain.wholeUs) ? ', after its first time' : '';
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return { code: 1, sentence: `Over ${limit}${inRuns}: ${time}${after}${more}.` };
}

const unreadText = 'could not be read, so nothing is said of the limit. That is why the exit code is 3.';

/** The verdict where nothing is certainly over the limit in all runs. `cold`: the worst first call over it. */
function uncertainVerdict(
  merged: Analysis,
  runs: readonly RunOfSeveral[],
  limitUs: Microseconds,
  cold: OverInRuns[number] | undefined,
  saidOfTimes: (times: OverInRuns[number]) => Said,
): LimitVerdict {
  const nothing = 'Nothing certain is over';
  const possible = overLimit(runs, limitUs, wholeTime);
  const estimated = possible.find(({ us }) => us.length === runs.length);
  if (estimated !== undefined) {
    const { limit, time } = saidOfTimes(estimated);
    return { code: 3, sentence: `${nothing} ${limit}: ${time} is an estimate.` };
  }
  const [loss] = runs.flatMap(({ analysis }) => lossesOfOwnCode(analysis, limitUs));
  const unknown = `${nothing} ${limitText(limitUs)}, but not all is known`;
  if (loss !== undefined) return { code: 3, sentence: `${unknown}: ${warningText(loss)}` };
  const [some] = possible;
  if (some !== undefined) {
    const { limit, time } = saidOfTimes(some);
    const count = `${some.us.length} of ${plural(runs.length, 'run')}`;
    return { code: 0, sentence: `Over ${limit} in ${count} only, and so no failure: ${time}.` };
  }
  const bare = bareOf(merged, limitUs);
  if (bare !== null) {
    const extra = extraDigits([bare.worstUs], limitUs, duration);
    const held = `${bare.name} held the event loop for ≈${duration(bare.worstUs, extra)}`;
    return { code: 3, sentence: `${nothing} ${limitText(limitUs, extra)}: ${held}.` };
  }
  if (cold === undefined) return { code: 0, sentence: null };
  const { limit, time } = saidOfTimes(cold);
  return { code: 0, sentence: `${nothing} ${limit}: ${time} was a first call.` };
}

/** Functions over a limit, those in most runs first. */
type OverInRuns = readonly {
  readonly functionId: number;
  /** The longest time in each run in which it is over the limit; `wholeUs`: with what is uncertain in that operation. */
  readonly us: readonly Microseconds[];
  readonly wholeUs: readonly Microseconds[];
}[];

function overLimit(
  runs: readonly RunOfSeveral[],
  limitUs: Microseconds,
  timeOf: (part: number, analysis: Analysis) => Microseconds,
  cold = false,
): OverInRuns {
  const found = new Map<number, { us: Microseconds; wholeUs: Microseconds }[]>();
  for (const { analysis, ids } of runs) {
    const inRun = new Map<number, { us: Microseconds; wholeUs: Microseconds }>();
    const { ownParts } = analysis;
    for (const part of ownParts.numbersOf((one) => ownParts.isCold(one) === cold && isWaitedFor(one, analysis))) {
      const [id, us] = [ids[ownParts.functionOf(part)] ?? -1, timeOf(part, analysis)];
      if (us > limitUs && us > (inRun.get(id)?.us ?? 0)) inRun.set(id, { us, wholeUs: wholeTime(part, analysis) });
    }
    for (const [id, times] of inRun) found.set(id, [...(found.get(id) ?? []), times]);
  }
  return [...found]
    .map(([functionId, times]) => ({
      functionId,
      us: times.map(({ us }) => us),
      wholeUs: times.map((one) => one.wholeUs),
    }))
    .toSorted((a, b) => firstDifference(b.us.length - a.us.length, median(b.us) - median(a.us)));
}

const wholeTime = (part: number, { ownParts }: Analysis): Microseconds => ownParts.weightOf(part);

/**
 * The certain time of a part: all of it but sleep of unknown cause, unless it is an estimate. If waits for a CPU were not
 * counted, a function that nearly fills an operation computed for at least the CPU time.
 */
function certainTime(part: number, { operations, ownParts }: Analysis): Microseconds {
  const weight = ownParts.weightOf(part);
  if (!ownParts.isEstimated(part)) return microseconds(weight - ownParts.pauseOf(part));
  const operation = operations[ownParts.operationOf(part)];
  const run = operation?.doubt === 'noProcessor' ? operation.thread.run : null;
  return run !== null && operation !== undefined && weight >= operation.held * NEARLY_ALL
    ? microseconds(Math.min(weight, Math.round(run * NEARLY_ALL)))
    : microseconds(0);
}

const NEARLY_ALL = 0.95;

function isWaitedFor(part: number, { functions, operations, ownParts, streams }: Analysis): boolean {
  const stream = streams[operations[ownParts.operationOf(part)]?.stream ?? -1];
  const role = functions.functions[ownParts.functionOf(part)]?.role;
  return (role === 'app' || role === 'built') && !isBackground(stream);
}

interface Said {
  /** `the limit of 100 ms`. */
  readonly limit: string;
  /** `312 ms in snapshot, src/cart.ts:12`; `312 ms, 290 ms of it certain, in snapshot, …`. */
  readonly time: string;
}

function saidOf(
  { functionId, us, wholeUs }: OverInRuns[number],
  limitUs: Microseconds,
  analysis: Analysis,
  currentFolder: string,
): Said {
  const extra = extraDigits([...us, ...wholeUs], limitUs, duration);
  const limit = limitText(limitUs, extra);
  const [counted, whole] = [durationRange(us, extra), durationRange(wholeUs, extra)];
  const time = counted === whole ? whole : `${whole}, ${counted} of it certain,`;
  const fn = analysis.functions.functions[functionId];
  if (fn === undefined) return { limit, time };
  const { url, line } = declaredPlace(fn, analysis);
  const place = withLine(shownPath(filePathOf(url, analysis.roots) ?? url, currentFolder), line);
  return { limit, time: `${time} in ${labelWithPlace(fn.label, place)}` };
}

function limitText(limitUs: Microseconds, extra = 0): string {
  return `the limit of ${duration(limitUs, extra)}`;
}
