import assert from 'node:assert/strict';
import { test } from 'node:test';
import pico from 'picocolors';
import { exitCodeOf, comparisonTable } from '../../cli/commands/compare.ts';
import { comparisonMarkdown } from '../../words/formats/change-texts.ts';
import type { ComparedFunction, ComparedTimes, Comparison } from '../../protocol/comparison.ts';
import { line1, milliseconds } from '../../protocol/units.ts';
import { comparisonOf, comparedRun } from '../helpers/drawn-sides.ts';

const worst: ComparedTimes = {
  wasUs: [312, 310, 315].map(milliseconds),
  isUs: [41, 40, 44].map(milliseconds),
  wasBelow: false,
  isBelow: false,
  ratio: 0.13,
  low: 0.12,
  high: 0.14,
};
const counts = { was: [3, 3, 3], is: [3, 3, 3], changed: false };
const place = {
  label: 'snapshot',
  file: 'packages/catalogue/src/products/catalogue.js',
  url: 'file:///p/packages/catalogue/src/products/catalogue.js',
  line: line1(23),
};
const fn: ComparedFunction = {
  ...{ was: place, is: place, matchedBy: 'same', textChanged: true, worst, presence: worst },
  ...{ longCount: counts, stacks: counts, isTest: false, verdict: 'faster', confirmed: true, pairs: 3, testFiles: [] },
};
const comparison: Comparison = {
  ...comparisonOf({}, {}),
  machine: { medianRatio: 1, flagged: 0, of: 4, shifted: false },
  functions: [fn],
  warnings: ['At least three recordings of each side are needed to tell a change from chance.'],
};

const plain = { colors: pico.createColors(false), all: false, columns: Infinity, currentFolder: '/p' };
const shown = (columns: number): string => comparisonTable(comparison, { ...plain, columns });

test('a change is one line, with what it was and is', () => {
  assert.match(shown(Infinity), /^faster {2}.*312 → 41 ms .* {2}snapshot {2}packages\/.*\/catalogue\.js:23\n/);
});

test('a place is relative to the current folder, as in the table of hotspots; one elsewhere is whole, one that is gone is of the repository', () => {
  const from = (currentFolder: string, gone: boolean): string => {
    const functions = [gone ? { ...fn, is: null, verdict: 'gone' as const } : fn];
    const table = comparisonTable({ ...comparison, functions }, { ...plain, currentFolder });
    return /(\S+catalogue\.js:23)/.exec(table)?.[0] ?? '';
  };
  assert.equal(from('/p/packages/catalogue', false), 'src/products/catalogue.js:23');
  assert.equal(from('/p/packages/cart', false), '/p/packages/catalogue/src/products/catalogue.js:23');
  assert.equal(from('/p/packages/cart', true), 'packages/catalogue/src/products/catalogue.js:23');
});

test('a verdict stands once in the line of a function that has not changed', () => {
  const same = { ...worst, ratio: 1, low: 0.96, high: 1.04 };
  const functions: readonly ComparedFunction[] = [fn, { ...fn, verdict: 'noChangeSeen', worst: same }];
  const text = comparisonTable({ ...comparison, functions }, { ...plain, all: true });
  assert.match(text, /^no change seen {2}\(±4 %\) +snapshot /m);
});

test('a function that is slower without an edit of it is told as such, on every surface', () => {
  const called: Comparison = { ...comparison, functions: [{ ...fn, verdict: 'new', textChanged: false }] };
  assert.match(comparisonTable(called, plain), /:23 .*its code did not change\n/);
  assert.match(comparisonMarkdown(called), /not seen before; its code did not change \| snapshot \|/);
  assert.doesNotMatch(shown(Infinity), /its code/);
});

test('a command that failed and showed nothing is unclear, and one that ran and blocked nowhere is well', () => {
  const of = (exitCode: number): Comparison => {
    const side = { name: 'main', runs: [1, 2, 3].map(() => ({ ...comparedRun, exitCode })) };
    return { ...comparison, base: side, head: side, functions: [] };
  };
  assert.equal(exitCodeOf(of(1)), 3);
  assert.equal(exitCodeOf(of(0)), 0);
});

test('in 50 columns the function stands below its figures, which are whole', () => {
  const lines = shown(50).split('\n');
  for (const line of lines) assert.ok(line.length <= 50, line);
  assert.match(lines[0] ?? '', /^faster {2}.*312 → 41 ms/);
  assert.match(shown(50), /\n {2}snapshot {2}packages\/….*catalogue\.js:23\n/);
});
