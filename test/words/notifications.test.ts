import assert from 'node:assert/strict';
import { test } from 'node:test';
import { milliseconds } from '../../protocol/units.ts';
import { emptyRunMessage, shownMessage, resultMessage } from '../../words/editor/notifications.ts';
import { bcrypt, getRegex, nothing } from './result-facts.ts';

for (const [what, facts, message] of [
  [
    'nothing over the threshold is a result: the longest is named',
    { longest: getRegex },
    'Nothing in your code blocks for more than 10 ms. Longest: 8.4 ms, getRegex, src/rules.ts:13',
  ],
  [
    'where not all of the own code was recorded, nothing is said of all of it',
    { isIncomplete: true },
    'Nothing that was recorded of your code blocks for more than 10 ms, but not all was recorded.',
  ],
  [
    'a function that is over the threshold only with what it calls does not contradict that',
    { longest: { ...getRegex, us: milliseconds(23) } },
    'Nothing in your code blocks for more than 10 ms by itself. Longest, with what it calls: 23 ms, getRegex, src/rules.ts:13',
  ],
  [
    'a package that blocks with no own line on the stack is named',
    { blame: bcrypt },
    'Nothing in your own code, but bcryptjs blocks up to 118 ms (6 ×).',
  ],
  [
    'own code that blocks only in many short calls is not said to be somebody else',
    {
      blame: {
        isOwn: true,
        name: 'short calls of your own code',
        worstUs: milliseconds(35),
        estimated: false,
        count: 3,
      },
    },
    'No single function of yours blocks, but short calls of your code together do: up to 35 ms in one go (3 ×).',
  ],
  [
    'where no code of the person was seen, nothing is said to be fast',
    { isUnseen: true, warnings: ['Nothing of test/a.test.ts was seen: …'] },
    'None of your code was seen in this run. Nothing of test/a.test.ts was seen: …',
  ],
  ['where a line is marked nothing needs to be said', { worst: getRegex }, null],
] as const)
  test(what, () => assert.equal(resultMessage({ ...nothing, ...facts }), message));

test('a profile of other files says so, instead of that nothing blocks', () => {
  assert.match(resultMessage({ ...nothing, isForeign: true }) ?? '', /No file of this profile is in this workspace/);
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

test('a failure of the server is said in its own words alone', () => {
  assert.equal(
    shownMessage(new Error('Request hotspan/flame failed with message: It is gone: open it again.')),
    'It is gone: open it again.',
  );
  assert.equal(shownMessage('no error'), 'no error');
});
