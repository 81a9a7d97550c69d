import type { PlainFunction } from './plain-function.ts';
import { commonPrefix } from './graft-plainly.ts';
import type { PlainSample } from './plain-samples.ts';

/** What the recorder measured in one isolate, in µs; null: operations are inferred. */
export interface PlainTurns {
  readonly turns: readonly PlainTurn[];
  /** After it operations are inferred: the process was killed. */
  readonly knownUntil: number;
}

export interface PlainTurn {
  readonly start: number;
  /** Without what the recorder itself took of it. */
  readonly end: number;
  readonly own: number;
  /** −1: unknown. */
  readonly cpu: number;
}

export interface PlainOperation {
  /** In µs. */
  readonly start: number;
  readonly end: number;
  readonly samples: readonly OperationSample[];
  readonly inferred: boolean;
  /** Measured, but its figures are estimates. */
  readonly doubted: boolean;
}

export interface OperationSample {
  /** Position among the samples of its isolate. */
  readonly index: number;
  /** In µs: its share of the operation's duration. */
  readonly weight: number;
  /** As grafted and bridged. */
  readonly stack: readonly PlainFunction[];
  readonly gc: boolean;
}

/** Rules 4, 5 and 6, in order of time. */
export function plainOperations(
  samples: readonly PlainSample[],
  measured: PlainTurns | null,
): readonly PlainOperation[] {
  const turns = (measured?.turns ?? []).map((turn) => measuredOperation(samples, turn));
  const knownUntil = measured?.knownUntil ?? -Infinity;
  const runs = inferredRuns(samples, knownUntil).flatMap((run) => inferredOperation(samples, run) ?? []);
  return [...turns, ...runs];
}

/** Rule 4. */
function measuredOperation(samples: readonly PlainSample[], turn: PlainTurn): PlainOperation {
  const { start, end } = turn;
  const inside = indexes(samples, ({ time }) => start <= time && time < end);
  const stacks = bridged(inside.map((index) => asNative(samples[index])));
  const timeOf = (position: number): number => samples[inside[position] ?? -1]?.time ?? end;
  return {
    start,
    end,
    inferred: false,
    doubted:
      turn.own > (end + turn.own - start) / 10 ||
      hasWaited(
        turn,
        inside.flatMap((index) => samples[index] ?? []),
      ),
    samples: inside.map((index, position) => ({
      index,
      weight: timeOf(position + 1) - (position === 0 ? start : timeOf(position)),
      stack: stacks[position] ?? [],
      gc: samples[index]?.meta === '(garbage collector)',
    })),
  };
}

/** The thread had less than 70 % of a processor, without synchronous input or output. */
function hasWaited({ start, end, cpu }: PlainTurn, samples: readonly PlainSample[]): boolean {
  const waiting = samples.map(({ time, stack }, position) =>
    stack.some(isWaiter) ? (samples[position + 1]?.time ?? end) - time : 0,
  );
  return cpu >= 0 && cpu + waiting.reduce((sum, us) => sum + us, 0) < 0.7 * (end - start);
}

function isWaiter({ url, name, kind }: PlainFunction): boolean {
  if (kind === 'native') return ['writeUtf8String', 'writeLatin1String', 'writeBuffer', 'writev'].includes(name);
  return (url === 'node:fs' || url === 'node:child_process') && name.endsWith('Sync');
}

/** Rule 4: an `(idle)` sample inside a turn counts as `(program)`. */
function asNative(sample: PlainSample | undefined): PlainSample {
  if (sample === undefined) throw new Error('A sample of an operation is missing.');
  return sample.meta === '(idle)' ? { ...sample, meta: '(program)' } : sample;
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
  const kept = run.slice(first, last + 1).flatMap((index, position) => {
    const sample = samples[index];
    if (sample === undefined) return [];
    const { weight, meta } = sample;
    return { index, weight, stack: stacks[first + position] ?? [], gc: meta === '(garbage collector)' };
  });
  const start = samples[run[first] ?? -1]?.time ?? 0;
  return {
    start,
    end: start + kept.reduce((sum, { weight }) => sum + weight, 0),
    samples: kept,
    inferred: true,
    doubted: false,
  };
}

/** Rule 6: the stacks of one operation's samples. */
function bridged(samples: readonly PlainSample[]): readonly (readonly PlainFunction[])[] {
  const stacks = samples.map(({ stack }) => stack);
  let interrupted: readonly PlainFunction[] = [];
  for (const [index, { meta, stack }] of samples.entries()) {
    if (meta === '(garbage collector)') stacks[index] = interrupted;
    else interrupted = stack;
  }
  const isGap = samples.map(
    ({ meta }, index) =>
      meta === '(program)' || meta === '(root)' || (meta === '(garbage collector)' && stacks[index]?.length === 0),
  );
  let index = 0;
  while (index < samples.length) {
    const begin = index;
    while (isGap[index] === true) index++;
    const between = commonPrefix(stacks[begin - 1] ?? [], stacks[index] ?? []);
    for (let inside = begin; inside < index; inside++) stacks[inside] = between;
    index++;
  }
  return stacks;
}

function indexes(samples: readonly PlainSample[], isWanted: (sample: PlainSample) => boolean): readonly number[] {
  return samples.flatMap((sample, index) => (isWanted(sample) ? [index] : []));
}
