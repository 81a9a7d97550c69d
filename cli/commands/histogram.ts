import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { analyze } from '../../engine/analyze.ts';
import { describeFailure } from '../../words/failures.ts';
import { addUp, compareHistograms } from '../../engine/event-loop/compare-histograms.ts';
import { readHistogramLog } from '../../engine/event-loop/read-histogram-log.ts';
import { waitedPeriods } from '../../engine/event-loop/program-loops.ts';
import { newestRecording } from '../../recordings/list-recordings.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { defaultThresholdUs } from '../../protocol/duration-class.ts';
import type { HistogramArguments } from '../arguments/arguments.ts';
import { histogramText } from '../views/histogram-text.ts';
import { plainText } from '../views/terminal-text.ts';
import type { Terminal } from '../views/terminal.ts';

/** Says whether a recording's turns are like those that a log of production has. The exit code: 0, or 2. */
export async function histogramCommand(
  { log, recording }: HistogramArguments,
  { out, err }: Terminal,
  currentFolder: string,
): Promise<number> {
  const complain = (sentence: string): number => {
    err.write(`hotspan: ${plainText(sentence)}\n`);
    return 2;
  };
  const file = path.resolve(currentFolder, log);
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return complain(`${file} cannot be read: give the log that HOTSPAN_MODE=histogram has written.`);
  const production = readHistogramLog(text);
  if (production.periods.length === 0)
    return complain(`${file} has no line of HOTSPAN_MODE=histogram: see docs/production.md.`);
  const given = path.resolve(currentFolder, recording);
  const folder = (await newestRecording(given))?.path ?? given;
  const options = { thresholdUs: defaultThresholdUs, roots: [], currentFolder, sourceMaps: false };
  const result = await analyze([folder], diskWorld, options);
  if (result.type === 'failed') return complain(describeFailure(result.failure));
  const periods = waitedPeriods(result.analysis.streams);
  const comparison = compareHistograms(addUp(production.periods), addUp(periods));
  if (comparison === null)
    return complain(`${folder} has no measured turns, or production had none: record with "hotspan record".`);
  out.write(histogramText(comparison));
  return 0;
}
