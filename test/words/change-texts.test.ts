import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { changeText, comparisonSummary, earlyText, fromTo, unclearFunction } from '../../words/formats/change-texts.ts';
import { machineText } from '../../words/formats/comparison-notes.ts';
import { refusalText } from '../../words/failures.ts';
import type { ComparedTimes } from '../../protocol/comparison.ts';
import { milliseconds } from '../../protocol/units.ts';
import { compared, type DrawnRun, type DrawnSide, comparedRun } from '../helpers/drawn-sides.ts';
interface Said {
  /** Numbers of runs, for a side without functions. */
  readonly baseRuns?: number;
  readonly headRuns?: number;
  readonly confirm?: { readonly from: number; readonly isNarrow: boolean };
  readonly order?: 'interleaved' | 'blocks';
  /** The share of the processor that each run had. */
  readonly share?: number | null;
}

/** What is said of `parse`. */
function textOf(base: DrawnSide, head: DrawnSide, { order = 'interleaved', share = 1, ...runs }: Said = {}): string {
  const { fn } = compared(base, head, { order, ...runs });
  const side = { name: null, runs: [1, 2, 3].map(() => ({ ...comparedRun, share })) };
  return changeText(fn('parse'), { order, base: side, head: side, thresholdUs: milliseconds(10) });
}

function parse(was: readonly DrawnRun[], is: readonly DrawnRun[], said?: Said): string {
  return textOf({ parse: { runs: was } }, { parse: { runs: is } }, said);
}

describe('a change reads', () => {
  test('as the times before and now, with their range and the number of pairs', () => {
    assert.equal(parse([310, 312, 315], [40, 41, 44]), '312 → 41 ms (40–44, 3 pairs)');
    const confirm = { from: 2, isNarrow: true };
    assert.equal(parse([310, 312, 315], [40, 41, 44], { confirm }), '311 → 41 ms (40–41, 2 of 3 pairs)');
    assert.equal(parse([100, 101, 102], [300, 310, 320], { order: 'blocks' }), '101 → 310 ms (300–320, 3 and 3 runs)');
  });

  test('with what it calls, where only that can be compared', () => {
    const split = { worst: 60, presence: 86 };
    assert.equal(parse([split, 85, 84], [33, 34, 35]), '85 → 34 ms (33–35, 3 pairs, with what it calls)');
  });

  test('with units on both sides where they differ', () => {
    assert.equal(parse([310, 312, 315], [9980, 12_000, 13_000]), '312 ms → 12 s (9.98–13, 3 pairs)');
  });

  test('against four fifths of the threshold, where one side was below it', () => {
    assert.equal(parse([1, 2, 3], [44, 45, 46]), 'under 8 ms → 45 ms, in all of 3 runs');
    assert.equal(parse([44, 45, 46], [1, 2, 3]), '45 ms → under 8 ms, in all of 3 runs');
  });

  test('as that of a first call, where no other was long', () => {
    const first = { worst: 45, warm: 3 };
    const said = 'under 8 ms → 45 ms, in all of 3 runs';
    assert.equal(parse([1, 2, 3], [first, first, first]), `${said}; first call only`);
    assert.equal(parse([1, 2, 3], [first, first, 45]), said);
  });

  test('as not seen, where the other side has no such function', () => {
    const side = { parse: { runs: [44, 45, 46] } };
    assert.equal(textOf({}, side, { baseRuns: 3 }), '45 ms, in all of 3 runs, and not seen before');
    assert.equal(textOf(side, {}, { headRuns: 3 }), '45 ms, and not seen any more');
  });

  test('as often as it happened, where only that changed', () => {
    const runs = (longCount: number) => [40, 41, 42].map((worst) => ({ worst, longCount }));
    assert.equal(parse(runs(3), runs(6)), 'same time, more often: 3 → 6 ×');
    assert.equal(parse(runs(6), runs(3)), 'same time, less often: 6 → 3 ×');
  });

  test('as its own part and the whole, where its time moved', () => {
    const half = [135, 136, 137].map((worst) => ({ worst, presence: 265 }));
    const base = { parse: { runs: [270, 271, 272], text: 'a' } };
    const head = { parse: { runs: half, text: 'b' }, rest: { runs: [130, 131, 132] } };
    assert.equal(textOf(base, head), 'its own part 271 → 136 ms; with what it calls 271 → 265 ms: see rest');
  });
});

describe('no change reads', () => {
  test('as how far off it may be', () => {
    assert.equal(parse([100, 100, 100], [108, 104, 95]), 'no change seen (±8 %)');
    assert.equal(parse([12, 12, 12], [13, 13.5, 11.9]), 'no change seen (±13 %)');
  });

  test('as too noisy, with what the processor did for others', () => {
    assert.equal(parse([100, 100, 100], [170, 50, 100]), 'too noisy to say (±70 %)');
    assert.equal(
      parse([100, 100, 100], [170, 50, 100], { share: 0.34 }),
      'too noisy to say (±70 %; in one run the processor was yours 34 % of the time)',
    );
    assert.equal(parse([100, 100, 100], [650, 50, 100]), 'too noisy to say (from 0.5 × to 6.5 ×)');
  });

  test('as the times, where one side took none', () => {
    assert.equal(parse([null, null, null], [9, 11, 9.2]), 'too noisy to say (0–11 ms)');
    assert.equal(parse([null, null, null], [9000, 11_000, 9]), 'too noisy to say (0 ms – 11 s)');
  });

  test('as not seen where no run shows it', () => {
    assert.equal(parse([40, 41, 42], [null, null, null]), 'not seen now, was 41 ms');
    const { fn } = compared({ parse: { runs: [40, 41, 42] } }, { parse: { runs: [null, null, null] } });
    const side = { name: null, runs: [] };
    const textFor = (was: number, is = 0): string => {
      const worst = { ...fn('parse').worst, wasUs: [milliseconds(was)], wasBelow: true, isUs: [milliseconds(is)] };
      const comparison = { order: 'interleaved', base: side, head: side, thresholdUs: milliseconds(10) } as const;
      return changeText({ ...fn('parse'), worst }, comparison);
    };
    assert.equal(textFor(2), 'not seen now, was ≤ 2 ms');
    assert.equal(textFor(0), 'not seen: no figures before or now');
    assert.equal(textFor(0, 3), 'not seen before, now ≤ 3 ms');
    assert.equal(textFor(6, 3), 'not seen now where it was ≤ 6 ms, elsewhere ≤ 3 ms');
  });
});

test('the summary counts each verdict, changes first', () => {
  const runs = [40, 41, 42];
  const slow = { runs: [80, 81, 82], text: 'now' };
  const { functions } = compared(
    { a: { runs, text: 'was' }, b: { runs, text: 'was' }, c: { runs }, d: { runs } },
    { a: slow, b: slow, c: { runs }, d: { runs: [40, 60, 35] }, e: { runs } },
  );
  const side = { name: 'main', runs: [comparedRun] };
  const summary = (given: typeof functions, one = side): string =>
    comparisonSummary({ functions: given, base: one, head: one, thresholdUs: milliseconds(10) });
  assert.equal(summary(functions), '2 slower · 1 new · no change seen in 1 · too noisy to say for 1');
  assert.equal(summary([]), 'None of your code held the event loop for more than 10 ms on either side.');
  const lossy = { ...side, runs: side.runs.map((run) => ({ ...run, isIncomplete: true as const })) };
  assert.match(summary([], lossy), /^None of your code that was recorded held /);
  assert.equal(summary([], { name: 'main', runs: [] }), 'Nothing to judge.');
});

test('a function may have become slower only where what it calls takes no less', () => {
  const times = (low: number, high: number): ComparedTimes => ({
    ...{ wasUs: [8, 8, 8].map(milliseconds), isUs: [10, 19, 21].map(milliseconds), wasBelow: true, isBelow: false },
    ...{ ratio: (low + high) / 2, low, high },
  });
  const { functions } = compared({ a: { runs: [40, 60, 35] } }, { a: { runs: [50, 40, 60] } });
  const lex = functions.map((fn) => ({ ...fn, verdict: 'tooNoisy' as const, worst: times(1.3, 2.8) }));
  const unclear = (presence: ComparedTimes) =>
    unclearFunction({ functions: lex.map((fn) => ({ ...fn, presence })) })?.is?.label;
  assert.equal(unclear(times(0.9, 1.2)), 'a');
  assert.equal(unclear(times(0.1, 0.2)), undefined);
});

test('functions that nobody touched and that moved are told, with both reasons that there can be', () => {
  const text = (flagged: number, shifted = true) => machineText({ shifted, flagged, of: 17, medianRatio: 1.3 });
  assert.equal(text(5, false), null);
  assert.match(
    text(5) ?? '',
    /^5 of 17 functions with unchanged code are faster or slower, too: the machine was busier .*, or they are/,
  );
  assert.match(
    text(0) ?? '',
    /^Functions with unchanged code take 1\.3 × the time now: the machine .* for other work\./,
  );
});

test('what cannot be compared is refused with both values and what to do', () => {
  const of = (value: string) => ({ path: `/rec/${value}`, value });
  const refusal = (differs: 'node' | 'command' | 'kind') =>
    refusalText({ differs, first: of('20.1'), other: of('24.1') });
  assert.match(refusal('node'), /20\.1.*24\.1.*one version/);
  assert.match(refusal('command'), /\/rec\/20\.1 and \/rec\/24\.1.*same command/);
  assert.match(refusal('kind'), /\/rec\/24\.1.*without --tiers/);
});

test('a median that is only the most that it can have been says so, also where other runs were measured', () => {
  assert.match(parse([170, 172, 180], [7.5, 7.9, 13]), /^172 → ≤ 7\.9 ms \(median, at most 13 ms, 3 pairs\)$/);
  assert.match(parse([170, 172, 180], [7.9, 12, 13]), /^172 → 12 ms /);
});

test('what no sample shows was not seen: it did not take at most 0 ms', () => {
  const was = milliseconds(172);
  const is = (ms: number) => earlyText(was, { worst: milliseconds(ms), isBelow: true });
  assert.deepEqual([is(0), is(7.9)], ['172 ms → not seen, 1 run', '172 → ≤ 7.9 ms, 1 run']);
  const times = { ratio: null, low: null, high: null, wasUs: [milliseconds(0)], isUs: [was], wasBelow: true };
  assert.equal(fromTo({ ...times, isBelow: false }), 'not seen → 172 ms');
});
