import type { Analysis } from '../../engine/analysis.ts';
import type { CalledFunction, StackText, StackFrame } from '../../protocol/requests.ts';
import type { Doubt } from '../../engine/cut/operations/operation.ts';
import type { Microseconds } from '../../protocol/units.ts';
import {
  calledFunctions,
  heaviestStacks,
  longestRun,
  worstPart,
} from '../../engine/judge/hotspots/function-details.ts';
import { placeOf, placeText } from '../../words/places.ts';
import { type HotFunction, hotFunctions, stretchedTime, waitOf } from '../../engine/hot-functions.ts';
import type { FunctionFigures, PresenceFigures } from '../../engine/judge/function-figures/function-figures.ts';
import {
  compiledText,
  deoptGroups,
  diagnosisText,
  inlinedText,
  isNeverOptimized,
  noTiersText,
  optimizedText,
  secondRunText,
  meaningOf,
} from '../../words/tier-words.ts';
import type { FunctionTiers } from '../../engine/judge/tiers/tiers.ts';
import { v8TierNames } from '../../words/formats/figures.ts';
import { v8Tiers } from '../../protocol/v8-tiers.ts';
import { type FindingTexts, findingOf } from './verdict.ts';
import type { ReportWait } from '../../protocol/report-code.ts';
import type { DurationClass } from '../../protocol/figures.ts';

/** What a hover and a copied Markdown say about a function besides its three figures. */
export interface FunctionDetails {
  readonly label: string;
  readonly place: string;
  /** True where its text has changed since. */
  readonly isChanged: boolean;
  /** True where it is in a file that a tool made, without a source map. */
  readonly isBuilt: boolean;
  /** The figures that every surface shows; null where it is not hot. */
  readonly hot: HotFunction | null;
  readonly thresholdUs: Microseconds;
  /** The largest presence: its time with all that it calls. */
  readonly presenceUs: Microseconds;
  /** The longest run without a break, as far as samples tell. */
  readonly longestRunUs: Microseconds;
  readonly selfUs: Microseconds;
  readonly totalUs: Microseconds;
  readonly gcUs: Microseconds;
  readonly loadUs: Microseconds;
  /** Number of samples behind its worst own part; behind its worst presence where it has no own part. */
  readonly samples: number;
  readonly estimated: boolean;
  /** True where turns were inferred from the samples, because the profile was made by another tool. */
  readonly inferred: boolean;
  /** Why its longest operation is in doubt; null where it is not. */
  readonly doubt: Doubt | null;
  /** Clock time of its longest operation, where others had the processor for long meanwhile; else null. */
  readonly byClockUs: Microseconds | null;
  /** How long the thread slept in the worst operation, and in which call. */
  readonly waited: ReportWait | null;
  readonly byClass: Readonly<Record<DurationClass, number>>;
  /** Titles of the tests that ran while it was long. */
  readonly tests: readonly string[];
  readonly stacks: readonly StackText[];
  /** Its tiers; null where they are not known. */
  readonly tiers: TierDetails | null;
  /** What the verdict says of it; null where it is no finding. */
  readonly finding: FindingTexts | null;
}

/** What a hover says about the tiers of a function. */
export interface TierDetails {
  /** Names and times of the tiers that it ran in, in their order; empty where it was seen in no tick. */
  readonly times: readonly { readonly name: string; readonly us: Microseconds }[];
  /** Plain sentences, without a full stop. */
  readonly facts: readonly string[];
  /** Deopts, the most frequent first. Their number is that of the deopt in a link. */
  readonly deopts: readonly DeoptDetails[];
  readonly diagnosis: string | null;
  /** Where the tiers come from, if that is a second run; else null. */
  readonly from: string | null;
}

interface DeoptDetails {
  readonly reason: string;
  readonly meaning: string | null;
  /** A place such as `src/cart.ts:12`. */
  readonly place: string;
  readonly count: number;
}

/** Details of a function; null for a number that no function has. */
export function detailsOf(analysis: Analysis, functionId: number): FunctionDetails | null {
  const fn = analysis.functions.functions[functionId];
  const figures = analysis.figures[functionId];
  if (fn === undefined || figures === undefined) return null;
  const culprit = figures.culprit ?? figures.backgroundCulprit;
  const presence = shownPresence(figures);
  return {
    label: fn.label,
    place: placeOf(fn, analysis),
    isChanged: analysis.changed.functionIds.has(functionId),
    isBuilt: fn.role === 'built',
    hot: hotFunctions(analysis).find((hot) => hot.functionId === functionId) ?? null,
    thresholdUs: analysis.thresholdUs,
    presenceUs: presence.worst,
    longestRunUs: longestRun(analysis, functionId),
    selfUs: figures.self,
    totalUs: figures.total,
    gcUs: figures.gc,
    loadUs: figures.load,
    samples: culprit?.samples ?? presence.worstSamples,
    estimated: culprit?.estimated ?? presence.estimated,
    inferred: analysis.streams.some(({ turns }) => turns === null),
    ...worstOperationFacts(analysis, functionId),
    waited: culprit === null ? null : waitOf(culprit.waited, functionId, analysis),
    byClass: presence.byClass,
    tests: presence.tests.map(({ name }) => name),
    stacks: stacksOf(analysis, functionId, mostStacks),
    tiers: tierDetailsOf(analysis, functionId, Date.now()),
    finding: findingOf(analysis, functionId),
  };
}

const mostStacks = 3;

/** Its presence on loops that somebody waits for; in those of background threads where it is a culprit only there. */
function shownPresence({ culprit, backgroundCulprit, presence, background }: FunctionFigures): PresenceFigures {
  return culprit === null && backgroundCulprit !== null ? background : presence;
}

function worstOperationFacts(analysis: Analysis, functionId: number): Pick<FunctionDetails, 'doubt' | 'byClockUs'> {
  const worst = worstPart(analysis, functionId);
  const operation = worst === null ? undefined : analysis.operations[worst.operation];
  if (operation === undefined) return { doubt: null, byClockUs: null };
  return { doubt: operation.doubt, byClockUs: stretchedTime(operation) };
}

/** The heaviest call paths to a function, each frame with its place. */
export function stacksOf(analysis: Analysis, functionId: number, most: number): readonly StackText[] {
  const worst = Math.max(1, analysis.figures[functionId]?.presence.worst ?? 1);
  return heaviestStacks(analysis, functionId, most).map((stack) => ({
    us: stack.worst,
    share: Math.min(1, stack.worst / worst),
    frames: stack.functionIds.flatMap((id) => frameOf(analysis, id)),
  }));
}

/** The heaviest functions that a function calls directly, each with its place. */
export function calleesOf(analysis: Analysis, functionId: number, most: number): readonly CalledFunction[] {
  return calledFunctions(analysis, functionId)
    .slice(0, most)
    .flatMap((called) => frameOf(analysis, called.functionId).map((frame) => ({ ...frame, us: called.us })));
}

function frameOf(analysis: Analysis, functionId: number): readonly StackFrame[] {
  const fn = analysis.functions.functions[functionId];
  if (fn === undefined) return [];
  return [{ label: fn.label, place: placeOf(fn, analysis), functionId, own: fn.own }];
}

/** Tiers of a function; null where this recording knows no tiers. `now` is in ms since the epoch. */
function tierDetailsOf(analysis: Analysis, functionId: number, now: number): TierDetails | null {
  if (analysis.tiers === null) return null;
  const from = secondRunText(analysis, now);
  const found = analysis.tiers.functions.get(functionId);
  if (found === undefined) {
    const path = analysis.functions.functions[functionId]?.path ?? null;
    return { times: [], facts: [noTiersText(path, analysis)], deopts: [], diagnosis: null, from };
  }
  const times = isNeverOptimized(found)
    ? []
    : v8Tiers.map((tier) => ({ name: v8TierNames[tier], us: found.times[tier] }));
  return {
    times: times.filter(({ us }) => us > 0),
    facts: factsOf(found, analysis),
    deopts: deoptGroups(found).map(({ reason, place, count }) => {
      return { reason, meaning: meaningOf(reason), place: placeText(place, analysis), count };
    }),
    diagnosis: diagnosisText(found),
    from,
  };
}

function factsOf(found: FunctionTiers, analysis: Analysis): readonly string[] {
  const optimized = optimizedText(found);
  const inlined = inlinedText(found, analysis);
  const compiled = compiledText(found);
  const unknown = isNeverOptimized(found)
    ? 'V8 never optimized it: its time may be that of native code that it calls'
    : 'Too few ticks in JavaScript to say how much is optimized';
  return [optimized ?? unknown, ...(inlined === null ? [] : [inlined]), ...(compiled === null ? [] : [compiled])];
}
