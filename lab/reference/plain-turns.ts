import { bridged } from './graft-plainly.ts';
import type { PlainFunction } from './plain-function.ts';
import {
  type CountedStretch,
  type PlainHeld,
  type PlainSpan,
  type PlainStretch,
  type PlainTurn,
  plainHeld,
  runOf,
  type PlainReading,
} from './plain-held.ts';
import type { PlainSample } from './plain-samples.ts';

/** A turn, cut into stretches, and what counts of it. */
export interface CutTurn {
  readonly turn: PlainTurn;
  readonly held: PlainHeld;
  readonly pieces: readonly PlainPiece[];
}

/** What lies between two changes of test, in order of time. */
export interface PlainPiece {
  /** By the clock, in µs. */
  readonly start: number;
  readonly end: number;
  /** In µs. */
  readonly held: number;
  readonly isOperation: boolean;
  readonly samples: readonly CutSample[];
}

export interface CutSample {
  /** Position among the samples of its isolate. */
  readonly index: number;
  /** By the clock, in µs. */
  readonly us: number;
  /** What counts of that, in µs. */
  readonly weight: number;
  /** In µs, of its weight. */
  readonly asleep: number;
  readonly span: PlainSpan;
  /** As grafted, and as bridged where the piece is not too short. */
  readonly stack: readonly PlainFunction[];
  readonly gc: boolean;
}

/** What is known around the turns of one isolate. */
export interface TurnFacts {
  /** When a test began or ended, in µs, ascending. */
  readonly testChanges: readonly number[];
  readonly readings: readonly PlainReading[];
  readonly intervalUs: number;
}

/** Rules 4 and 6, and "Held time". */
export function cutTurn(samples: readonly PlainSample[], measured: PlainTurn, facts: TurnFacts): CutTurn {
  const onTime = onTimeIn(samples, measured, facts.intervalUs);
  const turn = { ...measured, run: runOf(measured, onTime) };
  const pieces = uncutPieces(samples, turn, facts.testChanges);
  const stretches = pieces.flatMap((piece) => piece.stretches);
  const held = plainHeld(turn, stretches, onTime, facts);
  const counted = new Map(stretches.map((stretch, at) => [stretch, held.stretches[at]]));
  return { turn, held, pieces: pieces.map((piece) => cutPiece(piece, (stretch) => counted.get(stretch))) };
}

/** What of a turn lies within an interval of the sample before it, or of its start. In µs. */
function onTimeIn(samples: readonly PlainSample[], { start, end }: PlainTurn, intervalUs: number): number {
  const times = samplesIn(samples, start, end).map(([, { time }]) => time);
  const bounds = [start, ...times.slice(1), end];
  return bounds.slice(1).reduce((sum, to, at) => sum + Math.min(to - (bounds[at] ?? to), intervalUs), 0);
}

interface UncutPiece extends Pick<PlainPiece, 'start' | 'end'> {
  readonly isWholeTurn: boolean;
  readonly samples: readonly StackedSample[];
  /** One for each sample; where there is none, one for the piece. */
  readonly stretches: readonly PlainStretch[];
}

type StackedSample = Pick<CutSample, 'index' | 'stack' | 'gc'>;

function uncutPieces(
  samples: readonly PlainSample[],
  turn: PlainTurn,
  changes: readonly number[],
): readonly UncutPiece[] {
  const cuts = changes.filter((at) => turn.start < at && at < turn.end);
  const bounds = [turn.start, ...cuts, turn.end];
  return bounds.slice(1).map((end, at) => {
    const start = bounds[at] ?? end;
    const isWholeTurn = cuts.length === 0;
    const inside = stacked(samples, start, end, isWholeTurn || end - start >= shortest);
    return { start, end, isWholeTurn, samples: inside, stretches: stretchesOf(samples, inside, start, end) };
  });
}

/** In µs: what is shorter is not an operation. */
const shortest = 1000;

/** Those from `start` on, and before `end`, with their positions. */
function samplesIn(
  samples: readonly PlainSample[],
  start: number,
  end: number,
): readonly (readonly [number, PlainSample])[] {
  const first = samples.findIndex(({ time }) => time >= start);
  const after = samples.findIndex(({ time }) => time >= end);
  if (first === -1) return [];
  return samples.slice(first, after === -1 ? samples.length : after).map((sample, at) => [first + at, sample]);
}

/** The same, with their stacks. */
function stacked(
  samples: readonly PlainSample[],
  start: number,
  end: number,
  isBridged: boolean,
): readonly StackedSample[] {
  const inside = samplesIn(samples, start, end);
  const stacks = isBridged ? bridged(inside.map(([, sample]) => asNative(sample))) : [];
  return inside.map(([index, { stack, meta }], at) => ({
    index,
    stack: stacks[at] ?? stack,
    gc: meta === '(garbage collector)',
  }));
}

/** Rule 4: an `(idle)` sample inside a turn counts as `(program)`. */
function asNative(sample: PlainSample): PlainSample {
  return sample.meta === '(idle)' ? { ...sample, meta: '(program)' } : sample;
}

/** One begins at each sample, the first where the piece begins; without a sample, the piece is one. */
function stretchesOf(
  samples: readonly PlainSample[],
  inside: readonly StackedSample[],
  start: number,
  end: number,
): readonly PlainStretch[] {
  if (inside.length === 0) return [{ start, end, isWaiting: false }];
  const timeOf = (at: number): number => samples[inside[at]?.index ?? -1]?.time ?? end;
  return inside.map(({ stack }, at) => ({
    start: at === 0 ? start : timeOf(at),
    end: timeOf(at + 1),
    isWaiting: stack.some(isWaiter),
  }));
}

export function isWaiter({ url, name, kind }: PlainFunction): boolean {
  if (kind === 'native') return ['writeUtf8String', 'writeLatin1String', 'writeBuffer', 'writev'].includes(name);
  if (url === 'node:child_process' && ['spawn', 'exec', 'execFile', 'fork'].includes(name)) return true;
  return (url === 'node:fs' || url === 'node:child_process') && name.endsWith('Sync');
}

function cutPiece(
  { start, end, isWholeTurn, samples, stretches }: UncutPiece,
  countedOf: (stretch: PlainStretch) => CountedStretch | undefined,
): PlainPiece {
  const counted = stretches.flatMap((stretch) => countedOf(stretch) ?? []);
  const held = counted.reduce((sum, { weight }) => sum + weight, 0);
  const isCut = held < end - start;
  return {
    start,
    end,
    held,
    isOperation: held >= shortest || (isWholeTurn && !isCut),
    samples: samples.flatMap((sample, at) => {
      const stretch = counted[at];
      if (stretch === undefined) return [];
      const { weight, asleep, span } = stretch;
      return [{ ...sample, us: stretch.end - stretch.start, weight, asleep, span }];
    }),
  };
}
