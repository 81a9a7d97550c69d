import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageIn } from '../../webview/messages.ts';

test('the extension is heard, and others who post to the window are not', () => {
  const note = { type: 'note', text: 'Hello.' };
  assert.equal(messageIn(note), note);
  for (const message of [null, 'x', { source: 'devtools' }, { type: 'theirs', id: 3 }])
    assert.equal(messageIn(message), null);
});
