import path from 'node:path';
import { type LogOutputChannel, type QuickPickItem, ThemeIcon, window, Uri } from 'vscode';
import { visible } from '../../words/formats/hidden-characters.ts';
import { type ListedRecording, listRecordings, sizeText } from '../../recordings/list-recordings.ts';
import { isOver, deleteRecording } from '../../recordings/delete-recordings.ts';
import { inLog, on, showFailure } from '../ui/failures.ts';
import { recordingsRoot } from '../results/last-recording.ts';
import { showResult } from '../run/show-result.ts';
import type { Services } from '../results/services.ts';
import type { CommandHost } from './command-arguments.ts';
import { recordingPath } from '../../recordings/recording-folders.ts';

type Row = QuickPickItem & { readonly recording: ListedRecording };

/** Lists the recordings of this workspace with their sizes; each can be opened, or deleted. */
export async function openRecording({ context, services }: CommandHost): Promise<void> {
  const root = recordingsRoot(context);
  const recordings = await listRecordings(root);
  const isOfSeveral = new Set(recordings.map(({ cwd }) => cwd)).size > 1;
  const rows = recordings.map((recording) => rowOf(recording, isOfSeveral));
  if (rows.length === 0)
    return showFailure('There is no recording of this workspace yet. Profile something first.', services.log);
  const choice = await pick(rows, async ({ recording }) => deleteAsked(root, recording, services), services.log);
  if (choice !== undefined) await showResult(services, choice.recording.folder);
  return undefined;
}

async function pick(
  rows: readonly Row[],
  remove: (row: Row) => Promise<boolean>,
  log: LogOutputChannel,
): Promise<Row | undefined> {
  const list = window.createQuickPick<Row>();
  list.items = rows;
  list.placeholder = rows.length === 1 ? '1 recording' : `${rows.length} recordings, ${sizeText(sumOf(rows))} together`;
  list.matchOnDescription = true;
  try {
    return await new Promise((resolve) => {
      list.onDidAccept(() => resolve(list.selectedItems[0]));
      list.onDidHide(() => resolve(undefined));
      const removeRow = async (item: Row): Promise<void> => {
        list.ignoreFocusOut = true; // The question takes the focus.
        if (await remove(item)) list.items = list.items.filter((row) => row !== item);
        list.ignoreFocusOut = false;
      };
      on(list.onDidTriggerItemButton, async ({ item }) => removeRow(item), log);
      list.show();
    });
  } finally {
    list.dispose();
  }
}

/**
 * Deletes a recording if the person confirms it. False where it stays: not confirmed, not over yet, or not possible.
 */
async function deleteAsked(root: string, recording: ListedRecording, { log }: Services): Promise<boolean> {
  const now = (await listRecordings(root)).find(({ folder }) => folder === recording.folder);
  if (now !== undefined && !(await isOver(now))) {
    inLog(showFailure('This recording goes on: stop it first, then delete it.', log), log);
    return false;
  }
  const question = `Delete the recording of ${visible(recording.command, 300)}?`;
  const detail = [new Date(recording.startedAt).toLocaleString(), sizeText(recording.bytes)].join(' · ');
  if ((await window.showWarningMessage(question, { modal: true, detail }, 'Delete')) !== 'Delete') return false;
  const deletion = await deleteRecording(root, recording.folder);
  if (deletion.type === 'left') inLog(showFailure(deletion.message, log), log);
  return deletion.type === 'deleted';
}

/**
 * A row of the list. It names the folder where there are recordings of several, because their commands mostly look the
 * same.
 */
function rowOf(recording: ListedRecording, hasFolder: boolean): Row {
  const { command, cwd, startedAt, bytes } = recording;
  const folder = hasFolder && cwd !== null ? [path.basename(cwd)] : [];
  return {
    label: visible(command, 300),
    description: [...folder, new Date(startedAt).toLocaleString(), sizeText(bytes)].join(' · '),
    buttons: [{ iconPath: new ThemeIcon('trash'), tooltip: 'Delete' }],
    recording,
  };
}

function sumOf(rows: readonly Row[]): number {
  return rows.reduce((sum, { recording }) => sum + recording.bytes, 0);
}

/** Opens a `.cpuprofile` file. Any file of a recording stands for the whole recording. */
export async function openProfile(host: CommandHost, argument: unknown): Promise<void> {
  const uri = argument instanceof Uri ? argument : await chosen();
  if (uri !== undefined) await showResult(host.services, recordingPath(uri.fsPath));
}

/**
 * Asks for a file. Windows and Linux would show a dialog for folders alone if both were allowed, and any file names its
 * recording.
 */
async function chosen(): Promise<Uri | undefined> {
  const uris = await window.showOpenDialog({
    title: 'Open a CPU profile or a recording',
    openLabel: 'Open',
    canSelectFiles: true,
    filters: { 'CPU profiles': ['cpuprofile', 'gz', 'json'], 'All files': ['*'] },
  });
  return uris?.[0];
}
