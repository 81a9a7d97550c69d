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
export async function offer(state: Offer, log: LogOutputChannel): Promise<void> {
  const { message, severity } = state;
  if (severity === 'error') log.error(message);
  else log.info(message);
  const choice = await asked(severity, escapeNotification(message), labelsOf(state));
  if (choice !== undefined) await takeWay(state, choice);
}

/** The buttons that lead on. */
export function labelsOf({ ways: offered, also }: Offer): readonly string[] {
  return [...offered.map((way) => ways[way].label), ...(also ? [also.label] : [])];
}

/** Does what the button with this label stands for. */
export async function takeWay({ ways: offered, file, also }: Offer, label: string): Promise<void> {
  const way = offered.find((one) => ways[one].label === label);
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
