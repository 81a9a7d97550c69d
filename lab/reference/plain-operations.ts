import { bridged } from './graft-plainly.ts';
import type { PlainFunction } from './plain-function.ts';
import { leastWait, type PlainReading, type PlainTurn, plainHeld, timeOf } from './plain-held.ts';
import type { PlainSample } from './plain-samples.ts';
import { type CutSample, type CutTurn, type TurnFacts, cutTurn, type PlainPiece } from './plain-turns.ts';

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
  const readings = turns === null ? [] : facts.readings;
  const runs = inferredRuns(samples, knownUntil).flatMap((run) => inferredOperation(samples, run, readings) ?? []);
  const operations = [...cut.flatMap((turn) => measuredOperations(turn, cut)), ...runs];
  const pieces = [...cut.flatMap((turn) => turn.pieces), ...runs];
  return { operations, samples: withWeights(withStacks(samples, pieces), pieces, facts) };
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
function inferredOperation(
  samples: readonly PlainSample[],
  run: readonly number[],
  readings: readonly PlainReading[],
): PlainOperation | null {
  const stacks = bridged(run.flatMap((index) => samples[index] ?? []));
  const hasStack = stacks.map((stack) => stack.length > 0);
  const [first, last] = [hasStack.indexOf(true), hasStack.lastIndexOf(true)];
  if (first === -1) return null;
  const inside = run.slice(first, last + 1);
  const start = samples[inside[0] ?? -1]?.time ?? 0;
  const end = start + inside.reduce((sum, index) => sum + (samples[index]?.weight ?? 0), 0);
  const stretches = inside.map((index) => {
    const { time = 0, weight = 0 } = samples[index] ?? {};
    return { start: time, end: time + weight, isWaiting: false };
  });
  const turn = { start, end, own: 0, run: null, step: 0, wait: leastWait(readings, start, end) };
  const counted = plainHeld(turn, stretches, 0, { readings, intervalUs: 0 });
  const kept = inside.flatMap((index, position) => {
    const [sample, stretch] = [samples[index], counted.stretches[position]];
    if (sample === undefined || stretch === undefined) return [];
    const { weight, span } = stretch;
    const stack = stacks[first + position] ?? [];
    return { index, us: sample.weight, weight, asleep: 0, span, stack, gc: sample.meta === '(garbage collector)' };
  });
  return { start, end, held: counted.held, samples: kept, inferred: true, doubted: false };
}

/** "When a figure is an estimate" of docs/definition.md, of all operations of a measured turn. `thread`: its turns. */
function isDoubted(cut: CutTurn, thread: readonly CutTurn[]): boolean {
  const { turn, held } = cut;
  const isRecorders = turn.own * 10 > held.held + turn.own;
  return isRecorders || lacksTime(cut) || sleptWhileBusy(cut, thread);
}

/** The thread had less than 70 % of a processor, in calls that wait or not: others had it, or no sample tells why. */
function lacksTime({ turn: { start, end, run, wait }, held: { stretches } }: CutTurn): boolean {
  const waiting = timeOf(stretches.filter(({ isWaiting }) => isWaiting));
  return wait === null && run !== null && run + waiting < 0.7 * (end - start);
}

/** Whoever it waited for may have waited, too. */
function sleptWhileBusy({ turn, held: { held, slept } }: CutTurn, thread: readonly CutTurn[]): boolean {
  return turn.wait !== null && slept > 3000 && slept * 20 > (held - slept) * 3 && isBusyAround(turn, thread);
}

/** The turns that ended within a second before or after its end waited for over a tenth of their time. */
function isBusyAround({ end }: CutTurn['turn'], thread: readonly CutTurn[]): boolean {
  const around = thread.flatMap(({ turn }) => (Math.abs(turn.end - end) <= second ? [turn] : []));
  const wall = around.reduce((sum, turn) => sum + turn.end - turn.start, 0);
  const waited = around.reduce((sum, { wait }) => sum + (wait ?? 0), 0);
  return waited * 10 > wall;
}

/** In µs. */
const second = 1_000_000;

/**
 * Samples as long as they count over the whole recording: as in their piece of a turn, or by the clock between two turns,
 * from the one before or the sample before to the next.
 */
function withWeights(
  samples: readonly PlainSample[],
  pieces: readonly Pick<PlainPiece, 'samples'>[],
  { turns, intervalUs }: OperationFacts,
): readonly PlainSample[] {
  if (turns === null) return samples;
  const inPieces = new Map(pieces.flatMap((piece) => piece.samples).map(({ index, weight }) => [index, weight]));
  const most = Math.max(1000, 2.5 * intervalUs);
  return samples.map((sample, index) => {
    const { time } = sample;
    const counted = inPieces.get(index);
    if (counted !== undefined) return { ...sample, weight: counted };
    if (time >= turns.knownUntil) return sample;
    const before = samples[index - 1]?.time ?? -Infinity;
    const ends = turns.turns.flatMap(({ end }) => (end > before && end <= time ? [end] : []));
    const starts = turns.turns.flatMap(({ start }) => (start > time ? [start] : []));
    const from = ends.length === 0 ? time : Math.max(...ends);
    const to = Math.min(time + sample.weight, turns.knownUntil, ...starts);
    return { ...sample, weight: Math.min(most, to - from) };
  });
}
