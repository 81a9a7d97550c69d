import { bridged } from './plain-bridge.ts';
import type { PlainFunction } from './plain-function.ts';
import { isDoubted } from './plain-doubts.ts';
import type { PlainTurn } from './plain-held.ts';
import type { PlainSample } from './plain-samples.ts';
import { withWeights } from './plain-weights.ts';
import { type CutSample, type CutTurn, type TurnFacts, cutTurn } from './plain-turns.ts';

/** What the recorder measured in one isolate. */
export interface PlainTurns {
  readonly turns: readonly PlainTurn[];
  /** In µs. After it operations are inferred: the process was killed. */
  readonly knownUntil: number;
}

export interface PlainOperation {
  /** By the clock, in µs. */
  readonly start: number;
  readonly end: number;
  /** How long it is, in µs. */
  readonly held: number;
  readonly samples: readonly OperationSample[];
  readonly inferred: boolean;
  /** Measured, but its figures are estimates. */
  readonly doubted: boolean;
}

/** Its weight is its share of `held`. */
export type OperationSample = CutSample;

/** What is known around the samples of one isolate. */
export interface OperationFacts extends TurnFacts {
  /** Null: operations are inferred. */
  readonly turns: PlainTurns | null;
}

export interface OperationsAndSamples {
  /** In order of time. */
  readonly operations: readonly PlainOperation[];
  /** With the stacks and the weights that they have in turns. */
  readonly samples: readonly PlainSample[];
}

/** Rules 4, 5 and 6. */
export function plainOperations(samples: readonly PlainSample[], facts: OperationFacts): OperationsAndSamples {
  const { turns } = facts;
  const cut = (turns?.turns ?? []).map((turn) => cutTurn(samples, turn, facts));
  const knownUntil = turns?.knownUntil ?? -Infinity;
  const runs = inferredRuns(samples, knownUntil).flatMap((run) => inferredOperation(samples, run) ?? []);
  const operations = [...cut.flatMap((turn) => measuredOperations(turn, cut)), ...runs];
  const pieces = [...cut.flatMap((turn) => turn.pieces), ...runs];
  return { operations, samples: withWeights(withStacks(samples, pieces), cut) };
}

/** Rule 4. */
function measuredOperations(cut: CutTurn, thread: readonly CutTurn[]): readonly PlainOperation[] {
  const doubted = isDoubted(cut, thread);
  return cut.pieces.flatMap(({ isOperation, ...piece }) =>
    isOperation ? [{ ...piece, inferred: false, doubted }] : [],
  );
}

/** Samples with the stacks that they have in pieces of turns and in operations. */
function withStacks(
  samples: readonly PlainSample[],
  pieces: readonly { readonly samples: readonly OperationSample[] }[],
): readonly PlainSample[] {
  const stacks = new Map(pieces.flatMap((piece) => piece.samples).map(({ index, stack }) => [index, stack]));
  return samples.map((sample, index) => ({ ...sample, stack: stacks.get(index) ?? sample.stack }));
}

/** Rule 5: runs without idling, cut where two neighbouring user samples share no user frame. */
function inferredRuns(samples: readonly PlainSample[], from: number): readonly (readonly number[])[] {
  const runs: number[][] = [];
  let run: number[] = [];
  let userFrames: ReadonlySet<PlainFunction> | null = null;
  const close = (): void => {
    if (run.length > 0) runs.push(run);
    run = [];
  };
  for (const [index, sample] of samples.entries()) {
    if (sample.time < from) continue;
    if (sample.meta === '(idle)') {
      close();
      userFrames = null;
      continue;
    }
    const own: ReadonlySet<PlainFunction> = new Set(sample.unplaced ? [] : sample.stack.filter(({ user }) => user));
    if (own.size > 0) {
      if (userFrames !== null && !sharesOne(own, userFrames)) close();
      userFrames = own;
    }
    run.push(index);
  }
  close();
  return runs;
}

function sharesOne(a: ReadonlySet<PlainFunction>, b: ReadonlySet<PlainFunction>): boolean {
  return [...a].some((fn) => b.has(fn));
}

/** Rule 6, the end: samples without a stack are trimmed off both ends; where nothing is left there is no operation. */
function inferredOperation(samples: readonly PlainSample[], run: readonly number[]): PlainOperation | null {
  const stacks = bridged(run.flatMap((index) => samples[index] ?? []));
  const hasStack = stacks.map((stack) => stack.length > 0);
  const [first, last] = [hasStack.indexOf(true), hasStack.lastIndexOf(true)];
  if (first === -1) return null;
  const inside = run.slice(first, last + 1);
  const start = samples[inside[0] ?? -1]?.time ?? 0;
  const held = inside.reduce((sum, index) => sum + (samples[index]?.weight ?? 0), 0);
  const span = { wall: held, held };
  const kept = inside.flatMap((index, position) => {
    const sample = samples[index];
    if (sample === undefined) return [];
    const { weight, meta } = sample;
    const stack = stacks[first + position] ?? [];
    return { index, us: weight, weight, asleep: 0, span, stack, gc: meta === '(garbage collector)' };
  });
  return { start, end: start + held, held, samples: kept, inferred: true, doubted: false };
}
