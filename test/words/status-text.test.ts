import assert from 'node:assert/strict';
import { test } from 'node:test';
import { milliseconds } from '../../protocol/units.ts';
import { badgeOf, spokenStatus, shortVerdict, statusText, statusTooltip } from '../../words/editor/status-text.ts';
import { bcrypt, getRegex, nothing } from './result-facts.ts';

test('the status bar names the first finding, or says what blocks without a hotspot, or that there is nothing', () => {
  const lex = { ...getRegex, label: 'lex', us: milliseconds(900) };
  const found = { ...nothing, headline: { ...getRegex, us: milliseconds(312) }, worst: lex };
  assert.equal(statusText(found), '$(flame) getRegex 312 ms');
  assert.equal(statusText({ ...nothing, headline: { ...getRegex, estimated: true } }), '$(flame) getRegex ≈8.4 ms');
  const uncertain = { ...nothing, headline: { ...getRegex, doubt: 'few samples' } };
  assert.equal(statusText(uncertain), '$(flame) uncertain: getRegex 8.4 ms');
  assert.equal(statusText({ ...nothing, worst: lex }), '$(flame) nothing to do');
  for (const worst of [null, lex])
    assert.equal(statusText({ ...nothing, worst, blame: bcrypt }), '$(flame) bcryptjs 118 ms');
  assert.equal(statusText(nothing), '$(flame) nothing over 10 ms');
  assert.equal(statusText({ ...nothing, isUnseen: true }), '$(flame) none of your code seen');
  const incomplete = { ...nothing, isIncomplete: true };
  for (const facts of [incomplete, { ...incomplete, worst: lex }])
    assert.equal(statusText(facts), '$(warning) not all recorded');
  assert.equal(statusText({ ...found, isIncomplete: true }), '$(flame) getRegex 312 ms');
});

test('the tooltip has the verdict, two notes and the way to another target, and no name can be a link in it', () => {
  const facts = {
    ...{ title: 'npm test', where: '' },
    verdict: 'Nothing over 10 ms',
    warnings: ['one', 'two', 'three'],
    thresholdUs: milliseconds(10),
  };
  assert.deepEqual(statusTooltip([facts], '[npm](command:evil)').split('\n\n'), [
    'Nothing over 10 ms',
    '$(info) one',
    '$(info) two',
    'Threshold: 10 ms',
    'Last target: \\[npm\\]\\(command\\:evil\\) · [Change…](command:hotspan.profileTests?%5Btrue%5D)',
  ]);
});

test('the status bar is heard as sentences, without icons or Markdown', () => {
  const facts = { title: 'npm test', where: '', verdict: '312 ms worst in hot, src/hot.js:6', warnings: [] };
  const one = { ...facts, thresholdUs: milliseconds(10) };
  assert.equal(spokenStatus([one], null), 'Hotspan. 312 ms worst in hot, src/hot.js:6');
  assert.equal(
    spokenStatus([one, { ...one, where: 'packages/b', verdict: 'Nothing over 10 ms' }], 'No test was seen'),
    'Hotspan. No test was seen. npm test: 312 ms worst in hot, src/hot.js:6. npm test in packages/b: Nothing over 10 ms',
  );
});

test('after a run the badge counts what there is to look at', () => {
  assert.deepEqual(badgeOf({ findingCount: 3 }), { value: 3, tooltip: '3 findings' });
  assert.equal(badgeOf({ findingCount: 0 }), undefined);
});

test('over the list the verdict is one short line', () => {
  assert.equal(
    shortVerdict({ ...nothing, headline: { ...getRegex, us: milliseconds(1840) } }),
    'First: 1.84 s · rules.ts:13',
  );
  const hashing = { ...getRegex, label: 'bcryptjs', place: '' };
  assert.equal(shortVerdict({ ...nothing, headline: hashing }), 'First: 8.4 ms · bcryptjs');
  const uncertain = { ...getRegex, doubt: 'few samples' };
  assert.equal(shortVerdict({ ...nothing, headline: uncertain }), 'Uncertain: 8.4 ms · rules.ts:13 · few samples');
  assert.equal(shortVerdict({ ...nothing, worst: getRegex }), 'Nothing to do · worst 8.4 ms');
  for (const worst of [null, getRegex])
    assert.equal(shortVerdict({ ...nothing, worst, blame: bcrypt }), 'bcryptjs up to 118 ms (6 ×)');
  assert.equal(shortVerdict({ ...nothing, longest: getRegex }), 'Nothing over 10 ms · longest 8.4 ms');
  assert.equal(shortVerdict({ ...nothing, worst: getRegex, isIncomplete: true }), 'Not all recorded');
  assert.equal(shortVerdict({ ...nothing, isForeign: true }), 'No file of this workspace');
  assert.equal(shortVerdict({ ...nothing, isUnseen: true }), 'None of your code was seen');
});
