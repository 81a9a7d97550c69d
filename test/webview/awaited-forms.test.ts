import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshChoices } from '../../webview/basics/page-state.ts';
import { afterDrawing } from '../../webview/take-away/take-away.ts';

const drawn = { awaited: { query: null, search: null }, notice: null, choices: freshChoices };
const forms = [{ form: 'svg', of: freshChoices } as const];

test('what is to be taken away waits for all frames, and is taken when they are there', () => {
  assert.equal(afterDrawing(forms, { ...drawn, awaited: { query: 7, search: null } }), 'wait');
  assert.equal(afterDrawing(forms, drawn), 'take');
  assert.equal(afterDrawing(forms, { ...drawn, notice: { kind: 'failed', text: 'It is gone.' } }), 'drop');
});

test('what is awaited is not taken away once something else is shown', () => {
  const after = (choices: Partial<typeof freshChoices>): string =>
    afterDrawing(forms, { ...drawn, choices: { ...freshChoices, ...choices } });
  assert.deepEqual(
    [after({ zoom: '1.2' }), after({ view: 'tree' }), after({ operation: 3 }), after({ recording: 'other' })],
    ['goneOn', 'goneOn', 'goneOn', 'goneOn'],
  );
  assert.equal(after({ direction: 'flame' }), 'take', 'it is the same, drawn in another way');
});
