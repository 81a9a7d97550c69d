import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageIn } from '../../webview/messages.ts';

test('an answer that is not sound is the failure of its question', () => {
  for (const type of ['answer', 'searchAnswer']) {
    const message = messageIn({ type, id: 3, answer: { root: 'none' } });
    assert.ok(message?.type === 'failed');
    assert.equal(message.id, 3);
    assert.match(message.text, /cannot show/);
  }
});

test('a recording that is not sound is a failure, and the page does not wait for ever', () => {
  const message = messageIn({ type: 'show', recording: 7 });
  assert.ok(message?.type === 'failed');
  assert.equal(message.id, null);
});

test('messages of others are nobody’s business', () => {
  for (const message of [null, 'x', { source: 'devtools' }, { type: 'theirs', id: 3 }])
    assert.equal(messageIn(message), null);
});
