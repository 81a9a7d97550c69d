import { workspace } from 'vscode';
import type { DiffSummary } from '../../protocol/requests.ts';
import type { Summary } from '../../protocol/summary.ts';
import type { HostMessage } from '../../protocol/webview.ts';
import { visible } from '../../words/formats/hidden-characters.ts';
import { analysisOptions } from '../ui/settings.ts';

/** Why a diff begins with the whole graph. */
export function notInDiff(name: string): string {
  return `No run reached ${visible(name, 200)}: this is the whole graph.`;
}

/** Why a frame that is gone opens nothing. */
export const textNotKept =
  'This function is gone, and the recording has not kept the text that ran: there is nothing to open.';

/** `name` is that of `nameOfDiff`. */
export function showDiffMessage(name: string, { title, verdict }: DiffSummary): HostMessage {
  const facts = { finding: null, isTiers: false, isSecondRun: false, isDiff: true, startedAt: null };
  const { thresholdUs } = analysisOptions();
  return { type: 'show', recording: name, title, verdict, folders: openFolders(), thresholdUs, ...facts };
}

/** `result` is the result that the page belongs to, whose figures the lines show. */
export function showMessage(shown: Summary, result: Summary | null): HostMessage {
  const { recording, title, verdict, thresholdUs, isTiers, startedAt, isForeign, isUnseen } = shown;
  const finding = shown.opensAt;
  const isSecondRun = isTiers && result !== null && result.recording !== recording;
  const others = isForeign || isUnseen ? { isOthersAlone: true as const } : {};
  const facts = { finding, isTiers, isSecondRun, isDiff: false, startedAt, ...others };
  return { type: 'show', recording, title, verdict, folders: openFolders(), thresholdUs, ...facts };
}

function openFolders(): readonly string[] {
  return (workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString().replace(/\/$/, ''));
}
