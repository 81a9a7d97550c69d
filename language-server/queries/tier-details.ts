import type { Analysis } from '../../engine/analysis.ts';
import {
  compiledText,
  deoptGroups,
  diagnosisText,
  inlinedText,
  noTiersText,
  optimizedText,
  secondRunText,
} from '../../words/tier-words.ts';
import { placeText } from '../../words/places.ts';
import { meaningOf } from '../../words/deopt-reasons.ts';
import type { FunctionTiers } from '../../engine/tiers/tiers.ts';
import type { Microseconds } from '../../protocol/units.ts';
import { v8TierNames } from '../../words/formats/v8-tier-names.ts';
import { v8Tiers } from '../../protocol/v8-tiers.ts';

/** What a hover says of the tiers of a function. */
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

export interface DeoptDetails {
  readonly reason: string;
  readonly meaning: string | null;
  /** A place such as `src/cart.ts:12`. */
  readonly place: string;
  readonly count: number;
}

/** Tiers of a function; null where nothing tells the tiers of this recording. `now` is in ms since the epoch. */
export function tierDetailsOf(analysis: Analysis, functionId: number, now: number): TierDetails | null {
  if (analysis.tiers === null) return null;
  const from = secondRunText(analysis, now);
  const found = analysis.tiers.functions.get(functionId);
  if (found === undefined) {
    const path = analysis.functions.functions[functionId]?.path ?? null;
    return { times: [], facts: [noTiersText(path, analysis)], deopts: [], diagnosis: null, from };
  }
  return {
    times: v8Tiers.map((tier) => ({ name: v8TierNames[tier], us: found.times[tier] })).filter(({ us }) => us > 0),
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
  return [
    ...(optimized === null ? ['Too few ticks in JavaScript to say how much is optimized'] : []),
    ...(optimized !== null ? [optimized] : []),
    ...(inlined === null ? [] : [inlined]),
    ...(compiled === null ? [] : [compiled]),
  ];
}
