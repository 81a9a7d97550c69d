import { type LogOutputChannel, Uri, commands, window } from 'vscode';
import { type EmptyState, ways } from '../../words/editor/ways.ts';
import { escapeNotification } from '../../words/formats/escape-markdown.ts';

export interface Offer extends EmptyState {
  readonly severity?: 'warning' | 'error';
  /** Absolute path of the file that *Profile File* is to profile, instead of the open one. */
  readonly file?: string | null;
  /** One more button behind the others. */
  readonly also?: { readonly label: string; readonly run: () => Promise<unknown> } | null;
}

/** Says that there is nothing to show, with the buttons that mend it. Resolves when the person has answered. */
export async function offer(
  { message, ways: offered, severity, file, also }: Offer,
  log: LogOutputChannel,
): Promise<void> {
  log.info(message);
  const labels = [...offered.map((way) => ways[way].label), ...(also ? [also.label] : [])];
  const choice = await asked(severity, escapeNotification(message), labels);
  if (choice === undefined) return;
  const way = offered.find((one) => ways[one].label === choice);
  if (way === undefined) await also?.run();
  else
    await commands.executeCommand(
      ways[way].command,
      ...(way === 'profileFile' && typeof file === 'string' ? [Uri.file(file)] : []),
    );
}

function asked(severity: Offer['severity'], text: string, labels: readonly string[]): Thenable<string | undefined> {
  switch (severity) {
    case 'error':
      return window.showErrorMessage(text, ...labels);
    case 'warning':
      return window.showWarningMessage(text, ...labels);
    case undefined:
      return window.showInformationMessage(text, ...labels);
  }
}
