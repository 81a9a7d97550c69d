import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FlameFrame } from '../../protocol/flame.ts';
import { microseconds } from '../../protocol/units.ts';
import { frameSentence, isHighlighted, tierSplit, tierText } from '../../webview/basics/frame-text.ts';
import { drawnFlame, frameNamed } from './drawn-flame.ts';

const drawn = drawnFlame(`
  main       1 own file:///a.js:1 ignition
    warm     2 own sparkplug
    mid      2 own maglev
    hot      5 own turbofan
      tiny   3 own turbofan+inlined
    read     2 native unknown
`);

test('Optimized are Maglev and TurboFan, Not optimized Ignition and Sparkplug, and unknown is neither', () => {
  const highlighted = (highlight: 'optimized' | 'notOptimized' | 'none') =>
    ['main', 'warm', 'mid', 'hot', 'tiny', 'read'].filter((name) => isHighlighted(frameNamed(drawn, name), highlight));
  assert.deepEqual(highlighted('optimized'), ['mid', 'hot', 'tiny']);
  assert.deepEqual(highlighted('notOptimized'), ['main', 'warm']);
  assert.deepEqual(highlighted('none'), []);
});

test('an inlined frame says so, to eyes and to screen readers', () => {
  assert.equal(tierText(frameNamed(drawn, 'tiny')), 'TurboFan, inlined');
  assert.equal(
    frameSentence(frameNamed(drawn, 'tiny'), drawn, [], 'tier'),
    'tiny, 3 ms total, 20 %, 3 ms self, TurboFan, inlined',
  );
});

test('a merged frame shows the share of each tier, and stands out by the one it was in most', () => {
  const ms = (time: number) => microseconds(1000 * time);
  const { tiers, ...frame } = frameNamed(drawn, 'hot');
  assert.ok(tiers);
  const merged: FlameFrame = { ...frame, tiers: { ...tiers, ignition: ms(6), turbofan: ms(2) } };
  assert.equal(tierSplit(merged), 'Ignition 75 % · TurboFan 25 %');
  assert.equal(isHighlighted(merged, 'notOptimized'), true);
  assert.equal(tierSplit(frameNamed(drawn, 'hot')), null, 'one tier is all');
});
