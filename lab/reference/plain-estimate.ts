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

/**
 * "When a figure is an estimate" of docs/definition.md: how far the time that a part had of a measured operation may be
 * from the weight of its samples, in µs. `samples`: all of the operation.
 */
function plainMargin(
  samples: readonly OperationSample[],
  part: ReadonlySet<OperationSample>,
  intervalUs: number,
): number {
  return spreadOf(part) + edgesOf(samples, part) + gapsOf(samples, part, intervalUs);
}

/** In each span the part had more or less, because the wait fell on others or on it. */
function spreadOf(part: ReadonlySet<OperationSample>): number {
  const all = [...part];
  return sum(
    [...new Set(all.map(({ span }) => span))].map((span) => {
      const inside = all.filter((sample) => sample.span === span);
      const [clock, weight] = [sum(inside.map(({ us }) => us)), sum(inside.map((sample) => sample.weight))];
      const wait = span.wall - span.held;
      const least = Math.max(clock - wait, span.held - (span.wall - clock), 0);
      return Math.max(weight - least, Math.min(clock, span.held) - weight);
    }),
  );
}

/** The part began or ended between a sample and the next one. */
function edgesOf(samples: readonly OperationSample[], part: ReadonlySet<OperationSample>): number {
  const edges = samples.filter((sample, at) => {
    const next = samples[at + 1];
    return next !== undefined && part.has(sample) !== part.has(next);
  });
  const quarter = sum(edges.map(awake)) / 4;
  return edges.length > 24 ? quarter * Math.sqrt(24 / edges.length) : quarter;
}

/** Nobody saw who had the time. */
function gapsOf(samples: readonly OperationSample[], part: ReadonlySet<OperationSample>, intervalUs: number): number {
  return sum(
    samples.map((sample, at) => {
      const next = samples[at + 1];
      // After the last one comes the end of the operation, which ends nobody's part.
      if (part.has(sample) && (next === undefined || part.has(next))) return 0;
      if (sample.stack.length === 0) return awake(sample);
      return awake(sample) > 2.5 * intervalUs ? awake(sample) - intervalUs : 0;
    }),
  );
}

/** In µs. Weights alone are rounded. */
function awake({ weight, asleep }: OperationSample): number {
  return Math.max(0, weight - asleep);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
