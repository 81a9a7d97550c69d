import fc from 'fast-check';
import type { TestLine, TurnLine } from '../../protocol/recording-lines.ts';

/** Times in µs, from the first sample; `run` and `wait` as in its line. */
export interface GeneratedTurn {
  readonly start: number;
  /** By the clock, with the recorder's own part. */
  readonly end: number;
  readonly run: number;
  readonly own?: number;
  readonly wait?: number;
  /** When the recorder worked, where it says that. */
  readonly works: readonly (readonly [start: number, end: number])[];
}

/** Linux tells both, macOS how long the thread ran; then what nothing tells, and what no machine can tell. In parts of the wall. */
const meters = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ run: fc.constantFrom(0, 0.1, 0.5, 0.9), wait: fc.constantFrom(0, 0.1, 0.33, 0.7) }),
  },
  { weight: 2, arbitrary: fc.record({ run: fc.constantFrom(1, 0.8, 0.4, 0.01, 0), wait: fc.constant(null) }) },
  { weight: 2, arbitrary: fc.constant({ run: null, wait: null }) },
  {
    weight: 1,
    arbitrary: fc.record({ run: fc.constantFrom(null, -3, 0.6, 1.5), wait: fc.constantFrom(null, -2, 0.5, 1, 40) }),
  },
);
const gap = fc.constantFrom(0, 0, 1, 700, 2000, 2000, 40_000, -400, 860_000, 1_000_000);
const length = fc.constantFrom(1000, 1700, 3000, 9000, 20_000, 140_000);
/** What the recorder took of a turn; now and then more than there is. */
const own = fc.constantFrom(null, null, 0, 150, 600, 4000);
/** Works of a turn: the free time before each, and its length. */
const works = fc.array(fc.tuple(fc.constantFrom(0, 300, 1000, 2500), fc.constantFrom(200, 250, 1500, 3000)), {
  maxLength: 3,
});
/** Not every clock shows whole µs. */
const fraction = fc.constantFrom(0, 0, 0, 0.5, 0.3);

export const generatedTurns: fc.Arbitrary<readonly GeneratedTurn[]> = fc
  .array(fc.record({ gap, length, own, works, meters, fraction }), { maxLength: 14 })
  .map((steps) => {
    let now = 0;
    return steps.map((step): GeneratedTurn => {
      const wall = step.length;
      const start = now + step.gap + step.fraction;
      now = start + wall;
      const { run, wait } = step.meters;
      let worked = Math.ceil(start);
      const worksIn = step.works.map(([free, time]) => [(worked += free), (worked += time)] as const);
      return {
        start,
        end: now,
        works: worksIn.filter(([, end]) => end <= now),
        run: run === null ? -1 : Math.floor(run * wall) + step.fraction,
        ...(step.own === null && wait === null ? {} : { own: step.own ?? 0 }),
        ...(wait === null ? {} : { wait: Math.floor(wait * wall) + step.fraction }),
      };
    });
  });

/** `at` makes a time on the recording's clock. */
export function turnLineOf(turn: GeneratedTurn, at: (time: number) => number): TurnLine {
  const { start, end, run, own: taken, wait } = turn;
  if (wait !== undefined) return ['turn', at(start), at(end), run, taken ?? 0, wait];
  return taken === undefined ? ['turn', at(start), at(end), run] : ['turn', at(start), at(end), run, taken];
}

/** A test begins after those before it, inside the last of them, or that one ends; times in µs from the first sample. */
const step = fc.record({
  gap: fc.constantFrom(0, 1, 300, 999, 1000, 2500, 6000, 41_000),
  what: fc.constantFrom('next', 'next', 'next', 'inside', 'beside', 'end', 'unknown'),
});

export const generatedTests: fc.Arbitrary<readonly TestLine[]> = fc
  .array(step, { minLength: 1, maxLength: 16 })
  .map((steps) => {
    const open: number[] = [];
    let now = -500;
    return steps.flatMap(({ gap: before, what }, number): readonly TestLine[] => {
      now += before;
      const begin = (parent: number): TestLine => [
        'begin',
        now,
        number,
        '/app/test/app.test.ts',
        [`${number}`],
        parent,
      ];
      const ended = what === 'next' || what === 'end' ? open.pop() : undefined;
      const end: readonly TestLine[] = ended === undefined ? [] : [['end', now, ended]];
      if (what === 'unknown') return [['end', now, 99]];
      if (what === 'end') return end;
      const parent = what === 'inside' ? (open.at(-1) ?? -1) : -1;
      open.push(number);
      return [...end, begin(parent)];
    });
  });

export function testLineAt(line: TestLine, at: (time: number) => number): TestLine {
  if (line[0] === 'begin') return ['begin', at(line[1]), line[2], line[3], line[4], line[5]];
  if (line[0] === 'unreported') return ['unreported', at(line[1])];
  return line[0] === 'end' ? ['end', at(line[1]), line[2]] : ['untold', at(line[1]), line[2]];
}
