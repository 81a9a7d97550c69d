import path from 'node:path';
import { type LogOutputChannel, type QuickPickItem, ThemeIcon, l10n, window } from 'vscode';
import { deleteRecording, listRecordings, sizeText, type ListedRecording } from '../../recorder/launch/recordings.ts';
import { on } from '../on.ts';
import { recordingsRoot } from '../run/recordings-root.ts';
import { showResult } from '../run/show-result.ts';
import { showFailure } from '../show-failure.ts';
import type { CommandHost } from './commands.ts';

type Row = QuickPickItem & { readonly recording: ListedRecording };

/** Lists the recordings of this workspace with their sizes; each can be opened, or deleted. */
export async function openRecording({ context, services }: CommandHost): Promise<void> {
  const recordings = await listRecordings(recordingsRoot(context));
  const isOfSeveral = new Set(recordings.map(({ cwd }) => cwd)).size > 1;
  const rows = recordings.map((recording) => rowOf(recording, isOfSeveral));
  if (rows.length === 0)
    return showFailure(l10n.t('There is no recording of this workspace yet. Profile something first.'), services.log);
  const choice = await pick(rows, services.log);
  if (choice !== undefined) await showResult(services, choice.recording.folder);
  return undefined;
}

async function pick(rows: readonly Row[], log: LogOutputChannel): Promise<Row | undefined> {
  const list = window.createQuickPick<Row>();
  list.items = rows;
  list.placeholder =
    rows.length === 1
      ? l10n.t('1 recording')
      : l10n.t('{0} recordings, {1} together', rows.length, sizeText(sumOf(rows)));
  list.matchOnDescription = true;
  try {
    return await new Promise((resolve) => {
      list.onDidAccept(() => resolve(list.selectedItems[0]));
      list.onDidHide(() => resolve(undefined));
      const remove = async (item: Row): Promise<void> => {
        if (await deleteRecording(item.recording.folder)) list.items = list.items.filter((row) => row !== item);
      };
      on(list.onDidTriggerItemButton, async ({ item }) => remove(item), log);
      list.show();
    });
  } finally {
    list.dispose();
  }
}

/** With its folder, where there are recordings of several: their commands are most often called the same. */
function rowOf(recording: ListedRecording, hasFolder: boolean): Row {
  const { command, cwd, startedAt, bytes } = recording;
  const folder = hasFolder && cwd !== null ? [path.basename(cwd)] : [];
  return {
    label: command,
    description: [...folder, new Date(startedAt).toLocaleString(), sizeText(bytes)].join(' · '),
    buttons: [{ iconPath: new ThemeIcon('trash'), tooltip: l10n.t('Delete') }],
    recording,
  };
}

function sumOf(rows: readonly Row[]): number {
  return rows.reduce((sum, { recording }) => sum + recording.bytes, 0);
}
