import type { MeasuredTurns, SampleStream } from '../../read/samples/sample-stream.ts';
import { longGap, MIN_TURN, type SampleRange, stopIn, type TurnPiece } from './operation.ts';
import type { SampleTimes } from '../../read/samples/sample-times.ts';
import { ListedWeights, type Weights } from '../../read/samples/weights.ts';
import { sumOf } from '../../basics/lists.ts';
import { knownWaits, leastWait } from '../../read/samples/wait-curve.ts';

/** Samples in one piece of a turn: `first` up to, but not including, `last`. */
export interface SampledPiece extends TurnPiece, SampleRange {}

export interface HeldPiece {
  readonly held: number;
  /** How much of it was on a CPU; null where that is unknown. */
  readonly run: number | null;
}

export interface HeldTurn {
  readonly pieces: readonly HeldPiece[];
  /** Share of the time of its waiting calls in which it slept, 0 to 1. */
  readonly asleep: number;
  /** Clock time of the samples in a waiting call, in µs. */
  readonly waiting: number;
}

/** In µs. */
interface TurnTimes {
  readonly start: number;
  readonly end: number;
  readonly held: number;
  /** Null where it is unknown. */
  readonly run: number | null;
  readonly slept: number;
  readonly isWaitKnown: boolean;
}

/**
 * Spreads held time over the samples of one isolate. Sleep goes to samples in waiting calls. The rest is cut to a
 * level, so the longest gaps, in which other processes had the CPU, shrink first. Where the wait up to a moment in a
 * turn is known, each side is cut separately. Source: docs/definition.md, "Held time".
 */
export class HeldTime {
  /** Weight of each sample in µs, over the whole recording. */
  readonly weights: Weights;
  readonly #weights: Float64Array;
  readonly #turns: MeasuredTurns;
  readonly #times: SampleTimes;
  readonly #end: number;
  /** The steps of one turn, from one sample to the next: start, clock time, 1 in a waiting call, and held time. */
  #begins = new Float64Array(1024);
  #deltas = new Float64Array(1024);
  #isWaiting = new Uint8Array(1024);
  #held = new Float64Array(1024);
  #size = 0;
  /** Number of the span of each step. */
  #span = new Int32Array(1024);
  readonly spans: {
    readonly of: Int32Array;
    readonly wall: number[];
    readonly held: number[];
    readonly asleep: number[];
    readonly awake: number[];
  };
  readonly #interval: number;

  constructor(stream: SampleStream, turns: MeasuredTurns) {
    const { times, end, interval } = stream;
    this.#interval = interval;
    this.#turns = turns;
    this.#times = times;
    this.#end = end;
    this.#weights = clockTimes(stream, turns);
    this.weights = new ListedWeights(this.#weights);
    this.spans = { of: new Int32Array(times.length).fill(-1), wall: [], held: [], asleep: [], awake: [] };
  }

  /** Weighs all pieces of one turn. `isWaiting` says whether a sample is in a call that waits. */
  hold(turn: number, pieces: readonly SampledPiece[], isWaiting: (sample: number) => boolean): HeldTurn {
    const start = this.#turns.starts[turn] ?? 0;
    const end = this.#turns.ends[turn] ?? start;
    const held = this.#turns.held[turn] ?? end - start;
    const run = this.#turns.run[turn] ?? -1;
    const slept = Math.max(0, this.#turns.slept[turn] ?? 0);
    const isWaitKnown = (this.#turns.wait[turn] ?? -1) >= 0;
    return this.#hold({ start, end, held, run: run < 0 ? null : run, slept, isWaitKnown }, pieces, isWaiting);
  }

  /** Weighs an inferred operation, without what its thread certainly waited. Gives how long it held the loop, in µs. */
  holdInferred({ first, last }: SampleRange): number {
    const [start, end] = [this.#times.at(first) ?? this.#end, this.#times.at(last) ?? this.#end];
    const wait = this.#turns.waits === null ? 0 : leastWait(this.#turns.waits, start, end);
    if (wait === 0) return end - start;
    const whole = { start, end, held: end - start - wait, run: null, slept: 0, isWaitKnown: true };
    const piece = { turn: -1, start, end, test: null, first, last };
    return this.#hold(whole, [piece], () => false).pieces[0]?.held ?? end - start;
  }

  #hold(
    { start, end, held, run, slept, isWaitKnown }: TurnTimes,
    pieces: readonly SampledPiece[],
    isWaiting: (sample: number) => boolean,
  ): HeldTurn {
    this.#list(pieces, isWaiting);
    const size = this.#size;
    let waiting = 0;
    for (let i = 0; i < size; i++) if (this.#isWaiting[i] === 1) waiting += this.#deltas[i] ?? 0;
    const asleep = waiting === 0 ? 0 : Math.min(1, slept / waiting);
    const wait = end - start - held;
    const curve = !isWaitKnown || wait === 0 ? null : this.#turns.waits;
    const readings = curve === null ? [] : knownWaits(curve, { start, end, wait }, this.#begins.subarray(1, size));
    let from = 0;
    let last = { time: start, wait: 0 };
    for (const reading of readings) {
      this.#cut(from, reading.index + 1, reading.time - last.time - (reading.wait - last.wait), asleep);
      from = reading.index + 1;
      last = reading;
    }
    this.#cut(from, size, end - last.time - (wait - last.wait), asleep);
    this.#round(size);
    const mayHaveStopped = isWaitKnown && run !== null && slept >= MIN_STOP;
    const awake = mayHaveStopped ? this.#mostAwake(run) : Infinity;
    while (this.spans.awake.length < this.spans.wall.length) this.spans.awake.push(awake);
    return { pieces: this.#pieces(pieces, run), asleep, waiting };
  }

  #list(pieces: readonly SampledPiece[], isWaiting: (sample: number) => boolean): void {
    this.#size = sumOf(pieces, ({ first, last }) => Math.max(1, last - first));
    if (this.#size > this.#deltas.length) {
      const size = this.#size * 2;
      [this.#begins, this.#deltas, this.#held] = [
        new Float64Array(size),
        new Float64Array(size),
        new Float64Array(size),
      ];
      [this.#isWaiting, this.#span] = [new Uint8Array(size), new Int32Array(size)];
    }
    let at = 0;
    for (const { start, end, first, last } of pieces) {
      let from = start;
      for (let sample = first; sample < last; sample++) {
        const to = sample + 1 === last ? end : (this.#times.at(sample + 1) ?? end);
        this.#begins[at] = from;
        this.#deltas[at] = to - from;
        this.#isWaiting[at++] = Number(isWaiting(sample));
        from = to;
      }
      if (first < last) continue;
      this.#begins[at] = start;
      this.#deltas[at] = end - start;
      this.#isWaiting[at++] = 0;
    }
  }

  /** Cuts one span, the steps in [`from`, `to`), so that they add up to `held`. */
  #cut(from: number, to: number, held: number, asleepShare: number): void {
    const deltas = this.#deltas.subarray(from, to);
    let wall = 0;
    let waiting = 0;
    for (let i = 0; i < deltas.length; i++) {
      const delta = deltas[i] ?? 0;
      wall += delta;
      if (this.#isWaiting[from + i] === 1) waiting += delta;
    }
    this.#span.fill(this.spans.wall.length, from, to);
    this.spans.wall.push(wall);
    this.spans.held.push(held);
    const asleep = waiting === 0 ? 0 : Math.min(asleepShare, held / waiting);
    this.spans.asleep.push(asleep);
    if (held >= wall) {
      this.#held.set(deltas, from);
      return;
    }
    const rests = deltas.map((delta, i) => (this.#isWaiting[from + i] === 1 ? delta * (1 - asleep) : delta));
    const level = levelOf(rests, Math.max(0, held - waiting * asleep));
    for (let i = 0; i < rests.length; i++) {
      const rest = rests[i] ?? 0;
      this.#held[from + i] = (deltas[i] ?? 0) - rest + Math.min(rest, level);
    }
  }

  #round(size: number): void {
    let exact = 0;
    let before = 0;
    for (let i = 0; i < size; i++) {
      exact += this.#held[i] ?? 0;
      // A sum of parts may miss a half by very little.
      const until = Math.round(exact + 1e-6);
      this.#held[i] = until - before;
      before = until;
    }
  }

  /** Adds up the steps of each piece, and weighs its samples. `run` is that of all pieces: none ran for longer. */
  #pieces(pieces: readonly SampledPiece[], run: number | null): readonly HeldPiece[] {
    const ofAll = pieces.length === 1 ? null : run;
    let at = 0;
    return pieces.map(({ first, last }) => {
      let [held, awake] = [0, 0];
      // A piece without samples is one step, and no sample counts it.
      for (const next = at + Math.max(1, last - first), before = at - first; at < next; at++) {
        held += this.#held[at] ?? 0;
        if (ofAll !== null) awake += this.#awakeIn(at) - this.#stopIn(at);
        if (first === last) continue;
        this.spans.of[at - before] = this.#span[at] ?? -1;
        this.#weights[at - before] = this.#held[at] ?? 0;
      }
      return { held, run: ofAll === null ? run : Math.round(Math.min(ofAll, awake)) };
    });
  }

  /**
   * The most of a step that was on a CPU, `run` in all, if long gaps have nearly all of the sleep: nothing is sampled
   * while the process is stopped. Infinity otherwise: the thread slept while it was sampled.
   */
  #mostAwake(run: number): number {
    const awake = Float64Array.from({ length: this.#size }, (_, step) => this.#awakeIn(step));
    const most = Math.max(levelOf(awake, run), this.#interval);
    const asleep = awake.reduce((sum, time) => sum + time, -run);
    const stopped = awake.reduce((sum, _, step) => sum + this.#stopIn(step, most), 0);
    return stopped < nearlyAll * asleep ? Infinity : most;
  }

  /** The held time of a step without sleep in a waiting call. */
  #awakeIn(step: number): number {
    const asleep = this.#isWaiting[step] === 1 ? (this.spans.asleep[this.#span[step] ?? -1] ?? 0) : 0;
    return Math.max(0, (this.#held[step] ?? 0) - (this.#deltas[step] ?? 0) * asleep);
  }

  #stopIn(step: number, awake = this.spans.awake[this.#span[step] ?? -1] ?? Infinity): number {
    return this.#isWaiting[step] === 1 ? 0 : stopIn(this.#held[step] ?? 0, awake, this.#interval);
  }
}

/**
 * How long each sample lasts by the clock, in µs. In a turn, and between two turns, the first one lasts from the begin,
 * and the last one to the end. Turns that are not listed are short, so what a late sample lasts there is limited.
 */
export function clockTimes({ times, end, interval }: SampleStream, turns: MeasuredTurns): Float64Array {
  const lasts = new Float64Array(times.length);
  times.lasts(end).copyTo(lasts, 0, times.length);
  const longest = Math.max(MIN_TURN, longGap * interval);
  let first = 0;
  let begin = times.at(0) ?? end;
  const goTo = (time: number, isTurn: boolean): void => {
    const last = times.firstFrom(time);
    const to = isTurn ? time : Math.min(time, Math.max(begin, end));
    if (first < last) {
      lasts[first] = (lasts[first] ?? 0) + (times.at(first) ?? begin) - begin;
      lasts[last - 1] = (lasts[last - 1] ?? 0) + to - (times.at(last) ?? end);
    }
    if (!isTurn) for (let at = first; at < last; at++) lasts[at] = Math.min(lasts[at] ?? 0, longest);
    [first, begin] = [last, time];
  };
  for (let turn = 0; turn < turns.starts.length; turn++) {
    goTo(turns.starts[turn] ?? end, false);
    goTo(turns.ends[turn] ?? end, true);
  }
  goTo(turns.knownUntil, false);
  return lasts;
}

/** Minimum sleep in µs that may be a stop of the process: reading memory pages looks like sleep, too. */
const MIN_STOP = 1000;
const nearlyAll = 0.9;

/** The level to which the longest are cut so that all together are `sum`. */
function levelOf(rests: Float64Array, sum: number): number {
  const sorted = rests.toSorted();
  let left = sum;
  for (const [index, rest] of sorted.entries()) {
    const others = sorted.length - index;
    if (rest * others >= left) return left / others;
    left -= rest;
  }
  return Infinity;
}
