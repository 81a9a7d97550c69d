import { type LogOutputChannel, window } from 'vscode';
import { plainText } from './plain-text.ts';

/** The one place where something that went wrong is said: a sentence, and the way to the log. */
export async function showFailure(message: string, log: LogOutputChannel): Promise<void> {
  log.error(message);
  const showLog = 'Show Log';
  if ((await window.showErrorMessage(plainText(message), showLog)) === showLog) log.show();
}
