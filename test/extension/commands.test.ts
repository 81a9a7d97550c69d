import assert from 'node:assert/strict';
import { test } from 'node:test';
import { functionReferenceOf, locationOf } from '../../extension/commands/command-arguments.ts';
import { fakeVscode } from '../helpers/fake-vscode.ts';

fakeVscode();
const { lowerThresholds } = await import('../../extension/commands/change-display.ts');
const { stepFrom } = await import('../../extension/commands/go-to.ts');
const { remedyPageOf } = await import('../../extension/commands/open-remedy.ts');
const { isLeft, shownItems } = await import('../../extension/hotspots/hotspots.ts');

const spots = [
  { uri: 'file:///a.js', line: 5 },
  { uri: 'file:///b.js', line: 2 },
  { uri: 'file:///a.js', line: 9 },
];

test('from no hotspot, or with no editor, the next one is the worst', () => {
  assert.equal(stepFrom(null, spots, 'next'), spots[0]);
  assert.equal(stepFrom({ uri: 'file:///a.js', line: 6 }, spots, 'next'), spots[0]);
  assert.equal(stepFrom(null, [], 'next'), null);
});

test('from a hotspot it goes down the list, up with Previous, and round at the ends', () => {
  assert.equal(stepFrom({ uri: 'file:///a.js', line: 5 }, spots, 'next'), spots[1]);
  assert.equal(stepFrom({ uri: 'file:///a.js', line: 9 }, spots, 'next'), spots[0]);
  assert.equal(stepFrom({ uri: 'file:///a.js', line: 5 }, spots, 'previous'), spots[2]);
});

test('hotspots at one place are one step', () => {
  const [first, second, third] = spots;
  assert.ok(first && second && third);
  const doubled = [first, { ...second }, { ...second }, { ...first }, third];
  assert.equal(stepFrom(second, doubled, 'next'), third);
  assert.equal(stepFrom(third, doubled, 'next'), first);
  assert.deepEqual(stepFrom(third, doubled, 'previous'), second);
});

test('lower thresholds are those that would show something', () => {
  assert.deepEqual(lowerThresholds(10, 8.4), [5, 2, 1, 0.5]);
  assert.deepEqual(lowerThresholds(10, 1.5), [1, 0.5, 0.2, 0.1]);
  assert.deepEqual(lowerThresholds(10, null), [5, 2, 1, 0.5]);
});

test('a function is named by its number, from a lens and from a row of the tree; anything else is nobody', () => {
  const reference = { recording: '/r', functionId: 0 };
  assert.deepEqual(functionReferenceOf(reference), reference);
  assert.deepEqual(functionReferenceOf({ recording: '/r', item: { functionId: 0 } }), reference);
  for (const wrong of [null, 'x', {}, { recording: '/r', functionId: -1 }, { recording: 1, functionId: 1 }]) {
    assert.equal(functionReferenceOf(wrong), null);
  }
});

test('a row without a function leads to its place', () => {
  const location = { uri: 'file:///a.js', line: 0, character: 0, inside: true };
  assert.deepEqual(locationOf({ recording: '/r', item: { functionId: -1, location } }), location);
  assert.equal(locationOf({ item: { location: null } }), null);
});

test('twenty rows are shown, the others wait behind one', () => {
  const items = Array.from({ length: 27 }, (_, index) => index);
  assert.equal(shownItems(items).more, 7);
  assert.deepEqual(items.filter(isLeft).length, 7);
});

test('a link to a remedy opens one of our pages, and no other file', () => {
  assert.equal(remedyPageOf({ page: 'sorting' }), 'sorting');
  for (const wrong of [null, 'sorting', {}, { page: '../../package' }, { page: 'README' }, { page: 1 }]) {
    assert.equal(remedyPageOf(wrong), null);
  }
});
