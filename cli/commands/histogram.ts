import { createReadStream } from 'node:fs';
import { analyze } from '../../engine/analyze.ts';
import type { ComparedClass, Comparison } from '../../engine/cut/event-loop/compare-histograms.ts';
import { addUp, compareHistograms, readHistogramLog } from '../../engine/cut/event-loop/compare-histograms.ts';
import { waitedPeriods } from '../../engine/cut/event-loop/program-loops.ts';
import { openFile } from '../../engine/read/files/opened-file.ts';
import type { TurnClass } from '../../engine/read/samples/sample-stream.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import type { HistogramArguments } from '../arguments/small-commands.ts';
import { refuse, type Session } from '../views/terminal.ts';
import { chosenPath, whyUnread } from './find-recording.ts';
import { wrap } from '../views/fit.ts';
import { duration, percent, plural } from '../../words/formats/figures.ts';
import { microseconds } from '../../protocol/units.ts';
import { defaultThresholdUs, maxOf } from '../../protocol/figures.ts';
import path from 'node:path';

/** Says whether the turns of a recording are like those in a log of production. Gives the exit code. */
export async function histogramCommand({
  options: given,
  terminal,
  surroundings,
}: Session<HistogramArguments>): Promise<number> {
  const { out, err } = terminal;
  const { cwd: currentFolder } = surroundings;
  const file = path.resolve(currentFolder, given.log);
  const production = await turnsIn(file).catch(() => null);
  if (production === null)
    return refuse(err, `${file} cannot be read: give the log of HOTSPAN_MODE=histogram, as it is or gzipped.`);
  if (production.length === 0)
    return refuse(err, `${file} has no line of HOTSPAN_MODE=histogram: see docs/production.md.`);
  const { path: folder } = await chosenPath(given.recording, currentFolder);
  const options = { thresholdUs: defaultThresholdUs, roots: [], currentFolder, sourceMaps: false };
  const result = await analyze([folder], diskWorld, options);
  if (result.type === 'failed') return refuse(err, await whyUnread(result.failure));
  const periods = waitedPeriods(result.analysis.streams);
  const comparison = compareHistograms(production, addUp(periods));
  if (comparison === null)
    return refuse(err, `${folder} has no measured turns, or production had none: record with "hotspan record".`);
  out.write(histogramText(comparison, out.columns));
  return 0;
}

/** All turns in a log of any size, plain, gzipped or a pipe; empty without any. Rejects where it cannot be read. */
async function turnsIn(file: string): Promise<readonly TurnClass[]> {
  const log = await openFile(file, { ...diskWorld, readChunks: async () => createReadStream(file) });
  const decoder = new TextDecoder();
  const sums: { readonly classes: readonly TurnClass[] }[] = [];
  const add = (lines: string): void => {
    const periods = readHistogramLog(lines);
    if (periods.length > 0) sums.push({ classes: addUp(periods) });
  };
  let rest = '';
  for await (const piece of log?.content ?? []) {
    const text = rest + decoder.decode(piece, { stream: true });
    const end = text.lastIndexOf('\n') + 1;
    add(text.slice(0, end));
    rest = text.slice(end).slice(-MAX_LINE);
  }
  add(rest);
  return addUp(sums);
}

/** In UTF-16 units. A line that is longer by what another program has put before it is read from its end. */
const MAX_LINE = 100_000;

/** A table of both histograms, class by class, and whether they are alike. If it is too wide, a class is three lines. */
export function histogramText(comparison: Comparison, columns: number): string {
  const rows = comparison.classes
    .filter(({ production, recording }) => production.turns > 0 || recording.turns > 0)
    .map((one) => [nameOf(one), shown(one.production), shown(one.recording)]);
  const heads = ['turns of', 'production', 'recording'];
  const table = [heads, ...rows];
  const widths = heads.map((_, column) => maxOf(table.map((row) => row[column]?.length ?? 0)));
  const padded = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0);
  const wide = table.map((row) => row.map(padded).join('   '));
  const narrow = rows.flatMap(([name = '', ...cells]) => [
    name,
    ...cells.map((cell, index) => `  ${(heads[index + 1] ?? '').padEnd(12)}${cell}`),
  ]);
  const lines = wide.every(({ length }) => length <= columns) ? wide : narrow;
  return `${lines.join('\n')}\n\n${wrap(verdictOn(comparison), columns).join('\n')}\n`;
}

/** Distances below MAX_ALIKE mean that the recording represents production; from MIN_UNLIKE on it does not. */
const MAX_ALIKE = 0.1;
const MIN_UNLIKE = 0.25;

function verdictOn({ distance, split }: Comparison): string {
  const apart = `${percent(distance)} of the busy time lies in turns of another length`;
  if (distance < MAX_ALIKE || split === null)
    return `Alike: ${apart}. What the recording shows is what production does.`;
  const { over, production, recording } = split;
  const where = `Turns of ${boundary(over)} and more take ${percent(production)} of the busy time in production, ${percent(recording)} in the recording`;
  const next =
    production > recording
      ? 'production blocks for longer at once, so record something that does what it does then'
      : 'the recording blocks for longer at once, so what is slow there may be rare in production';
  return `${distance < MIN_UNLIKE ? 'Somewhat different' : 'Different'}: ${apart}. ${where}: ${next}.`;
}

/** `under 10 µs`, `10 ms to 100 ms`, `over 1 s`. */
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
