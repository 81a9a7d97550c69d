import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isHostMessage } from '../../webview/state.ts';

test('the extension is heard, and others who post to the window are not', () => {
  assert.equal(isHostMessage({ type: 'note', text: 'Hello.' }), true);
  for (const message of [null, 'x', { source: 'devtools' }, { type: 'theirs', id: 3 }, { type: 'toString' }])
    assert.equal(isHostMessage(message), false);
});
