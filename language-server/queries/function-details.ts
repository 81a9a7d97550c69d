import type { FlameDeopt } from '../../protocol/flame.ts';
import type { Analysis } from '../../engine/analysis.ts';
import type { CalledFunction, StackText, StackFrame } from '../../protocol/requests.ts';
import type { Microseconds } from '../../protocol/units.ts';
import {
  calledFunctions,
  heaviestStacks,
  longestRun,
  worstPart,
} from '../../engine/judge/hotspots/function-details.ts';
import { placeOf, placeText } from '../../words/places.ts';
import { type HotFunction, hotFunctions, waitOf } from '../../engine/hot-functions.ts';
import { type ShownDoubt, shownDoubt, stretchedTime } from '../../engine/judge/function-figures/estimates.ts';
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

/** Details of a function, for a hover and Markdown. */
export interface FunctionDetails {
  readonly label: string;
  readonly place: string;
  readonly isChanged: boolean;
  /** True where it is in a generated file without a source map. */
  readonly isBuilt: boolean;
  /** The figures that every surface shows; null where it is not hot. */
  readonly hot: HotFunction | null;
  readonly thresholdUs: Microseconds;
  /** The largest presence: its time with its callees. */
  readonly presenceUs: Microseconds;
  readonly isPresenceEstimated: boolean;
  /** The longest run without a break, according to samples. */
  readonly longestRunUs: Microseconds;
  readonly selfUs: Microseconds;
  readonly totalUs: Microseconds;
  readonly gcUs: Microseconds;
  readonly loadUs: Microseconds;
  /** Number of samples behind its worst own part; without one, behind its worst presence. */
  readonly samples: number;
  readonly estimated: boolean;
  /** True where turns were inferred from the samples of another tool's profile. */
  readonly inferred: boolean;
  /** Why its longest operation is in doubt; null where it is not. */
  readonly doubt: ShownDoubt | null;
  /** Clock time of its worst own part, if its thread waited long for a CPU there; else null. */
  readonly byClockUs: Microseconds | null;
  /** Sleep in the worst operation, and the call. */
  readonly waited: ReportWait | null;
  readonly byClass: Readonly<Record<DurationClass, number>>;
  readonly tests: readonly string[];
  readonly stacks: readonly StackText[];
  /** Its tiers; null where they are not known. */
  readonly tiers: TierDetails | null;
  /** What the verdict says of it; null where it is not a finding. */
  readonly finding: FindingTexts | null;
}

/** How V8 ran a function. */
export interface TierDetails {
  /** The tiers that it ran in, in their order; empty where no tick saw it. */
  readonly times: readonly { readonly name: string; readonly us: Microseconds }[];
  /** Sentences without a full stop. */
  readonly facts: readonly string[];
  /** Most frequent first. The index is the number in a link. */
  readonly deopts: readonly DeoptDetails[];
  readonly diagnosis: string | null;
  /** The second run that the tiers come from; else null. */
  readonly from: string | null;
}

interface DeoptDetails extends FlameDeopt {
  readonly meaning: string | null;
}

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
    isPresenceEstimated: presence.estimated,
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
    stacks: stacksOf(analysis, functionId, MAX_STACKS),
    tiers: tierDetailsOf(analysis, functionId, Date.now()),
    finding: findingOf(analysis, functionId),
  };
}

const MAX_STACKS = 3;

/** Its presence on loops that requests or users wait for; on background threads if it is a culprit only there. */
function shownPresence({ culprit, backgroundCulprit, presence, background }: FunctionFigures): PresenceFigures {
  return culprit === null && backgroundCulprit !== null ? background : presence;
}

function worstOperationFacts(analysis: Analysis, functionId: number): Pick<FunctionDetails, 'doubt' | 'byClockUs'> {
  const worst = worstPart(analysis, functionId);
  const operation = analysis.operations[worst?.operation ?? -1];
  if (worst === null || operation === undefined) return { doubt: null, byClockUs: null };
  return { doubt: shownDoubt(operation), byClockUs: stretchedTime(worst, operation) };
}

export function stacksOf(analysis: Analysis, functionId: number, most: number): readonly StackText[] {
  const { culprit = null, backgroundCulprit = null } = analysis.figures[functionId] ?? {};
  const estimated = (culprit ?? backgroundCulprit)?.estimated ?? false;
  return heaviestStacks(analysis, functionId, most).map(({ worst, functionIds }) => ({
    worstUs: worst,
    estimated,
    frames: functionIds.flatMap((id) => frameOf(analysis, id)),
  }));
}

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

/** Null where the recording knows no tiers. `now` is in ms since the epoch. */
function tierDetailsOf(analysis: Analysis, functionId: number, now: number): TierDetails | null {
  if (analysis.tiers === null) return null;
  const from = secondRunText(analysis, now);
  const found = analysis.tiers.functions.get(functionId);
  if (found === undefined)
    return { times: [], facts: [noTiersText(functionId, analysis)], deopts: [], diagnosis: null, from };
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
