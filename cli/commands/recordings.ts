import path from 'node:path';
import { plural } from '../../words/formats/figures.ts';
import { listRecordings, sizeText } from '../../recordings/recording-folders.ts';
import { plainText, type Terminal } from '../views/terminal.ts';
import { shownPath } from '../views/shown-code.ts';
import { defaultRecordingsFolders } from '../../recordings/default-folder.ts';

/** Lists the recordings of a folder, or of the default one, with their sizes, the newest first. Gives the exit code. */
export async function recordingsCommand(
  given: string | undefined,
  { out, err }: Terminal,
  currentFolder: string,
): Promise<number> {
  const roots = given === undefined ? defaultRecordingsFolders(currentFolder) : [path.resolve(currentFolder, given)];
  const all = (await Promise.all(roots.map(listRecordings))).flat();
  if (all.length === 0) {
    err.write(
      `hotspan: ${plainText(`There is no recording in ${roots.join(' or ')}: make one with "hotspan record".`)}\n`,
    );
    return 2;
  }
  for (const { startedAt, bytes, command, folder, isEnded } of all) {
    const facts = [timeText(startedAt), sizeText(bytes).padStart(7)];
    const [place, end] = [shownPath(folder, currentFolder), isEnded ? '' : '  (not ended)'];
    const line = `${plainText([...facts, place, command].join('  '))}${end}`;
    // A path is there to be copied, so it has a line of its own and stays whole.
    const lines = [`${plainText([...facts, command].join('  '))}${end}`, `  ${plainText(place)}`];
    out.write(`${line.length <= out.columns ? line : lines.join('\n')}\n`);
  }
  const bytes = all.reduce((sum, one) => sum + one.bytes, 0);
  err.write(
    `${plural(all.length, 'recording')}, ${sizeText(bytes)} together. "hotspan record --keep MB" deletes the oldest.\n`,
  );
  return 0;
}

/** A time in the person's time zone, such as `2026-01-31 12:00`. */
function timeText(iso: string): string {
  const date = new Date(iso);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
