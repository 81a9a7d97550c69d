import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshChoices } from '../../webview/basics/page-state.ts';
import { pageMarkdown } from '../../webview/take-away/page-markdown.ts';
import { afterDrawing } from '../../webview/take-away/take-away.ts';
import { drawnFlame } from './drawn-flame.ts';
import { after, show } from './page-events.ts';

const drawn = { awaited: { query: null, search: null }, notice: null, choices: freshChoices };
const forms = [{ form: 'svg', of: freshChoices } as const];

test('what is to be taken away waits for all frames, and is taken when they are there', () => {
  assert.equal(afterDrawing(forms, { ...drawn, awaited: { query: 7, search: null } }), 'wait');
  assert.equal(afterDrawing(forms, drawn), 'take');
  assert.equal(afterDrawing(forms, { ...drawn, notice: { kind: 'failed', text: 'It is gone.' } }), 'drop');
});

test('what is awaited is not taken away once something else is shown', () => {
  const then = (choices: Partial<typeof freshChoices>): string =>
    afterDrawing(forms, { ...drawn, choices: { ...freshChoices, ...choices } });
  for (const choices of [{ zoom: '1.2' }, { view: 'tree' }, { operation: 3 }, { recording: 'other' }] as const)
    assert.equal(then(choices), 'goneOn');
  assert.equal(then({ direction: 'flame' }), 'take', 'it is the same, drawn in another way');
});

test('a collection is self time of what it interrupted, without that has a row, and a second run has no verdict', () => {
  const answer = drawnFlame('main 2 own\n  (gc) 3 gc\n(gc) 4 gc');
  const second = { ...show('a'), verdict: '312 ms worst', isSecondRun: true };
  const text = pageMarkdown(after([second]).state, answer, null);
  assert.match(text, /\n\nThis is a second run, with times of its own[^\n]*\n\n9 ms in all\n/);
  assert.match(text, /\| 5 ms \| 5 ms \| – \| `main` \| {2}\|\n\| 4 ms \| 4 ms \| – \| `\(gc\)` \| {2}\|\n$/);
});
