import assert from 'node:assert/strict';
import test from 'node:test';
import { histogramText } from '../../cli/histogram-text.ts';
import type { ComparedClass } from '../../engine/event-loop/compare-histograms.ts';

const compared = (from: number, below: number | null, ours: number, theirs: number): ComparedClass => {
  return { from, below, production: { turns: 12, time: ours }, recording: { turns: 1, time: theirs } };
};

test('what the tests do not do is named, with what to record next', () => {
  const widest = compared(100_000, 1_000_000, 0.4, 0.05);
  const text = histogramText({ classes: [compared(0, 10, 0.6, 0.95), widest], distance: 0.35, widest });
  assert.match(text, /^turns of +production +recording\nunder 10 µs +12 turns, 60 % of the time +1 turn, 95 %/);
  assert.match(
    text,
    /\n\nDifferent: 35 % of the busy time .* most of all in turns of 100 ms to 1 s \(40 % in production, 5 % in the recording\): record something that does what production does then\.\n$/,
  );
});

test('a suite that is like production is called so', () => {
  const widest = compared(1_000_000, null, 0.5, 0.45);
  assert.match(histogramText({ classes: [widest], distance: 0.05, widest }), /\n\nAlike: 5 % of the busy time/);
});
