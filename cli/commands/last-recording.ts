import path from 'node:path';
import { defaultRecordingsFolders } from '../../recordings/recording-folders.ts';
import { listRecordings } from '../../recordings/list-recordings.ts';
import { parseManifest } from '../../recordings/formats/parse-manifest.ts';
import { recordingFile } from '../../protocol/recording.ts';
import { isOwnCommand } from '../../recorder/launch/run/own-commands.ts';
import { commandText } from '../../words/formats/command-text.ts';
import { readFile } from 'node:fs/promises';
import { comparisonSuffix } from './head-runs.ts';
import type { Surroundings } from './record.ts';

/** The newest recording of a profile that has ended, of the project in `cwd`; null where there is none. */
export async function lastRecording(cwd: string): Promise<string | null> {
  const lists = await Promise.all(defaultRecordingsFolders(cwd).map(listRecordings));
  const ended = lists.flat().filter(({ isEnded, folder }) => isEnded && !isOfComparison(folder));
  const newest = ended.toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
  for (const { folder } of newest) {
    const manifest = await manifestOf(folder);
    if (manifest !== null && !manifest.isOfTiers) return folder;
  }
  return null;
}

/** Whether a recording was made for a comparison or a check, maybe of other sources or of a part of the tests. */
function isOfComparison(recording: string): boolean {
  return path.basename(path.dirname(recording)).endsWith(comparisonSuffix);
}

/**
 * The command of a recording, and the folder in which it ran. It is refused where this person has not recorded it: it
 * may be anybody's.
 */
export async function commandOf(
  recording: string,
  { env }: Surroundings,
): Promise<
  | { readonly type: 'known'; readonly command: readonly string[]; readonly cwd: string }
  | { readonly type: 'failed'; readonly message: string }
> {
  const { command = null, cwd = null } = (await manifestOf(recording)) ?? {};
  if (command === null || cwd === null)
    return { type: 'failed', message: `${recording} does not say what was run: give the command after "--".` };
  if (!(await isOwnCommand(command, cwd, env)))
    return {
      type: 'failed',
      message: `${recording} says that "${commandText(command) ?? ''}" was run, but not by you on this machine, or with secrets that were not kept: if you want to run it, give it after "--".`,
    };
  return { type: 'known', command, cwd };
}

async function manifestOf(recording: string): ReturnType<typeof parse> {
  return parse(path.join(recording, recordingFile));
}

async function parse(file: string) {
  return parseManifest(await readFile(file, 'utf8').catch(() => ''));
}
