import type { RecordingsArguments } from '../arguments/small-commands.ts';
import path from 'node:path';
import { dateText, plural } from '../../words/formats/figures.ts';
import { plainText, refuse, type Session } from '../views/terminal.ts';
import { columnsOf } from '../views/text-width.ts';
import { listRecordings, sizeText } from '../../recordings/recording-folders.ts';
import { cut, shownPath } from '../views/shown-code.ts';
import { foldersOfProject } from '../../recordings/newest-of-project.ts';
import { defaultRecordingsFolders } from '../../recordings/default-folder.ts';

/**
 * Lists the recordings of a folder, else of the current project, or of the nearest folder above it in its repository that has
 * some, with their sizes, the newest first. Gives the exit code.
 */
export async function recordingsCommand({
  options,
  terminal,
  surroundings,
}: Session<RecordingsArguments>): Promise<number> {
  const { folder: given } = options;
  const { out, err } = terminal;
  const { cwd: currentFolder } = surroundings;
  const searched =
    given === undefined
      ? foldersOfProject(currentFolder).map((folder) => defaultRecordingsFolders(folder))
      : [[path.resolve(currentFolder, given)]];
  const all = await firstRecordings(searched);
  if (all.length === 0)
    return refuse(err, `No recording in ${searched[0]?.join(' or ')}. Make one with "hotspan record -- npm test".`);
  for (const { startedAt, bytes, command: whole, folder, isEnded } of all) {
    const command = cut(whole, MAX_COMMAND);
    const facts = [dateText(Date.parse(startedAt)), sizeText(bytes).padStart(7)];
    const [place, end] = [shownPath(folder, currentFolder), isEnded ? '' : '  (not ended)'];
    const line = `${plainText([...facts, place, command].join('  '))}${end}`;
    // A path must stay whole, so that it can be copied.
    const lines = [`${plainText([...facts, command].join('  '))}${end}`, `  ${plainText(place)}`];
    out.write(`${columnsOf(line) <= out.columns ? line : lines.join('\n')}\n`);
  }
  const bytes = all.reduce((sum, one) => sum + one.bytes, 0);
  err.write(
    `${plural(all.length, 'recording')}, ${sizeText(bytes)} together. "hotspan record --keep MB" deletes the oldest.\n`,
  );
  return 0;
}

/** In columns. */
const MAX_COMMAND = 200;

async function firstRecordings(searched: readonly (readonly string[])[]): ReturnType<typeof listRecordings> {
  for (const folders of searched) {
    const found = (await Promise.all(folders.map(listRecordings))).flat();
    if (found.length > 0) return found;
  }
  return [];
}
