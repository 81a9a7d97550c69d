import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isHostMessage } from '../../protocol/host-guard.ts';
import { isPageMessage, isPageState } from '../../protocol/webview-guard.ts';
import { drawnFlame } from '../webview/drawn-flame.ts';

const answer = drawnFlame(`
  main 1 own
    clone 30 own src/clone.js:3
`);

test('a sound answer arrives, one with a broken frame deep inside does not', () => {
  const message = { type: 'answer', id: 1, answer };
  assert.equal(isHostMessage(message), true);
  const broken: unknown = JSON.parse(JSON.stringify(message).replace('"name":"clone"', '"name":{"html":"<b>"}'));
  assert.equal(isHostMessage(broken), false);
});

test('what a frame says beside its times arrives, and nothing else in its place', () => {
  const figures = { worstUs: 58_000, longCount: 1, distinctStacks: 1, estimated: false };
  const waited = { us: 40_000, in: null };
  const arrives = (facts: object): boolean =>
    isHostMessage({ type: 'answer', id: 1, answer: { ...answer, root: { ...answer.root, ...facts } } });
  assert.equal(arrives({ figures, firstTime: { loads: 'ejs', thenUs: 400 }, role: 'built', changed: true }), true);
  assert.equal(arrives({ figures: { ...figures, waited }, firstTime: { loads: null, thenUs: null } }), true);
  for (const broken of [
    { figures: { ...figures, worstUs: '58' } },
    { figures: { ...figures, waited: { ...waited, in: {} } } },
    { firstTime: { loads: {}, thenUs: null } },
    { firstTime: null },
    { role: 'other' },
    { changed: 'yes' },
  ]) {
    assert.equal(arrives(broken), false, JSON.stringify(broken));
  }
});

test('an answer as deep as a runaway recursion is checked without one', () => {
  const [leaf] = answer.root.children;
  assert.ok(leaf);
  let root = leaf;
  for (let level = 0; level < 100_000; level++) root = { ...leaf, children: [root] };
  assert.equal(isHostMessage({ type: 'answer', id: 1, answer: { ...answer, root } }), true);
});

test('messages of the page are told from anything else', () => {
  assert.equal(
    isPageMessage({
      type: 'query',
      id: 1,
      query: { zoom: '0', fold: { kinds: ['gc'], open: ['1'] }, leastShare: 0.001 },
    }),
    true,
  );
  assert.equal(
    isPageMessage({ type: 'query', id: 1, query: { fold: { kinds: ['everything'], open: [] }, leastShare: 0.001 } }),
    false,
  );
  assert.equal(isPageMessage({ type: 'openSource', url: 'file:///a.js', line: -1 }), false);
  assert.equal(isPageMessage({ type: 'runCommand', command: 'x' }), false);
  assert.equal(isPageMessage(null), false);
  const kinds: unknown[] = [];
  kinds.length = 1;
  assert.equal(
    isPageMessage({ type: 'query', id: 1, query: { fold: { kinds, open: [] }, leastShare: 0.001 } }),
    false,
    'a hole is no category',
  );
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
