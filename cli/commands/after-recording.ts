import { analyze } from '../../engine/analyze.ts';
import { defaultThresholdUs } from '../../protocol/figures.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { keepTexts, ownTexts } from '../../recordings/kept-files.ts';
import { describeFailure } from '../../words/failures.ts';
import { isUnseen } from '../../words/summary.ts';
import { shownPath } from '../views/shown-code.ts';
import { table } from '../views/table.ts';
import { type Output, plainText, readingText, showProgress } from '../views/terminal.ts';
import { viewOf } from './analyze.ts';

/** The result of a recording. */
export interface Found {
  /** True where none of the person's code was seen. */
  readonly isUnseen: boolean;
  /** True where no function is over the threshold. */
  readonly isQuick: boolean;
}

/** Most hotspots that are listed here; `hotspan analyze` lists more. */
const mostHotspots = 10;

/** Loads the parser of sources ahead of time. */
export async function loadParser(): Promise<void> {
  await import('../../engine/read/source-code/index-source.ts');
}

/** The table of what blocked in a recording. */
export async function listHotspots(
  directory: string,
  err: Output,
  cwd: string,
  say: (sentence: string) => void,
): Promise<Found> {
  const result = await analyze([directory], diskWorld, {
    thresholdUs: defaultThresholdUs,
    roots: [],
    sourceMaps: true,
    onProgress: (progress) => showProgress(err, readingText(progress)),
  });
  showProgress(err, '');
  if (result.type === 'failed') {
    say(describeFailure(result.failure));
    return { isUnseen: false, isQuick: true };
  }
  await keepTexts(directory, await ownTexts(result), result.kept);
  const folder = plainText(shownPath(directory, cwd));
  const view = await viewOf(result, false, cwd);
  err.write(`\n${table(view, { colors: err.colors, most: mostHotspots, columns: err.columns })}\n`);
  const more = `More: hotspan analyze ${folder} --all, or its recording.json by "Hotspan: Open Profile…" in VS Code.`;
  err.write(err.colors.dim(`${more}\n`));
  return { isUnseen: isUnseen(result.analysis), isQuick: view.hotspots.length === 0 };
}
