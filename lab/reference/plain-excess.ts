import type { PlainVerdict } from './reference-analysis.ts';

/** What there is to explain: the long operations that somebody waits for, and their time above the threshold. */
export interface PlainExcess {
  readonly longOperations: number;
  /** In µs. */
  readonly excessUs: number;
  /** The part of it in operations that have a culprit, or are blamed on own code or a package: more is explained by none. */
  readonly nameableUs: number;
}

/** Rule 17, without the causes. */
export function plainExcess(operations: readonly PlainVerdict[], thresholdUs: number): PlainExcess {
  const long = operations.filter(
    ({ operation: { held }, thread: { isolate } }) => held > thresholdUs && !isolate.background && !isolate.testParent,
  );
  const excessOf = (some: readonly PlainVerdict[]): number =>
    some.reduce((sum, { operation: { held } }) => sum + held - thresholdUs, 0);
  const nameable = long.filter(
    ({ culprit, blame }) => culprit !== null || blame?.kind === 'own' || blame?.kind === 'package',
  );
  return { longOperations: long.length, excessUs: excessOf(long), nameableUs: excessOf(nameable) };
}
