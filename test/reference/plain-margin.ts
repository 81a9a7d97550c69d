import type { OperationSample } from './plain-operations.ts';

/**
 * "When a figure is an estimate" of docs/definition.md: how far the time that a part had of a measured operation may be
 * from the weight of its samples, in µs. `samples`: all of the operation.
 */
export function plainMargin(
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
