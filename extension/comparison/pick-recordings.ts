import { type QuickPickItem, window } from 'vscode';
import { type ListedRecording, listRecordings } from '../../recordings/list-recordings.ts';
import { isOfComparison } from '../../recordings/recording-folders.ts';
import { visible } from '../../words/formats/hidden-characters.ts';

/**
 * The finished recordings of a project besides one, the newest first: those of the editor and of the command line.
 * Recordings that were made for a comparison may be of other sources, and are left out.
 */
export async function otherRecordings(
  roots: readonly string[],
  shown: string,
  cwd: string,
): Promise<readonly ListedRecording[]> {
  const lists = await Promise.all(roots.map(listRecordings));
  return lists
    .flat()
    .filter((one) => one.isEnded && one.folder !== shown && one.cwd === cwd && !isOfComparison(one.folder))
    .toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
}

/** Lets the person choose any number of recordings. Null where that is dismissed: not by a message that takes the focus. */
export async function pickRecordings(
  recordings: readonly ListedRecording[],
  placeHolder: string,
): Promise<readonly string[] | null> {
  const rows = recordings.map(({ folder, command, startedAt }): QuickPickItem & { readonly folder: string } => {
    return { label: new Date(startedAt).toLocaleString(), description: visible(command, 300), folder };
  });
  const picked = await window.showQuickPick(rows, {
    canPickMany: true,
    ignoreFocusOut: true,
    placeHolder,
    matchOnDescription: true,
  });
  return picked === undefined ? null : picked.map(({ folder }) => folder);
}
