import path from 'node:path';
import { listBaselines } from '../../recordings/baselines.ts';
import { defaultRecordingsFolders } from '../../recordings/default-folder.ts';
import { isOfComparison, listRecordings } from '../../recordings/recording-folders.ts';
import { parseManifest } from '../../protocol/formats/parse-manifest.ts';
import { recordingFile } from '../../protocol/recording.ts';
import { isOwnCommand } from '../../recorder/launch/run/own-commands.ts';
import { shownCommand } from '../views/shown-command.ts';
import { readFile, realpath } from 'node:fs/promises';
import type { Surroundings } from './record.ts';

/**
 * The newest recording of a profile that has ended, of the project in `cwd`; null where there is none. The runs of
 * baselines are such recordings, too.
 */
export async function lastRecording(cwd: string): Promise<string | null> {
  const lists = await Promise.all(defaultRecordingsFolders(cwd).map(listRecordings));
  const ended = lists.flat().filter(({ isEnded, folder }) => isEnded && !isOfComparison(folder));
  const ofBaselines = (await listBaselines(cwd)).flatMap(({ recordings: [folder], createdAt }) =>
    folder === undefined ? [] : [{ folder, startedAt: createdAt }],
  );
  const newest = [...ended, ...ofBaselines].toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
  for (const { folder } of newest) {
    const manifest = await manifestOf(folder);
    if (manifest !== null && !manifest.isOfTiers) return folder;
  }
  return null;
}

/**
 * The command of a recording. It is refused where this person has not recorded it, as it may be anybody's, and where it
 * ran in another folder: a copied recording would run what `npm test` is there.
 */
export async function commandOf(
  recording: string,
  { env, cwd: here }: Surroundings,
): Promise<
  | { readonly type: 'known'; readonly command: readonly string[] }
  | { readonly type: 'failed'; readonly message: string }
> {
  const { command = null, cwd = null } = (await manifestOf(recording)) ?? {};
  if (command === null || cwd === null)
    return { type: 'failed', message: `${recording} does not say what was run: give the command after "--".` };
  if (!(await isOwnCommand(command, cwd, env)))
    return {
      type: 'failed',
      message: `${recording} says that "${shownCommand(command)}" was run, but not by you on this machine, or with secrets that were not kept: if you want to run it, give it after "--".`,
    };
  if ((await realPath(cwd)) !== (await realPath(here)))
    return {
      type: 'failed',
      message: `${recording} was recorded in ${cwd}: run this there, or give the command after "--".`,
    };
  return { type: 'known', command };
}

async function realPath(folder: string): Promise<string> {
  return realpath(folder).catch(() => folder);
}

async function manifestOf(recording: string): ReturnType<typeof parse> {
  return parse(path.join(recording, recordingFile));
}

async function parse(file: string) {
  return parseManifest(await readFile(file, 'utf8').catch(() => ''));
}
