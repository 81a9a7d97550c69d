import path from 'node:path';
import * as vscode from 'vscode';
import { visible } from '../../words/formats/foreign-text.ts';
import { type ListedRecording, listRecordings, sizeText, recordingPath } from '../../recordings/recording-folders.ts';
import { isOver, deleteRecording } from '../../recordings/delete-recordings.ts';
import { on, showFailure } from '../ui/failures.ts';
import { offer } from '../results/last-run.ts';
import { emptyStates } from '../../words/editor/ways.ts';
import { recordingsRoot } from '../results/kept-results.ts';
import { showResult } from '../run/show-result.ts';
import type { Summary } from '../../protocol/summary.ts';
import type { Services } from '../results/results.ts';
import type { CommandHost } from './command-arguments.ts';
import { pathOf } from '../ui/open-source.ts';

type Row = vscode.QuickPickItem & { readonly recording: ListedRecording };

/** Lists the recordings of this workspace, to open one or several, or to delete them. */
export async function openRecording({ context, services }: CommandHost): Promise<void> {
  const root = recordingsRoot(context);
  const recordings = await listRecordings(root);
  const isOfSeveral = new Set(recordings.map(({ cwd }) => cwd)).size > 1;
  const rows = recordings.map((recording) => rowOf(recording, isOfSeveral));
  if (rows.length === 0) {
    offer(emptyStates.noneToList, services.log);
    return;
  }
  const chosen = await pick(rows, async ({ recording }) => deleteAsked(root, recording, services), services.log);
  await showAll(
    services,
    chosen.map(({ recording }) => recording.folder),
  );
  return undefined;
}

async function showAll(services: Services, [first, ...more]: readonly string[]): Promise<Summary | null> {
  return first === undefined ? null : showResult(services, first, more);
}

async function pick(
  rows: readonly Row[],
  remove: (row: Row) => Promise<boolean>,
  log: vscode.LogOutputChannel,
): Promise<readonly Row[]> {
  const list = vscode.window.createQuickPick<Row>();
  list.items = rows;
  const bytes = rows.reduce((sum, { recording }) => sum + recording.bytes, 0);
  list.placeholder = rows.length === 1 ? '1 recording' : `${rows.length} recordings, ${sizeText(bytes)} together`;
  list.matchOnDescription = true;
  if (rows.length > 1) list.buttons = [several];
  try {
    return await new Promise((resolve) => {
      list.onDidAccept(() => resolve(list.selectedItems));
      list.onDidHide(() => resolve([]));
      list.onDidTriggerButton(() => {
        list.canSelectMany = !list.canSelectMany;
        list.items = [...list.items]; // Rows get their checkboxes only when they are set again.
      });
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

const several = {
  iconPath: new vscode.ThemeIcon('checklist'),
  tooltip: 'Choose Several, to Show Runs with Their Range',
};

/** Deletes a recording if the person confirms. False where it stays: not confirmed, not over yet, or not possible. */
async function deleteAsked(root: string, recording: ListedRecording, { log }: Services): Promise<boolean> {
  const now = (await listRecordings(root)).find(({ folder }) => folder === recording.folder);
  if (now !== undefined && !(await isOver(now))) {
    showFailure('This recording is still going on: stop it first, then delete it.', log);
    return false;
  }
  const question = `Delete the recording of ${visible(recording.command, 300)}?`;
  const detail = [new Date(recording.startedAt).toLocaleString(), sizeText(recording.bytes)].join(' · ');
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, 'Delete')) !== 'Delete') return false;
  const deletion = await deleteRecording(root, recording.folder);
  if (deletion.type === 'left') showFailure(deletion.message, log);
  return deletion.type === 'deleted';
}

/** A row of the list. With several folders it names its own, because their commands mostly look the same. */
function rowOf(recording: ListedRecording, hasFolder: boolean): Row {
  const { command, cwd, startedAt, bytes } = recording;
  const folder = hasFolder && cwd !== null ? [path.basename(cwd)] : [];
  return {
    label: visible(command, 300),
    description: [...folder, new Date(startedAt).toLocaleString(), sizeText(bytes)].join(' · '),
    buttons: [{ iconPath: new vscode.ThemeIcon('trash'), tooltip: 'Delete' }],
    recording,
  };
}

/** Opens profiles, V8 logs or recordings (any file of one will do): marks their lines, and opens the flamegraph. */
export async function openProfile(host: CommandHost, argument: unknown): Promise<void> {
  host.services.server.prepare();
  const uris = argument instanceof vscode.Uri ? [argument] : await chosen();
  if (uris.length === 0) return;
  const paths = [...new Set(uris.map((uri) => recordingPath(pathOf(uri))))];
  await host.flamegraph.openOnceRead(showAll(host.services, paths));
}

/** Asks for files alone: if folders were allowed too, Windows and Linux would show a dialog for folders only. */
async function chosen(): Promise<readonly vscode.Uri[]> {
  const uris = await vscode.window.showOpenDialog({
    title: 'Open a CPU profile or a recording',
    openLabel: 'Open',
    canSelectFiles: true,
    canSelectMany: true,
    filters: { 'CPU profiles and V8 logs': ['cpuprofile', 'gz', 'json', 'log'], 'All files': ['*'] },
  });
  return uris ?? [];
}
