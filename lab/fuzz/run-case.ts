import fc from 'fast-check';
import { examine } from './examine.ts';
import { type FuzzCase, fuzzCase } from './fuzz-case.ts';

/** A case in which something was wrong, made as small as was cheap. */
export interface FailedCase {
  readonly reason: string;
  readonly files: FuzzCase['files'];
  readonly facts: Omit<FuzzCase, 'files' | 'sound'>;
}

/** Case `number` of `seed`: the same two numbers are always the same case. Null where nothing was wrong. */
export async function runCase(seed: number, number: number): Promise<FailedCase | null> {
  let tries = 0;
  const end = performance.now() + longestShrinking;
  const property = fc.asyncProperty(fuzzCase(), async (given) => {
    const isEnough = tries++ > 0 && performance.now() > end;
    if (!isEnough) await examine(given);
  });
  const result = await fc.check(property, { seed: seedOf(seed, number), numRuns: 1 });
  const [given] = result.counterexample ?? [];
  if (given === undefined) return null;
  const { files, chunkSize, threshold } = given;
  return { reason: reasonOf(result.errorInstance), files, facts: { chunkSize, threshold } };
}

/** In ms. From then on no smaller case is tried. */
const longestShrinking = 3000;

/** Case `number` of `seed` as it was made, for what ends the process before it can be made smaller. */
export function wholeCase(seed: number, number: number): FuzzCase | undefined {
  return fc.sample(fuzzCase(), { seed: seedOf(seed, number), numRuns: 1 })[0];
}

function seedOf(seed: number, number: number): number {
  return Math.imul(seed, 0x9e3779b1) + number;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
