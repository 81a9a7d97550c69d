import assert from 'node:assert/strict';
import test from 'node:test';
import type { ComparedClass } from '../../engine/cut/event-loop/compare-histograms.ts';
import { histogramText } from '../../cli/commands/histogram.ts';

const compared = (from: number, below: number | null, ours: number, theirs: number): ComparedClass => {
  return { from, below, production: { turns: 12, time: ours }, recording: { turns: 1, time: theirs } };
};

test('what the tests do not do is named, with what to record next', () => {
  const classes = [compared(0, 10, 0.6, 0.95), compared(100_000, 1_000_000, 0.4, 0.05)];
  const text = histogramText(
    { classes, distance: 0.35, split: { over: 100_000, production: 0.4, recording: 0.05 } },
    Infinity,
  );
  assert.match(text, /^turns of +production +recording\nunder 10 µs +12 turns, 60 % of the time +1 turn, 95 %/);
  assert.match(
    text,
    /\n\nDifferent: 35 % of the busy time .*\. Turns of 100 ms and more take 40 % of the busy time in production, 5 % in the recording: production blocks for longer at once, so record something that does what it does then\.\n$/,
  );
});

test('does not blame production where the recording blocks longer, and calls similar ones alike', () => {
  const [split, alike] = [{ over: 10_000, production: 0.1, recording: 0.4 }, compared(1_000_000, null, 0.5, 0.45)];
  const longer = histogramText({ classes: [], distance: 0.2, split }, Infinity);
  assert.match(longer, /^.*Somewhat different: .* may be rare in production/ms);
  const text = histogramText({ classes: [alike], distance: 0.05, split: null }, Infinity);
  assert.match(text, /\n\nAlike: 5 % of the busy time/);
});
