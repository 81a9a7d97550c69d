import type { ComparedClass, Comparison } from '../../engine/event-loop/compare-histograms.ts';
import { duration, plural } from '../../words/formats/figures.ts';
import { microseconds } from '../../protocol/units.ts';

/** A table of both histograms, class by class, and whether they are alike. */
export function histogramText(comparison: Comparison): string {
  const rows = comparison.classes
    .filter(({ production, recording }) => production.turns > 0 || recording.turns > 0)
    .map((one) => [nameOf(one), shown(one.production), shown(one.recording)]);
  const table = [['turns of', 'production', 'recording'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('   '),
  );
  return `${lines.join('\n')}\n\n${verdictOn(comparison)}\n`;
}

/** Largest distance at which the recording stands for production. Above the second one, it does not. */
const alike = 0.1;
const unlike = 0.25;

function verdictOn({ distance, split }: Comparison): string {
  const apart = `${percent(distance)} of the busy time lies in turns of another length`;
  if (distance < alike || split === null) return `Alike: ${apart}. What the recording shows is what production does.`;
  const { over, production, recording } = split;
  const where = `Turns of ${boundary(over)} and more take ${percent(production)} of the busy time in production, ${percent(recording)} in the recording`;
  const next =
    production > recording
      ? 'production blocks for longer at once, so record something that does what it does then'
      : 'the recording blocks for longer at once, so what is slow there may be rare in production';
  return `${distance < unlike ? 'Somewhat different' : 'Different'}: ${apart}. ${where}: ${next}.`;
}

/** Name of a class: `<10 µs`, `10–100 ms`, `>1 s`. */
function nameOf({ from, below }: ComparedClass): string {
  if (below === null) return `over ${boundary(from)}`;
  return from === 0 ? `under ${boundary(below)}` : `${boundary(from)} to ${boundary(below)}`;
}

function boundary(us: number): string {
  return us < 1000 ? `${us} µs` : us >= 1_000_000 ? `${us / 1_000_000} s` : duration(microseconds(us));
}

function shown({ turns, time }: ComparedClass['production']): string {
  return `${plural(turns, 'turn')}, ${percent(time)} of the time`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
