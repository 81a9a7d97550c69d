import assert from 'node:assert/strict';
import { test } from 'node:test';
import { milliseconds } from '../../protocol/units.ts';
import { type StatusFacts, statusText, statusTooltip } from '../../words/editor/status-text.ts';

const nothing: StatusFacts = { worst: null, blame: null, thresholdUs: milliseconds(10), isUnseen: false };
const getRegex = {
  functionId: 1,
  label: 'getRegex',
  place: 'src/rules.ts:13',
  us: milliseconds(8.4),
  estimated: false,
};

test('the status bar says the worst, what blocks without a hotspot, or that there is nothing', () => {
  assert.equal(statusText({ ...nothing, worst: { ...getRegex, us: milliseconds(312) } }), '$(flame) worst 312 ms');
  assert.equal(statusText({ ...nothing, worst: { ...getRegex, estimated: true } }), '$(flame) worst ≈8.4 ms');
  const blame = { isOwn: false, name: 'bcryptjs', worstUs: milliseconds(118), count: 6 };
  assert.equal(statusText({ ...nothing, blame }), '$(flame) bcryptjs 118 ms');
  assert.equal(statusText(nothing), '$(flame) nothing over 10 ms');
  assert.equal(statusText({ ...nothing, isUnseen: true }), '$(flame) none of your code seen');
});

test('the tooltip has the verdict, two notes and the way to another target, and no name can be a link in it', () => {
  const facts = { verdict: 'Nothing over 10 ms', warnings: ['one', 'two', 'three'], thresholdUs: milliseconds(10) };
  assert.deepEqual(statusTooltip(facts, '[npm](command:evil)').split('\n\n'), [
    'Nothing over 10 ms',
    '$(info) one',
    '$(info) two',
    'Threshold: 10 ms',
    'Last target: \\[npm\\]\\(command\\:evil\\) · [Change…](command:hotspan.profileTests?%5Btrue%5D)',
  ]);
});
