import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPageMessage, isPageState } from '../../protocol/webview-guard.ts';

test('messages of the page are told from anything else', () => {
  const isQuery = (query: object): boolean => isPageMessage({ type: 'query', id: 1, query });
  assert.equal(isQuery({ zoom: '0', fold: { kinds: ['gc'], open: ['1'] }, leastShare: 0.001 }), true);
  assert.equal(isQuery({ fold: { kinds: ['everything'], open: [] }, leastShare: 0.001 }), false);
  assert.equal(isPageMessage({ type: 'openSource', url: 'file:///a.js', line: -1 }), false);
  assert.equal(isPageMessage({ type: 'runCommand', command: 'x' }), false);
  assert.equal(isPageMessage(null), false);
  const kinds: unknown[] = [];
  kinds.length = 1;
  assert.equal(isQuery({ fold: { kinds, open: [] }, leastShare: 0.001 }), false, 'a hole is not a category');
});

test('a kept state of another version is not gone on from', () => {
  const state = {
    ...{ version: 2, recording: 'a', zoom: '', folded: [], open: [], pattern: '', direction: 'icicle', view: 'graph' },
    ...{ isRegex: false, around: null, order: { by: 'self', isDescending: true } },
    ...{ colors: 'tier', tiers: 'split', highlight: 'none', operation: null, side: 'now', perOperationOf: null },
  };
  assert.equal(isPageState(state), true);
  assert.equal(isPageState({ ...state, version: 1 }), false);
  assert.equal(isPageState({ ...state, highlight: 'all' }), false);
  assert.equal(isPageState({ ...state, side: 'both' }), false);
  assert.equal(isPageState(undefined), false);
});
