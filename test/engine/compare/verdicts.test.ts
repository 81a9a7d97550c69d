import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Order } from '../../../engine/compare/change-rules.ts';
import { assertEach } from '../../helpers/assert-each.ts';
import { compared, type DrawnRun, sideOf } from '../../helpers/drawn-sides.ts';

/** One function, `parse`, on both sides. */
function parse(was: readonly DrawnRun[], is: readonly DrawnRun[]) {
  return compared({ parse: { runs: was, text: 'was' } }, { parse: { runs: is, text: 'is' } }).verdicts['parse'];
}

describe('of three pairs in turn, a function', () => {
  test('is faster or slower where the runs are apart, by a fifth and 2 ms', () => {
    assert.equal(parse([300, 310, 320], [40, 41, 44]), 'faster');
    assert.equal(parse([40, 41, 44], [300, 310, 320]), 'slower');
    assert.equal(parse([100, 101, 102], [121, 122, 123]), 'slower');
  });

  test('is not where they meet, or where they are near each other', () => {
    assert.equal(parse([300, 310, 320], [40, 305, 315]), 'tooNoisy');
    assert.equal(parse([100, 101, 102], [112, 113, 114]), 'noChangeSeen');
    assert.equal(parse([10.1, 10.2, 10.3], [12, 12.1, 12]), 'noChangeSeen');
  });

  test('is seen where one run of a side was disturbed', () => {
    assert.equal(parse([300, 310, 320], [40, 41, 300]), 'faster');
    assert.equal(parse([40, 41, 300], [300, 310, 320]), 'slower');
  });

  test('changes over the threshold only from clearly below to clearly over it, and what was not seen before is new', () => {
    assert.equal(parse([1, 2, 3], [13, 14, 15]), 'slower');
    assert.equal(parse([13, 14, 15], [1, 2, 3]), 'faster');
    assert.equal(parse([null, null, null], [13, 14, 15]), 'new');
    assert.equal(parse([1, 2, 3], [12, 14, 15]), 'tooNoisy');
    assert.equal(parse([1, 2, 8], [13, 14, 15]), 'slower');
  });

  test('is not listed where no run of either side comes near the threshold', () => {
    assert.equal(parse([1, 2, 3], [7, 7.9, 7]), undefined);
  });

  test('is called more or less often where it takes as long', () => {
    const runs = (longCount: number) => [40, 41, 42].map((worst) => ({ worst, longCount }));
    assert.equal(parse(runs(3), runs(6)), 'moreOften');
    assert.equal(parse(runs(6), runs(3)), 'lessOften');
    assert.equal(parse(runs(3), runs(3)), 'noChangeSeen');
    const skipped = { ranOnHead: (_: unknown, where: string) => where === 'worst' };
    const { fn } = compared({ parse: { runs: runs(6) } }, { parse: { runs: runs(3) } }, skipped);
    assert.equal(fn('parse').verdict, 'noChangeSeen');
  });
});

describe('a function that one side did not reach', () => {
  const runs = [40, 41, 42];
  const none = [null, null, null];

  test('is faster where its tests ran to their end, and where they are not known only if other tests show it', () => {
    const verdictsOf = (now: readonly DrawnRun[], text: string) => {
      const sides = [{ parse: { runs } }, { parse: { runs: now, text } }] as const;
      return [true, false, null].map((ran) => compared(...sides, { ranOnHead: () => ran }).verdicts['parse']);
    };
    for (const text of ['parse', 'cached'])
      assert.deepEqual(verdictsOf(none, text), ['faster', 'notReached', 'notReached']);
    assert.deepEqual(verdictsOf([20, 21, 22], 'cached'), ['faster', 'notReached', 'faster']);
    assert.deepEqual(verdictsOf([80, 81, 82], 'cached'), ['slower', 'slower', 'slower']);
    assert.deepEqual(compared({ parse: { runs } }, { parse: { runs: none } }).verdicts, { parse: 'notReached' });
  });

  test('is faster where its text is another, and gone where it is nowhere', () => {
    assert.deepEqual(compared({ parse: { runs } }, { parse: { runs: none, text: 'cached' } }).verdicts, {
      parse: 'faster',
    });
    assert.deepEqual(compared({ parse: { runs } }, {}, { headRuns: 3 }).verdicts, { parse: 'gone' });
  });

  test('is neither where not all of that side ran, or was recorded', () => {
    const partial = { base: false, head: true };
    const verdictOf = (head: Parameters<typeof compared>[1]) =>
      compared({ parse: { runs } }, head, { headRuns: 3, partial }).verdicts['parse'];
    assert.deepEqual(
      [verdictOf({ parse: { runs: none, text: 'cached' } }), verdictOf({})],
      ['notReached', 'notReached'],
    );
  });
});

describe('the function of a re-check', () => {
  const none = [null, null, null];
  const short = [1, 2, 2];
  const [asked = assert.fail()] = sideOf({ parse: { runs: [60] } });
  const verdictOf = (
    base: readonly DrawnRun[] | null,
    head: readonly DrawnRun[] | null,
    lost: { readonly base: boolean; readonly head: boolean },
  ) => {
    const drawn = (runs: readonly DrawnRun[] | null, text: string) => (runs === null ? {} : { parse: { runs, text } });
    const counts = { baseRuns: 3, headRuns: 3, partial: lost };
    return compared(drawn(base, 'parse'), drawn(head, 'is'), { ...counts, asked: { fn: asked, lost } }).verdicts;
  };
  const both = { base: true, head: true };

  test('is not seen where a side that failed in all runs has no sample of it', () => {
    assert.deepEqual(verdictOf(none, none, both), { parse: 'notReached' });
    assert.deepEqual(verdictOf(null, null, both), { parse: 'notReached' });
    assert.deepEqual(verdictOf(short, none, both), { parse: 'notReached' });
    assert.deepEqual(verdictOf(none, short, { base: true, head: false }), { parse: 'notReached' });
    assert.deepEqual(verdictOf([60, 61, 62], none, both), { parse: 'notReached' });
  });

  test('has no row where it ran on both sides, or where runs without a gap did not see it', () => {
    assert.deepEqual(verdictOf(short, [1, null, null], both), {});
    assert.deepEqual(verdictOf(none, none, { base: false, head: false }), {});
  });
});

describe('a function that was split', () => {
  const whole = { runs: [270, 271, 272], text: 'a b c' };
  const half = { runs: [135, 136, 137].map((worst) => ({ worst, presence: 265 })), text: 'a d' };
  const rest = { runs: [130, 131, 132], text: 'x y z' };

  test('has moved, and is said where to', () => {
    const { fn, verdicts } = compared({ parse: whole }, { parse: half, rest });
    assert.equal(verdicts['parse'], 'moved');
    assert.equal(fn('parse').movedTo?.label, 'rest');
    assert.equal(compared({ parse: half, rest }, { parse: whole }).verdicts['parse'], 'moved');
  });

  test('is not said where to, where two took equally much more', () => {
    assert.equal(compared({ parse: whole }, { parse: half, rest, other: rest }).fn('parse').movedTo, undefined);
  });

  test('is slower or faster where that is the change with what it calls, and in doubt where three pairs do not say', () => {
    const of = (presence: number) => ({ runs: [135, 136, 137].map((worst) => ({ worst, presence })), text: 'a d' });
    const fns = [560, 350, 300, 145].map((ms) => compared({ parse: whole }, { parse: of(ms) }).fn('parse'));
    assertEach(fns, ({ verdict }) => verdict, ['slower', 'tooNoisy', 'moved', 'faster']);
    assert.deepEqual([fns[0]?.worst.isUs[0], fns[0]?.withCallees, fns[2]?.withCallees], [560_000, true, undefined]);
  });

  test('is not gone where one that called it has its time, and not seen where that takes longer', () => {
    const base = { parse: whole, caller: { runs: [1, 2, 3].map((worst) => ({ worst, presence: 275 })), text: 'a' } };
    const goneTo = (ms: number) => compared(base, { caller: { runs: [ms, ms + 1, ms + 2] } }).fn('parse');
    const fns = [270, 540, 20].map(goneTo);
    assertEach(fns, ({ verdict, movedTo }) => `${verdict} ${movedTo?.label}`, [
      ...['moved caller', 'notReached caller', 'gone undefined'],
    ]);
  });
});

describe('a function whose callee is over the threshold by itself in some runs only', () => {
  const split = (worst: number, presence: number): DrawnRun => ({ worst, presence });

  test('is compared with its callee, and says so', () => {
    const { fn } = compared(
      { sort: { runs: [split(67, 86), 65, split(51, 64)] }, steady: { runs: [50, 51, 52] } },
      { sort: { runs: [33, 51, 34] }, steady: { runs: [50, 51, 52] } },
    );
    assert.deepEqual(
      [fn('sort').verdict, fn('sort').worst.wasUs, fn('sort').withCallees],
      ['faster', [86e3, 65e3, 64e3], true],
    );
  });

  test('has not changed where that callee has', () => {
    const { fn } = compared(
      { sort: { runs: [split(40, 100), split(41, 101), split(40, 99)] } },
      { sort: { runs: [49, 50, 49] } },
    );
    assert.deepEqual([fn('sort').verdict, fn('sort').withCallees], ['tooNoisy', undefined]);
  });
});

describe('where functions move that nobody touched', () => {
  const steady = { runs: [50, 51, 52] };
  const moved = { runs: [100, 101, 102] };
  const edited = { runs: [20, 21, 22], text: 'before' };
  const others = (one: typeof steady) => ({ a: one, b: one, c: one, d: one });

  test('only what moved more than all of them has changed', () => {
    const { machine, verdicts } = compared(
      { ...others(steady), most: edited, little: edited },
      { ...others(moved), most: { runs: [200, 201, 202], text: 'now' }, little: { runs: [30, 31, 32], text: 'now' } },
    );
    assert.deepEqual([machine.shifted, machine.flagged, machine.of], [true, 4, 4]);
    assert.deepEqual(verdicts, {
      ...{ most: 'slower', little: 'tooNoisy' },
      ...{ a: 'tooNoisy', b: 'tooNoisy', c: 'tooNoisy', d: 'tooNoisy' },
    });
  });

  test('what is under the threshold on one side says nothing of the machine', () => {
    const small = { a: { runs: [9, 11, 12] }, b: { runs: [9, 11, 12] }, c: { runs: [9, 11, 12] } };
    const smaller = { a: { runs: [5, 11, 6] }, b: { runs: [5, 11, 6] }, c: { runs: [5, 11, 6] } };
    const { machine, verdicts } = compared({ parse: steady, ...small }, { parse: { runs: [30, 31, 32] }, ...smaller });
    assert.deepEqual([machine.of, machine.shifted, verdicts['parse']], [0, false, 'faster']);
  });

  test('a median that moved by a tenth in either direction is enough', () => {
    const by = (factor: number) => others({ runs: steady.runs.map((ms) => ms * factor) });
    for (const [base, head] of [
      [by(1), by(1.105)],
      [by(1.105), by(1)],
    ] as const)
      assert.equal(compared(base, head).machine.shifted, true);
    assert.equal(compared(by(1), by(1.09)).machine.shifted, false);
  });

  test('a single one that moved says nothing of the machine', () => {
    const { machine, verdicts } = compared({ ...others(steady), alone: steady }, { ...others(steady), alone: moved });
    assert.deepEqual([machine.shifted, machine.flagged], [false, 0]);
    assert.equal(verdicts['alone'], 'slower');
  });
});

describe('a function that nobody edited', () => {
  const confirm = { from: 3, isNarrow: false };
  const twice = (runs: readonly number[]) => ({ runs: [...runs, ...runs] });
  const base = { halved: twice([172, 157, 169]), doubled: twice([62, 66, 68]) };
  const head = { halved: twice([79, 82, 83]), doubled: twice([126, 110, 133]) };
  const disturbed = [{ rank: twice([47, 49, 36]) }, { rank: twice([73, 66, 70]) }] as const;

  test('has other inputs where changed code reaches it: such that move in opposite directions are not the machine', () => {
    const { verdicts, machine } = compared(base, head, { confirm });
    assert.deepEqual([verdicts, machine.shifted], [{ halved: 'faster', doubled: 'slower' }, false]);
  });

  test('needs to move farther than one that was', () => {
    const edited = disturbed.map(({ rank }, side) => ({ rank: { ...rank, text: `text ${side}` } }));
    assert.equal(compared(edited[0] ?? {}, edited[1] ?? {}, { confirm }).verdicts['rank'], 'slower');
    assert.equal(compared(...disturbed, { confirm }).verdicts['rank'], 'tooNoisy');
  });

  test('has no row where no changed code reaches it, unless it moved clearly', () => {
    const steady = { a: twice([50, 51, 52]), b: twice([20, 21, 22]) };
    const sides = [
      { ...base, ...disturbed[0], ...steady },
      { ...head, ...disturbed[1], ...steady },
    ] as const;
    const { verdicts, leftOut } = compared(...sides, { confirm, reachedBy: () => new Set() });
    assert.deepEqual([verdicts, leftOut], [{ halved: 'faster', doubled: 'slower' }, 3]);
  });

  test('has not moved where its own part did and the whole did not', () => {
    const own = (worst: number) => [1, 2, 3].map(() => ({ worst, presence: 80 }));
    assert.equal(compared({ parse: { runs: own(70) } }, { parse: { runs: own(20) } }).verdicts['parse'], 'tooNoisy');
  });
});

test('of blocks, which nothing confirms, only twice as long is a change', () => {
  const base = { parse: { runs: [100, 101, 102] } };
  const blocks = (runs: readonly number[]) =>
    compared(base, { parse: { runs } }, { order: 'blocks' }).verdicts['parse'];
  assert.equal(blocks([180, 181, 182]), 'tooNoisy');
  assert.equal(blocks([210, 211, 212]), 'slower');
  assert.equal(blocks([45, 46, 47]), 'faster');
});

describe('runs that confirm', () => {
  const confirm = { from: 3, isNarrow: false };
  const base = { parse: { runs: [100, 101, 102, 100, 101, 102], text: 'was' } };
  const of = (...runs: readonly DrawnRun[]) => compared(base, { parse: { runs } }, { confirm }).fn('parse');

  test('must be clear together with those before: farther apart than either side is wide', () => {
    assert.equal(of(150, 151, 152, 150, 151, 152).verdict, 'slower');
    assert.equal(of(121, 122, 190, 140, 170, 180).verdict, 'tooNoisy');
  });

  test('must show the change again, in the same direction', () => {
    assert.deepEqual(
      [of(150, 151, 152, 150, 151, 152).verdict, of(150, 151, 152, 150, 151, 152).confirmed],
      ['slower', true],
    );
    assert.equal(of(150, 151, 152, 100, 101, 102).verdict, 'tooNoisy');
    assert.equal(of(150, 151, 152, 50, 51, 52).verdict, 'tooNoisy');
  });

  test('show no change by themselves', () => {
    assert.equal(of(100, 101, 102, 150, 151, 152).verdict, 'tooNoisy');
  });

  test('clear up what the first ones left in doubt: eight pairs that overlap may be beyond chance', () => {
    const noisy = {
      was: [64, 130, 70, 98, 66, 72, 101, 69],
      is: [140, 126, 210, 131, 202, 138, 144, 190],
    };
    const of = (
      is: readonly number[],
      { isTest = false, order = 'interleaved' }: { readonly isTest?: boolean; readonly order?: Order } = {},
    ) =>
      compared(
        { parse: { runs: noisy.was.slice(0, is.length), text: 'was', isTest } },
        { parse: { runs: is, isTest } },
        { confirm, order },
      ).fn('parse');
    const { verdict, worst, pairs } = of(noisy.is);
    assert.deepEqual([verdict, worst.isUs.length, pairs], ['slower', 8, 8]);
    assert.equal(of([140, 66, 210, 240, 250, 260, 270, 280]).verdict, 'slower', 'the five alone are clear');
    assert.equal(of(noisy.is.slice(0, 6)).verdict, 'tooNoisy', 'chance may do this with six');
    assert.equal(of([...noisy.is.slice(0, 3), ...noisy.was.slice(3)]).verdict, 'tooNoisy', 'as before');
    assert.equal(of(noisy.is, { isTest: true }).verdict, 'tooNoisy', 'test code is not worth the runs');
    assert.equal(of(noisy.is, { order: 'blocks' }).verdict, 'tooNoisy', 'the machine may have changed between blocks');
  });

  test('confirm with eight pairs what was disturbed in six', () => {
    const was = [65, 100, 101, 64, 62, 61, 70, 66];
    const is = [132, 219, 121, 120, 159, 120, 125, 130];
    const of = (pairs: number) => {
      const sides = [was, is].map((runs, side) => ({ parse: { runs: runs.slice(0, pairs), text: `text ${side}` } }));
      return compared(sides[0] ?? {}, sides[1] ?? {}, { confirm }).verdicts['parse'];
    };
    assert.deepEqual([of(6), of(8)], ['tooNoisy', 'slower']);
  });

  test('show by themselves, if they are five, what others that moved with it left in doubt', () => {
    const of = (pairs: number, moved: number) => {
      const only = (...runs: readonly number[]) => ({
        runs: [...runs, ...runs.map(() => null), null, null].slice(0, pairs),
      });
      const sides = [60, 105].map((ms, side) => ({
        ...Object.fromEntries(
          ['a', 'b', 'c', 'd'].map((name, at) => [
            name,
            side === 1 && at < moved ? only(70, 90, 95) : only(50, 51, 52),
          ]),
        ),
        parse: { runs: [ms, ms + 1, ms + 2, ms, ms, ms, ms, ms].slice(0, pairs), text: `text ${side}` },
      }));
      return compared(sides[0] ?? {}, sides[1] ?? {}, { confirm: { from: 3, isNarrow: true } }).verdicts['parse'];
    };
    assert.deepEqual([of(6, 2), of(8, 2)], ['tooNoisy', 'slower']);
    assert.equal(of(8, 4), 'tooNoisy', 'all moved as far: that is the machine');
  });

  test('may have run only a part: what they did not reach is judged by the others', () => {
    const narrow = compared(
      { ...base, quiet: { runs: [50, 51, 52, null, null, null] } },
      { parse: { runs: [150, 151, 152, 150, 151, 152] }, quiet: { runs: [50, 51, 52, null, null, null] } },
      { confirm: { from: 3, isNarrow: true } },
    );
    assert.deepEqual(narrow.verdicts, { parse: 'slower', quiet: 'noChangeSeen' });
    assert.deepEqual(narrow.fn('parse').worst.isUs, [150_000, 151_000, 152_000]);
    assert.equal(narrow.fn('parse').pairs, 6);
  });
});

describe('of one function that is run until it is clear', () => {
  const stages = (was: readonly number[], is: readonly number[]) =>
    compared({ parse: { runs: was } }, { parse: { runs: is } }, { rule: 'stages' }).verdicts['parse'];
  const runs = (from: number, count: number, step = 1) => Array.from({ length: count }, (_, run) => from + run * step);

  test('three pairs tell twice as long', () => {
    assert.equal(stages(runs(100, 3), runs(150, 3)), 'tooNoisy');
    assert.equal(stages(runs(100, 3), runs(210, 3)), 'slower');
    assert.equal(stages(runs(100, 2), runs(210, 2)), 'tooNoisy');
    assert.equal(stages([19, 22, 38], [57, 60, 169]), 'tooNoisy', 'less apart than they vary');
  });

  test('five pairs tell 15 % that are apart', () => {
    assert.equal(stages(runs(100, 5), runs(120, 5)), 'slower');
    assert.equal(stages(runs(100, 5), runs(113, 5)), 'noChangeSeen');
    assert.equal(stages([100, 101, 102, 103, 130], [131, 132, 133, 134, 165]), 'tooNoisy', 'less apart than they vary');
  });

  test('eight pairs tell 15 % that are hardly chance, though the runs meet', () => {
    assert.equal(stages(runs(100, 8, 3), [120, ...runs(130, 7, 3)]), 'slower');
    assert.equal(stages(runs(100, 8, 10), runs(120, 8, 10)), 'tooNoisy');
    assert.equal(stages(runs(100, 8, 10), runs(150, 8, 10)), 'tooNoisy', 'by chance in 1 of 150 cases');
  });
});

test('the tests of both sides that reach a function are listed once each, if both are known', () => {
  const testFiles = (now: readonly string[], runs = [40, 41, 42]): readonly string[] => {
    const before = { parse: { runs: [40, 41, 42], testFiles: ['a.test.js', 'b.test.js'] } };
    return compared(before, { parse: { runs, testFiles: now } }).fn('parse').testFiles;
  };
  assert.deepEqual(testFiles(['b.test.js', 'c.test.js']), ['a.test.js', 'b.test.js', 'c.test.js']);
  assert.deepEqual(testFiles([]), [], 'it was long in no test now');
  assert.deepEqual(testFiles([], [5, 5, 5]), ['a.test.js', 'b.test.js'], 'it is not long now');
});

test('where the text of one side is unknown, so is whether it changed', () => {
  const runs = [40, 41, 42];
  for (const [was, is] of [
    ['sum of all', ''],
    ['', 'sum of all'],
  ] as const)
    assert.equal(compared({ sum: { runs, text: was } }, { sum: { runs, text: is } }).fn('sum').textChanged, null);
});
