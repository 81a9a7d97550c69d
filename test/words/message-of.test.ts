import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageOf } from '../../words/editor/message-of.ts';

test('a failure of the server is said in its own words alone', () => {
  assert.equal(
    messageOf(new Error('Request hotspan/flame failed with message: It is gone: open it again.')),
    'It is gone: open it again.',
  );
  assert.equal(messageOf('no error'), 'no error');
});
