import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckedEntry } from '../../protocol/budget.ts';
import { milliseconds } from '../../protocol/units.ts';
import { entryText, otherNodeText, repeatText, unjudgedText } from '../../words/formats/budget-texts.ts';
import { entry } from '../cli/reports/checks.ts';

function text(verdict: CheckedEntry['verdict'], budget: number, ...measured: readonly number[]): string {
  const times = measured.map((ms) => milliseconds(ms));
  return entryText(entry({ key: 'a.js#a', verdict, budget: milliseconds(budget), measured: times, place: null }));
}

test('a budget is told with the range of the runs', () => {
  assert.equal(text('over', 200, 331, 298, 312), '312 ms, over its budget of 200 ms in all 3 runs (298–331 ms)');
  assert.equal(text('near', 50, 41, 44), '41–44 ms, near its budget of 50 ms (2 runs)');
  assert.equal(text('within', 200, 41, 44, 44), '41–44 ms of 200 ms (3 runs)');
  assert.equal(text('within', 200, 0, 44), 'up to 44 ms of 200 ms (2 runs)', 'not over the threshold in one of them');
  assert.equal(text('over', 200, 200.3, 200.2), '200.3 ms, over its budget of 200 ms in all 2 runs (200.2–200.3 ms)');
  assert.equal(text('over', 100.6, 100.8), '100.8 ms, over its budget of 100.6 ms', 'digits tell them apart');
  assert.equal(text('near', 2000, 100, 2004), '2.004 s, in 1 run alone over its budget of 2 s');
  const route = entry({ kind: 'route', verdict: 'over', budget: 0.01, measured: [1 / 96] });
  assert.equal(entryText(route), '1.04 % delayed, over its budget of 1 % delayed');
  assert.equal(text('within', 200, 0, 0), 'not seen over the threshold; 200 ms are allowed');
});

test('a single run has no range', () => {
  assert.equal(text('over', 200, 312), '312 ms, over its budget of 200 ms');
  assert.equal(text('within', 200, 41), '41 ms of 200 ms');
  const others = entry({ kind: 'whole', key: 'whole', budget: 20_000, measured: [45_000] });
  assert.equal(entryText(others), '45 ms, over the 20 ms that others may take');
});

test('each estimate is marked, whether it is over its budget or not', () => {
  const estimated = (verdict: CheckedEntry['verdict'], ...measured: readonly number[]): string =>
    entryText(entry({ verdict, measured, isEstimated: true }));
  assert.equal(estimated('within', 111_000), '≈111 ms of 200 ms');
  assert.equal(estimated('within', 41_000, 44_000), '≈41–44 ms of 200 ms (2 runs)');
  assert.equal(estimated('within', 0, 44_000), 'up to ≈44 ms of 200 ms (2 runs)');
  assert.equal(estimated('near', 190_000), '≈190 ms, near its budget of 200 ms');
  assert.equal(estimated('near', 312_000, 0), '≈312 ms, in 1 run alone over its budget of 200 ms');
  assert.equal(
    estimated('over', 298_000, 331_000, 312_000),
    '≈312 ms, over its budget of 200 ms in all 3 runs (≈298–331 ms)',
  );
  assert.match(estimated('estimated', 312_000), /^≈312 ms, perhaps over its budget of 200 ms: /);
  assert.match(unjudgedText([entry({ isEstimated: true })]) ?? '', /\(src\/cart\.ts:12, ≈312 ms\)/);
});

test('what budgets leave out is not called quick', () => {
  const leftOut = (why: 'worker' | 'firstCall', isEstimated: boolean): string =>
    entryText(entry({ verdict: 'within', measured: [0], leftOut: { why, us: milliseconds(180), isEstimated } }));
  assert.equal(leftOut('worker', false), 'up to 180 ms in a worker or a child process, which no budget judges');
  assert.equal(leftOut('firstCall', true), 'up to ≈180 ms in a first call, which no budget judges');
});

test('without a sample of own code nothing is within a budget', () => {
  const unseen = entry({ verdict: 'unknown', measured: [], place: null, leftOut: { why: 'unseen' } });
  assert.equal(entryText(unseen), 'none of your code was seen');
});

test('a budget of another Node.js is told, and one of another minor version is not', () => {
  assert.match(
    otherNodeText('22.4.0', '24.1.0') ?? '',
    /^The budget was made on Node\.js 22\.4\.0, and this ran on 24\.1\.0, /,
  );
  assert.equal(otherNodeText('24.0.0', '24.1.0'), null);
  assert.equal(otherNodeText(null, '24.1.0'), null);
});

test('what blocks without a budget is named with its time and what to do', () => {
  assert.equal(unjudgedText([]), null);
  assert.match(
    unjudgedText([entry(), entry(), entry(), entry()]) ?? '',
    /^Not in the budget: snapshot \(src\/cart\.ts:12, 312 ms\), .* and 1 more\. "hotspan check --update" adds/,
  );
});

test('an entry that nothing fits says what was probably meant', () => {
  const unknown = entry({ verdict: 'unknown', measured: [], place: null });
  assert.match(entryText({ ...unknown, meant: 'src/cart.ts#copy' }), /renamed or deleted.*\. Did you mean "src\/cart/);
  assert.doesNotMatch(entryText(unknown), /Did you mean/);
});

test('what was not seen over the threshold is said so, with what is allowed', () => {
  const quick = entry({ kind: 'whole', key: 'whole', verdict: 'within', budget: 20_000, measured: [0] });
  assert.equal(entryText(quick), 'not seen over the threshold; 20 ms are allowed');
  assert.equal(entryText({ ...quick, measured: [] }), 'not seen over the threshold; 20 ms are allowed');
});

test('what is run again is named in the right number', () => {
  assert.equal(repeatText(1, null), '1 budget exceeded once: the command is run twice more …');
  assert.equal(repeatText(2, 1), '2 budgets exceeded once: 1 test file is run twice more …');
  assert.equal(repeatText(2, 2), '2 budgets exceeded once: 2 test files are run twice more …');
});
