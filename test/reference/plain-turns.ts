import { bridged } from './plain-bridge.ts';
import type { PlainFunction } from './plain-function.ts';
import { type PlainHeld, type PlainStretch, type PlainTurn, plainHeld } from './plain-held.ts';
import type { PlainSample } from './plain-samples.ts';

/** A turn, cut into stretches, and what counts of it. */
export interface CutTurn {
  readonly turn: PlainTurn;
  readonly held: PlainHeld;
  readonly stretches: readonly PlainStretch[];
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
  /** What counts of its stretches, in µs. */
  readonly weight: number;
  /** As grafted, and as bridged where the piece is not too short. */
  readonly stack: readonly PlainFunction[];
  readonly gc: boolean;
}

/** Rules 4 and 6, and "Held time". `changes`: when a test began or ended, in µs. */
export function cutTurn(
  samples: readonly PlainSample[],
  turn: PlainTurn,
  changes: readonly number[],
  intervalUs: number,
): CutTurn {
  const pieces = uncutPieces(samples, turn, changes);
  const stretches = pieces.flatMap((piece) => piece.stretches);
  const held = plainHeld(turn, stretches, onTimeIn(samples, turn, intervalUs));
  const weights = new Map(stretches.map((stretch, at) => [stretch, held.weights[at] ?? 0]));
  return { turn, held, stretches, pieces: pieces.map((piece) => cutPiece(piece, weights)) };
}

/** What of a turn lies within an interval of the sample before it, or of its start. In µs. */
function onTimeIn(samples: readonly PlainSample[], { start, end }: PlainTurn, intervalUs: number): number {
  const times = samplesIn(samples, start, end).map(([, { time }]) => time);
  const bounds = [start, ...times.slice(1), end];
  return bounds.slice(1).reduce((sum, to, at) => sum + Math.min(to - (bounds[at] ?? to), intervalUs), 0);
}

interface UncutPiece extends Omit<PlainPiece, 'held' | 'isOperation' | 'samples'> {
  readonly isWholeTurn: boolean;
  readonly samples: readonly Omit<CutSample, 'weight'>[];
  readonly stretches: readonly OwnedStretch[];
}

interface OwnedStretch extends PlainStretch {
  /** Index of the sample whose stack it has; null: none. */
  readonly owner: number | null;
}

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

/** In µs: what is shorter is no operation. */
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
): readonly Omit<CutSample, 'weight'>[] {
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
  inside: UncutPiece['samples'],
  start: number,
  end: number,
): readonly OwnedStretch[] {
  if (inside.length === 0) return [{ us: end - start, isWaiting: false, owner: null }];
  const timeOf = (at: number): number => samples[inside[at]?.index ?? -1]?.time ?? end;
  return inside.map(({ index, stack }, at) => ({
    us: timeOf(at + 1) - (at === 0 ? start : timeOf(at)),
    isWaiting: stack.some(isWaiter),
    owner: index,
  }));
}

function isWaiter({ url, name, kind }: PlainFunction): boolean {
  if (kind === 'native') return ['writeUtf8String', 'writeLatin1String', 'writeBuffer', 'writev'].includes(name);
  return (url === 'node:fs' || url === 'node:child_process') && name.endsWith('Sync');
}

function cutPiece(piece: UncutPiece, weights: ReadonlyMap<PlainStretch, number>): PlainPiece {
  const { start, end, isWholeTurn, samples, stretches } = piece;
  const weightOf = (wanted: readonly PlainStretch[]): number =>
    wanted.reduce((total, stretch) => total + (weights.get(stretch) ?? 0), 0);
  const held = weightOf(stretches);
  const isCut = held < end - start;
  return {
    start,
    end,
    held,
    isOperation: held >= shortest || (isWholeTurn && !isCut),
    samples: samples.map((sample) => ({
      ...sample,
      weight: weightOf(stretches.filter(({ owner }) => owner === sample.index)),
    })),
  };
}
