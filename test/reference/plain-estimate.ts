import { plainMargin } from './plain-margin.ts';
import type { OperationSample, PlainOperation } from './plain-operations.ts';

/** What is known of a part of one operation: of a function's presence, or of its own part. */
export interface PlainEstimate {
  readonly estimated: boolean;
  /** How long it may have been at most, in µs. */
  readonly reach: number;
}

/** "When a figure is an estimate" of docs/definition.md. `part`: the samples that are counted together. */
export function plainEstimate(
  part: readonly OperationSample[],
  operation: PlainOperation,
  intervalUs: number,
): PlainEstimate {
  const us = part.reduce((sum, { weight }) => sum + weight, 0);
  const longest = part.reduce((most, { weight }) => Math.max(most, weight), 0);
  const hasGap = longest > 5 * intervalUs && longest * 10 > us && us * 10 < operation.held * 9;
  const isKnown = operation.inferred || operation.held <= 3000;
  const margin = isKnown ? 0 : plainMargin(operation.samples, new Set(part), intervalUs);
  return {
    estimated: operation.inferred || operation.doubted || part.length < 3 || hasGap || isMuch(margin, us),
    reach: Math.min(us + margin, operation.held),
  };
}

/** The longest of several parts; of equals the first. */
export interface PlainWorst {
  /** In µs; 0 where none of them has any time. */
  readonly worstUs: number;
  /** Those behind it. */
  readonly samples: number;
  readonly estimated: boolean;
}

export function worstOf(
  parts: readonly (PlainEstimate & { readonly weight: number; readonly samples: number })[],
): PlainWorst {
  const none = { weight: 0, samples: 0, estimated: false };
  const { weight, samples, estimated } = parts.reduce((a, b) => (b.weight > a.weight ? b : a), none);
  // It may have been longer in another operation.
  const reach = Math.max(0, ...parts.map((part) => part.reach));
  return { worstUs: weight, samples, estimated: estimated || isMuch(reach - weight, weight) };
}

/** More than 15 % and 3 ms of a figure; both in µs. */
function isMuch(error: number, us: number): boolean {
  return error > 3000 && error > 0.15 * us;
}
