import { type LogOutputChannel, window } from 'vscode';
import { escapeNotification } from '../../words/formats/escape-markdown.ts';

/** The one place where something that went wrong is said: a sentence, and the way to the log. */
export async function showFailure(message: string, log: LogOutputChannel): Promise<void> {
  log.error(message);
  const showLog = 'Show Log';
  if ((await window.showErrorMessage(escapeNotification(message), showLog)) === showLog) log.show();
}
