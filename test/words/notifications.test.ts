import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NamedTime } from '../../protocol/summary.ts';
import { milliseconds } from '../../protocol/units.ts';
import { type ResultFacts, emptyRunMessage, shownMessage, resultMessage } from '../../words/editor/notifications.ts';

const nothing: ResultFacts = {
  worst: null,
  blame: null,
  longest: null,
  thresholdUs: milliseconds(10),
  isForeign: false,
  isUnseen: false,
  isIncomplete: false,
  warnings: [],
};
const getRegex: NamedTime = {
  functionId: 1,
  label: 'getRegex',
  place: 'src/rules.ts:13',
  us: milliseconds(8.4),
  estimated: false,
  tone: 'plain',
};

test('nothing over the threshold is a result: the longest is named', () => {
  assert.equal(
    resultMessage({ ...nothing, longest: getRegex }),
    'Nothing in your code blocks for more than 10 ms. Longest: 8.4 ms, getRegex, src/rules.ts:13',
  );
});

test('where not all of the own code was recorded, nothing is said of all of it', () => {
  assert.equal(
    resultMessage({ ...nothing, isIncomplete: true }),
    'Nothing that was recorded of your code blocks for more than 10 ms, but not all was recorded.',
  );
});

test('a function that is over the threshold only with what it calls does not contradict that', () => {
  assert.equal(
    resultMessage({ ...nothing, longest: { ...getRegex, us: milliseconds(23) } }),
    'Nothing in your code blocks for more than 10 ms by itself. Longest, with what it calls: 23 ms, getRegex, src/rules.ts:13',
  );
});

test('a package that blocks with no own line on the stack is named', () => {
  const blame = { isOwn: false, name: 'bcryptjs', worstUs: milliseconds(118), count: 6 };
  assert.equal(
    resultMessage({ ...nothing, blame }),
    'Nothing in your own code, but bcryptjs blocks up to 118 ms (6 ×).',
  );
});

test('own code that blocks only in many short calls is not said to be somebody else', () => {
  const blame = { isOwn: true, name: 'short calls of your own code', worstUs: milliseconds(35), count: 3 };
  assert.equal(
    resultMessage({ ...nothing, blame }),
    'No single function of yours blocks, but short calls of your code together do: up to 35 ms in one go (3 ×).',
  );
});

test('a profile of other files says so, instead of that nothing blocks', () => {
  assert.match(resultMessage({ ...nothing, isForeign: true }) ?? '', /No file of this profile is in this workspace/);
});

test('where no code of the person was seen, nothing is said to be fast', () => {
  const unseen: ResultFacts = { ...nothing, isUnseen: true, warnings: ['Nothing of test/a.test.ts was seen: …'] };
  assert.equal(resultMessage(unseen), 'None of your code was seen in this run. Nothing of test/a.test.ts was seen: …');
});

test('of a run without tests is said where the reason is, else what to profile instead', () => {
  const run = { name: 'profile npm test', file: null, exitCode: 1 };
  assert.equal(emptyRunMessage(run), 'No test was reported (profile npm test). The terminal says what ran.');
  assert.match(emptyRunMessage({ ...run, exitCode: 0 }), /Profile a file or another npm script instead\.$/);
  assert.match(
    emptyRunMessage({ ...run, exitCode: 0, file: '/app/a.test.js' }),
    /its name may be made only while tests run\. Profile the whole file instead\.$/,
  );
});

test('where a line is marked nothing needs to be said', () => {
  assert.equal(resultMessage({ ...nothing, worst: getRegex }), null);
});

test('a failure of the server is said in its own words alone', () => {
  assert.equal(
    shownMessage(new Error('Request hotspan/flame failed with message: It is gone: open it again.')),
    'It is gone: open it again.',
  );
  assert.equal(shownMessage('no error'), 'no error');
});
