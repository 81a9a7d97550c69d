import assert from 'node:assert/strict';
import { test } from 'node:test';
import { worstOfTest } from '../../language-server/recordings/questions.ts';
import type { TestLine } from '../../protocol/recording-lines.ts';
import { hotspotsOf } from '../helpers/drawn-hotspots.ts';

const file = '/app/test/cart.test.ts';
const begin = (time: number, id: number, ...titles: readonly string[]): TestLine => {
  return ['begin', time, id, file, [...titles], -1] as const;
};

// `parse` blocks for 4 ms in one test, `format` for 3 ms in another.
const { analysis } = await hotspotsOf(
  `parse parse parse parse (idle) format format format (idle) test#case test#case test#case`,
  {
    turns: '0-4 5-8 9-12',
    tests: [
      ...[begin(0, 1, 'cart', 'reads'), ['end', 4.5, 1] as const],
      ...[begin(4.6, 2, 'cart', 'prints'), ['end', 8.5, 2] as const],
      ...[begin(8.6, 3, 'cart', 'waits'), ['end', 12, 3] as const],
    ],
  },
);

const labelOf = (place: string, ...titles: readonly string[]) =>
  worstOfTest(analysis, { file: place, titles })?.label ?? null;

test('a test, its suite, its file and its folder lead to the worst function of the app that they reach', () => {
  assert.equal(labelOf(file, 'cart', 'reads'), 'parse');
  assert.equal(labelOf(file, 'cart', 'prints'), 'format');
  assert.equal(labelOf(file, 'cart'), 'parse');
  for (const place of [file, '/app/test', '/app']) assert.equal(labelOf(place), 'parse');
  assert.equal(labelOf(file, 'prints'), 'format');
});

test('a test that reaches nothing of the app, another test and another file lead nowhere', () => {
  assert.equal(labelOf(file, 'cart', 'waits'), null);
  assert.equal(labelOf(file, 'cart', 'rea'), null);
  assert.equal(labelOf('/app/test/other.test.ts', 'cart', 'reads'), null);
});
