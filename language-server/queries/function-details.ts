import type { Analysis } from '../../engine/analysis.ts';
import type { DurationClass } from '../../protocol/duration-class.ts';
import type { StackText } from '../../protocol/requests.ts';
import type { Doubt } from '../../engine/operations/operation.ts';
import type { Microseconds } from '../../protocol/units.ts';
import { longestRun } from '../../engine/hotspots/longest-run.ts';
import { worstPart } from '../../engine/hotspots/worst-part.ts';
import { placeOf } from '../../words/places.ts';
import type { ReportWait } from '../../protocol/report.ts';
import { stacksOf } from './stacks.ts';
import { type TierDetails, tierDetailsOf } from './tier-details.ts';
import { stretchedTime, waitOf } from '../../engine/hot-functions.ts';

/** What a hover and a copied Markdown say of a function besides its three figures. */
export interface FunctionDetails {
  readonly label: string;
  readonly place: string;
  /** True where its text has changed since. */
  readonly isChanged: boolean;
  /** True where it is in a file that a tool made, without a source map. */
  readonly isBuilt: boolean;
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
  /** True where turns were inferred from the samples: a profile that was made elsewhere. */
  readonly inferred: boolean;
  /** Why its longest operation is in doubt; null where it is not. */
  readonly doubt: Doubt | null;
  /** Clock time of its longest operation, where others had the processor for long meanwhile; else null. */
  readonly byClockUs: Microseconds | null;
  /** What the thread slept in the worst, and in what call. */
  readonly waited: ReportWait | null;
  readonly byClass: Readonly<Record<DurationClass, number>>;
  /** Titles of the tests that ran while it was long. */
  readonly tests: readonly string[];
  readonly stacks: readonly StackText[];
  /** Its tiers; null where nothing tells them. */
  readonly tiers: TierDetails | null;
}

const mostStacks = 3;

/** Details of a function; null for a number that no function has. */
export function detailsOf(analysis: Analysis, functionId: number): FunctionDetails | null {
  const fn = analysis.functions.functions[functionId];
  const figures = analysis.figures[functionId];
  if (fn === undefined || figures === undefined) return null;
  const culprit = figures.culprit ?? figures.backgroundCulprit;
  const presence = figures.culprit === null && culprit !== null ? figures.background : figures.presence;
  return {
    label: fn.label,
    place: placeOf(fn, analysis),
    isChanged: analysis.changed.functionIds.has(functionId),
    isBuilt: fn.role === 'built',
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
  };
}

function worstOperationFacts(analysis: Analysis, functionId: number): Pick<FunctionDetails, 'doubt' | 'byClockUs'> {
  const worst = worstPart(analysis, functionId);
  const operation = worst === null ? undefined : analysis.operations[worst.operation];
  if (operation === undefined) return { doubt: null, byClockUs: null };
  return { doubt: operation.doubt, byClockUs: stretchedTime(operation) };
}
